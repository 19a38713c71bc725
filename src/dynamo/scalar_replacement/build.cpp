// SPDX-License-Identifier: MIT
// Builder: records operations of the intermediate form and materializes virtual containers; see interpreter.h.
#include "dynamo/scalar_replacement/interpreter.h"

namespace depyf::dynamo {

constexpr std::uint32_t kMaxNesting = 100;

std::uint32_t Builder::home_of(Val v) const {
  for (std::uint32_t x = 0; x < s_.locals.size(); ++x)
    if (s_.locals[x] == v && !temporaries_.contains(x)) return x;
  return kNone;
}

// Returns the operand for v at this point. A kHeld value whose local no longer holds it must be stored in a variable.
Operand Builder::operand(Val v) {
  Operand o{v, kNone};
  if (is(v, Kind::kLost)) used_lost_site_ = f_.values[v].site;
  if (is(v, Kind::kPure) || is_physical(v)) return o;
  o.home = home_of(v);
  if (o.home == kNone && is(v, Kind::kHeld)) demands_.stored.insert(f_.values[v].site);
  return o;
}

Operation& Builder::add_operation(const Instruction& insn, const std::vector<Val>& operands) {
  Operation o;
  o.insn = insn;
  for (Val v : operands) o.operands.push_back(operand(v));
  auto& list = f_.blocks[block_].operations;
  list.push_back(std::move(o));
  return list.back();
}

bool Builder::materialize(Val v, std::uint32_t depth) {
  if (!is(v, Kind::kVirtual)) return true;
  if (depth > kMaxNesting) return false;
  for (std::size_t i = 0; i < s_.heap.at(v).size(); ++i)
    if (!materialize(s_.heap.at(v)[i], depth + 1)) return false;
  const auto items = s_.heap.at(v);
  const Shape shape = f_.values[v].shape;
  // A virtual dict may only be the `**kwargs` of a call. For any other use the next attempt materializes it at once.
  if (is_dict(v) && v != keywords_) dict_escaped_ |= demands_.eager.insert(f_.values[v].site).second;
  Instruction insn;
  insn.offset = insn_->offset;
  insn.arg = static_cast<std::uint32_t>(items.size());
  switch (shape) {
    case Shape::kTuple: insn.op = Op::BUILD_TUPLE; break;
    case Shape::kList: insn.op = Op::BUILD_LIST; break;
    case Shape::kSlice: insn.op = Op::BUILD_SLICE; break;
    case Shape::kDict:
      insn.op = Op::BUILD_MAP;
      insn.arg /= 2;
      break;
    case Shape::kConstKeyDict:
      insn.op = Op::BUILD_CONST_KEY_MAP;
      --insn.arg;
      break;
  }
  auto& o = add_operation(insn, items);
  o.pure = true;
  const Val materialized = result();
  f_.values[materialized].site ^= f_.values[v].site << 1U;
  f_.blocks[block_].operations.back().results = {materialized};
  if (shape == Shape::kTuple || shape == Shape::kSlice || v == keywords_) f_.contents[materialized] = items;
  s_.heap.erase(v);
  replace(v, materialized);
  materialized_[v] = materialized;
  return true;
}

bool Builder::materialize_all(std::vector<Val>& operands) {
  for (auto& v : operands) {
    if (auto it = materialized_.find(v); it != materialized_.end()) v = it->second;
    if (!materialize(v)) return false;
    if (auto it = materialized_.find(v); it != materialized_.end()) v = it->second;
  }
  return true;
}

Val Builder::make_virtual(Shape shape, std::vector<Val> items) {
  Value v;
  v.kind = Kind::kVirtual;
  v.shape = shape;
  v.site = (Site{block_} << 32U) | (Site{at_} << 8U) | (0x80U + (results_++ & 0x7FU));
  const Val id = add(v);
  s_.heap[id] = std::move(items);
  if (demands_.eager.contains(v.site)) {
    materialize(id);
    return materialized_.at(id);
  }
  return id;
}

bool Builder::demand_eager(const std::vector<Val>& values) {
  bool any = false;
  for (Val v : values)
    if (is(v, Kind::kVirtual)) any |= demands_.eager.insert(f_.values[v].site).second;
  return any;
}

}  // namespace depyf::dynamo
