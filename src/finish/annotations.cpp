// SPDX-License-Identifier: MIT
// Places lazy annotations; see annotations.h.
//
// The __annotate__ function has all annotations in order, but not their places. In a body with conditional annotations,
// each annotation leaves a mark (`__conditional_annotations__.add(n)`) at its statement. The others go to the first
// store of their name after the annotation before; without a store, to where the line table places them, or right
// there: an annotation without a value generates no code, so no place is wrong.
#include "finish/annotations.h"

#include <algorithm>
#include <map>
#include <set>

#include "ast/constants.h"
#include "ast/walk.h"
#include "lift/annotations.h"

namespace depyf::finish {

namespace {

using ast::ExprId;
using ast::ExprIds;
using lift::LazyAnnotation;

class Placer {
 public:
  Placer(lift::Unit& unit, CodeId code) : unit_(unit), code_(code) {
    const auto it = unit.annotates.find(code.n);
    if (it != unit.annotates.end()) items_ = lift::annotations_of(unit, it->second).value_or(items_);
    if (it != unit.annotates.end()) lines_.begin(unit.code.version, unit.code.codes[it->second], {});
    for (auto& a : items_) a.name = unit.ast.text(unit.unmangled(code, a.name));
  }

  void run(ast::Block& block) {
    block.erase(std::remove_if(block.begin(), block.end(), [&](ast::StmtId s) { return is_setup(s); }), block.end());
    if (makes_marks_ || !items_.empty()) {  // most bodies have none
      ast::walk(unit_.ast, block, [&](ast::StmtId s) {
        if (const auto mark = mark_of(s); mark != kNoMark) marks_.insert(mark);
        return !ast::is_scope(unit_.ast.stmts[s].node);
      });
      place_marked(block, 0, false);
    }
    if (!repeated_.empty()) std::erase_if(items_, [&](const LazyAnnotation& a) { return is_copy(a); });
    place_others(block);
    // A module creates the set for any annotation; under `from __future__ import annotations` none is lazy.
    const auto& co = unit_.code.codes[code_];
    const auto needs_set = [&](const LazyAnnotation& a) { return !co.parent.valid() || a.mark != kNoMark; };
    const bool lazy = (co.flags & unit_.dialect.future_annotations_flag) == 0;
    if (makes_marks_ && lazy && std::ranges::none_of(items_, needs_set))
      block.insert(block.begin() + prologue_length(block), markless_stub());
  }

 private:
  // Returns whether the statement is `__classdict__ = locals()` or `__conditional_annotations__ = set()`.
  bool is_setup(ast::StmtId s) {
    const auto* n = ast::sole_target<ast::Name>(unit_.ast, s);
    if (n == nullptr) return false;
    const auto text = unit_.ast.text(n->id);
    const auto& value = unit_.ast.exprs[std::get<ast::Assign>(unit_.ast.stmts[s].node).value].node;
    if (text == "__classdict__") return std::holds_alternative<ast::Call>(value);
    const auto* set = std::get_if<ast::Set>(&value);
    if (text != "__conditional_annotations__" || set == nullptr || !set->elts.empty()) return false;
    makes_marks_ = true;
    return true;
  }

  // Turns the assignment into an annotated one. Returns false if it does not assign to that name.
  bool annotate(ast::StmtId s, const LazyAnnotation& a) {
    const auto* n = ast::sole_target<ast::Name>(unit_.ast, s);
    if (n == nullptr || unit_.ast.text(n->id) != a.name) return false;
    const auto assign = std::get<ast::Assign>(unit_.ast.stmts[s].node);
    unit_.ast.stmts[s].node = ast::AnnAssign{assign.targets[0], a.value, assign.value, true};
    return true;
  }

  ast::StmtId bare_annotation(const LazyAnnotation& a) {
    const auto origin = unit_.ast.exprs[a.value].origin;
    const ExprId name = unit_.ast.expr(ast::Name{unit_.ast.intern(a.name)}, origin);
    return unit_.ast.stmt(ast::AnnAssign{name, a.value, {}, true}, {code_, origin.offset});
  }

