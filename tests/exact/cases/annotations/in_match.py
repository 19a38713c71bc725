# SPDX-License-Identifier: MIT
# 3.10 makes no __annotations__ for an annotation in a match statement alone.
a = 1
while 0:
    dropped: int
match a:
    case 1:
        b: int


class C:
    match a:
        case 2:
            c: int = 1
