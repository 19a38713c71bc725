# SPDX-License-Identifier: MIT
# A chained comparison at the end of a module, before it an annotation that leaves nothing but the set of marks (3.14+).
(a): b = c
d <= e not in f
