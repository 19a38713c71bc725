# SPDX-License-Identifier: MIT
# What follows a loop begins with a constant as wide as a word, at the column of a body's word (3.15 loads None as a common
# constant, whose place is no word of the source).
def none(self, data):
    try:
        for i, device in enumerate(data):
            for name, sensor in device.items():
                sensor["a"] = data["a"]
                if not i or i < data["a"]:
                    i = data["a"]
                    other = CONSTANTS.get(name)

            level = None
            for j in range(1, len(self)):
                if i <= self[j]:
                    level = data[j - 1]
                    break
    except IndexError:
        pass


def none_in_loop(data):
    for i in data:
        for k in i:
            if not k or k < i:
                i = k

        level = None
        for j in i:
            level = j
    return level
