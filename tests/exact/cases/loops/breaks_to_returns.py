# SPDX-License-Identifier: MIT
# Loops that several `break`s leave for a `return`, some of them after statements of their own.
def of_generator(take, recycle):
    found = None
    while True:
        x = yield take()
        if not x:
            break
        y = yield take(x)
        if not y:
            break
        recycle(x)
        while y:
            if x(y):
                break
            y = take()
        if y:
            found = 2
            break
    return found


def of_function(take, recycle):
    found = None
    while True:
        x = take()
        if not x:
            break
        y = take(x)
        if not y:
            break
        recycle(x)
        if y:
            found = 2
            break
    return found


def of_words(text, at, limit, eat):
    last = at
    while True:
        if at > limit and text[at - 1] in "]":
            at -= 1
        elif at == limit and text[at] in ")":
            limit -= 1
            at += 1
        else:
            if limit:
                break
            if eat(at):
                last = at
                limit = False
            elif at == limit:
                while limit > 0 and text[limit] > at:
                    limit -= 1
                if text[limit] == at:
                    break
                at = text[limit]
                last = at
                if text[at] in "([":
                    pass
                else:
                    if text[at] in "'\"":
                        while at > 0:
                            at -= 1
                        last = at
                    break
            else:
                break
    return text[last:at]


def out_of_finally(read, size):
    try:
        while True:
            data = read(size)
            if not data:
                break
            if data.image:
                return data.image
        return (None, None)
    finally:
        if size:
            read.close()
        else:
            read.seek()


def of_generator_with_rows(self, rows, query):
    index = 0
    while index < len(self.objects) or rows:
        if index < len(self.objects):
            yield self.objects[index]
            index += 1
        else:
            while rows:
                row = rows.pop(0)
                if not query or query(row):
                    self.objects.append(row)
                    index += 1
                    yield row
                    break
