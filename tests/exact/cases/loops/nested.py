# SPDX-License-Identifier: MIT
# Loops whose ways out lead to the loop around them.


def both_forever(self):
    while True:
        line = self.read()
        if line.starts():
            while True:
                line = self.read()
                if line == separator:
                    stops.append(line)
                    break
                elif not line:
                    stops.append(position)
                    break
        elif not line:
            break
    self.stops = stops


def else_break(nodes):
    for node in nodes:
        if node in seen:
            continue
        while True:
            if node in seen:
                if node in places:
                    return stack[places[node]:] + [node]
            else:
                seen.add(node)
            while stack:
                try:
                    node = iterators[-1]()
                    break
                except StopIteration:
                    del places[stack.pop()]
            else:
                break
    return None


def ends_behind_a_try(self, name, create):
    if unix:
        if name is None:
            while True:
                name = make_name()
                try:
                    self.fd = open_shared(name)
                except FileExistsError:
                    continue
                self.name = name
                break
        else:
            name = "/" + name
        register(name)
    elif create:
        while True:
            temporary = make_name()
            handle = mapping(temporary)
            try:
                if last_error() == EXISTS:
                    if name is not None:
                        raise FileExistsError
                    else:
                        continue
                self.map = handle
            finally:
                close(handle)
            self.name = temporary
            break
    else:
        self.name = name
    self.size = 0


def returns_from_its_end(self, size):
    while True:
        if self.translate:
            if pos >= 0:
                end = pos + 1
                break
            else:
                start = len(line)
        elif self.universal:
            if nl == -1:
                end = cr + 1
                break
            elif nl < cr:
                end = nl + 1
                break
        if size >= 0:
            end = size
            break
        if self.decoded:
            line += self.chars()
        else:
            self.set_chars("")
            self.snapshot = None
            return line
    if size >= 0 and end > size:
        end = size
    self.rewind(len(line) - end)
    return line[:end]


def while_first_of_loop(pairs, left, right):
    while True:
        while len(left) == 0 or len(right) == 0:
            try:
                x, y = next(pairs)
            except StopIteration:
                return
            if x is not None:
                left.append(x)
            if y is not None:
                right.append(y)
        yield left.pop(0), right.pop(0)
        if not left:
            continue
        right.pop()


def three_loops(a, b):
    while True:
        while True:
            while a():
                if b():
                    break
            else:
                break
            b()
        a()
