"""A docstring stays first where names are global in the module (SPDX-License-Identifier: MIT)."""
from __future__ import annotations
x = None
y = 1
def f():
    global x
    return x
class A:
    global z
    z = 1
z = 2
w = 3
def g():
    global w, v
    print(w)
    def h(): return v
def k():
    x = 1
    def l():
        global x
        def m(): return x
        return x
