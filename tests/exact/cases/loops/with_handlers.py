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


def a_loop_in_a_clause_that_try_leaves(importer, hooks, path):
    try:
        importer = hooks.cache[path]
    except KeyError:
        for hook in hooks:
            try:
                importer = hook(path)
                break
            except ImportError:
                pass
        else:
            importer = None
    hooks.cache[path] = hooks.last = importer
    return importer


def a_loop_that_ends_a_with_statement(entries, on_error):
    with entries:
        while True:
            try:
                try:
                    entry = next(entries)
                except StopIteration:
                    break
            except OSError as error:
                on_error(error)
                return
            entries.add(entry)
    entries.done()
