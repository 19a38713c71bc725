# SPDX-License-Identifier: MIT
"""Compares what depyf says of compiled functions with what torch's own caches, guard managers and calls say."""
