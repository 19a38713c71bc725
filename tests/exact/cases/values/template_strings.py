# SPDX-License-Identifier: MIT
# 3.14: template strings, except without parentheses.
a = t'hello {name!r:>{width}} {b + c} {d=}'
b = t''
c = t'{x}' t' and {y:{z}}'

e = t'{x!s}{{}}{y:.2f}{ lambda_ }'
f = t'{a["b"]}{f"{q}"}{t"{q}"}'
try: pass
except A, B: pass
