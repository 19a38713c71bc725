# SPDX-License-Identifier: MIT
"""The table of capabilities: the private names of torch that each one needs, and what is lost without them.

Notation of names:

- `torch.a.b`: a path in torch;
- `torch.a.f(x)`: the local variable `x` in a running frame of this function;
- `Kind.x`: the attribute `x` of a kind of object that torch creates (a cache entry, a compiled function).

Importing this module does not import torch.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Capability:
    """A feature of depyf that needs private names of torch."""

    name: str
    lost: str  # what is lost if any of the names is missing
    needs: tuple[str, ...]
    since: tuple[int, int] = (0, 0)  # the first release that has what the feature uses; earlier ones lose nothing


TRACE_LOGGER = "torch.__trace"
CUDA_GRAPH_LOGGER = "torch._inductor.cudagraph_utils.__cudagraphs"
LOGGERS = frozenset((TRACE_LOGGER, CUDA_GRAPH_LOGGER))  # not attributes: logging.getLogger creates them on request
_DYNAMO = "torch._dynamo"
_FRAMES = "torch._C._dynamo.eval_frame"

CAPABILITIES = (
    Capability(
        "what torch logs of compilations",
        "graphs, guards, graph breaks, recompiles and times are not known",
        (TRACE_LOGGER,),
    ),
    Capability(
        "transformed code",
        "transformed code is not recorded: no entries, full code or line stepping",
        (f"{_DYNAMO}.convert_frame.register_bytecode_hook",),
    ),
    Capability(
        "transformed code with other hooks",
        "libraries whose hooks run earlier store code without the line numbers of the dump",
        (f"{_DYNAMO}.convert_frame._bytecode_hooks",),
    ),
    Capability(
        "inputs and globals of compiled frames",
        "inputs, globals, backends, public names in guards and depyf's own recompile reasons are not known",
        tuple(f"{_DYNAMO}.convert_frame._compile({name})" for name in ("code", "globals", "locals", "compiler_fn")),
    ),
    Capability(
        "why compiled autograd captures a pass",
        "why compiled autograd captures a backward pass again is not known",
        (
            f"{_DYNAMO}.compiled_autograd.snapshot_verbose_logging_enabled",
            "torch._C._dynamo.compiled_autograd.set_verbose_logger",
        ),
    ),
    Capability(
        "errors distinguished from graph breaks",
        "whether a graph break was an error of the program is not known",
        (f"{_DYNAMO}.convert_frame._compile(one_graph)", f"{_DYNAMO}.convert_frame._compile(convert_frame_box)"),
    ),
    Capability(
        "files named __compiled_fn_N",
        "files are named by compile ids instead of __compiled_fn_N",
        (f"{_DYNAMO}.output_graph.OutputGraph.compile_and_call_fx_graph(name)",),
    ),
    Capability(
        "get_current_compiled_fn_name() of 0.20",
        "depyf.explain.utils.get_current_compiled_fn_name() returns __compiled_fn_-1",
        (f"{_DYNAMO}.bytecode_transformation._unique_id_counter",),
    ),
    Capability(
        "frames of Inductor's files",
        "files of Inductor, and graphs that are only printed, are not attributed to a frame",
        ("torch._guards.CompileContext", "CompileContext.current_compile_id"),
    ),
    Capability(
        "compiled entries of functions",
        "entries compiled before a block, their order, full_code, entries and which_entry",
        (
            f"{_DYNAMO}.eval_frame._debug_get_cache_entry_list",
            "CacheEntry.code",
            "CacheEntry.compile_id",
            "CacheEntry.guard_manager",
        ),
    ),
    Capability(
        "entries by backend",
        "entries of one function under several backends are not distinguished",
        ("CacheEntry.backend", "ConvertFrame._torchdynamo_orig_backend"),
    ),
    Capability(
        "entries of isolated regions",
        "caches of torch.compile(isolate_recompiles=True) are not distinguished",
        (
            f"{_DYNAMO}.eval_frame._get_cache_entries_for_region",
            f"{_FRAMES}.get_eval_frame_isolate_recompiles_id",
            "CompiledFunction._isolate_recompiles_id",
            "CacheEntry.isolate_recompiles_id",
            f"{_DYNAMO}.eval_frame._get_total_cache_entry_count",
        ),
        since=(2, 13),
    ),
    Capability(
        "functions that torch.compile wraps",
        "the original of a compiled function is not found: which_entry, entries and full_code must be called with it",
        (
            f"{_DYNAMO}.eval_frame.innermost_fn",
            "CompiledFunction._torchdynamo_orig_callable",
            "CompiledModule._orig_mod",
        ),
    ),
    Capability(
        "calls of modules",
        "full_code and which_entry leave hooks of modules out, or what Module.compile() compiled",
        (
            "Module._forward_pre_hooks",
            "Module._forward_hooks",
            "Module._backward_pre_hooks",
            "Module._backward_hooks",
            "Module._compiled_call_impl",
            "torch.nn.modules.module._has_any_global_hook",
        ),
    ),
    Capability(
        "compiled functions under torch's decorators",
        "which_entry does not work for compiled functions decorated with torch.no_grad() or similar decorators",
        ("torch.utils._contextlib.context_decorator", "torch.amp.autocast_mode.autocast_decorator"),
    ),
    Capability(
        "side effects that frames replay",
        "the side effects that a transformed frame replays are not shown",
        (f"{_DYNAMO}.convert_frame.get_compiled_code_side_effects",),
    ),
    Capability(
        "depyf.values(): the evaluation stack",
        "depyf.values() does not show values that lie on the evaluation stack alone",
        (f"{_FRAMES}._get_frame_value_stack_with_depth",),
    ),
    Capability(
        "depyf's own hooks are not compiled",
        "Dynamo may compile frames of depyf's own hooks",
        (f"{_FRAMES}.set_eval_frame", f"{_DYNAMO}.eval_frame.skip_code"),
    ),
    Capability(
        "torch's trace is not compiled",
        "where a backward pass runs within a compiled function, Dynamo may compile what tells depyf of it",
        (
            f"{_FRAMES}.set_code_exec_strategy",
            f"{_DYNAMO}.types.FrameAction",
            f"{_DYNAMO}.types.FrameExecStrategy",
        ),
    ),
    Capability(
        "stored code without paths of dumps",
        "code that Dynamo stores for other processes may contain paths of this machine",
        (f"{_DYNAMO}.config.caching_precompile",),
        since=(2, 9),
    ),
    Capability(
        "precompiled entries",
        "calls that use an entry loaded with caching_precompile are reported as not compiled yet",
        (f"{_FRAMES}._debug_get_precompile_entries", f"{_DYNAMO}.package.CompilePackage.install"),
        since=(2, 9),
    ),
    Capability(
        "torch.compiler.set_stance",
        "depyf.debug() and full_code do not follow torch.compiler.set_stance and error_on_recompile",
        (
            f"{_DYNAMO}.config.error_on_recompile",
            f"{_DYNAMO}.eval_frame._stance",
            f"{_DYNAMO}.eval_frame._callback_from_stance",
            "Stance.stance",
            "Stance.skip_guard_eval_unsafe",
        ),
    ),
    Capability(
        "the stance eager_then_compile",
        "which_entry and full_code do not know which calls run eagerly because of this stance",
        (f"{_DYNAMO}.eval_frame._EXAMPLE_INPUTS",),
        since=(2, 7),
    ),
    Capability(
        "functions that Dynamo has processed",
        "functions that Dynamo skips are not distinguished from those it has not seen; a reset is not noticed",
        (
            f"{_DYNAMO}.convert_frame.input_codes",
            f"{_DYNAMO}.trace_rules.check",
            f"{_DYNAMO}.trace_rules.check_verbose",
        ),
    ),
    Capability(
        "id of the next compilation",
        "the id of the next compilation is derived from the existing entries",
        (f"{_DYNAMO}.convert_frame.FRAME_COMPILE_COUNTER",),
    ),
    Capability(
        "skipped frames",
        "frames that Dynamo skips without recording a compilation have the status unknown",
        (
            f"{_DYNAMO}.convert_frame.CatchErrorsWrapper._handle_skip",
            "ConvertFrameReturn.frame_exec_strategy",
            "ConvertFrameReturn.apply_to_code",
            "ConvertFrameReturn.guarded_code",
            "ConvertFrameReturn.skip_reason",
        ),
        since=(2, 13),
    ),
    Capability(
        "failed compilations",
        "why Dynamo does not compile a frame is not known",
        (f"{_DYNAMO}.exc", f"{_DYNAMO}.utils.get_compilation_metrics"),
    ),
    Capability(
        "lines that narrow sizes marked as dynamic",
        "a ConstraintViolationError without a line is reported at the first line of the function",
        (
            "torch.fx.experimental.symbolic_shapes.ShapeEnv",
            "ShapeEnv.guards",
            "ShapeEnv.source_to_var",
            "ShapeGuard.sloc",
            "SLoc.maybe_user_loc",
        ),
    ),
    Capability(
        "recompile limit",
        "whether a call would exceed the recompile limit is not known in advance",
        (f"{_DYNAMO}.cache_size.compute_cache_size", f"{_DYNAMO}.config"),
    ),
    Capability(
        "compilation ahead of time",
        "functions compiled by torch.compile(f).aot_compile(...) are not dumped",
        (
            f"{_DYNAMO}.aot_compile.aot_compile_fullgraph",
            f"{_DYNAMO}.aot_compile.AOTCompiledFunction.__post_init__",
            "AOTCompiledFunction._artifacts",
            "AOTCompiledFunction.fn",
            "CompileArtifacts.original_code",
            "CompileArtifacts.guard_manager",
        ),
        since=(2, 9),
    ),
    Capability(
        "reasons of errors that torch suppresses",
        "the error that Dynamo suppressed is not known for frames that it could not begin to trace (generators)",
        (f"{_DYNAMO}.utils.counters", f"{_DYNAMO}.convert_frame.has_tensor_in_frame"),
    ),
    Capability(
        "AOTInductor",
        "several programs compiled by AOTInductor are reported as one",
        ("torch._inductor.compile_fx.compile_fx_aot",),
    ),
    Capability("torch.export", "programs of torch.export are not dumped", ("torch.export._trace._export",)),
    Capability(
        "graphs that libraries print (vLLM)",
        "graphs that libraries only print (vLLM's splits) are not dumped",
        (f"{_DYNAMO}.utils.lazy_format_graph_code",),
    ),
    Capability(
        "stepping through graph files", "debuggers do not step through graph files", ("torch.fx.GraphModule.recompile",)
    ),
    Capability(
        "stepping through graphs that take a list",
        "debuggers do not step through graph files",
        ("torch.fx._lazy_graph_module._LazyGraphModule._lazy_forward", "FxGraph._codegen"),
    ),
    Capability(
        "inputs of graph scripts", "scripts of dumped graphs do not create inputs", ("torch.fx.graph.dtype_abbrs",)
    ),
    Capability(
        "Inductor's operators in graph scripts",
        "graph scripts do not import what registers Inductor's operators",
        ("torch._prims",),
    ),
    Capability(
        "a program's operators in graph scripts",
        "graph scripts do not name the module of the program that registers an operator",
        ("torch._library.custom_ops.OPDEFS", "torch._C._dispatch_dump"),
    ),
    Capability("NumPy in graph scripts", "graphs of code that calls NumPy do not run", ("torch._numpy",)),
    Capability(
        "global_variables.data of 0.20",
        "torch's functions are None in depyf.explain.global_variables.data",
        ("torch.fx.graph_module._exec_with_source", f"{_DYNAMO}.eval_frame.OptimizeContext"),
    ),
    Capability(
        "Inductor's files run from the dump",
        "Inductor's Python files do not run from the dump folder",
        ("torch._inductor.codecache.PyCodeCache.load_by_key_path",),
    ),
    Capability(
        "lines and nodes of kernels",
        "the lines and nodes of Inductor's kernels are not known",
        (
            "torch._inductor.config.trace.provenance_tracking_level",
            "torch._inductor.debug._inductor_triton_kernel_to_post_grad_node_info",
        ),
        since=(2, 9),
    ),
    Capability(
        "guards on dispatch keys",
        "dispatch keys of tensors are not compared",
        (
            "torch._C._dispatch_keys",
            "torch._C._dispatch_tls_local_include_set",
            "torch._C._dispatch_tls_local_exclude_set",
        ),
    ),
    Capability(
        "guards on the default device", "DEFAULT_DEVICE is not evaluated", ("torch.utils._device.CURRENT_DEVICE",)
    ),
    Capability(
        "guards on torch function modes",
        "TORCH_FUNCTION_MODE_STACK is not evaluated",
        ("torch.overrides._get_current_function_mode_stack",),
    ),
    Capability(
        "guards on meshes of devices",
        "guards on meshes of devices and other opaque objects are not evaluated",
        ("torch._library.opaque_object.get_opaque_obj_info",),
        since=(2, 13),
    ),
    Capability(
        "guards on saved-tensor hooks",
        "guards on saved-tensor hooks are not evaluated",
        (
            "torch._functorch._aot_autograd.utils.top_saved_tensors_hooks",
            "torch._functorch._aot_autograd.utils.saved_tensors_hooks_are_inlineable",
        ),
        since=(2, 8),
    ),
    Capability(
        "guards that call torch's helpers",
        "guards that call torch's private helpers are not evaluated",
        (f"{_DYNAMO}.guards._get_closure_vars", "torch.fx.experimental.symbolic_shapes.SYMPY_INTERP"),
    ),
    Capability(
        "guards on global state",
        "only the public part of GLOBAL_STATE is compared",
        ("torch._C._dynamo.guards.GlobalStateGuard", "GlobalStateGuard.__getstate__"),
    ),
    Capability(
        "hidden reads of tensors",
        "function modes of the program observe depyf's reads of tensors",
        ("torch._C.DisableTorchFunction",),
    ),
    Capability(
        "guards on vmap, grad and similar transforms",
        "guards on vmap, grad and similar transforms are not evaluated",
        ("torch._functorch.pyfunctorch.compare_functorch_state",),
    ),
    Capability(
        "guards on forward-mode levels",
        "DUAL_LEVEL_MATCH is not evaluated",
        ("torch.autograd.forward_ad._current_level",),
    ),
    Capability(
        "guards on shared memory",
        "STORAGE_OVERLAPPING is not evaluated",
        ("torch._C._dynamo.guards.compute_overlapping_tensors",),
    ),
    Capability(
        "guards on reduced precision",
        "the torch-function switch and reduced precision are not compared if GLOBAL_STATE does not contain its state",
        (
            "torch._C._is_torch_function_enabled",
            "torch._C._is_torch_function_all_disabled",
            "torch._C._get_cublas_allow_fp16_reduced_precision_reduction",
            "torch._C._get_cublas_allow_bf16_reduced_precision_reduction",
            "torch._C._get_cublas_allow_tf32",
        ),
    ),
    Capability(
        "guards of earlier entries",
        "for entries compiled before the session, guards on global state and dictionary classes are not evaluated",
        ("GuardManager.root", "RootGuardManager.get_leaf_guards", "RootGuardManager.clone_manager"),
    ),
    Capability(
        "lines of overridden operations",
        "graphs name a line of torch for operations on tensor subclasses, or under a default device",
        ("torch.fx.graph._parse_stack_trace",),
    ),
    Capability(
        "lines of guards",
        "the lines of the program that introduced guards are not known",
        ("torch._guards.GuardsSet.add", "torch._guards.TracingContext.extract_stack", "Guard.user_stack"),
    ),
    Capability(
        "callers of the lines of guards",
        "for a guard introduced by a library, the calling line of the program is not known",
        (
            f"{_DYNAMO}.guards.CheckFunctionManager.__init__(output_graph)",
            "OutputGraph.guards",
            "Guard.name",
            "Guard.code_list",
            "Guard.user_stack",
        ),
    ),
    Capability(
        "guards that depyf does not evaluate itself",
        "guards that depyf does not evaluate are assumed true, because torch cannot evaluate them separately",
        ("GuardManager.root", "RootGuardManager.check_verbose"),
    ),
    Capability(
        "logging only what depyf reads",
        "torch builds events that depyf does not read, so compilation takes longer",
        tuple(f"torch._logging._internal.trace_structured({name})" for name in ("name", "metadata_fn", "payload_fn")),
    ),
    Capability(
        "CUDA graphs given up while they run",
        "compiled graphs without a CUDA graph are only reported if torch decides this at compile time",
        (CUDA_GRAPH_LOGGER,),
    ),
    Capability(
        "file names in stacks",
        "stacks have no file names if the block began after torch logged them",
        ("torch._logging.structured.INTERN_TABLE",),
    ),
    Capability(
        'source in TORCH_LOGS="+bytecode"',
        'TORCH_LOGS="+bytecode" has no decompiled source',
        ("torch._logging.getArtifactLogger",),
    ),
    Capability(
        "why --try: nonstrict tracing",
        "depyf why --try cannot use nonstrict_trace",
        (f"{_DYNAMO}.nonstrict_trace",),
        since=(2, 7),
    ),
    Capability(
        "why --try: dynamic dimensions",
        "depyf why --try cannot mark the dimensions of an argument",
        (f"{_DYNAMO}.convert_frame.CatchErrorsWrapper", f"{_DYNAMO}.maybe_mark_dynamic"),
    ),
)
