// SPDX-License-Identifier: MIT
// Builds a pattern from what the tests of a case say about it; see tree.h.
#include <algorithm>

#include "ast/constants.h"
#include "structure/match/tree.h"
#include "support/unicode.h"

namespace depyf::structure {

void PatternTree::clear(ast::Origin origin) {
  nodes_.clear();
  merged_.clear();
  origin_ = origin;
}

std::uint32_t PatternTree::add() {
  nodes_.emplace_back();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

Slot PatternTree::merge(std::vector<Slot> each) {
  Slot merged;
  merged.kind = Slot::Kind::kMerged;
  merged.node = static_cast<std::uint32_t>(merged_.size());
  merged_.push_back(std::move(each));
  return merged;
}

bool PatternTree::may_drop(const Slot& s) const {
  switch (s.kind) {
    case Slot::Kind::kNode: return !s.has_copy;
    case Slot::Kind::kAttrs:
    case Slot::Kind::kKeys:
    case Slot::Kind::kValues: return true;
    case Slot::Kind::kMerged:
      return std::all_of(merged_[s.node].begin(), merged_[s.node].end(), [&](const Slot& x) { return may_drop(x); });
    default: return false;
  }
}

bool PatternTree::bind(const Slot& s, ast::NameId name) {
  const auto text = unit_.ast.text(name);
  if (!is_plain_identifier(text) || text == "_") return false;  // `_` binds no name
  switch (s.kind) {
    case Slot::Kind::kNode:
      if (s.is_inspected) return false;
      nodes_[s.node].names.emplace_back(s.level, name);
      return true;
    case Slot::Kind::kRest:
      if (s.node == kNone || nodes_[s.node].rest.valid()) return false;
      nodes_[s.node].rest = name;
      return true;
    case Slot::Kind::kMerged: {
      const auto each = merged_[s.node];
      return std::all_of(each.begin(), each.end(), [&](const Slot& x) { return bind(x, name); });
    }
    default: return false;
  }
}

bool PatternTree::unpack(Slot from, std::size_t count, std::size_t star, std::vector<Slot>& out) {
  out.assign(count, Slot{});
  switch (from.kind) {
    case Slot::Kind::kNode: {
      if (from.has_copy || nodes_[from.node].kind != Subpattern::Kind::kSequence || nodes_[from.node].unpacked)
        return false;
      std::vector<std::uint32_t> items;
      for (std::size_t i = 0; i < count; ++i) items.push_back(out[i].node = add());
      auto& n = nodes_[from.node];
      n.unpacked = true;
      n.items = std::move(items);
      n.star = static_cast<std::uint32_t>(star);
      return true;
    }
    case Slot::Kind::kAttrs:
    case Slot::Kind::kValues: {
      const auto& items = nodes_[from.node].items;
      if (items.size() != count || star != kNone) return false;
      for (std::size_t i = 0; i < count; ++i) out[i].node = items[i];
      return true;
    }
    case Slot::Kind::kKeys:
      if (nodes_[from.node].keys.size() != count || star != kNone) return false;
      for (auto& o : out) o.kind = Slot::Kind::kKey;
      return true;
    case Slot::Kind::kMerged: {
      const auto each = merged_[from.node];
      std::vector<std::vector<Slot>> columns(count);
      for (const auto& x : each) {
        std::vector<Slot> row;
        if (x.kind == Slot::Kind::kMerged || !unpack(x, count, star, row)) return false;
        for (std::size_t i = 0; i < count; ++i) columns[i].push_back(row[i]);
      }
      for (std::size_t i = 0; i < count; ++i) out[i] = merge(std::move(columns[i]));
      return true;
    }
    default: return false;
  }
}

std::optional<std::int64_t> PatternTree::number(const Slot& s) const {
  if (s.kind != Slot::Kind::kExpr) return std::nullopt;
  const auto& e = unit_.ast.exprs[s.expr].node;
  if (const auto* i = std::get_if<ast::IntLiteral>(&e)) return i->value;
  const auto* c = std::get_if<ast::ConstantExpr>(&e);
  const auto* i = c != nullptr ? std::get_if<ConstInt>(&unit_.code.consts[c->value]) : nullptr;
  if (i == nullptr || i->negative || i->digits.size() > 1) return std::nullopt;
  return i->digits.empty() ? 0 : static_cast<std::int64_t>(i->digits[0]);
}

// Returns whether the expression is a name, or attributes of a name, as a pattern may contain it.
bool PatternTree::is_dotted_name(ExprId e) const {
  const auto* a = std::get_if<ast::Attribute>(&unit_.ast.exprs[e].node);
  for (; a != nullptr; a = std::get_if<ast::Attribute>(&unit_.ast.exprs[e].node)) {
    if (!is_plain_identifier(unit_.ast.text(a->attr))) return false;
    e = a->value;
  }
  const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[e].node);
  return n != nullptr && is_plain_identifier(unit_.ast.text(n->id));
}

// Returns whether a pattern compares with the expression by identity.
bool PatternTree::is_singleton(ExprId e) const {
  const auto* truth = std::get_if<ast::Verbatim>(&unit_.ast.exprs[e].node);
  return ast::is_none(unit_.ast, unit_.code, e) || ast::constant_of<ConstBool>(unit_.ast, unit_.code, e) != nullptr ||
         (truth != nullptr && (truth->text == "True" || truth->text == "False"));
}

// Returns whether a pattern compares with the expression by value: a dotted name, a number or a string. A plain name
// would be a capture pattern, and a tuple a sequence pattern.
bool PatternTree::is_value(ExprId e) const {
  const auto& n = unit_.ast.exprs[e].node;
  if (const auto* c = std::get_if<ast::ConstantExpr>(&n)) {
    const Constant& value = unit_.code.consts[c->value];
    return !std::holds_alternative<ConstTuple>(value) && !std::holds_alternative<ConstFrozenSet>(value) &&
           !std::holds_alternative<ConstEllipsis>(value) && !std::holds_alternative<ConstOpaque>(value) &&
           !std::holds_alternative<ConstCode>(value) && !is_singleton(e);
  }
  if (std::holds_alternative<ast::Attribute>(n)) return is_dotted_name(e);
  if (const auto* minus = std::get_if<ast::UnaryOp>(&n)) return ast::is_constant(unit_.ast, minus->operand);
  if (const auto* sum = std::get_if<ast::BinOp>(&n))  // of a real and an imaginary number
    return ast::constant_of<ConstComplex>(unit_.ast, unit_.code, sum->right) != nullptr;
  return ast::is_constant(unit_.ast, e) && !is_singleton(e);
}

ExprIds PatternTree::tuple_items(ExprId e) const {
  const auto& n = unit_.ast.exprs[e].node;
  if (const auto* t = std::get_if<ast::Tuple>(&n)) return t->elts;
  ExprIds out;
  const auto* c = std::get_if<ast::ConstantExpr>(&n);
  const auto* t = c != nullptr ? std::get_if<ConstTuple>(&unit_.code.consts[c->value]) : nullptr;
  if (t == nullptr) return out;
  for (ConstId k : t->items) out.push_back(lift::constant_expr(unit_, k, unit_.ast.exprs[e].origin));
  return out;
}

std::optional<ast::PatternId> PatternTree::build(std::uint32_t id, std::uint32_t depth) {
  if (depth > 150) return std::nullopt;
  auto names = nodes_[id].names;
  // The innermost `as` binds the last copy.
  std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ast::PatternId out;
  if (nodes_[id].kind != Subpattern::Kind::kAny) {
    auto node = build_node(id, depth);
    if (!node) return std::nullopt;
    out = unit_.ast.pattern(std::move(*node), origin_);
  } else if (names.empty()) {
    return unit_.ast.pattern(ast::MatchAs{}, origin_);
  } else if (names[0].first < nodes_[id].copies) {  // _ as x
    out = unit_.ast.pattern(ast::MatchAs{}, origin_);
  }
  for (const auto& [level, name] : names) out = unit_.ast.pattern(ast::MatchAs{out, name}, origin_);
  return out;
}

std::optional<ast::PatternNode> PatternTree::build_node(std::uint32_t id, std::uint32_t depth) {
  const Subpattern n = nodes_[id];
  std::vector<ast::PatternId> items;
  if (n.kind != Subpattern::Kind::kSequence)
    for (auto item : n.items) {
      const auto p = build(item, depth + 1);
      if (!p) return std::nullopt;
      items.push_back(*p);
    }
  switch (n.kind) {
    case Subpattern::Kind::kAny: return std::nullopt;
    case Subpattern::Kind::kValue:
      if (!is_value(n.expr)) return std::nullopt;
      return ast::MatchValue{n.expr};
    case Subpattern::Kind::kSingleton:
      if (!is_singleton(n.expr)) return std::nullopt;
      return ast::MatchSingleton{n.expr};
    case Subpattern::Kind::kSequence: return build_sequence(id, depth);
    case Subpattern::Kind::kMapping: {
      if (!std::ranges::all_of(n.keys, [this](ExprId key) { return is_value(key) || is_singleton(key); }))
        return std::nullopt;
      if (n.has_len ? !n.at_least || n.len != static_cast<std::int64_t>(n.keys.size()) : !n.keys.empty())
        return std::nullopt;
      return ast::MatchMapping{n.keys, std::move(items), n.rest};
    }
    case Subpattern::Kind::kClass: {
      const auto* name = std::get_if<ast::Name>(&unit_.ast.exprs[n.expr].node);
      if (!is_dotted_name(n.expr) || (name != nullptr && unit_.ast.text(name->id) == "_")) return std::nullopt;
      ast::MatchClass c;
      c.cls = n.expr;
      c.patterns.assign(items.begin(), items.begin() + n.positional);
      c.kwd_patterns.assign(items.begin() + n.positional, items.end());
      c.kwd_attrs = n.attributes;
      return c;
    }
    case Subpattern::Kind::kOr: return ast::MatchOr{std::move(items)};
  }
  return std::nullopt;
}

std::optional<ast::PatternNode> PatternTree::build_sequence(std::uint32_t id, std::uint32_t depth) {
  const Subpattern n = nodes_[id];
  const auto wildcard = [&] { return unit_.ast.pattern(ast::MatchAs{}, origin_); };
  ast::MatchSequence out;
  if (n.unpacked) {
    if (!n.picked.empty()) return std::nullopt;
    const bool starred = n.star != kNone;
    const auto fixed = static_cast<std::int64_t>(n.items.size()) - (starred ? 1 : 0);
    if (n.has_len ? n.at_least != starred || n.len != fixed : !starred || fixed != 0) return std::nullopt;
    for (std::uint32_t i = 0; i < n.items.size(); ++i) {
      const Subpattern& item = nodes_[n.items[i]];
      if (i == n.star) {
        if (item.kind != Subpattern::Kind::kAny || item.names.size() > 1) return std::nullopt;
        out.patterns.push_back(
            unit_.ast.pattern(ast::MatchStar{item.names.empty() ? ast::NameId{} : item.names[0].second}, origin_));
        continue;
      }
      const auto p = build(n.items[i], depth + 1);
      if (!p) return std::nullopt;
      out.patterns.push_back(*p);
    }
    return out;
  }
  if (n.has_len && !n.at_least) {  // [_, _]
    if (!n.picked.empty() || n.len > 100000) return std::nullopt;
    for (std::int64_t i = 0; i < n.len; ++i) out.patterns.push_back(wildcard());
    return out;
  }
  // [a, _, *_, b]: items are read one by one.
  const std::int64_t fixed = n.has_len ? n.len : 0;
  std::int64_t after = 0;
  for (const auto& [index, item] : n.picked) after = std::max(after, -index);
  if (after > fixed || fixed > 100000) return std::nullopt;
  std::vector<ast::PatternId> items(static_cast<std::size_t>(fixed) + 1);
  items[static_cast<std::size_t>(fixed - after)] = unit_.ast.pattern(ast::MatchStar{}, origin_);
  for (const auto& [index, item] : n.picked) {
    const std::int64_t place = index >= 0 ? index : fixed + 1 + index;
    if (place < 0 || place > fixed || items[static_cast<std::size_t>(place)].valid()) return std::nullopt;
    const auto p = build(item, depth + 1);
    if (!p) return std::nullopt;
    items[static_cast<std::size_t>(place)] = *p;
  }
  for (auto& p : items)
    if (!p.valid()) p = wildcard();
  out.patterns = std::move(items);
  return out;
}

}  // namespace depyf::structure
