# SPDX-License-Identifier: MIT
"""Writers: pure functions from what is known of a run to text. Only `index_data` and `rewrite` need torch."""
