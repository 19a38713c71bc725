# SPDX-License-Identifier: MIT
# Finally bodies whose end is copied, that raise by themselves, that are empty.


def ends_with_try(self):
    output = self.output
    try:
        if output:
            output.close()
    finally:
        self.file = None
        try:
            del self.read
        except AttributeError:
            pass
        try:
            if output:
                output.close()
        finally:
            backup = self.backup
            self.backup = None
            if backup:
                try:
                    unlink(backup)
                except OSError:
                    pass
            self.is_stdin = False


def loop_at_the_end(self):
    try:
        wait(self)
    except Cancelled:
        if self.done():
            self.value += 1
        raise
    finally:
        while self.value > 0:
            if not self.wake():
                break
    return True


def raises(self):
    self.future = create()
    try:
        wait(self.future)
    except Cancelled:
        try:
            self.close()
        finally:
            raise
    finally:
        self.future = None


def empty(self):
    for kind in self:
        if kind:
            try:
                warn(kind)
            except OSError:
                pass
        for name in kind:
            try:
                try:
                    clean(name)
                except OSError as e:
                    warn(e)
            finally:
                pass


def an_arm_at_the_end_of_a_loop(names, read, close):
    for name in names:
        try:
            read(name)
        finally:
            if name != "-":
                close(name)
    if read:
        close(None)


def arm_that_returns_in_a_clause(a, b, c):
    try:
        a()
    except KeyError:
        if b:
            return
        else:
            c.x
    finally:
        a.y


def loop_that_returns_before_a_body_that_returns(a, b):
    try:
        try:
            a()
        finally:
            for i in b:
                return
    finally:
        return a.x


def break_before_a_body_that_returns(a, b):
    for i in b:
        try:
            try:
                a()
            finally:
                if i:
                    break
        finally:
            return a.x
