# SPDX-License-Identifier: MIT
"""`./dev gallery`: a static site from the zoo's dumps, to learn from what torch.compile does to real architectures."""
