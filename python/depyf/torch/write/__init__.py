# SPDX-License-Identifier: MIT
"""Writers: pure functions from what is known of a run to text. None of them imports torch."""
