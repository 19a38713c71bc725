# SPDX-License-Identifier: MIT
"""Features that the installed release of torch lacks, by which tests are skipped or changed."""

import inspect
import sys

import pytest
import torch
import torch._dynamo.convert_frame
import torch._dynamo.eval_frame
import torch._dynamo.output_graph
import torch._inductor.output_code

RUNS_AOT_GRAPHS = hasattr(torch.fx.graph, "_BoxedCodeGen")
needs_running_aot_graphs = pytest.mark.skipif(
    not RUNS_AOT_GRAPHS, reason="this torch interprets AOT graphs: no text of theirs runs"
)
needs_the_stack = pytest.mark.skipif(
    not hasattr(torch._C._dynamo.eval_frame, "_get_frame_value_stack_with_depth"),
    reason="this torch does not show what lies on a frame's stack",
)
# Whether torch records the graph breaks for which it skips frames, and the generators that it skips.
TELLS_WHAT_IT_SKIPS = hasattr(torch._dynamo.convert_frame.CatchErrorsWrapper, "_handle_skip")
# Whether a cache hit of Inductor provides the graph that the code was made from.
CACHES_POST_GRAD = "inductor_post_grad_graph_str" in torch._inductor.output_code.CompiledFxGraph.__annotations__
# Whether resume functions with free variables are globals; otherwise code defines them where they are called.
RESUMES_BY_NAME = hasattr(torch._dynamo.output_graph.OutputGraph, "install_resume_function_global")
# Programs of the catalogue with functions in such a resume function, whose text gives them other qualified names.
UNPROVED = (
    set()
    if RESUMES_BY_NAME
    else {"breaks_library-namedtuple_made2", "breaks_operators-unsupported_hop", "statements-in_lambdas_and_defaults"}
)

# The option that limits recompiles of a frame. torch 2.6 only has its former name.
LIMIT = "recompile_limit" if hasattr(torch._dynamo.config, "recompile_limit") else "cache_size_limit"

# Whether Dynamo calls its own function to pop a NULL from the stack (PyCodegen.pop_null).
POPS_NULL_BY_CALLING = torch.__version__.startswith("2.6.") and sys.version_info >= (3, 13)

# The stances that first run a call eagerly and compile later.
_STANCES = inspect.getsource(torch._dynamo.eval_frame._callback_from_stance)
LATER_STANCES = [stance for stance in ("eager_then_compile", "aot_eager_then_compile") if f'"{stance}"' in _STANCES]

# The code that debugpy runs to display a value within a compiled call is compiled; under 2.6, breakpoints are missed.
SHOWS_VALUES_BETWEEN_BREAKPOINTS = not torch.__version__.startswith("2.6.")
