# Two with statements whose ends read alike are left by their own handlers.
def get(self, filename, fd, exitcode):
    output = self.d('a')
    if filename:
        self.e(output)
        with open(filename, "rb") as fp:
            output = fp.read()
        output = output.decode('ascii', 'b')
    elif fd is not None:
        self.e(output, 2)
        with open(fd, "rb", closefd=False) as fp:
            output = fp.read()
        output = output.decode('ascii', 'b')
    return output.splitlines(), exitcode
