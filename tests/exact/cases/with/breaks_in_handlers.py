# A `break` in an except clause leaves with statements on its way to what follows the loop.
def nothing_follows(context, step, rest):
    while True:
        with context:
            try:
                x = step()
            except StopIteration:
                break
    rest(x)


def more_follows(context, step, use, rest):
    while True:
        with context as c:
            begin = c()
            try:
                x = step()
            except StopIteration:
                break
            end = c()
        use(begin, x, end)
    rest()


def several(contexts, step, use, rest):
    while True:
        with contexts[0] as a:
            with contexts[1] as b, contexts[2]:
                try:
                    x = step(a, b)
                except StopIteration as error:
                    use(error)
                    break
            use(x)
    rest()
    return 5


def in_finally_body(context, step, rest):
    while True:
        with context:
            try:
                try:
                    x = step()
                except StopIteration:
                    break
            finally:
                rest(1)
        rest(x)
    rest()
