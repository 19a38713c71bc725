# SPDX-License-Identifier: MIT
"""The modules of depyf 0.20, under the names that they had there: `depyf.utils` is `utils.py` here.

`depyf.__path__` names this folder. Invariant: nobody else imports what is here. Imports within the folder are relative,
so that each module is one whichever name it is reached by.
"""
