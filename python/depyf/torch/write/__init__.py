# SPDX-License-Identifier: MIT
"""Writers: pure functions from the facts of a run to text. Only `index_data` and `rewrite` need torch."""
