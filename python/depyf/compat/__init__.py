# SPDX-License-Identifier: MIT
"""The modules of depyf 0.20 under their old names: `depyf.utils` is `utils.py` in this folder.

`depyf.__path__` contains this folder. Invariant: no other package imports these modules. Imports inside the folder are
relative, so that a module is the same object under both of its names.
"""
