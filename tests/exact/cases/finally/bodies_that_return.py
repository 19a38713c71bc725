def handlers_beside_an_else_that_returns(a, b):
    while True:
        if a:
            try:
                b(1)
            except KeyError:
                b(2)
            except:
                b(3)
            else:
                b(4)
                return
            finally:
                return b(7)
        b(8)


def two_statements_in_it(a, b):
    while True:
        if a:
            break
        if b:
            try:
                b(1)
            except KeyError as error:
                y, z = 1, b(error)
            except:
                z = b(3)
                from m2 import z
            else:
                y = b(4)
                return
            finally:
                b(5)
                return b(y, z)
        elif b(8):
            b(9)
