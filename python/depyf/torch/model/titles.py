# SPDX-License-Identifier: MIT
"""Titles of kinds of graphs and phases of compilation."""

from __future__ import annotations

from depyf.torch.model.enums import Stage

INDUCTOR_WRAPPERS = "AOT_runtime_wrappers"
WHOLE_FRAME = "entire_frame_compile"
GUARDS = "build_guards"
CUDA_GRAPH_RECORDING = "CUDAGraphNode.record"

# Title of each kind of file, for its first line and for the index.
TITLES = {
    "Captured_Graph": "graph captured by Dynamo; executed as is with the backend eager, otherwise the backend's input",
    "Joint_graph": "joint forward and backward graph; an intermediate form that is never executed",
    "Forward_graph": "forward graph; executed as is with the backend aot_eager, otherwise the input of the compiler",
    "Backward_graph": "backward graph; executed as is with the backend aot_eager, otherwise the input of the compiler",
    "AFTER_POST_GRAD": "graph after Inductor's passes, from which kernels are generated; never executed",
    "BEFORE_PRE_GRAD": "graph as Inductor received it; an intermediate form that is never executed",
    "DDP_split_graph": "graph that calls the pieces into which DDPOptimizer split the captured graph",
    "DDP_split_child": "piece of the captured graph; input of the backend",
    "Exported_program": "graph of the exported program that torch.export returns; parameters are inputs",
    "Compiled_autograd_graph": "backward pass as compiled autograd captured it",
    INDUCTOR_WRAPPERS: "wrappers that AOTAutograd runs around compiled graphs; a copy of the code that runs",
}

# The stage of torch.compile that produces each kind of file.
STAGE_OF = {
    "Captured_Graph": Stage.CAPTURED,
    "Joint_graph": Stage.JOINT,
    "Forward_graph": Stage.FORWARD,
    "Backward_graph": Stage.BACKWARD,
    "BEFORE_PRE_GRAD": Stage.PRE_GRAD,
    "AFTER_POST_GRAD": Stage.POST_GRAD,
    "kernel": Stage.KERNELS,
    "Exported_program": Stage.EXPORTED,
    "Compiled_autograd_graph": Stage.COMPILED_AUTOGRAD,
    INDUCTOR_WRAPPERS: Stage.RUNTIME_WRAPPERS,
}

ABANDONED = "of an attempt that Dynamo abandoned to trace the frame again"
OF_FAILURE = "of a compilation that failed"

# The pass of a training step that a graph or Inductor's code belongs to, by its `is_backward`.
PASSES = {True: "backward: ", False: "forward: ", None: ""}

# Spans of torch's timeline that are shown as phases: name -> title in the index.
PHASES = {
    WHOLE_FRAME: "whole frame",
    "bytecode_tracing": "tracing (Dynamo)",
    GUARDS: "building guards",
    "backend_compile": "backend",
    "create_aot_dispatcher_function": "AOTAutograd",
    "aot_collect_metadata": "AOTAutograd: metadata",
    "aot_trace_joint_graph": "AOTAutograd: joint graph",
    "min_cut_rematerialization_partition": "AOTAutograd: partitioning",
    "inductor_compile": "Inductor",
    "_recursive_pre_grad_passes": "Inductor: pre-grad passes",
    "_recursive_joint_graph_passes": "Inductor: joint passes",
    "_recursive_post_grad_passes": "Inductor: post-grad passes",
    "GraphLowering.run": "Inductor: lowering",
    "GraphLowering.codegen": "Inductor: code generation",
    "Scheduler.codegen": "Inductor: scheduling",
    "PyCodeCache.load_by_key_path": "Inductor: loading",
    "async_compile.wait": "Inductor: waiting for kernels",
    "compile_file": "C++ compiler",
    CUDA_GRAPH_RECORDING: "recording CUDA graphs",
}
