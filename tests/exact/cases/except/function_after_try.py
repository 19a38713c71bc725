# SPDX-License-Identifier: MIT
# A function is what a module ends with, behind a try statement: 3.12 has it once for each way there.
try:
    has_key
except NameError:
    from .has_key import has_key


def wrapper(func):
    return func(has_key)
