# SPDX-License-Identifier: MIT
"""Private names of torch: the table of names that depyf uses, and the only code that looks them up."""
