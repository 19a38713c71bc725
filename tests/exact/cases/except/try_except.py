# SPDX-License-Identifier: MIT
# try / except / else in every position: returns, breaks and continues through them, nested handlers.


def plain(f):
    try:
        f()
    except ValueError:
        print(1)


def after(f):
    try:
        f()
    except ValueError:
        print(1)
    print(2)


def with_else(f):
    try:
        f()
    except ValueError:
        print(1)
    except (TypeError, OSError) as e:
        print(e)
    else:
        print(2)
    print(3)


def else_at_end(self, size):
    if self.lost:
        return
    try:
        data = self.receive(size)
    except (BlockingIOError, InterruptedError):
        pass
    except OSError as exc:
        self.error(exc)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as exc:
        self.fatal(exc, "read")
    else:
        self.received(data)


def break_in_handler(self):
    while True:
        try:
            data = self.receive(4096)
            if not data:
                break
            self.process(data)
        except InterruptedError:
            continue
        except BlockingIOError:
            break


def break_then_return(base, key):
    found = []
    i = 0
    while True:
        try:
            k = base(key, i)
        except OSError:
            break
        found.append(k)
        i += 1
    return found


def else_in_loop(db):
    i = 0
    while True:
        try:
            name = db(i)
        except OSError:
            break
        else:
            if "\0" not in name:
                yield name
        i += 1


def value_or_none(s, pos):
    pos = s(pos)
    while True:
        try:
            char = s[pos]
        except IndexError:
            char = None
        if char != ".":
            return pos
        pos += 1


def return_none_early(self, name):
    try:
        if not self.known(name):
            return None
    except KeyError:
        return None
    from os import path

    return path(self, name)


def handlers_return(self, arg):
    try:
        coro = self.f()
    except SystemExit:
        raise
    except KeyboardInterrupt as ex:
        self.interrupted = True
        self.set(ex)
        return
    except BaseException as ex:
        self.set(ex)
        return
    if not arg(coro):
        self.set(coro)
        return
    try:
        self.future = self.create(coro)
        arg.chain(self.future)
    except BaseException as exc:
        self.set(exc)


def two_in_a_row(self):
    if self.lost:
        return
    try:
        data = self.get(1)
        if not len(data):
            raise RuntimeError("empty")
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as exc:
        self.fatal(exc, "get")
        return
    try:
        n = self.into(data)
    except (BlockingIOError, InterruptedError):
        return
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as exc:
        self.fatal(exc, "into")
        return
    if not n:
        self.eof()
        return
    try:
        self.update(n)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as exc:
        self.fatal(exc, "update")


def returns_inside_arms(self, encoding, data):
    encoding = self.get(encoding).lower()
    if encoding == "identity":
        return data
    if encoding == "gzip":
        try:
            return self.decode(data)
        except NotImplementedError:
            self.send(501, encoding)
        except ValueError:
            self.send(400, "error")
    else:
        self.send(501, encoding)
    self.header("Content-length", "0")
    self.end()


def resolve_in_loop(self, names):
    methods = {}
    for name in names():
        if name in self.functions:
            method = self.functions[name]
        elif self.instance is not None:
            info = [None, None]
            if hasattr(self.instance, "a"):
                info[0] = self.instance.a(name)
            info = tuple(info)
            if info != (None, None):
                method = info
            elif not hasattr(self.instance, "b"):
                try:
                    method = names(self.instance, name)
                except AttributeError:
                    method = info
            else:
                method = info
        else:
            assert 0, "could not find"
        methods[name] = method
    return methods


def break_and_return(self):
    while self.buffer:
        data, addr = self.buffer.pop()
        self.size -= len(data)
        try:
            if self.extra["a"]:
                self.send(data)
            else:
                self.sendto(data, addr)
        except (BlockingIOError, InterruptedError):
            self.buffer.append((data, addr))
            self.size += len(data)
            break
        except OSError as exc:
            self.error(exc)
            return
        except BaseException as exc:
            self.fatal(exc, "write")
            return
    self.resume()
    if not self.buffer:
        self.remove(self.fd)
        if self.closing:
            self.lost(None)


def return_in_body(self, data, addr=None):
    if not data:
        return
    if not self.buffer:
        try:
            if self.extra["a"]:
                self.send(data)
            else:
                self.sendto(data, addr)
            return
        except (BlockingIOError, InterruptedError):
            self.add(self.fd, self.ready)
        except OSError as exc:
            self.error(exc)
            return
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as exc:
            self.fatal(exc, "write")
            return
    self.buffer.append((data, addr))
    self.pause()