  // Returns the number of the mark, or kNoMark if the statement is none.
  std::uint32_t mark_of(ast::StmtId s) const {
    const auto* a = std::get_if<ast::AnnAssign>(&unit_.ast.stmts[s].node);
    const auto* n = a != nullptr ? std::get_if<ast::Name>(&unit_.ast.exprs[a->target].node) : nullptr;
    if (n == nullptr || unit_.ast.text(n->id) != "__conditional_annotations__") return kNoMark;
    return lift::mark_number(unit_, a->annotation);
  }

  // Places marked annotations at their marks. `repeated`: in a finally body, each copy of which had marks of its own.
  void place_marked(ast::Block& block, int depth, bool repeated) {
    if (depth > 100) return;
    ast::Block out;
    for (ast::StmtId s : block) {
      if (depth == 0) outermost_ = s;
      inner_blocks(s, depth, repeated);
      const auto mark = mark_of(s);
      if (mark == kNoMark) {
        out.push_back(s);
        continue;
      }
      const auto it = std::find_if(items_.begin(), items_.end(), [&](const auto& a) { return a.mark == mark; });
      if (it == items_.end()) continue;
      if (out.empty() || !annotate(out.back(), *it)) out.push_back(bare_annotation(*it));
      auto dead = it;
      while (dead != items_.begin() && is_dead(*(dead - 1))) --dead;
      if (dead == items_.begin()) dead = it;  // see place_others()
      if (dead != it) out.insert(out.end() - 1, if_false(dead, it));
      if (depth == 0 && unit_.code.codes[code_].parent.valid()) out.back() = if_true(out.back());
      placed_[mark] = depth == 0 ? out.back() : outermost_;
      for (; dead != it; ++dead) placed_[dead->mark] = placed_[mark];
      if (repeated) repeated_.emplace(it->name, it->value);
    }
    if (out.empty() && !block.empty() && depth > 0) out.push_back(unit_.ast.stmt(ast::Pass{}, {code_, 0}));
    block = std::move(out);
  }

  // Returns whether the mark belongs to code that the compiler removed, and not to another copy of a finally body.
  bool is_dead(const LazyAnnotation& a) const {
    const auto is_same = [&](const LazyAnnotation& b) {
      return marks_.contains(b.mark) && a.name == b.name && ast::equal(unit_.ast, unit_.code, a.value, b.value);
    };
    return a.mark != kNoMark && !marks_.contains(a.mark) && std::ranges::none_of(items_, is_same);
  }

  void inner_blocks(ast::StmtId s, int depth, bool repeated) {
    auto& node = unit_.ast.stmts[s].node;
    if (ast::is_scope(node)) return;
    const auto* t = std::get_if<ast::Try>(&node);
    ast::for_each_child_block(
        node, [&](ast::Block& b) { place_marked(b, depth + 1, repeated || (t != nullptr && &b == &t->finalbody)); });
  }

  // Returns whether the annotation belonged to another copy of a finally body, whose statement already has it.
  bool is_copy(const LazyAnnotation& a) const {
    if (a.mark == kNoMark || placed_.contains(a.mark)) return false;
    const auto [first, last] = repeated_.equal_range(a.name);
    return std::any_of(first, last,
                       [&](const auto& r) { return ast::equal(unit_.ast, unit_.code, r.second, a.value); });
  }

