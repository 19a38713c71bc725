# SPDX-License-Identifier: MIT
"""Private names of torch: the table of those that depyf uses, and the only place where they are looked up."""
