# SPDX-License-Identifier: MIT
"""What torch itself says of compiled functions, for tests and the zoo to judge depyf by.

Nothing here imports depyf (a lint rule sees to it): a judge that shared code with what it judges would agree with it.
"""
