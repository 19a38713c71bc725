# SPDX-License-Identifier: MIT
# Several values to several attributes and items at once; keywords from a display.
def attributes(self, a, b, c):
    self.a, self.b, self.c = a, b, c


def copy(self):
    self[:], result = [], self[:]
    return result


def keywords(self, text, policy):
    base(self, "text", policy=policy, **{"charset": str(text)})
    base(**self, policy=policy)
    base(policy=policy, **self, text=text)


def items_of_several_indices(m, i, j, k):
    m[i, j], m[j, i] = m[j, i], m[i, j]
    m[i, k:], m[j, k:] = m[j, k:], m[i, k:]
    m[i, k + 1:j], m[k] = k, j
    m[i, j], k, m[i] = k, j, i
    return m
