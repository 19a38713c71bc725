// SPDX-License-Identifier: MIT
// Reads the annotations of __annotate__ functions; see annotations.h.
//
// The compiler writes `return {'a': A, ...}` for the parameters of a function, and `d = {}; d['a'] = A; ...; return d`
// for a class or module, with `if n in __conditional_annotations__:` before a store that is not always reached.
#include "lift/annotations.h"

#include "lift/families.h"

namespace depyf::lift {

namespace {

class AnnotationReader {
 public:
  AnnotationReader(Unit& unit, std::vector<LazyAnnotation>& out, bool strings)
      : unit_(unit), out_(out), strings_(strings) {}

  // Reads the body of an __annotate__ function; false for another form. A `global` statement belongs to its class.
  bool read(ast::Block block) {
    if (!block.empty() && std::holds_alternative<ast::Global>(unit_.ast.stmts[block[0]].node))
      block.erase(block.begin());
    const auto stub_exprs = block.empty() ? ast::ExprIds{} : stub_exprs_of(block[0]);
    if (!stub_exprs.empty()) block.erase(block.begin());
    if (block.empty() || !match_function(block)) return false;
    return stub_exprs.empty() || add_stub_operands(stub_exprs);
  }

 private:
  static constexpr std::uint32_t kNoMark = 0xFFFFFFFF;

  // Matches `if format > 2: raise NotImplementedError`, followed by the statements that body() reads.
  bool match_function(const ast::Block& block) {
    const auto* guard = std::get_if<ast::If>(&unit_.ast.stmts[block[0]].node);
    if (guard == nullptr || guard->body.size() != 1 || !raises(guard->body[0])) return false;
    if (guard->orelse.empty()) return match_body(ast::Block(block.begin() + 1, block.end()));
    return block.size() == 1 && match_body(ast::Block(guard->orelse));
  }

  // Returns the expressions of `if 0: x; lambda: y`, the stub (finish/stubs.cpp) for code objects and names that the
  // compiler keeps for parts of annotations that it generates no code for; empty if the statement is no such stub.
  ast::ExprIds stub_exprs_of(ast::StmtId s) const {
    const auto* stub = std::get_if<ast::If>(&unit_.ast.stmts[s].node);
    const auto* test = stub != nullptr ? std::get_if<ast::IntLiteral>(&unit_.ast.exprs[stub->test].node) : nullptr;
    ast::ExprIds out;
    if (test == nullptr || test->value != 0 || !stub->orelse.empty()) return out;
    for (const ast::StmtId below : stub->body) {
      const auto* e = std::get_if<ast::ExprStmt>(&unit_.ast.stmts[below].node);
      if (e == nullptr) return {};
      out.push_back(e->value);
    }
    return out;
  }

  // Adds the stub's expressions to the first annotation, as `A if 1 else x`: the compiler generates no code for x there
  // either, but keeps its names.
  bool add_stub_operands(ast::ExprIds stub_exprs) {
    if (out_.empty() || strings_) return false;
    const auto number = unit_.ast.expr(ast::IntLiteral{1}, {});
    const auto operand = stub_exprs.size() == 1 ? stub_exprs[0] : unit_.ast.expr(ast::Tuple{std::move(stub_exprs)}, {});
    auto& value = out_[0].value;
    value = unit_.ast.expr(ast::IfExp{number, value, operand}, unit_.ast.exprs[value].origin);
    return true;
  }

  bool raises(ast::StmtId s) const { return std::holds_alternative<ast::Raise>(unit_.ast.stmts[s].node); }

  // Matches `return {'a': A, ...}`, or a dict that is made, filled and returned.
  bool match_body(const ast::Block& block) {
    if (block.empty()) return false;
    const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[block.back()].node);
    if (r == nullptr || !r->value.valid()) return false;
    if (const auto* d = std::get_if<ast::Dict>(&unit_.ast.exprs[r->value].node)) {
      const ast::Dict dict = *d;
      bool ok = block.size() == 1;
      for (std::size_t k = 0; ok && k < dict.keys.size(); ++k) ok = add(kNoMark, dict.keys[k], dict.values[k]);
      return ok;
    }
    if (!unit_.is_temp(r->value) || block.size() < 2) return false;
    return makes_dict(block.front()) && match_stores(ast::Block(block.begin() + 1, block.end() - 1));
  }

  bool makes_dict(ast::StmtId s) const {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    const auto* d = a != nullptr ? std::get_if<ast::Dict>(&unit_.ast.exprs[a->value].node) : nullptr;
    return d != nullptr && d->keys.empty() && a->targets.size() == 1 && unit_.is_temp(a->targets[0]);
  }

  // Matches `d['a'] = A; if 1 in __conditional_annotations__: d['b'] = B`. The dict may be copied to the variable of
  // its stack slot in between.
  bool match_stores(const ast::Block& block) {
    for (ast::StmtId s : block) {
      const auto& node = unit_.ast.stmts[s].node;
      if (const auto* i = std::get_if<ast::If>(&node)) {
        const auto n = mark_of_test(i->test);
        if (n == kNoMark || !i->orelse.empty() || i->body.size() != 1 || !match_store(i->body[0], n)) return false;
      } else if (!match_store(s, kNoMark) && !copies_dict(s)) {
        return false;
      }
    }
    return true;
  }

  bool copies_dict(ast::StmtId s) const {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    return a != nullptr && a->targets.size() == 1 && unit_.is_temp(a->targets[0]) && unit_.is_temp(a->value);
  }

