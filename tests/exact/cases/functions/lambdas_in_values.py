def arms(convert, callback, menu):
    choice = convert or (lambda grammar, node: node)
    menu.add(label=1, command=(None if callback is None else lambda value=choice: callback(value)), variable=2)
    both = (lambda: 1) if choice else (lambda: 2)
    return lambda x: x if choice else lambda: both


class Holder:
    key = len or (lambda item: item)
    other = key and (lambda self: self.key)
