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