  bool match_store(ast::StmtId s, std::uint32_t mark) {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    const auto* t = a != nullptr && a->targets.size() == 1
                        ? std::get_if<ast::Subscript>(&unit_.ast.exprs[a->targets[0]].node)
                        : nullptr;
    return t != nullptr && unit_.is_temp(t->value) && add(mark, t->slice, a->value);
  }

  // Fails if the value is a generated variable: an expression was spilled, i.e. evaluated out of order.
  bool add(std::uint32_t mark, ExprId key, ExprId value) {
    const auto* name = key.valid() ? ast::constant_of<ConstStr>(unit_.ast, unit_.code, key) : nullptr;
    if (name == nullptr || unit_.is_temp(value)) return false;
    if (strings_) value = unit_.annotation_of_text(value);
    out_.push_back({mark, name->text, value});
    return true;
  }

  // Returns n of the test `n in __conditional_annotations__`, kNoMark for any other test.
  std::uint32_t mark_of_test(ExprId test) const {
    const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[test].node);
    if (c == nullptr || c->ops.size() != 1 || c->ops[0] != ast::CompareOperator::kIn) return kNoMark;
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[c->comparators[0]].node);
    if (n == nullptr || unit_.ast.text(n->id) != "__conditional_annotations__") return kNoMark;
    return mark_number(unit_, c->left);
  }

  Unit& unit_;
  std::vector<LazyAnnotation>& out_;
  bool strings_;
};

}  // namespace

std::uint32_t mark_number(const Unit& unit, ExprId e) {
  const auto& node = unit.ast.exprs[e].node;
  if (const auto* i = std::get_if<ast::IntLiteral>(&node)) return static_cast<std::uint32_t>(i->value);
  const auto* c = std::get_if<ast::ConstantExpr>(&node);
  const auto* i = c != nullptr ? std::get_if<ConstInt>(&unit.code.consts[c->value]) : nullptr;
  if (i == nullptr || i->digits.size() > 1) return 0xFFFFFFFF;
  return i->digits.empty() ? 0 : i->digits[0];
}

bool is_annotate(const Unit& unit, CodeId code) {
  const auto& co = unit.code.codes[code];
  if (!unit.dialect.deferred_annotations || co.name != "__annotate__" || co.posonlyargcount != 1) return false;
  const auto& names = local_names(co);
  if (names.empty() || (names[0] != "format" && names[0] != ".format")) return false;
  // The compiler emits `format > 2` as the first comparison, without the bool flag that the test of an `if` has.
  const auto bytecode = decode(unit.code, code, unit.options.limits);
  if (!bytecode) return false;
  for (const auto& i : bytecode->code)
    if (i.op == Op::COMPARE_OP) return (i.flags & kMakesBool) == 0;
  return false;
}

std::optional<std::vector<LazyAnnotation>> annotations_of(Unit& unit, CodeId code) {
  std::vector<LazyAnnotation> out;
  const bool strings = (unit.code.codes[code].flags & unit.dialect.future_annotations_flag) != 0;
  const auto block = unit.bodies[code.n].block;
  if (!AnnotationReader(unit, out, strings).read(block)) return std::nullopt;
  return out;
}

void annotate(Machine& m, FunctionValue& f, const FunctionValue& by) {
  const auto all = annotations_of(m.unit, by.code);
  if (!all) return m.refuse("attributes of a function that are not spelt out");
  for (const auto& a : *all) f.annotations.emplace_back(a.name, a.value);
}

// If the line starts with the BUILD_MAP 0 of a class's or module's __annotate__, spills the dict to a variable at once,
// so that each annotation stored to it is a statement of its own.
bool annotations_map(Machine& m) {
  if (m.literal != nullptr || !m.state.stack.empty() || !is_annotate(m.unit, m.code)) return false;
  m.push_expr(m.make(ast::Dict{}));
  spill_value(m, m.top());
  return true;
}

// Swallows the store of an __annotate__ function in a class or module; finish/annotations.cpp places its annotations.
bool stores_annotate(Machine& m, ExprId target, const FunctionValue& f) {
  const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
  if (n == nullptr || m.literal != nullptr || (m.co.flags & kCoOptimized) != 0 || !is_annotate(m.unit, f.code))
    return false;
  const auto text = m.unit.ast.text(n->id);
  if (text != "__annotate__" && text != "__annotate_func__") return false;
  if (!annotations_of(m.unit, f.code)) return false;
  m.unit.annotates[m.code.n] = f.code;
  return true;
}

// Recognizes LOAD __conditional_annotations__; LOAD n; SET_ADD 1; POP_TOP, which records that the statement of
// annotation n was reached. Emits it as `__conditional_annotations__: n`, which finish/annotations.cpp replaces.
bool annotation_mark(Machine& m, NameId name) {
  if (m.literal != nullptr) return false;
  const auto *number = m.peek(1), *add = m.peek(2), *drop = m.peek(3);
  if (drop == nullptr || add->op != Op::SET_ADD || add->arg != 1 || drop->op != Op::POP_TOP) return false;
  if (m.unit.ast.text(name) != "__conditional_annotations__") return false;
  if (number->op != Op::LOAD_CONST && number->op != Op::LOAD_SMALL_INT) return false;
  name_op(m, *number);
  const ExprId mark = m.pop_expr();
  m.at += 3;
  m.emit_stmt(ast::AnnAssign{m.name_expr(name), mark, {}, true});
  return true;
}

}  // namespace depyf::lift
