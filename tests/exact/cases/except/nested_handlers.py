# SPDX-License-Identifier: MIT
# Try statements that end a clause of another one: what leaves the outer clause has no line and is copied (3.13+).


def raised_again(value):
    try:
        token, value = dot_atom(value)
    except HeaderError:
        try:
            token, value = word(value)
        except HeaderError:
            if value[0]:
                raise
            token = Token()
    if leader is not None:
        token[:0] = [leader]


def defaulted(self):
    try:
        name = self.long_name
    except AttributeError:
        try:
            name = self.name
        except AttributeError:
            name = "?"
    print(name)


def in_a_loop():
    for module in modules:
        name = None
        try:
            name = module.loader
        except AttributeError:
            try:
                name = module.spec
            except AttributeError:
                pass
        if name not in {"a", "b"}:
            continue
        print(name)


def left_twice(tag):
    try:
        f = handlers[tag]
    except KeyError:
        if ":" not in tag:
            return
        try:
            f = handlers[tag.split(":")[-1]]
        except KeyError:
            return
    return f(state, "".join(data))


def loop_with_else(path):
    try:
        importer = cache[path]
    except KeyError:
        for hook in hooks:
            try:
                importer = hook(path)
                cache.setdefault(path, importer)
                break
            except ImportError:
                pass
        else:
            importer = None
    return importer


def loop_that_ends_it(members):
    for name, value in members:
        try:
            found = values.get(value)
        except TypeError:
            found = None
            if value in unhashable:
                for member in members:
                    if member.value == value:
                        found = member
                        break
        if found is not None:
            found.alias(name)
        else:
            add(name)


def returns_after_a_named_clause(f):
    try:
        try:
            f
        except E as e:
            pass
        return "u"
    except E:
        pass
