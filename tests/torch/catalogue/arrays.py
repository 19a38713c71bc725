# SPDX-License-Identifier: MIT
"""NumPy and pydantic in compiled functions: code that Dynamo traces as tensor operations, and code that it skips."""

from __future__ import annotations

import numpy as np
import pydantic.dataclasses
import torch

from . import case, disabled

SCALE = np.float64(3.0)


@case()
def through_numpy(a, b):
    scaled = a.numpy() * SCALE
    torch._dynamo.graph_break()
    return torch.from_numpy(scaled.astype(np.float32)) + b


@case(lambda: [(np.arange(6.0).reshape(2, 3), 2), (np.arange(4.0).reshape(2, 2), 2)])
def array_arguments(array, times):
    total = np.sum(array, axis=0) * times
    total = disabled(total, 1.0)
    return total.max(), array.shape


@case(lambda: [(np.arange(3.0),)])
def array_changed_in_place(array):
    array += 1
    torch._dynamo.graph_break()
    array[0] = -1.0
    return array.tolist()


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0157", skipped=True)
def flags_of_an_array(array, b):
    kept = b + 1
    return kept * (2 if array.flags.writeable else 3)


@case(lambda: [(np.arange(3.0), torch.ones(3))], skipped=True)
def dtype_of_an_array(array, b):
    kept = b + 1
    return kept.double() if array.dtype == np.float64 else kept


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0158")
def method_of_an_array_that_torch_lacks(array, b):
    before = b * 2
    return before + len(array.tobytes())


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0159", skipped=True)
def version_of_an_array(array, b):
    before = b * 2
    try:
        return before, array.__version__
    except AttributeError as error:
        return before, str(error)


@case(lambda: [(np.array(["x", "y"]), torch.ones(3))], breaks="GB0185", skipped=True)
def array_of_text(array, b):
    before = b * 2
    return before if array[0] == "x" else b


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0250")
def array_of_objects(array, b):
    before = b * 2
    return before, array.astype(object).tolist()


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0290")
def ufunc_as_a_method(array, b):
    before = b * 2
    return before, np.add.reduce(array).item()


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0294")
def numpy_function_that_torch_lacks(array, b):
    before = b * 2
    return before, np.busday_count("2011-01", "2011-02").item(), np.unwrap(array).tolist()


@case(lambda: [(np.arange(3.0), torch.ones(3))], breaks="GB0300")
def information_about_an_array(array, b):
    before = b * 2
    return before, float(np.finfo(array).eps)


@case(breaks="GB0105", config={"trace_numpy": False})
def numpy_of_a_tensor_untraced(a, b):
    before = b * 2
    return before + float(a.numpy().sum())


@case(lambda: [(np.ones(3, dtype=np.float32), torch.ones(3))], breaks="GB0231", config={"trace_numpy": False})
def from_numpy_untraced(array, b):
    before = b * 2
    return before + torch.from_numpy(array)


@case(breaks="GB0293", config={"trace_numpy": False})
def numpy_function_untraced(a, b):
    before = b * 2
    return before * float(np.sqrt(4.0))


@case(skipped=True)
def numpy_scalars_in_turns(a, b):
    found = []
    for i in np.arange(3):
        found.append(disabled(a * int(i), b))
    return sum(found) * np.pi


@pydantic.dataclasses.dataclass
class Checked:
    size: int
    name: str = "none"


@case(breaks="GB3383")
def checked_dataclass(a, b):
    before = a + b
    made = Checked(size="3", name="three")
    return before * made.size, made.name


class Model(pydantic.BaseModel):
    size: int
    factors: list[float] = []


@case()
def model_of_pydantic(a, b):
    before = a + b
    made = Model(size=2, factors=[1.5, 2.5])
    for factor in made.factors:
        before = disabled(before * factor)
    return before * made.size, made.model_dump()


@case(lambda: [(Model(size=2), torch.ones(3)), (Model(size=4, factors=[2.0]), torch.ones(3))])
def model_as_an_argument(model, b):
    b = b * model.size
    torch._dynamo.graph_break()
    return [b * factor for factor in model.factors], model.size
