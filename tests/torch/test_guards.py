# SPDX-License-Identifier: MIT
"""Tests guards as Python expressions: parsed from torch's text, rendered, and compared with torch's guard manager."""

from __future__ import annotations

import ast
import datetime
import functools
import importlib.util
import sys
import types

import depyf
import pytest
import torch
from depyf.torch.guards import annotate, checks, evaluate, parse, render
from depyf.torch.model.guard import Guard
from depyf.torch.replay import runtime

from tools.judges import torch_says

SCALE = 3
TREE = """
TREE_GUARD_MANAGER:
+- RootGuardManager
| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None  # _dynamo/x.py:1 in y
| +- DictGuardManager: source=L['d'], accessed_by=X, type=<class 'dict'>, tag_safe=(False, False)
| | +- KeyValueManager pair at index=0
| | | +- ValueManager: GuardManager: source=L['d']['a'], type=<class 'int'>
| | | | +- EQUALS_MATCH: L['d']['a'] == 'x
y'  # d  # lib/f.py:3 in g
| | +- NO_TENSOR_ALIASING
+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # z

Guard latency = 0.1 us"""


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.factor = 2
        self.table = {"shift": torch.ones(4), "name": "abc"}

    def forward(self, x, y=None, *, flags=(1, 2), items=None):
        z = self.linear(x) * self.factor + self.table["shift"]
        if y is not None:
            z = z + y
        if self.table["name"] == "abc":
            z = z + SCALE
        for value in (*flags, *(items or ())):
            z = z + value
        return z


