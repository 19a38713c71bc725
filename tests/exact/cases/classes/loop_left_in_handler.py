# SPDX-License-Identifier: MIT
# The end of a class body is duplicated at the `break` of the last loop in a handler, beside that of what the loop returns
# to: inverse of inline_small_or_no_lineno_blocks.


class LoopLeftInHandler:
    try:
        if a:
            pass
    except:
        while True:
            if b:
                break
            assert {i: f(i) for i in [g()]}, c
