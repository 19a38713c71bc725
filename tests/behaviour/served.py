# SPDX-License-Identifier: MIT
"""Runs one test module of the standard library, and writes the outcome of each test and the origin of each module.

Runs inside the interpreter under test, 3.8-3.15, as ``python -S served.py JOB``. JOB is a file that contains the repr()
of ``{"module": name, "out": path, "texts": None or {source path: text path}}``.

* Without texts, modules come from their sources, and those of the library are listed.
* With texts, a module of the library is compiled from its text, under the file name of its source. A module without a
  text cannot be imported, and a source that has a text cannot be opened. The served modules are listed.

``unittest`` is the judge: it always comes from its sources. Frozen modules, and modules that the interpreter imports
before the first line here, are the interpreter's own.
"""

# Built-in modules, or already imported ones: nothing of the library may be imported before the finder is installed.
import _frozen_importlib_external as external
import _imp
import sys

JUDGE = "unittest"


def library():
    """Returns the folder of the standard library."""
    return next(folder for folder in sys.path if external._path_isfile(folder + "/os.py"))


class Served(external.SourceFileLoader):
    """Compiles a text under the file name of the source that it replaces."""

    text = None

    def get_code(self, fullname):
        with open(self.text, "rb") as file:
            text = file.read()
        return compile(text, self.path, "exec", dont_inherit=True)


class Finder:
    """Comes first in sys.meta_path and sees each module of the library that is about to be loaded."""

    def __init__(self, texts):
        self.texts = texts
        self.library = library() + "/"
        self.seen = {}  # path of the source -> name

    def find_spec(self, name, path=None, target=None):
        if _imp.is_frozen(name) or name.partition(".")[0] == JUDGE:
            return None
        spec = external.PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not external.SourceFileLoader:
            return None
        source = spec.origin
        if not source.startswith(self.library) or "-packages/" in source:
            return None
        if self.texts is not None:
            if source not in self.texts:
                raise ImportError("no text for " + source)
            spec.loader = Served(spec.loader.name, source)
            spec.loader.text = self.texts[source]
        self.seen[source] = name
        return spec


def refuse(sources):
    """Makes opening one of these files fail from now on."""

    def hook(event, arguments):
        if event == "open" and isinstance(arguments[0], str) and arguments[0] in sources:
            raise PermissionError("the source is refused: " + arguments[0])

    sys.addaudithook(hook)


def outcomes(module):
    """Returns {test id: outcome}; for a test with subtests, the last bad outcome."""
    import unittest

    found = {}

    class Result(unittest.TestResult):
        def bad(self, word, test, error):
            found[test.id()] = word + " " + error[0].__name__

        def addSuccess(self, test):
            found.setdefault(test.id(), "ok")

        def addError(self, test, error):
            self.bad("error", test, error)

        def addFailure(self, test, error):
            self.bad("failure", test, error)

        def addSkip(self, test, reason):
            found[test.id()] = "skipped"

        def addExpectedFailure(self, test, error):
            found[test.id()] = "expected failure"

        def addUnexpectedSuccess(self, test):
            found[test.id()] = "unexpected success"

        def addSubTest(self, test, subtest, error):
            if error is not None:
                self.bad("subtest", test, error)

    suite = unittest.TestSuite([unittest.defaultTestLoader.loadTestsFromName(module)])
    loaded = sys.modules.get(module)
    if hasattr(loaded, "__test__") and not hasattr(loaded, "load_tests"):  # up to 3.10 test_main() runs its doctests
        import doctest

        suite.addTest(doctest.DocTestSuite(loaded))
    suite.run(Result())
    return found


def main(job):
    with open(job, "rb") as file:
        job = eval(file.read())
    del sys.path[0]
    finder = Finder(job["texts"])
    sys.meta_path.insert(0, finder)
    if job["texts"] is not None:
        refuse(frozenset(job["texts"]))
    found = outcomes(job["module"])
    with open(job["out"], "w") as file:
        file.write(repr({"outcomes": found, "modules": finder.seen}))


if __name__ == "__main__":
    sys.argv[1:], job = [], sys.argv[1]
    main(job)
