# SPDX-License-Identifier: MIT
"""What the installed release of torch cannot do, for tests to say so."""

import pytest
import torch

needs_running_aot_graphs = pytest.mark.skipif(
    not hasattr(torch.fx.graph, "_BoxedCodeGen"), reason="this torch interprets AOT graphs: no text of theirs runs"
)
