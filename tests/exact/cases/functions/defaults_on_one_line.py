# SPDX-License-Identifier: MIT
# Up to 3.9 no constant is folded late in a code object with a line of 255 bytes or more: a tuple of defaults is built there, also
# of functions on short lines.
class C:
    def long(self, a0: A[b] = None, a1: A[b] = None, a2: A[b] = None, a3: A[b] = None, a4: A[b] = None, a5: A[b] = None, a6: A[b] = None, a7: A[b] = None, a8: A[b] = None, a9: A[b] = None, a10: A[b] = None, a11: A[b] = None, a12: A[b] = None, a13: A[b] = None, a14: A[b] = None, a15: A[b] = None, a16: A[b] = None, a17: A[b] = None, a18: A[b] = None, a19: A[b] = None, a20: A[b] = None, a21: A[b] = None, a22: A[b] = None, a23: A[b] = None, a24: A[b] = None, a25: A[b] = None, a26: A[b] = None, a27: A[b] = None, a28: A[b] = None, a29: A[b] = None, a30: A[b] = None, a31: A[b] = None, a32: A[b] = None, a33: A[b] = None, a34: A[b] = None, a35: A[b] = None, a36: A[b] = None, a37: A[b] = None, a38: A[b] = None, a39: A[b] = None):
        return self

    def short(self, a=1, b=2):
        return self


def brief(a=1, b=2):
    return a
