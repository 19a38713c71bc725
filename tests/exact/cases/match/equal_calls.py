# SPDX-License-Identifier: MIT
# Calls that differ in nothing but a part of the arguments, in several cases.
def shapes(transforms, value):
    for transform in transforms:
        match transform:
            case Split(_, _):
                shape = transform.shape(value.shape)
                value = value.reshape(shape)
            case Merge(_, _):
                shape = transform.shape(value.shape)
                value = value.reshape(shape)
            case Transpose(permutation):
                value = transposed(value, permutation)
    return value


def slices(index, size, all, tiling):
    match size:
        case Blocked():
            return blocked(index, size.block, all, tiling)
        case int():
            return blocked(index, size, all, tiling)
        case None:
            return index