def load(path):
    spec = importlib.util.spec_from_file_location(f"full_code_{abs(hash(path))}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def manager_of(code):
    (entry,) = torch._dynamo.eval_frame._debug_get_cache_entry_list(code)
    return entry.guard_manager


def test_toy_guards_agree_with_torch(toy, tmp_path):
    compiled = torch.compile(toy.toy_example, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(10), torch.ones(10))
    file = load(tmp_path / "full_code_for_toy_example_0.py")
    file.bind(vars(toy))
    manager = manager_of(toy.toy_example.__code__)
    one = torch.ones(10)
    grad = torch.ones(10, requires_grad=True)
    cases = {
        "hit": (one, torch.zeros(10)),
        "aliased": (one, one),
        "size": (torch.ones(7), torch.ones(10)),
        "dtype": (one.double(), torch.ones(10)),
        "stride": (torch.ones(20)[::2], torch.ones(10)),
        "grad": (grad, torch.ones(10)),
        "none": (None, torch.ones(10)),
        "list": ([1.0], torch.ones(10)),
        "parameter": (torch.nn.Parameter(torch.ones(10), requires_grad=False), torch.ones(10)),
        "dimension": (torch.ones(10, 1), torch.ones(10)),
        "meta": (torch.ones(10, device="meta"), torch.ones(10)),
        "marked": (torch._dynamo.mark_dynamic(t := torch.ones(10), 0) or t, torch.ones(10)),
    }
    for name, (a, b) in cases.items():
        frame = file.Frame({"a": a, "b": b}, vars(file))
        assert file.holds(file.guards_0_0, frame) == manager.check({"a": a, "b": b}), name
    with torch.no_grad():
        frame = file.Frame({"a": one, "b": torch.zeros(10)}, vars(file))
        assert file.holds(file.guards_0_0, frame) == manager.check(frame.locals) is False
    failure = runtime.first_failure(file.guards_0_0, file.Frame({"a": None, "b": one}, vars(file)), "0/0")
    assert (failure.source, failure.what, failure.expected, failure.found) == ("a", "type", "Tensor", "NoneType")
    assert failure.where == ("toy.py:10" if "toy.py:10 in" in str(manager) else "")


def test_module_guards_agree_with_torch(tmp_path):
    model = Scaled()
    compiled = torch.compile(model, backend="eager", dynamic=True)
    x = torch.randn(5, 4)
    with depyf.prepare_debug(tmp_path):
        compiled(x, items=[1, 2])
    file = load(tmp_path / "full_code_for_forward_0.py")
    file.bind(globals())
    manager = manager_of(Scaled.forward.__code__)
    assert "not_evaluated(" not in (tmp_path / "full_code_for_forward_0.py").read_text().split("guards_0_0", 1)[1]

    def compare(name, **changed):
        values = {"self": model, "x": x, "y": None, "flags": (1, 2), "items": [1, 2], **changed}
        mine = file.holds(file.guards_0_0, file.Frame(values, vars(file)))
        assert mine == manager.check(values), (
            name,
            runtime.first_failure(file.guards_0_0, file.Frame(values, vars(file)), "0/0"),
        )
        return mine

    assert compare("hit")
    assert compare("another size", x=torch.randn(9, 4))
    assert not compare("size 1", x=torch.randn(1, 4))
    assert not compare("y", y=torch.ones(4))
    assert not compare("flags", flags=(1, 2, 3))
    assert not compare("list length", items=[1])
    assert not compare("list type", items=(1, 2))
    assert not compare("other module", self=torch.nn.Linear(4, 4))
    model.factor = 5
    assert compare("attribute") == ("factor == 2" not in str(manager))  # a symbol in some releases
    model.factor = 2
    model.table["name"] = "abd"
    assert not compare("dictionary value")
    model.table["name"] = "abc"
    del model.table["shift"]
    assert not compare("dictionary key")
    model.table["shift"] = torch.ones(4)
    model.eval()
    compare("eval")


def test_every_guard_is_rendered_as_valid_python():
    texts = [
        ("TENSOR_MATCH", "check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
         "requires_grad=False, size=[None, 4], stride=[4, 1])"),
        ("TYPE_MATCH", "___check_type_id(L['x'], 42), type=<class 'collections.OrderedDict'>"),
        ("TYPE_MATCH", "___check_type_id(L['x'], 42), type=<class 'list'>"),
        ("ID_MATCH", "___check_obj_id(G['f'], 42), type=<class 'function'>"),
        ("EQUALS_MATCH", "L['k'] == 'a  # b'"),
        ("LAMBDA_GUARD", "torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == (1, 2)"),
        ("DUAL_LEVEL_MATCH", "torch.autograd.forward_ad._current_level == -1"),
        ("SOMETHING_NEW", "not <valid> python"),
    ]  # fmt: skip
    for kind, text in texts:
        ast.parse(render.render(Guard(kind, text)), mode="eval")
    assert render.render(Guard("SOMETHING_NEW", "not <valid> python")).startswith("not_evaluated(")


def test_length_of_a_dictionary_with_a_guard_on_one_item():
    source = "__import__('sys').modules"
    tree = f"+- DictGuardManager: source={source}, accessed_by=X, type=<class 'dict'>\n"
    tree += "| +- KeyValueManager pair at index=0\n| | +- KeyManager: GuardManager: source=L['k'], type=<class 'str'>\n"
    tree += "| | | +- EQUALS_MATCH: L['k'] == 'sys'\n"
    later, compiling = parse.parse_tree(tree), parse.parse_tree(tree)
    annotate.find_public_names(later, {})
    annotate.find_public_names(compiling, {}, {})
    assert render.render(later[0]) == f"dict_is({source}, 'dict', None)"
    assert render.render(compiling[0]) == f"dict_is({source}, 'dict', {len(sys.modules)})"


def test_classes_are_replaced_only_outside_quotes():
    text_with_address = "<class 'collections.OrderedDict'>"
    assert (
        render.render(Guard("EQUALS_MATCH", f"L['k'] == {text_with_address}"))
        == "equals(L['k'], named('collections.OrderedDict'))"
    )
    assert (
        render.render(Guard("EQUALS_MATCH", f'L["k"] == "{text_with_address}"'))
        == f"equals(L['k'], \"{text_with_address}\")"
    )


BY_CLASS = {type(None): 1, type(lambda: 0): 2, type({}.keys()): 3, int: 4}


def test_classes_whose_repr_is_not_importable():
    """Their repr() is not an attribute of a module, and modules called `code` and `function` may exist."""

    def of_class(x, value):
        kinds = (type(None), type(lambda: 0), type({}.keys()), type((lambda: 0).__code__), int)
        return x * sum(BY_CLASS[kind] for kind in kinds if kind in BY_CLASS) + BY_CLASS.get(type(value), 9)

    compiled = torch.compile(of_class, backend="eager")
    for value in (None, 1.5):
        result = compiled(torch.ones(2), value)
        assert depyf.which_entry(compiled, torch.ones(2), value).hit
        assert torch.equal(depyf.full_code(compiled)(torch.ones(2), value), result)
    for kind in BY_CLASS:
        (leaf,) = [Guard("DICT_CONTAINS", f"___dict_contains({kind}, G['BY_CLASS'])")]
        checked = eval(render.render(leaf), {**vars(checks), "G": globals()})
        assert checked, kind


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("L['k'] == 'a  # b'  # k  # f.py:3 in g", ("L['k'] == 'a  # b'", "# k  # f.py:3 in g")),
        ("L['k'] == \"it's\"        # c", ("L['k'] == \"it's\"", "# c")),
        ("len(L['x']) == 2", ("len(L['x']) == 2", "")),
        ("L['k'] == ' (HINT: a)'      (HINT: it's int)", ("L['k'] == ' (HINT: a)'", "(HINT: it's int)")),
    ],
)
def test_comments_are_split_outside_quotes(text, parts):
    assert parse.split_comment(text) == parts


