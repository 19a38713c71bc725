# SPDX-License-Identifier: MIT
# Names that a comprehension of a module saves (3.12+), though only clauses that are never run bind them: in their order, and
# beside globals of their names.
a
{b: b for b in [] if f'' for c in {d for e in g} if (a := a)}
{c: [d for e in d for g in g] for () in f'' if '' for e in d if (h := e)}
h
[b for c in b if (k := d)] not in {b for () in b if k if f'' for k in b}
[a for a in a if [{} for i in c] if [a for j in d if i] if f'' for i in c]
b if {b: b for b in c if None for () in [] if (lambda: m) for m in b} else [(m := c) for b in b]
[a for n in a if (lambda: o) for a in a if f'' if {p for o in n}]
