# SPDX-License-Identifier: MIT
# A filter that is a conditional expression, one of whose arms is negated.
def filters(p, q, s):
    return (x for x in s if (not p if q(x) else p is None)), [x for x in s if (q(x) if p or q else not x)]


def filters_of_several(p, q, s):
    return {x for y in s for x in y if (not x if p else y) if q}
