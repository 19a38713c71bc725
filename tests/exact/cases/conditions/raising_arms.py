import sys

if sys.platform == "win32":
    first = 1
else:
    raise ImportError("elsewhere")
import time


class Base(Exception):
    if first:
        second = 2
    elif time:
        second = 3
    else:
        raise ValueError
    third = second


def arms(self, info, atlas, lapack):
    if atlas is None:
        return
    head = self.combine(atlas) or [None]
    if lapack is not None:
        self.append(info, **lapack)
        self.append(info, **atlas)
    elif "lapack" in atlas["libraries"]:
        self.append(info, **atlas)
        self.set_info(**info)
        return
    else:
        self.append(info, **atlas)
        self.warn(head)
        self.set_info(**info)
        return
    for name in self.names():
        for prefix in atlas:
            if self.exists(prefix + name):
                head = name
                break
        if head:
            break
    if head is not None:
        if self.size(head) <= 4000:
            self.warn(name)
        else:
            info["language"] = "f77"
    self.set_info(**info)


def matched(value):
    if value:
        size = 1
    elif value is None:
        raise KeyError
    else:
        raise TypeError
    with value:
        size += value.get(size)
    return size, value
