def grouped_in_a_handler(a, b, x, z):
    try:
        a()
    except b:
        a = (a or x or z) or b
        return ((a or x) or b) + a
