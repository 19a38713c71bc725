# SPDX-License-Identifier: MIT
"""Each private name of torch that depyf touches, probed by feature, once; one file for each thing that they serve.

Invariant: no other module of the package names a private part of torch. A seam that this torch lacks is recorded in
`missing()` with what is lost; its function then answers "nothing" and the rest keeps working. Nothing here keeps a
reference to an object of the user's program. Importing this package does not import torch: what waits for torch to be
imported, and texts that name its parts, ask here too.
"""

from depyf.torch.seams import conversion, entries, graphs, names, state, trace
from depyf.torch.seams.probe import missing

__all__ = ["conversion", "entries", "graphs", "missing", "names", "state", "trace"]
