# SPDX-License-Identifier: MIT
# Where if and loops end: equal statements in two arms, exits shared by several ways, loops with else.
def equal_arms(self):
    if self.count > 0:
        if self.state == 0:
            self.state = -1
        elif self.state == -2:
            self.state = -1
    else:
        self.state = 0
    self.notify()


def equal_calls(self, n):
    result = self.read(n)
    if not result and n:
        self.close()
    elif self.length is not None:
        self.length -= len(result)
        if not self.length:
            self.close()
    return result


def shared_return(self):
    file = self.get()
    if exists(file):
        if isdir(file):
            self.bell()
            return
        d = ask(file)
        if d != 0:
            return
    else:
        if not isdir(file):
            self.bell()
            return
    self.quit(file)


def else_returns(args):
    if args.kind == 1:
        return
    if out is not None and out.err is not None:
        err = out.err
    elif args.thread is not None:
        err = args.thread.err
        if err is None:
            return
    else:
        return
    if args.thread is not None:
        name = args.thread.name
    else:
        name = ident()
    print(name, err)


def early_constants(self, data):
    if self.inner is None:
        self.rest += data
        if len(self.rest) <= 4:
            return b""
        size = unpack(self.rest)
        if len(self.rest) <= 4 + size:
            return b""
        self.inner = make(size)
        del self.rest
    result = self.inner.run(data)
    self.eof = self.inner.eof
    return result


def loop_else_raises(f, strip):
    data = f.readline()
    if strip:
        for q in ('"', "'"):
            if data.startswith(q):
                if not data.endswith(q):
                    raise ValueError(q)
                data = data[1:-1]
                break
        else:
            raise ValueError(data)
    if f:
        data = decode(data)
    return data


def endless(last, test):
    while True:
        if test(last) != " ":
            last = last + 1
            break
        elif last == 0:
            break
        last = last - 1
    return last


def endless_for(words):
    while 1:
        for word in words:
            words[word] = 1
        if len(words) > 1:
            return words[0]
        words = {}


def endless_try(self):
    while True:
        try:
            block = self.pending.pop()
        except IndexError:
            break
        self.add(block)
        self.remove(block)


def chain_at_end(a, b, c, d):
    if a() < b < c and d:
        d()


def chain_in_loop(a, b, c, d):
    while a and b() < c < d:
        d()
        if c:
            c()
            raise b


def tests_in_loop(a, b, f):
    for j in a:
        if f():
            while a or b:
                y = a
            continue


def walrus_is_none(f):
    if (x := f()) is None:
        return 3
    if (y := f()) is not None and y > x:
        return 4


def raised_behind_try(self, host, file):
    try:
        if host:
            host, port = split(host)
        if not host or \
            (not port and name(host) in self.names()):
            if host:
                url = host + file
            else:
                url = file
            return self.open(url)
    except OSError as e:
        raise Error(e)
    raise Error("not here")
