# SPDX-License-Identifier: MIT
# Class bodies and modules that end in branches and loops, whose ways out are copies.
class A:
    try:
        from a import b
    except ImportError:
        b = None
    else:
        c = b
class B:
    def f(self): return __class__
    for x in y:
        if x: break
    else:
        z = 1
for x in y:
    if x: 
        print(x)
        break
