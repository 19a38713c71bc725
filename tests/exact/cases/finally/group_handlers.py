# SPDX-License-Identifier: MIT
# Statements of except* in finally bodies, with what follows them there, which the compiler copies to each way.
try:
    a
except:
    try:
        if b:
            pass
    except* c:
        pass
finally:
    try:
        a
    except:
        pass
    else:
        a
    d


def followed(a, b):
    try:
        a.run()
    finally:
        try:
            b.run()
        except* b.Error:
            pass
        else:
            b.done()
        b.close()


def twice(a, b):
    try:
        a.run()
    finally:
        try:
            b.run()
        except* b.Error:
            b.log()
        except* b.Other as e:
            b.log(e)
        b.close()
        a.close()


def begins_with_a_statement_without_code(a, b):
    try:
        while a:
            pass
    except* a.Error as error:
        pass
    finally:
        try:
            pass
        except:
            pass
        b


def protected(a, b):
    try:
        try:
            a
        except* a.Error:
            pass
        finally:
            14
            try:
                b
            except:
                pass
    except KeyError:
        pass
