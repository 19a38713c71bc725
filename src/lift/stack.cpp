// SPDX-License-Identifier: MIT
// The symbolic operand stack; see stack.h.
#include "lift/stack.h"

#include <algorithm>

namespace depyf::lift {

ExprId Slots::operator[](std::uint32_t depth) {
  while (variables_.size() <= depth)
    variables_.push_back(tree_.expr(ast::Name{tree_.intern(prefix_ + std::to_string(variables_.size()))}, {code_, 0}));
  return variables_[depth];
}

Value Entries::operator[](std::size_t depth) const {
  const Role* r = roles_;
  while (r != nullptr && r->depth > depth) r = r->below;
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

bool Entries::meets(const Entries& other) const {
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
  if (has_role(v)) roles_ = slots_->add({size_, roles_ != nullptr ? roles_->count + 1 : 1, v, roles_});
  ++size_;
}

void Entries::cut(std::size_t size) {
  size_ = static_cast<std::uint32_t>(size);
  while (roles_ != nullptr && roles_->depth >= size_) roles_ = roles_->below;
}

Entries Stack::entries() const {
  Entries out = below_;
  for (const auto& v : own_) out.push(v);
  return out;
}

bool Stack::has(ValueKind kind) const {
  return below_.has(kind) || std::ranges::find(own_, kind, &Value::kind) != own_.end();
}

void Stack::take_up(std::size_t depth) {
  SmallVector<Value, 8> taken;
  for (auto d = depth; d < below_.size(); ++d) taken.push_back(below_[d]);
  own_.insert(own_.begin(), taken.begin(), taken.end());
  below_.cut(depth);
}

}  // namespace depyf::lift
