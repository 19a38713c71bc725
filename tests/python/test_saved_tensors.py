# SPDX-License-Identifier: MIT
"""Tests which tensors a forward graph saves for its backward, by source line and in bytes."""

from depyf.torch.write.saved_tensors import kept_for_backward

FORWARD = """class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[4, 16][16, 1]cpu", primals_2: "f32[16][1]cpu"):
        # File: /a/m.py:13 in forward, code: h = x * w
        mul: "f32[4, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(primals_1, primals_2)

        # File: /a/m.py:14 in forward, code: h = h.relu()
        relu: "f32[4, 16][16, 1]cpu" = torch.ops.aten.relu.default(mul);  mul = None
        le: "b8[4, 16][16, 1]cpu" = torch.ops.aten.le.Scalar(relu, 0)
        open: "f32[s0][1]cpu" = torch.ops.aten.view.default(relu)
        return (relu, primals_1, primals_2, le, open)
"""
BACKWARD = """class GraphModule(torch.nn.Module):
    def forward(
        self,
        primals_1: "f32[4, 16][16, 1]cpu",  # PlainAOTInput(idx=0)
        le: "b8[4, 16][16, 1]cpu",
        open: "f32[s0][1]cpu",
        tangents_1: "f32[4, 16][16, 1]cpu",  # TangentAOTInput(output=PlainAOTOutput(idx=0))
    ):
        return (tangents_1,)
"""


def test_only_intermediate_tensors_are_counted():
    assert list(kept_for_backward(FORWARD, BACKWARD)) == [("le", "/a/m.py", 14, 64)]


BOXED = """class GraphModule(torch.nn.Module):
    def forward(self, args_list):
        args_iter = iter(args_list)
        primals_1 = next(args_iter)
        mul = next(args_iter)
        args_list.clear()
        return (mul,)
"""


def test_backward_with_a_list_of_inputs():
    assert list(kept_for_backward(FORWARD, BOXED)) == [("mul", "/a/m.py", 13, 256)]
