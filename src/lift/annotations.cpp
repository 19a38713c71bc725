// SPDX-License-Identifier: MIT
// Reading __annotate__ functions; see annotations.h.
//
// Shapes: return {'a': A, ...} of a function's parameters; d = {}; d['a'] = A; ...; return d of a class or module, each
// store under `if n in __conditional_annotations__` where the annotated statement is not always reached.
#include "lift/annotations.h"

namespace depyf::lift {

namespace {

class AnnotationReader {
 public:
  AnnotationReader(Unit& unit, std::vector<LazyAnnotation>& out, bool strings)
      : unit_(unit), out_(out), strings_(strings) {}

  void read(const ast::Block& block, std::uint32_t mark, int depth) {
    for (ast::StmtId s : block) {
      const auto& node = unit_.ast.stmts[s].node;
      if (const auto* i = std::get_if<ast::If>(&node); i != nullptr && depth < 4) {
        const auto n = conditional(i->test);
        if (n != kNoMark)
          read(ast::Block(i->body), n, depth + 1);
        else if (!i->orelse.empty())
          read(ast::Block(i->orelse), mark, depth + 1);  // `if format > 2: raise ...`
      } else if (const auto* a = std::get_if<ast::Assign>(&node); a != nullptr && a->targets.size() == 1) {
        if (const auto* t = std::get_if<ast::Subscript>(&unit_.ast.exprs[a->targets[0]].node))
          add(mark, t->slice, a->value);
      } else if (const auto* r = std::get_if<ast::Return>(&node); r != nullptr && r->value.valid()) {
        if (const auto* d = std::get_if<ast::Dict>(&unit_.ast.exprs[r->value].node)) {
          const ast::Dict dict = *d;
          for (std::size_t k = 0; k < dict.keys.size(); ++k) add(mark, dict.keys[k], dict.values[k]);
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kNoMark = 0xFFFFFFFF;

  const ConstStr* text(ExprId e) const {
    const auto* c = e.valid() ? std::get_if<ast::ConstantExpr>(&unit_.ast.exprs[e].node) : nullptr;
    return c != nullptr ? std::get_if<ConstStr>(&unit_.code.consts[c->value]) : nullptr;
  }

  void add(std::uint32_t mark, ExprId key, ExprId value) {
    const auto* name = text(key);
    if (name == nullptr) return;
    if (const auto* s = text(value); strings_ && s != nullptr)
      value = unit_.ast.expr(ast::Verbatim{s->text}, unit_.ast.exprs[value].origin);
    out_.push_back({mark, name->text, unit_.with_star(value)});
  }

  // n in __conditional_annotations__
  std::uint32_t conditional(ExprId test) const {
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
  const auto& names = co.localsplus.empty() ? co.varnames : co.localsplus;
  return !names.empty() && (names[0] == "format" || names[0] == ".format");
}

std::vector<LazyAnnotation> annotations_of(Unit& unit, CodeId code) {
  std::vector<LazyAnnotation> out;
  const bool strings = (unit.code.codes[code].flags & unit.dialect.future_annotations_flag) != 0;
  const auto block = unit.bodies[code.n].block;
  AnnotationReader(unit, out, strings).read(block, 0xFFFFFFFF, 0);
  return out;
}

void Lifter::annotate(FunctionValue& f, const FunctionValue& by) {
  for (const auto& a : annotations_of(unit_, by.code)) f.annotations.emplace_back(a.name, a.value);
}

// The dict that a class's or module's __annotate__ fills (always its first value) gets its name at once, so that each
// annotation is one statement.
bool Lifter::annotations_map() {
  if (!s_->stack.empty() || !is_annotate(unit_, code_)) return false;
  push_expr(make(ast::Dict{}));
  spill_value(top());
  return true;
}

// The function that a class or module stores is not said; where it belongs is settled when the body is finished.
bool Lifter::stores_annotate(ExprId target, const FunctionValue& f) {
  const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[target].node);
  if (n == nullptr || (co_.flags & kCoOptimized) != 0 || !is_annotate(unit_, f.code)) return false;
  const auto text = unit_.ast.text(n->id);
  if (text != "__annotate__" && text != "__annotate_func__") return false;
  unit_.annotates[code_.n] = f.code;
  return true;
}

// LOAD __conditional_annotations__; n; SET_ADD 1; POP_TOP: the n-th annotation's statement was reached. Stands as an
// annotation of the set until the body is finished.
Result<bool> Lifter::annotation_mark(NameId name) {
  const auto *number = peek(1), *add = peek(2), *drop = peek(3);
  if (drop == nullptr || add->op != Op::SET_ADD || add->arg != 1 || drop->op != Op::POP_TOP) return false;
  if (unit_.ast.text(name) != "__conditional_annotations__") return false;
  DEPYF_TRY(pushed, name_op(*number));
  if (!pushed) return false;
  const ExprId mark = pop_expr();
  at_ += 3;
  emit_stmt(ast::AnnAssign{name_expr(name), mark, {}, true});
  return true;
}

}  // namespace depyf::lift
