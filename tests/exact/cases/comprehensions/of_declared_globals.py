# What a module declares global is read by another instruction in its inlined comprehensions.
global b
x = [b for y in b]
x = {b: y for y in b if y}
