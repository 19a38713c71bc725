# SPDX-License-Identifier: MIT
"""Prints the code objects of .pyc files as CPython itself reads them, in the format of ``depyfc --stop-after=code``.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Arguments: pairs of a .pyc file and an output file.
"""

import marshal
import struct
import sys
import types

LINE_TABLE = "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"


def quoted(data):
    """Returns bytes in double quotes, with everything except plain ASCII escaped."""
    return '"%s"' % "".join(chr(b) if 32 <= b <= 126 and b not in (34, 92) else "\\x%02x" % b for b in data)


def text(value):
    """Returns a str as its UTF-8 bytes, including lone surrogates."""
    return quoted(value.encode("utf-8", "surrogatepass"))


def bits(value):
    """Returns a float as the 16 hexadecimal digits of its bits."""
    return "%016x" % struct.unpack("<Q", struct.pack("<d", value))


class Dump:
    """The dump of one file: code objects are numbered in the order of the file."""

    def __init__(self, root):
        self.codes = []
        self.numbers = {}
        self.parents = {}
        self.visit(root, None)

    def visit(self, code, parent):
        self.numbers[id(code)] = len(self.codes)
        self.parents[id(code)] = parent
        self.codes.append(code)
        for const in code.co_consts:
            self.visit_const(const, code)

    def visit_const(self, const, parent):
        if isinstance(const, types.CodeType):
            if id(const) not in self.numbers:
                self.visit(const, parent)
        elif isinstance(const, (tuple, frozenset)):
            for item in const:
                self.visit_const(item, parent)

    def show(self, value):
        kind = type(value)
        if value is None or value is Ellipsis or kind is bool:
            return repr(value)
        if kind is int:
            return "int " + hex(value)
        if kind is float:
            return "float " + bits(value)
        if kind is complex:
            return "complex %s %s" % (bits(value.real), bits(value.imag))
        if kind is str:
            return "str " + text(value)
        if kind is bytes:
            return "bytes " + quoted(value)
        if kind is tuple:
            return "tuple (%s)" % ", ".join(map(self.show, value))
        if kind is frozenset:
            return "frozenset {%s}" % ", ".join(sorted(map(self.show, value)))
        if kind is slice:
            return "slice (%s)" % ", ".join(map(self.show, (value.start, value.stop, value.step)))
        if kind is types.CodeType:
            return "code %d" % self.numbers[id(value)]
        if value is StopIteration:
            return 'opaque "StopIteration"'
        return 'opaque "<%s of %d items>"' % (kind.__name__, len(value))

    def lines(self):
        yield "version %d.%d" % sys.version_info[:2]
        for number, code in enumerate(self.codes):
            parent = self.parents[id(code)]
            yield "code %d %s" % (number, text(code.co_name))
            yield "  parent " + ("-" if parent is None else str(self.numbers[id(parent)]))
            yield "  qualname " + text(getattr(code, "co_qualname", ""))
            yield "  filename " + text(code.co_filename)
            for field in ("argcount", "posonlyargcount", "kwonlyargcount", "stacksize"):
                yield "  %s %d" % (field, getattr(code, "co_" + field))
            yield "  flags 0x%08x" % code.co_flags
            yield "  firstlineno %d" % code.co_firstlineno
            yield "  code " + code.co_code.hex()
            for field in ("names", "varnames", "cellvars", "freevars"):
                yield "  " + " ".join([field, *map(text, getattr(code, "co_" + field))])
            yield "  linetable " + getattr(code, LINE_TABLE).hex()
            yield "  exceptiontable " + getattr(code, "co_exceptiontable", b"").hex()
            for index, const in enumerate(code.co_consts):
                yield "  const %d %s" % (index, self.show(const))


def main(arguments):
    for pyc, out in zip(arguments[::2], arguments[1::2]):
        with open(pyc, "rb") as stream:
            root = marshal.loads(stream.read()[16:])
        with open(out, "w", encoding="ascii", newline="\n") as stream:
            stream.writelines(line + "\n" for line in Dump(root).lines())


main(sys.argv[1:])
