# SPDX-License-Identifier: MIT
# Finally bodies that begin with a statement of their own, and ways out that meet behind them.
def handled():
    try:
        func(*args)
    finally:
        try:
            delete(name)
        except KeyError:
            pass


def nested(self):
    try:
        self.flush()
    finally:
        try:
            if self.locked:
                self.unlock()
        finally:
            self.file.close()


def clause_passes(self):
    self.reset()
    res = None
    try:
        res = func(*args, **kwds)
    except Quit:
        pass
    finally:
        self.quitting = True
        trace(None)
    return res


def arms_meet(logger):
    acquire()
    try:
        if not logger:
            logger = get()
            if hasattr(atexit, "unregister"):
                atexit.unregister(f)
            else:
                atexit.handlers.remove((f, (), {}))
    finally:
        release()
    return logger


def clauses_meet(self, context):
    if self.handler is None:
        a()
    else:
        try:
            self.handler(self, context)
        except BaseException as exc:
            try:
                b()
            except BaseException:
                log("x")


def behind_with(self, cmd):
    with self.transfer(cmd) as conn:
        while 1:
            buf = read()
            if not buf:
                break
            conn.send(buf)
        if ssl is not None and isinstance(conn, ssl):
            conn.unwrap()
    return self.answer()


try:
    a
finally:
    x = (b or c) or d
    e
