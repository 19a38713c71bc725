# SPDX-License-Identifier: MIT
# Cases that end in a finally body, which begins with a statement without code.
match a:
    case []:
        try:
            pass
        except:
            pass
        else:
            b
        finally:
            try:
                pass
            except:
                pass
            with a:
                pass
