# SPDX-License-Identifier: MIT
# Annotations of classes in functions, and names that they close over.
class A:
    x: int
class B:
    x: types.FrameType
class C:
    x: a[b]
def f(T):
  class D:
    x: T
    y: T
  class E:
    x: T = 1
    y: T
    def f(self): return __class__
