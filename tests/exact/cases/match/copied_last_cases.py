# SPDX-License-Identifier: MIT
# A last case that ends the function is small enough for a copy where the guard before it fails.


def after_another(p, x):
    match x:
        case {"k": {"l": y}}:
            return
    match x, p:
        case OSError({"k": 1, **y}):
            return
        case "t" | "u" if x:
            pass
        case z:
            return


def of_two_guards(p, x):
    match x:
        case []:
            return
    match p:
        case OSError(1):
            return
        case 1 if x:
            print(x)
        case 2 | 3 if p and x:
            pass
        case z:
            return