def test_tree():
    found = parse.parse_tree(TREE)
    assert [(g.kind, g.source, g.where) for g in found] == [
        ("DEFAULT_DEVICE", "", ""),
        (parse.DICT_MANAGER, "L['d']", ""),
        ("EQUALS_MATCH", "L['d']['a']", "f.py:3"),
        ("LAMBDA_GUARD", "", ""),
    ]
    assert found[2].text == "L['d']['a'] == 'x\ny'"
    assert render.render(found[1]) == "dict_is(L['d'], 'dict', 1)"


OLDER = """TREE_GUARD_MANAGER:
+- RootGuardManager
| +- GLOBAL_STATE: ___check_global_state()
| +- GuardManager: source=L['n'], accessed_by=DictGetItemGuardAccessor('n')
| | +- TYPE_MATCH: ___check_type_id(L['n'], 94)
| | +- EQUALS_MATCH: L['n'] == 2            (HINT: pass a tensor (of one item))
| +- GuardManager: source=G['torch'], accessed_by=DictGetItemGuardAccessor('torch')
| | +- ID_MATCH: ___check_obj_id(G['torch'], 139)
| | +- GuardManager: source=G['torch'].abs, accessed_by=GetAttrGuardAccessor(abs)
| +- DictGuardManager: source=L['d'], accessed_by=DictGetItemGuardAccessor('d')
"""


ALIASED = """
+- RootGuardManager
| +- DictGuardManager: source=L['m']._modules, accessed_by=X, type=<class 'dict'>, tag_safe=(False, False)
| | +- OBJECT_ALIASING: L['m'].__dict__['_modules'] is L['m']._modules
| +- DictGuardManager: source=L['m'].__dict__['_modules'], accessed_by=X, type=<class 'dict'>, tag_safe=(False, False)
| | +- KeyValueManager pair at index=0
| | | +- KeyManager: GuardManager: source=list(dict.keys(L['m'].__dict__['_modules']))[0], type=<class 'str'>
| | | | +- EQUALS_MATCH: list(dict.keys(L['m'].__dict__['_modules']))[0] == 'linear'
| +- DictGuardManager: source=L['m']._buffers, accessed_by=X, type=<class 'dict'>, tag_safe=(False, False)
"""


def test_length_of_a_dictionary_with_two_sources():
    rendered = [render.render(guard) for guard in parse.parse_tree(ALIASED)]
    assert [check for check in rendered if check.startswith("dict_is(")] == [
        "dict_is(L['m']._modules, 'dict', None)",
        "dict_is(L['m'].__dict__['_modules'], 'dict', 1)",
        "dict_is(L['m']._buffers, 'dict', 0)",
    ]


def test_guards_of_releases_without_types_in_their_text():
    tree = parse.parse_tree(OLDER)
    found = [render.render(guard) for guard in tree]
    assert found == [
        "not_evaluated('GLOBAL_STATE', '___check_global_state()')",
        "type_is(L['n'], '', same_process_id(94))",
        "equals(L['n'], 2)",
        "object_is(G['torch'], same_process_id(139), '')",
        "readable(G['torch'].abs)",
        "dict_is(L['d'], '', 0)",
    ]
    assert (tree[2].hint, tree[2].comment) == ("pass a tensor (of one item)", "")
    annotate.note_global_state(tree, {"grad_mode": True, "default_dtype": "torch.float32"})
    assert render.render(tree[0]) == "global_state_is(grad_mode=True, default_dtype='torch.float32')"
    assert checks.type_is(1, "", None) is checks.object_is(1, None, "") is True


