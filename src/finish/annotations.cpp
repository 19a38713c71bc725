// SPDX-License-Identifier: MIT
// Placing lazy annotations; see annotations.h.
//
// A marked annotation (one in a body that has conditional ones) goes to its mark. The others are known by order alone:
// each goes to the first store of its name that follows the annotation before it or, without a store, to where its line
// tells it was, or right there; an annotation without a value generates no code, so any place is as good as the original.
#include "finish/annotations.h"

#include <algorithm>
#include <map>

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
    block.erase(std::remove_if(block.begin(), block.end(), [&](ast::StmtId s) { return prepares(s); }), block.end());
    if (makes_marks_ || !items_.empty()) marked(block, 0, false);  // most bodies have none
    if (!repeated_.empty()) std::erase_if(items_, [&](const LazyAnnotation& a) { return is_copy(a); });
    unmarked(block);
    unreached(block);
    // A module makes the set for any annotation. Those under `from __future__ import annotations` are no lazy ones.
    const auto& co = unit_.code.codes[code_];
    const auto explains = [&](const LazyAnnotation& a) { return !co.parent.valid() || a.mark != kNoMark; };
    const bool lazy = (co.flags & unit_.dialect.future_annotations_flag) == 0;
    if (makes_marks_ && lazy && std::ranges::none_of(items_, explains))
      block.insert(block.begin() + opening(block), markless());
  }

 private:
  // __classdict__ = locals(); __conditional_annotations__ = set()
  bool prepares(ast::StmtId s) {
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

  // Gives the assignment its annotation; false if it is none to that name.
  bool annotate(ast::StmtId s, const LazyAnnotation& a) {
    const auto* n = ast::sole_target<ast::Name>(unit_.ast, s);
    if (n == nullptr || unit_.ast.text(n->id) != a.name) return false;
    const auto assign = std::get<ast::Assign>(unit_.ast.stmts[s].node);
    unit_.ast.stmts[s].node = ast::AnnAssign{assign.targets[0], a.value, assign.value, true};
    return true;
  }

  ast::StmtId bare(const LazyAnnotation& a) {
    const auto origin = unit_.ast.exprs[a.value].origin;
    const ExprId name = unit_.ast.expr(ast::Name{unit_.ast.intern(a.name)}, origin);
    return unit_.ast.stmt(ast::AnnAssign{name, a.value, {}, true}, {code_, origin.offset});
  }

  // The mark's number; 0xFFFFFFFF if the statement is no mark.
  std::uint32_t mark_of(ast::StmtId s) const {
    const auto* a = std::get_if<ast::AnnAssign>(&unit_.ast.stmts[s].node);
    const auto* n = a != nullptr ? std::get_if<ast::Name>(&unit_.ast.exprs[a->target].node) : nullptr;
    if (n == nullptr || unit_.ast.text(n->id) != "__conditional_annotations__") return kNoMark;
    return lift::mark_number(unit_, a->annotation);
  }

  // `repeated`: within a finally body, of which each copy had a mark of its own.
  void marked(ast::Block& block, int depth, bool repeated) {
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
      if (out.empty() || !annotate(out.back(), *it)) out.push_back(bare(*it));
      placed_[mark] = depth == 0 ? out.back() : outermost_;
      if (repeated) repeated_.emplace(it->name, it->value);
    }
    if (out.empty() && !block.empty() && depth > 0) out.push_back(unit_.ast.stmt(ast::Pass{}, {code_, 0}));
    block = std::move(out);
  }

  void inner_blocks(ast::StmtId s, int depth, bool repeated) {
    auto& node = unit_.ast.stmts[s].node;
    if (ast::is_scope(node)) return;
    const auto* t = std::get_if<ast::Try>(&node);
    ast::for_each_child_block(
        node, [&](ast::Block& b) { marked(b, depth + 1, repeated || (t != nullptr && &b == &t->finalbody)); });
  }

  // An annotation whose mark was that of a copy of a finally body.
  bool is_copy(const LazyAnnotation& a) const {
    if (a.mark == kNoMark || placed_.contains(a.mark)) return false;
    const auto [first, last] = repeated_.equal_range(a.name);
    return std::any_of(first, last,
                       [&](const auto& r) { return ast::equal(unit_.ast, unit_.code, r.second, a.value); });
  }

  void unmarked(ast::Block& block) {
    std::size_t at = 0;
    while (at < block.size() && header(block[at])) ++at;
    for (const auto& a : items_) {
      if (const auto placed = placed_.find(a.mark); placed != placed_.end()) {  // those after it stay after it
        const auto from = block.begin() + static_cast<std::ptrdiff_t>(at);
        const auto outermost = std::find(from, block.end(), placed->second);
        if (outermost != block.end()) at = static_cast<std::size_t>(outermost - block.begin()) + 1;
      }
      if (a.mark != kNoMark) continue;
      std::size_t found = at;
      while (found < block.size() && !annotate(block[found], a)) ++found;
      if (found < block.size()) {
        at = found + 1;
        continue;
      }
      while (at < block.size() && is_before(block[at], a)) ++at;
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), bare(a));
      ++at;
    }
  }

  // Whether the line table has a statement on a line before that of an annotation, which is code of another function.
  bool is_before(ast::StmtId s, const LazyAnnotation& a) {
    const auto& origin = unit_.ast.stmts[s].origin;
    const auto* place = origin.code == code_ ? unit_.positions.at(origin.offset) : nullptr;
    const auto* other = lines_.at(unit_.ast.exprs[a.value].origin.offset);
    return place != nullptr && other != nullptr && place->line < other->line;
  }

  // Marked annotations in code that the compiler dropped (`if False: x: T`). Their marks are numbered in order, so only
  // those before and those after all others have a place that is as good as the original one.
  void unreached(ast::Block& block) {
    const auto lost = [&](const LazyAnnotation& a) { return a.mark != kNoMark && !placed_.contains(a.mark); };
    const auto first = std::find_if_not(items_.begin(), items_.end(), lost);
    auto last = items_.end();
    while (last != first && lost(*(last - 1))) --last;
    if (std::any_of(first, last, lost)) return;
    if (first != items_.begin()) block.insert(block.begin() + opening(block), never(items_.begin(), first));
    if (last != items_.end()) block.push_back(never(last, items_.end()));
  }

  // What comes before all other statements.
  std::ptrdiff_t opening(const ast::Block& block) const {
    return std::ranges::find_if_not(block, [&](ast::StmtId s) { return header(s) || opens(s); }) - block.begin();
  }

  // The set of marks without a mark: annotations of attributes, items and names in brackets alone (`(n): T = 1`), of
  // which nothing else is left.
  ast::StmtId markless() {
    const ast::Origin origin{code_, 0};
    const ExprId name = unit_.ast.expr(ast::Name{unit_.ast.intern("_")}, origin);
    const ExprId anything = unit_.ast.expr(ast::EllipsisLiteral{}, origin);
    const auto annotation = unit_.ast.stmt(ast::AnnAssign{name, anything, {}, false}, origin);
    return unit_.ast.stmt(ast::If{unit_.ast.expr(ast::Verbatim{"False"}, origin), {annotation}, {}}, origin);
  }

  // A docstring and imports from __future__, which must come first.
  bool opens(ast::StmtId s) const {
    const auto& node = unit_.ast.stmts[s].node;
    const auto* from = std::get_if<ast::ImportFrom>(&node);
    const auto* e = std::get_if<ast::ExprStmt>(&node);
    return (from != nullptr && from->module == "__future__") ||
           (e != nullptr && std::holds_alternative<ast::ConstantExpr>(unit_.ast.exprs[e->value].node));
  }

  using Items = std::vector<LazyAnnotation>::const_iterator;
  ast::StmtId never(Items from, Items to) {
    const ast::Origin origin{code_, 0};
    ast::If stub{unit_.ast.expr(ast::Verbatim{"False"}, origin), {}, {}};
    for (; from != to; ++from) stub.body.push_back(bare(*from));
    return unit_.ast.stmt(std::move(stub), origin);
  }

  // What a class body starts with, up to its docstring.
  bool header(ast::StmtId s) const {
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
  SourcePositions lines_;                        // of the function that gives them
  ast::StmtId outermost_;                        // the statement of the body at work
  std::map<std::uint32_t, ast::StmtId> placed_;  // by mark: the statement of the body that holds the annotation
  std::multimap<std::string, ExprId> repeated_;  // placed in finally bodies
  bool makes_marks_ = false;                     // the set that holds those of the statements that were reached
};

}  // namespace

void place_annotations(lift::Unit& unit, CodeId code, ast::Block& block) {
  if (unit.dialect.type_parameters) Placer(unit, code).run(block);
}

}  // namespace depyf::finish
