// SPDX-License-Identifier: MIT
// Executes the instructions of the tests of a pattern: what each says about the pattern; see patterns.h.
//
// Invariant: an instruction that the compiler would not have generated here makes the reading fail. Only the success
// edge of a test is followed.
#include <algorithm>

#include "structure/match/patterns.h"
#include "support/unicode.h"

namespace depyf::structure {

bool PatternReader::stack_step(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  switch (insn.op) {
    case Op::POP_TOP:
      if (s.empty() || !tree_.may_drop(s.back())) return false;
      s.pop_back();
      return true;
    case Op::SWAP:
      if (s.size() < insn.arg || s[s.size() - insn.arg].kind == Slot::Kind::kSubject) return false;
      std::swap(s.back(), s[s.size() - insn.arg]);
      return true;
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: {
      if (s.empty() || !tree_.bind(s.back(), *lifter_.stored_name(insn))) return false;
      s.pop_back();
      t.has_stored = true;
      return true;
    }
    default: return false;
  }
}

bool PatternReader::test_step(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  Slot test;
  test.kind = Slot::Kind::kTest;
  switch (insn.op) {
    case Op::TO_BOOL: return !s.empty() && s.back().kind == Slot::Kind::kTest;
    case Op::MATCH_SEQUENCE:
    case Op::MATCH_MAPPING: {
      if (s.empty() || s.back().kind != Slot::Kind::kNode || tree_[s.back().node].kind != Subpattern::Kind::kAny)
        return false;
      tree_[s.back().node].kind =
          insn.op == Op::MATCH_SEQUENCE ? Subpattern::Kind::kSequence : Subpattern::Kind::kMapping;
      s.push_back(test);
      return true;
    }
    case Op::COMPARE_OP:
    case Op::IS_OP: {
      if (s.size() < 2 || s.back().kind != Slot::Kind::kExpr) return false;
      const Slot right = s.back(), left = s[s.size() - 2];
      const bool is = insn.op == Op::IS_OP;
      if (left.node == kNone) return false;
      auto& n = tree_[left.node];
      if (left.kind == Slot::Kind::kLen && !is && (insn.arg == 2 || insn.arg == 5)) {
        const auto len = tree_.number(right);
        if (!len || n.has_len) return false;
        n.has_len = true;
        n.at_least = insn.arg == 5;
        n.len = *len;
      } else if (left.kind == Slot::Kind::kNode && n.kind == Subpattern::Kind::kAny && insn.arg == (is ? 0U : 2U)) {
        n.kind = is ? Subpattern::Kind::kSingleton : Subpattern::Kind::kValue;
        n.expr = right.expr;
      } else {
        return false;
      }
      s.resize(s.size() - 2);
      s.push_back(test);
      return true;
    }
    default: return false;
  }
}

// Access to the parts of a value: its length, one item, all items.
bool PatternReader::access_step(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  switch (insn.op) {
    case Op::GET_LEN: {
      if (s.empty() || s.back().kind != Slot::Kind::kNode) return false;
      const auto kind = tree_[s.back().node].kind;
      if (kind != Subpattern::Kind::kSequence && kind != Subpattern::Kind::kMapping) return false;
      Slot len = s.back();
      len.kind = Slot::Kind::kLen;
      s.push_back(len);
      return true;
    }
    case Op::BINARY_OP: {  // len - n
      if (s.size() < 2 || s[s.size() - 2].kind != Slot::Kind::kLen) return false;
      const auto n = tree_.number(s.back());
      if (!n || static_cast<ast::BinaryOperator>(insn.arg) != ast::BinaryOperator::kSubtract) return false;
      s.pop_back();
      s.back().kind = Slot::Kind::kFromEnd;
      s.back().number = *n;
      return true;
    }
    case Op::BINARY_SUBSCR: {
      if (s.size() < 2 || !s[s.size() - 2].is_inspected) return false;
      const Slot key = s.back(), from = s[s.size() - 2];
      const auto n = tree_.number(key);
      const bool from_end = key.kind == Slot::Kind::kFromEnd && key.node == from.node;
      if (!from_end && !n) return false;
      Slot item;
      if (from.kind == Slot::Kind::kNode) {
        item.node = tree_.add();
        tree_[from.node].picked.emplace_back(from_end ? -key.number : *n, item.node);
      } else if (!from_end && *n >= 0 && static_cast<std::size_t>(*n) < tree_[from.node].items.size()) {
        item.node = tree_[from.node].items[static_cast<std::size_t>(*n)];
      } else {
        return false;
      }
      s.resize(s.size() - 2);
      s.push_back(item);
      return true;
    }
    case Op::UNPACK_SEQUENCE:
    case Op::UNPACK_EX: {
      if (s.empty() || s.back().is_inspected) return false;
      const bool ex = insn.op == Op::UNPACK_EX;
      const std::size_t before = ex ? insn.arg & 0xFFU : insn.arg, after = ex ? insn.arg >> 8U : 0;
      std::vector<Slot> items;
      if (!tree_.unpack(s.back(), before + (ex ? 1 : 0) + after, ex ? before : kNone, items)) return false;
      s.pop_back();
      s.insert(s.end(), items.rbegin(), items.rend());
      return true;
    }
    default: return false;
  }
}

bool PatternReader::mapping_step(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  switch (insn.op) {
    case Op::MATCH_KEYS: {
      if (s.size() < 2 || s.back().kind != Slot::Kind::kExpr || s[s.size() - 2].kind != Slot::Kind::kNode) return false;
      const auto id = s[s.size() - 2].node;
      if (tree_[id].kind != Subpattern::Kind::kMapping || !tree_[id].keys.empty()) return false;
      tree_[id].keys = tree_.tuple_items(s.back().expr);
      for (std::size_t i = 0; i < tree_[id].keys.size(); ++i) {
        const auto item = tree_.add();
        tree_[id].items.push_back(item);
      }
      Slot keys, values, test;
      keys.kind = Slot::Kind::kKeys;
      values.kind = Slot::Kind::kValues;
      keys.node = values.node = id;
      test.kind = Slot::Kind::kTest;
      s.back() = keys;
      s.push_back(values);
      if (unit_.dialect.match_pushes_bool) s.push_back(test);
      return true;
    }
    case Op::COPY_DICT_WITHOUT_KEYS:
      if (s.size() < 2 || s.back().kind != Slot::Kind::kKeys || s[s.size() - 2].node != s.back().node) return false;
      s.back().kind = Slot::Kind::kRest;
      return true;
    case Op::BUILD_MAP: {
      Slot rest;
      rest.kind = Slot::Kind::kRest;
      if (insn.arg != 0) return false;
      s.push_back(rest);
      return true;
    }
    case Op::DICT_UPDATE: {
      if (s.size() < insn.arg + 1 || s.back().kind != Slot::Kind::kNode) return false;
      auto& rest = s[s.size() - 1 - insn.arg];
      if (rest.kind != Slot::Kind::kRest || rest.node != kNone || s.back().has_copy) return false;
      if (tree_[s.back().node].kind != Subpattern::Kind::kMapping) return false;
      rest.node = s.back().node;
      s.pop_back();
      return true;
    }
    case Op::DELETE_SUBSCR:
      if (s.size() < 2 || s.back().kind != Slot::Kind::kKey || s[s.size() - 2].kind != Slot::Kind::kRest) return false;
      s.resize(s.size() - 2);
      return true;
    default: return false;
  }
}

bool PatternReader::class_step(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  if (insn.op != Op::MATCH_CLASS || s.size() < 3) return false;
  const Slot names = s.back(), cls = s[s.size() - 2], subject = s[s.size() - 3];
  if (names.kind != Slot::Kind::kExpr || cls.kind != Slot::Kind::kExpr || subject.kind != Slot::Kind::kNode)
    return false;
  if (subject.has_copy || tree_[subject.node].kind != Subpattern::Kind::kAny) return false;
  const auto keywords = tree_.tuple_items(names.expr);
  std::vector<std::uint32_t> items;
  for (std::size_t i = 0; i < insn.arg + keywords.size(); ++i) items.push_back(tree_.add());
  auto& n = tree_[subject.node];
  n.kind = Subpattern::Kind::kClass;
  n.expr = cls.expr;
  n.positional = insn.arg;
  n.items = std::move(items);
  for (ExprId e : keywords) {
    const auto* c = std::get_if<ast::ConstantExpr>(&unit_.ast.exprs[e].node);
    const auto* text = c != nullptr ? std::get_if<ConstStr>(&unit_.code.consts[c->value]) : nullptr;
    if (text == nullptr || !is_plain_identifier(text->text)) return false;
    n.attributes.push_back(unit_.ast.intern(text->text));
  }
  s.resize(s.size() - 3);
  Slot attrs, test;
  attrs.kind = Slot::Kind::kAttrs;
  attrs.node = subject.node;
  test.kind = Slot::Kind::kTest;
  s.push_back(attrs);
  if (unit_.dialect.match_pushes_bool) s.push_back(test);
  return true;
}

// Executes constants and dotted names with the lifter.
bool PatternReader::operand_step(Path& t, const Instruction& insn) {
  if (!is_one_of<Op::LOAD_CONST, Op::LOAD_SMALL_INT, Op::LOAD_COMMON_CONSTANT, Op::LOAD_NAME, Op::LOAD_GLOBAL,
                 Op::LOAD_FAST, Op::LOAD_DEREF, Op::LOAD_CLASSDEREF, Op::LOAD_LOCALS, Op::LOAD_FROM_DICT_OR_DEREF,
                 Op::LOAD_FROM_DICT_OR_GLOBALS, Op::LOAD_ATTR, Op::UNARY_NEGATIVE, Op::BINARY_OP, Op::BUILD_TUPLE>(
          insn.op))
    return false;
  const auto pops = static_cast<std::size_t>(effect(unit_.dialect.version, insn, false).pops);
  auto& s = t.stack;
  if (s.size() < pops) return false;
  State state;
  for (std::size_t i = s.size() - pops; i < s.size(); ++i) {
    if (s[i].kind != Slot::Kind::kExpr) return false;
    Value v;
    v.expr = s[i].expr;
    v.seq = static_cast<std::uint32_t>(i);
    state.stack.push_back(v);
  }
  const auto& code = places_.block(t.at.block).code;
  if (!lifter_.run(state, code, t.at.at, t.at.at + 1)) return false;
  if (!state.stmts.empty() || state.stack.size() != 1 || state.stack[0].kind != ValueKind::kExpr) return false;
  s.resize(s.size() - pops);
  Slot operand;
  operand.kind = Slot::Kind::kExpr;
  operand.expr = state.stack[0].expr;
  s.push_back(operand);
  return true;
}

bool PatternReader::execute_branch(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  const auto& b = places_.block(t.at.block);
  // Names are stored after the whole pattern has matched (codegen_match_inner): `(x := f()) is None` is not a pattern.
  if (s.empty() || t.has_stored || !b.jump.valid() || !b.fall.valid()) return false;
  const Slot v = s.back();
  const bool on_none = insn.op == Op::POP_JUMP_IF_NONE || insn.op == Op::POP_JUMP_IF_NOT_NONE;
  bool success_jumps = false;
  if (v.kind == Slot::Kind::kTest && !on_none) {
    success_jumps = insn.op == Op::POP_JUMP_IF_TRUE;
  } else if (on_none && v.is_inspected && (v.kind == Slot::Kind::kAttrs || v.kind == Slot::Kind::kValues)) {
    success_jumps = insn.op == Op::POP_JUMP_IF_NOT_NONE;
  } else if (on_none && v.kind == Slot::Kind::kNode && !v.is_inspected &&
             tree_[v.node].kind == Subpattern::Kind::kAny) {
    tree_[v.node].kind = Subpattern::Kind::kSingleton;  // case None
    tree_[v.node].expr = tree_.none();
    success_jumps = insn.op == Op::POP_JUMP_IF_NONE;
  } else {
    return false;
  }
  s.pop_back();
  const BlockId jump = b.jump, fall = b.fall;
  t.failures.push_back({{success_jumps ? fall.n : jump.n, 0}, s.size()});
  return enter(t, success_jumps ? jump : fall);
}

bool PatternReader::execute_copy(Path& t, const Instruction& insn) {
  auto& s = t.stack;
  if (s.size() < insn.arg || t.has_stored) return false;
  Slot& v = s[s.size() - insn.arg];
  Slot c = v;
  if (v.kind == Slot::Kind::kRest) {  // to delete a key from the copy
    if (v.node == kNone) return false;
  } else if (insn.arg != 1) {
    return false;
  } else if (v.kind == Slot::Kind::kAttrs || v.kind == Slot::Kind::kValues) {
    c.is_inspected = true;
  } else if (v.kind == Slot::Kind::kNode && tree_[v.node].kind == Subpattern::Kind::kSequence) {
    c.is_inspected = true;
  } else if (v.kind == Slot::Kind::kNode && tree_[v.node].kind == Subpattern::Kind::kAny && !v.is_inspected) {
    if (places_.is_alternative(t.at, s.size())) return read_alternatives(t);
    v.has_copy = true;
    ++tree_[v.node].copies;
    ++c.level;
  } else {
    return false;
  }
  s.push_back(c);
  ++t.at.at;
  return true;
}

}  // namespace depyf::structure