def return_or_pass_in_loop(socket, host, afs, v6):
    for af in afs:
        try:
            socket(af, host)
            if v6 and af == socket.six:
                return af, host, 6
            else:
                return af, host
        except OSError:
            pass
    return None


def reraise_in_loop(self, objects, build):
    for obj in objects:
        try:
            src, ext = build[obj]
        except KeyError:
            continue
        if ext == ".res":
            continue
        if ext == ".rc":
            try:
                self.spawn(["a", src])
            except OSError as msg:
                raise ValueError(msg)
            continue
        if ext in self.c:
            opt = ""
        elif ext in self.cpp:
            opt = "-P"
        else:
            opt = ""
        try:
            self.spawn([opt])
        except OSError as msg:
            raise ValueError(msg)
    return objects


def for_else_inside(socket, infos, family, mine):
    try:
        sock = socket(family)
        if infos is not None:
            for lfamily, addr in infos:
                if lfamily != family:
                    continue
                try:
                    sock.bind(addr)
                    break
                except OSError as exc:
                    mine.append(exc)
            else:
                if mine:
                    raise mine.pop()
                else:
                    raise OSError("none")
        sock.connect()
        return sock
    except OSError as exc:
        mine.append(exc)
        if sock is not None:
            sock.close()
        raise
    except:
        if sock is not None:
            sock.close()
        raise


def nested_handlers(f, g):
    try:
        f()
    except ValueError as e:
        try:
            g(e)
        except TypeError as e2:
            print(e, e2)
        print(3)
    except OSError:
        try:
            g()
        except:
            return 3
        else:
            return 4
    return 5


def nested_bodies(f, g):
    try:
        try:
            f()
        except ValueError:
            print(1)
    except TypeError:
        print(2)


def nested_bodies_rest(f, g):
    try:
        try:
            f()
        except ValueError:
            print(1)
        else:
            g()
        print(3)
    except TypeError:
        print(2)
    else:
        print(4)
    return g


def conditional_type(f, a, b):
    try:
        f()
    except a if b else ValueError:
        print(1)
    except (a or b) as e:
        print(e)


def return_caught(f):
    try:
        return f()
    except ValueError as e:
        return e
    except TypeError as e:
        return f(e)


def named_in_loop(items):
    for i in items:
        try:
            i()
        except ValueError as e:
            if e.args:
                continue
            print(e)
        except TypeError as e:
            if i:
                break
            return e
        except OSError as e:
            raise RuntimeError from e
        print(i)
    else:
        print(1)
    return 2


def continue_in_body(items):
    for i in items:
        try:
            if i:
                continue
            if i.a:
                break
            i()
        except ValueError:
            pass
        else:
            print(3)


def if_arms(a, f):
    if a:
        try:
            f()
        except ValueError:
            print(1)
    else:
        try:
            f(2)
        except ValueError:
            print(2)
    print(3)


def if_arm_last(a, f):
    if a:
        f(1)
    elif a.b:
        try:
            f(2)
        except ValueError:
            pass
    else:
        f(4)


def raise_in_all(f):
    try:
        f()
    except ValueError:
        raise TypeError
    except TypeError:
        raise
    return 1


def else_returns(f):
    try:
        x = f()
    except ValueError:
        print(1)
    else:
        return x
    print(2)
    return 3


def else_raises(f, g):
    try:
        x = f()
    except ValueError:
        pass
    else:
        raise TypeError(x)
    g()


def while_body(f, g):
    while f():
        try:
            g()
        except ValueError:
            continue
        except TypeError:
            pass
    return f


def in_while_true(f):
    while True:
        try:
            return f()
        except ValueError:
            pass


def in_while_true_sleep(f):
    while 1:
        try:
            x = f()
        except ValueError:
            f.sleep()
            continue
        break
    return x


try:
    import json
except ImportError:
    json = None

try:
    import a, b
except ImportError:
    pass
else:
    try:
        from c import d
    except ImportError as e:
        d = None


class Body:
    try:
        from a import b
    except ImportError:
        b = None
    else:
        c = b


def clauses_that_raise_and_more_behind(a, b):
    try:
        a()
    except KeyError:
        raise
    else:
        b()
    with a:
        pass
    return a