  // Places unmarked annotations, and the marked ones of code that the compiler removed (`if False: x: T`), which
  // place_marked() has not placed.
  void place_others(ast::Block& block) {
    auto at = static_cast<std::size_t>(prologue_length(block));
    for (auto it = items_.cbegin(); it != items_.cend();) {
      const auto& a = *it++;
      if (const auto placed = placed_.find(a.mark); placed != placed_.end()) {  // later annotations come after this one
        const auto from = block.begin() + static_cast<std::ptrdiff_t>(at);
        const auto outermost = std::find(from, block.end(), placed->second);
        if (outermost != block.end()) at = static_cast<std::size_t>(outermost - block.begin()) + 1;
        continue;
      }
      if (a.mark != kNoMark) {
        const auto first = it - 1;
        while (it != items_.cend() && it->mark != kNoMark && !placed_.contains(it->mark)) ++it;
        if (it == items_.cend() && first != items_.cbegin()) at = block.size();
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(at++), if_false(first, it));
        continue;
      }
      std::size_t store = at;
      while (store < block.size() && !annotate(block[store], a)) ++store;
      if (store < block.size()) {
        at = store + 1;
        continue;
      }
      while (at < block.size() && is_before(block[at], a)) ++at;
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), bare_annotation(a));
      ++at;
    }
  }

  // Returns whether the line table has the statement on a line before the annotation, which has a code object of its
  // own.
  bool is_before(ast::StmtId s, const LazyAnnotation& a) {
    const auto& origin = unit_.ast.stmts[s].origin;
    const auto* position = origin.code == code_ ? unit_.positions.at(origin.offset) : nullptr;
    const auto* annotation_position = lines_.at(unit_.ast.exprs[a.value].origin.offset);
    return position != nullptr && annotation_position != nullptr && position->line < annotation_position->line;
  }

  // Returns the number of statements that must stay first.
  std::ptrdiff_t prologue_length(const ast::Block& block) const {
    return std::ranges::find_if_not(block, [&](ast::StmtId s) { return is_header(s) || is_prologue(s); }) -
           block.begin();
  }

  // Returns a dead annotation for a set of marks without any mark: the source has only annotations of attributes, items
  // and names in brackets (`(n): T = 1`), which generate no code.
  ast::StmtId markless_stub() {
    const ast::Origin origin{code_, 0};
    const ExprId name = unit_.ast.expr(ast::Name{unit_.ast.intern("_")}, origin);
    const ExprId anything = unit_.ast.expr(ast::EllipsisLiteral{}, origin);
    const auto annotation = unit_.ast.stmt(ast::AnnAssign{name, anything, {}, false}, origin);
    return unit_.ast.stmt(ast::If{unit_.ast.expr(ast::Verbatim{"False"}, origin), {annotation}, {}}, origin);
  }

  // Returns whether the statement is a docstring or an import from __future__.
  bool is_prologue(ast::StmtId s) const {
    const auto& node = unit_.ast.stmts[s].node;
    const auto* from = std::get_if<ast::ImportFrom>(&node);
    const auto* e = std::get_if<ast::ExprStmt>(&node);
    return (from != nullptr && from->module == "__future__") ||
           (e != nullptr && std::holds_alternative<ast::ConstantExpr>(unit_.ast.exprs[e->value].node));
  }

  using Items = std::vector<LazyAnnotation>::const_iterator;
  ast::StmtId if_false(Items from, Items to) {
    const ast::Origin origin{code_, 0};
    ast::If stub{unit_.ast.expr(ast::Verbatim{"False"}, origin), {}, {}};
    for (; from != to; ++from) stub.body.push_back(bare_annotation(*from));
    return unit_.ast.stmt(std::move(stub), origin);
  }

  // Returns a conditional statement for an annotation with a mark at the outermost level of a class, where the condition
  // left no code: it was in the `else` of a loop, or had a constant test.
  ast::StmtId if_true(ast::StmtId s) {
    const ast::Origin origin{code_, 0};
    return unit_.ast.stmt(ast::If{unit_.ast.expr(ast::Verbatim{"True"}, origin), {s}, {}}, origin);
  }

  // Returns whether the statement is one of those that start a class body, up to the docstring.
  bool is_header(ast::StmtId s) const {
    const auto* n = ast::sole_target<ast::Name>(unit_.ast, s);
    if (n == nullptr) return false;
    for (std::string_view name : {"__module__", "__qualname__", "__firstlineno__", "__type_params__", "__doc__"})
      if (unit_.ast.text(n->id) == name) return true;
    return false;
  }

  static constexpr std::uint32_t kNoMark = 0xFFFFFFFF;
  lift::Unit& unit_;
  CodeId code_;
  std::vector<LazyAnnotation> items_;
  SourcePositions lines_;                        // of the __annotate__ function
  ast::StmtId outermost_;                        // the statement of `block` that is being visited
  std::set<std::uint32_t> marks_;                // of the body
  std::map<std::uint32_t, ast::StmtId> placed_;  // by mark: the statement of `block` that contains it
  std::multimap<std::string, ExprId> repeated_;  // annotations placed in finally bodies, by name
  bool makes_marks_ = false;                     // the body creates the set of marks
};

}  // namespace

void place_annotations(lift::Unit& unit, CodeId code, ast::Block& block) {
  if (unit.dialect.type_parameters) Placer(unit, code).run(block);
}

}  // namespace depyf::finish
