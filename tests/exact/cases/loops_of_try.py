# SPDX-License-Identifier: MIT
# `while True: try:` and `try: while True:`.
def loop_outside(words):
    while True:
        try:
            index = words.index("-arch")
            del words[index : index + 2]
        except ValueError:
            break
    return words


def loop_inside(words):
    try:
        while True:
            index = words.index("-arch")
            del words[index : index + 2]
    except ValueError:
        pass
    return words
