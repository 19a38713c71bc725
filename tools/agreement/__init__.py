# SPDX-License-Identifier: MIT
"""Whether what depyf says of compiled functions is what torch's own caches, guard managers and calls say."""