def test_object_known_by_its_address_is_not_checked_in_another_process():
    text_with_address = 'type=<code object g at 0x7f3c5835a090, file "a.py", line 1>'  # as in torch 2.11 and 2.12
    rendered = render.render(Guard("ID_MATCH", f"___check_obj_id(L['g'].__code__, 139), {text_with_address}"))
    assert rendered == "object_is(L['g'].__code__, same_process_id(139), '')"


@pytest.mark.parametrize(("given", "name"), [(2, "int"), (torch.Size([2]), "torch.Size")], ids=["int", "size"])
def test_reason_has_the_name_of_a_type(given, name):
    def scale(x, factors):
        return x * factors["k"]

    compiled = torch.compile(scale, backend="eager")
    for factor in (2.0, 2.5):  # the second entry accepts any float
        compiled(torch.ones(3), {"k": factor})
    decision = depyf.which_entry(compiled, torch.ones(3), {"k": given})
    assert [f.found for f in decision.failures if f.what == "type"] == [name]
    assert "<class" not in str(decision)


def test_guard_that_calls_c_code_which_imports_a_module():
    """C code reads `__builtins__` of the globals of the Python code around, as in Tensor.stride() of a NestedTensor."""
    parse_year = functools.partial(datetime.datetime.strptime, "2020", "%Y")
    evaluator = evaluate.Evaluator([Guard("LAMBDA_GUARD", "L['x'].size().year == 2020")])
    assert evaluator.first_failure(checks.Frame({"x": types.SimpleNamespace(size=parse_year)}, {})) == (None, [])


def doubled(x):
    return x * 2


@pytest.mark.parametrize("kind", ["DTensor", "NestedTensor"])
def test_guards_on_the_metadata_of_a_tensor_subclass(kind, tmp_path):
    if kind == "DTensor":
        distributed = pytest.importorskip("torch.distributed.tensor")
        if not hasattr(torch._dynamo.guards.GuardBuilder, "DTENSOR_SPEC_MATCH"):
            pytest.skip("this torch asks DTensor itself")
        torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    try:
        if kind == "DTensor":
            mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (1,))
            kinds = (distributed.Shard(0), distributed.Replicate(), distributed.Shard(1))
            values = [distributed.distribute_tensor(torch.ones(4, 4), mesh, [placement]) for placement in kinds]
            looked_at, then, now = "x._spec", "(Shard(dim=0),) on DeviceMesh", "(Replicate(),) on DeviceMesh"
        else:
            ragged = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)
            values = [ragged, ragged.transpose(1, 2)]
            looked_at, then, now = "x", "'ragged_idx': 1", "'ragged_idx': 2"
        compiled = torch.compile(doubled, backend="eager", dynamic=False)
        with depyf.prepare_debug(tmp_path) as session:
            for value in values:
                compiled(value)
        assert not session.run.problems
        chosen = [depyf.which_entry(compiled, value) for value in values]
        assert [d.entry.compile_id for d in chosen] == [torch_says.called(compiled, (v,)).choice() for v in values]
        assert not any(decision.not_evaluated for decision in chosen)
        (found,) = (f for f in session.run.recompiles[0].reasons if f.what == "metadata")
        assert found.source == looked_at and then in found.then and now in found.now
        assert kind == "NestedTensor" or "__dtensor_spec" in found.torch_text
    finally:
        if kind == "DTensor":
            torch.distributed.destroy_process_group()


def test_equal_guards_of_several_entries_are_parsed_once(monkeypatch):
    parsed, parse_text = [], ast.parse

    def counted(text, *args, **kwargs):
        parsed.append(text)
        return parse_text(text, *args, **kwargs)

    monkeypatch.setattr(ast, "parse", counted)
    texts = {render.render(Guard("EQUALS_MATCH", "L['a_new_name'] == 'seen once'")) for _ in range(5)}
    assert texts == {"equals(L['a_new_name'], 'seen once')"} and len(parsed) <= 3, parsed
