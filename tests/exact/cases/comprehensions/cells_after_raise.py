# SPDX-License-Identifier: MIT
# A comprehension's variable that is a cell only because of another comprehension, which control never reaches.
if [{} for a in b]:
    pass
raise
{lambda: a: {} for a in b}
