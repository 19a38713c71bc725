# Conditional expressions whose arms end with a copy of what they are part of.


def constants_of_tuples(self, version):
    if self.version >= 12:
        return version, "4.0"
    elif self.version >= 10:
        return "4.0.3" if version.lower() != "v4" else version, "3.5"
    return ()


def constants_in_loops(roots, every):
    for root in roots:
        if not root:
            return [] if every else None
        for part in root:
            if part:
                return part.name if every else "none" if part.known else True
    return roots


def lambdas(known, unit):
    return lambda x: "real" if known(x) else "imaginary" if known(unit * x) else None


def names_twice(self):
    (first, _), _ = self.parts[self.subset]
    for (_, second), _ in first:
        (_, _), (_, third) = second
    return first


def constants_in_try(lines):
    try:
        lines = lines()
        return lines if lines else None
    except Exception:
        return None


def constants_in_handler(lines):
    try:
        lines = lines()
    except Exception as e:
        return e if lines else False
    return 1
