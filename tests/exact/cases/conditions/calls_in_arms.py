# SPDX-License-Identifier: MIT
# Arms that call globals, in the arguments of a call: each arm has its own.
def called(f, x):
    return f.enc(int() if x else str())


def global_called(x):
    return print(int() if x else str())


def of_arms(f, x):
    return f.enc((int if x else str)())


def global_of_arms(x):
    return print((int if x else str)())
