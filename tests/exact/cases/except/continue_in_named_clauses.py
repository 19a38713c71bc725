# SPDX-License-Identifier: MIT
# A clause that names its exception and continues the loop that what follows the statement leaves: 3.8 keeps where the
# clause would lead.
def after_it(self, items):
    for n in items:
        try:
            h = self(n)
        except E as e:
            if not e.x:
                raise
            continue
        break
    else:
        self.skip()
    return h


def in_its_else(self, items):
    for n in items:
        try:
            h = self(n)
        except E as e:
            if not e.x:
                raise
        else:
            break
    else:
        self.skip()
    return h
