// SPDX-License-Identifier: MIT
// The symbolic operand stack: variables of stack slots, the persistent list of entries with roles, and materializing
// entries of a block as values of a line; see stack.h.
#include "lift/stack.h"

#include <algorithm>

namespace depyf::lift {

ExprId Slots::operator[](std::uint32_t depth) {
  while (variables_.size() <= depth)
    variables_.push_back(tree_.expr(ast::Name{tree_.intern(prefix_ + std::to_string(variables_.size()))}, {code_, 0}));
  return variables_[depth];
}

namespace {

// Returns the topmost entry with a role among the lowest `size` entries of a stack, null if none of them has one.
const Role* topmost_role(const Role* r, std::size_t size) {
  while (r != nullptr && r->depth >= size) r = r->skip != nullptr && r->skip->depth >= size ? r->skip : r->below;
  return r;
}

}  // namespace

// A skew-binary random-access list (Myers, "An applicative random-access stack"): where the two skips below span
// equally many nodes, the new node's skip spans both of them and the node itself; elsewhere it spans one node.
const Role* Slots::add(std::uint32_t depth, const Value& value, const Role* below) {
  const auto count = [](const Role* r) { return r != nullptr ? r->count : 0; };
  const auto skip = [](const Role* r) { return r != nullptr ? r->skip : nullptr; };
  const Role *first = skip(below), *second = skip(first);
  const bool is_balanced = count(below) - count(first) == count(first) - count(second);
  auto& chunk = count_ % 8 == 0 ? roles_.emplace_front() : roles_.front();
  return &(chunk[count_++ % 8] = {depth, count(below) + 1, value, below, is_balanced ? second : below});
}

Value Entries::operator[](std::size_t depth) const {
  const Role* r = topmost_role(roles_, depth + 1);
  if (r != nullptr && r->depth == depth) return r->value;
  return Value{.expr = (*slots_)[static_cast<std::uint32_t>(depth)]};
}

std::size_t Entries::count(ValueKind kind) const {
  const std::uint32_t listed = roles_ != nullptr ? roles_->count : 0;
  if (kind == ValueKind::kExpr) return size_ - listed;
  std::size_t n = 0;
  for (const Role* r = roles_; r != nullptr; r = r->below) n += r->value.kind == kind ? 1U : 0U;
  return n;
}

bool Entries::agrees_with(const Entries& other) const {
  Entries a = *this, b = other;
  a.cut(std::min(size(), other.size()));
  b.cut(a.size());
  const Role *x = a.roles_, *y = b.roles_;
  for (; x != y; x = x->below, y = y->below)
    if (x == nullptr || y == nullptr || x->depth != y->depth || x->value.kind != y->value.kind ||
        (x->value.kind == ValueKind::kIter && x->value.expr != y->value.expr))
      return false;
  return true;
}

void Entries::push(const Value& v) {
  if (has_role(v)) roles_ = slots_->add(size_, v, roles_);
  ++size_;
}

void Entries::cut(std::size_t size) {
  size_ = static_cast<std::uint32_t>(size);
  roles_ = topmost_role(roles_, size);
}

Entries Stack::entries() const {
  Entries out = below_;
  for (const auto& v : own_) out.push(v);
  return out;
}

bool Stack::has(ValueKind kind) const {
  return below_.has(kind) || std::ranges::find(own_, kind, &Value::kind) != own_.end();
}

void Stack::materialize(std::size_t depth) {
  SmallVector<Value, 8> materialized;
  for (auto d = depth; d < below_.size(); ++d) materialized.push_back(below_[d]);
  own_.insert(own_.begin(), materialized.begin(), materialized.end());
  below_.cut(depth);
}

}  // namespace depyf::lift
