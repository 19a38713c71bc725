// SPDX-License-Identifier: MIT
// Canonical instructions to a normalised graph: labels, successors, handlers, then what line numbers decide.
//
// Invariant: two labels are equal exactly when the instructions do the same to equal operands. The normalisations are
// those of CPython's own passes that look at line numbers: apply_static_swaps() and jump threading
// (Python/flowgraph.c, Python/compile.c), and super-instructions, which the decoder has taken apart already.
#include "verify/graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace depyf::equivalence {
namespace {

bool without_effect(Op op) { return op == Op::NOP || op == Op::RESUME || op == Op::JUMP; }

bool sets_up_frame(Op op) { return op == Op::MAKE_CELL || op == Op::COPY_FREE_VARS; }

bool is_or_pop(const Label& label) {
  return label.op == Op::JUMP_IF_TRUE_OR_POP || label.op == Op::JUMP_IF_FALSE_OR_POP;
}

class Builder {
 public:
  Builder(const CodeTree& tree, const CodeObject& code, const Dialect& dialect, Keys& keys, ConstantKeys& constants,
          const Limits& limits)
      : tree_(tree), code_(code), dialect_(dialect), keys_(keys), constants_(constants), budget_(limits.max_steps) {
    const auto variables = [&](const std::vector<std::string>& names) {
      const std::vector<std::size_t> nth = repetitions(names);
      std::vector<Key> out;
      for (std::size_t i = 0; i < names.size(); ++i) out.push_back(keys_.variable(names[i], nth[i]));
      return out;
    };
    if (!dialect_.block_stack) {  // 3.11+: one array of locals, cells and free variables
      locals_ = derefs_ = variables(code_.localsplus);
      return;
    }
    locals_ = variables(code_.varnames);
    std::vector<std::string> names = code_.cellvars;
    names.insert(names.end(), code_.freevars.begin(), code_.freevars.end());
    derefs_ = variables(names);
  }

  Result<Graph> build(const Bytecode& bytecode, bool loose) {
    frame_setup_ = frame_setup(code_, bytecode);
    if (const auto at = reads_locals(code_, bytecode)) graph_.reads_locals = bytecode.code[*at].offset;
    for (std::size_t i = 0; i < bytecode.code.size(); ++i) DEPYF_CHECK(add_node(bytecode.code, i));
    add_handlers(bytecode.handlers);
    DEPYF_CHECK(forget_line_numbers(compilers_stores(tree_, code_, bytecode, dialect_)));
    if (loose && dialect_.qualname_operand) shorten_qualnames();
    if (!dialect_.block_stack) DEPYF_CHECK(carry_out_swaps());  // up to 3.10 a SWAP here is a ROT_x there
    find_real_nodes();
    thread_or_pops();
    DEPYF_CHECK(forget_order_of_tested_sets());
    DEPYF_CHECK(find_children(bytecode));
    return std::move(graph_);
  }

 private:
  Status add_node(const std::vector<Instruction>& code, std::size_t index);
  Status set_operand(const std::vector<Instruction>& code, std::size_t index, Label& label, CodeId& loaded);
  Status set_name(const Instruction& insn, Label& label);
  Key common_constant(std::uint32_t arg);
  void add_handlers(const std::vector<ExceptionEntry>& entries);
  Status forget_line_numbers(const ClassStores& stores);
  Status forget_order_of_tested_sets();
  void shorten_qualnames();
  Status carry_out_swaps();
  NodeId next_store(NodeId i, const std::vector<bool>& entered);
  void find_real_nodes();
  void thread_or_pops();
  // Those that reached code loads. An instruction that is none must not be reached: what it does nobody can say.
  Status find_children(const Bytecode& bytecode);

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(graph_.nodes.size()); }
  [[nodiscard]] Node& node(NodeId i) { return graph_.nodes[static_cast<std::size_t>(i)]; }

  const CodeTree& tree_;
  const CodeObject& code_;
  const Dialect& dialect_;
  Keys& keys_;
  ConstantKeys& constants_;
  std::uint64_t budget_;
  std::vector<Key> locals_, derefs_;  // of variables, by the operand that names them
  std::size_t frame_setup_ = 0;
  Graph graph_;
  std::vector<ConstId> loaded_;  // by node: the constant that a LOAD_CONST loads
};

Error bad_operand(const Instruction& insn) {
  return Error{Errc::kMalformed, insn.offset, "the operand of " + std::string(op_name(insn.op)) + " is out of range"};
}

Status Builder::add_node(const std::vector<Instruction>& code, std::size_t index) {
  const Instruction& insn = code[index];
  Node out;
  out.offset = insn.offset;
  const bool last = index + 1 == code.size();
  const NodeId following = last ? kOffEnd : static_cast<NodeId>(index + 1);
  const NodeId target = insn.target < code.size() ? static_cast<NodeId>(insn.target) : kOffEnd;
  loaded_.emplace_back();
  out.successors = 1;
  out.next[0] = following;
  if (insn.op == Op::JUMP) {
    out.next[0] = target;
  } else if (!without_effect(insn.op) && !(sets_up_frame(insn.op) && index < frame_setup_)) {
    out.label.op = insn.op;
    DEPYF_CHECK(set_operand(code, index, out.label, out.code));
    if (is_jump(insn.op)) {
      out.successors = 2;
      out.next[1] = target;
    } else if (is_terminator(insn.op)) {
      out.successors = 0;
    }
  }
  // Tests are one label each; the successor for "true" (or "None") comes first.
  if (insn.op == Op::POP_JUMP_IF_TRUE || insn.op == Op::POP_JUMP_IF_NONE) std::swap(out.next[0], out.next[1]);
  if (insn.op == Op::POP_JUMP_IF_FALSE) out.label.op = Op::POP_JUMP_IF_TRUE;
  if (insn.op == Op::POP_JUMP_IF_NOT_NONE) out.label.op = Op::POP_JUMP_IF_NONE;
  graph_.nodes.push_back(out);
  return Unit{};
}

Status Builder::set_operand(const std::vector<Instruction>& code, std::size_t index, Label& label, CodeId& loaded) {
  const Instruction& insn = code[index];
  label.flags = closes_at_once(code, index) ? 1 : insn.flags;
  switch (arg_kind(insn.op)) {
    case ArgKind::Const: {
      if (insn.arg >= code_.consts.size()) return bad_operand(insn);
      const ConstId id = code_.consts[insn.arg];
      DEPYF_TRY(key, constants_.key(id));
      label.key = key;
      loaded_.back() = id;
      if (const auto* nested = std::get_if<ConstCode>(&tree_.consts[id])) loaded = nested->code;
      return Unit{};
    }
    case ArgKind::Common:
      label.key = common_constant(insn.arg);
      if (label.key != kNoKey) {
        label.op = Op::LOAD_CONST;
      } else {
        label.arg = insn.arg;
      }
      return Unit{};
    case ArgKind::Name:
    case ArgKind::SuperName:
    case ArgKind::Local:
    case ArgKind::Deref: return set_name(insn, label);
    case ArgKind::None:
      // 3.11+: LOAD_GLOBAL that pushes a NULL along is not the same as PUSH_NULL beside a LOAD_GLOBAL.
      if (insn.op == Op::PUSH_NULL) {
        const auto beside = [&](std::size_t other) {
          return other < code.size() && code[other].op == Op::LOAD_GLOBAL && code[other].offset == insn.offset;
        };
        label.flags = beside(index + 1) || beside(index - 1);
      }
      label.arg = insn.arg;
      return Unit{};
    case ArgKind::Jump: return Unit{};
    case ArgKind::Count:
      if (insn.op == Op::LOAD_SMALL_INT) {
        label.op = Op::LOAD_CONST;
        label.key = keys_.integer(insn.arg);
        return Unit{};
      }
      [[fallthrough]];
    case ArgKind::Flags:
    case ArgKind::Distance:
    case ArgKind::Special:
    case ArgKind::BinaryOp:
    case ArgKind::CompareOp:
    case ArgKind::FormatFlags:
    case ArgKind::UnpackEx:
    case ArgKind::Intrinsic1:
    case ArgKind::Intrinsic2: label.arg = insn.arg; return Unit{};
  }
  return Error{Errc::kInternal, insn.offset, "an operand of an unknown kind"};
}

Status Builder::set_name(const Instruction& insn, Label& label) {
  const ArgKind kind = arg_kind(insn.op);
  if (kind == ArgKind::Local || kind == ArgKind::Deref) {
    const std::vector<Key>& variables = kind == ArgKind::Local ? locals_ : derefs_;
    if (insn.arg >= variables.size()) return bad_operand(insn);
    // 3.11+: the cell itself is what a LOAD_FAST of its slot pushes (3.13+ has no other instruction for it).
    if (!dialect_.block_stack && label.op == Op::LOAD_CLOSURE) label.op = Op::LOAD_FAST;
    label.key = variables[insn.arg];
    return Unit{};
  }
  if (insn.arg >= code_.names.size()) return bad_operand(insn);
  label.key = keys_.name(code_.names[insn.arg]);
  return Unit{};
}

// The values among 3.14+'s common constants equal the same values in co_consts; its functions and classes do not.
Key Builder::common_constant(std::uint32_t arg) {
  switch (static_cast<CommonConstant>(arg)) {
    case CommonConstant::kNone: return keys_.none();
    case CommonConstant::kEmptyStr: return keys_.text("");
    case CommonConstant::kTrue: return keys_.boolean(true);
    case CommonConstant::kFalse: return keys_.boolean(false);
    case CommonConstant::kMinusOne: return keys_.minus_one();
    case CommonConstant::kAssertionError:
    case CommonConstant::kNotImplementedError:
    case CommonConstant::kTuple:
    case CommonConstant::kAll:
    case CommonConstant::kAny:
    case CommonConstant::kList:
    case CommonConstant::kSet: return kNoKey;
  }
  return kNoKey;
}

void Builder::add_handlers(const std::vector<ExceptionEntry>& entries) {
  for (const ExceptionEntry& entry : entries) {
    const auto index = static_cast<std::int32_t>(graph_.handlers.size());
    const NodeId target = entry.target < graph_.nodes.size() ? static_cast<NodeId>(entry.target) : kOffEnd;
    graph_.handlers.push_back({target, entry.depth, entry.lasti});
    const std::size_t end = std::min<std::size_t>(entry.end, graph_.nodes.size());
    for (std::size_t i = entry.start; i < end; ++i) graph_.nodes[i].handler = index;
  }
}

// Values that the compiler takes from line numbers (3.13+: __firstlineno__), or in the order of a set
// (__static_attributes__); Python/compile.c, compiler_class_body.
Status Builder::forget_line_numbers(const ClassStores& stores) {
  const auto value = [&](std::size_t store) -> Label& { return node(static_cast<NodeId>(store) - 1).label; };
  for (const std::size_t store : stores.first_line) value(store).key = keys_.marker("line number");
  for (const std::size_t store : stores.static_attributes) {
    DEPYF_TRY(key, constants_.unordered(loaded_[store - 1]));
    value(store).key = key;
  }
  return Unit{};
}

// Nothing shows the order of a set that `x in {1, 2}` makes and drops.
Status Builder::forget_order_of_tested_sets() {
  for (NodeId i = 0; i + 1 < size(); ++i) {
    const ConstId id = loaded_[static_cast<std::size_t>(i)];
    const bool tested = node(i).label.op == Op::LOAD_CONST && node(i + 1).label.op == Op::CONTAINS_OP && id.valid() &&
                        std::holds_alternative<ConstFrozenSet>(tree_.consts[id]);
    if (!tested) continue;
    DEPYF_TRY(key, constants_.unordered(id));
    node(i).label.key = key;
  }
  return Unit{};
}

void Builder::shorten_qualnames() {
  for (NodeId i = 1; i < size(); ++i) {
    const ConstId id = loaded_[static_cast<std::size_t>(i - 1)];
    if (node(i).label.op != Op::MAKE_FUNCTION || !id.valid()) continue;
    if (const auto* name = std::get_if<ConstStr>(&tree_.consts[id])) {
      const std::string_view text = name->text;
      node(i - 1).label.key = keys_.text(text.substr(text.rfind('.') + 1));
    }
  }
}

// The next node that stores what is on top of the stack and does nothing else, with nothing in between.
NodeId Builder::next_store(NodeId i, const std::vector<bool>& entered) {
  for (++i; i < size() && !entered[static_cast<std::size_t>(i)] && budget_ > 0; ++i, --budget_) {
    const Node& at = node(i);
    if (at.label.effective()) return at.label.op == Op::STORE_FAST || at.label.op == Op::POP_TOP ? i : kOffEnd;
    if (at.next[0] != i + 1) return kOffEnd;
  }
  return kOffEnd;
}

// SWAP n before plain stores: CPython exchanges the first and the n-th store instead (flowgraph.c,
// apply_static_swaps), but only where their lines agree. Here always, from the last SWAP to the first.
Status Builder::carry_out_swaps() {
  std::vector<bool> entered(graph_.nodes.size(), false);
  const auto enter = [&](NodeId i) {
    if (i >= 0) entered[static_cast<std::size_t>(i)] = true;
  };
  for (NodeId i = 0; i < size(); ++i) {
    for (std::uint8_t s = 0; s < node(i).successors; ++s) {
      if (node(i).next[s] != i + 1) enter(node(i).next[s]);
    }
  }
  for (const GraphHandler& handler : graph_.handlers) enter(handler.target);
  for (NodeId i = size() - 1; i >= 0; --i) {
    if (node(i).label.op != Op::SWAP) continue;
    std::vector<NodeId> stores;
    NodeId at = i;
    while (stores.size() < node(i).label.arg && at >= 0) {
      at = next_store(at, entered);
      stores.push_back(at);
    }
    if (budget_ == 0) return Error{Errc::kLimitExceeded, node(i).offset, "too many exchanged stores"};
    if (at < 0 || stores.empty()) continue;
    // No store between may name what is exchanged: their order would be seen.
    const Label first = node(stores.front()).label;
    const Label last = node(stores.back()).label;
    const auto clash = [&](std::size_t from, std::size_t to, const Label& wanted) {
      return wanted.op == Op::STORE_FAST && std::any_of(stores.begin() + static_cast<std::ptrdiff_t>(from),
                                                        stores.begin() + static_cast<std::ptrdiff_t>(to),
                                                        [&](NodeId k) { return node(k).label == wanted; });
    };
    if (clash(1, stores.size(), first) || clash(0, stores.size() - 1, last)) continue;
    node(stores.front()).label = last;
    node(stores.back()).label = first;
    node(i).label = Label{};
  }
  return Unit{};
}

void Builder::find_real_nodes() {
  std::vector<bool> known(graph_.nodes.size(), false);
  std::vector<NodeId> path;
  for (NodeId i = size() - 1; i >= 0; --i) {
    path.clear();
    NodeId at = i;
    while (at >= 0 && !known[static_cast<std::size_t>(at)] && !node(at).label.effective()) {
      known[static_cast<std::size_t>(at)] = true;
      node(at).real = kEndless;  // for now: met again means an endless loop of nothing
      path.push_back(at);
      at = node(at).next[0];
    }
    const NodeId real = at >= 0 && !node(at).label.effective() ? node(at).real : at;
    for (const NodeId k : path) node(k).real = real;
    if (node(i).label.effective()) node(i).real = i;
  }
}

// JUMP_IF_x_OR_POP to a test of the same value (up to 3.11): CPython jumps on, but only where the lines agree
// (Python/compile.c, optimize_basic_block).
void Builder::thread_or_pops() {
  for (NodeId i = size() - 1; i >= 0; --i) {
    Node& from = node(i);
    if (!is_or_pop(from.label)) continue;
    const bool when = from.label.op == Op::JUMP_IF_TRUE_OR_POP;
    const NodeId target = from.next[1] >= 0 ? node(from.next[1]).real : from.next[1];
    if (target <= i) continue;
    const Node& to = node(target);
    if (to.label == from.label) {
      from.next[1] = to.next[1];
      from.retests[1] = 1 + to.retests[1];
      continue;
    }
    const bool other_or_pop = is_or_pop(to.label);
    if (!other_or_pop && to.label.op != Op::POP_JUMP_IF_TRUE) continue;
    const int taken = other_or_pop || when ? 0 : 1;
    from.label = Label{};
    from.label.op = Op::POP_JUMP_IF_TRUE;
    const NodeId following = from.next[0];
    from.next[when ? 0 : 1] = to.next[taken];
    from.next[when ? 1 : 0] = following;
    from.retests[when ? 0 : 1] = 1 + to.retests[taken];
  }
}

Status Builder::find_children(const Bytecode& bytecode) {
  std::vector<bool> seen(graph_.nodes.size(), false);
  std::vector<NodeId> todo;
  const auto reach = [&](NodeId i) {
    if (i < 0 || seen[static_cast<std::size_t>(i)]) return;
    seen[static_cast<std::size_t>(i)] = true;
    todo.push_back(i);
  };
  if (size() > 0) reach(0);
  while (!todo.empty()) {
    const NodeId i = todo.back();
    const Node& at = node(i);
    todo.pop_back();
    if (at.label.op == Op::ILLEGAL) return bytecode.illegal[bytecode.code[static_cast<std::size_t>(i)].arg];
    for (std::uint8_t s = 0; s < at.successors; ++s) reach(at.next[s]);
    if (at.handler >= 0 && at.label.effective()) reach(graph_.handlers[static_cast<std::size_t>(at.handler)].target);
  }
  std::unordered_set<CodeId> listed;
  for (NodeId i = 0; i < size(); ++i) {
    const CodeId code = node(i).code;
    if (code.valid() && seen[static_cast<std::size_t>(i)] && listed.insert(code).second)
      graph_.children.push_back(code);
  }
  return Unit{};
}

}  // namespace

std::size_t frame_setup(const CodeObject& code, const Bytecode& bytecode) {
  constexpr std::uint8_t kCell = 0x40;
  std::vector<bool> made(code.localspluskinds.size(), false);
  bool copied = false;
  std::size_t end = 0;
  for (std::size_t i = 0; i < bytecode.code.size(); ++i) {
    const Instruction& insn = bytecode.code[i];
    if (insn.op == Op::MAKE_CELL) {
      if (insn.arg >= made.size() || made[insn.arg]) return 0;
      made[insn.arg] = true;
    } else if (insn.op == Op::COPY_FREE_VARS) {
      if (copied || insn.arg != code.freevars.size()) return 0;
      copied = true;
    } else if (!without_effect(insn.op) || insn.op == Op::JUMP) {
      break;
    } else {
      continue;
    }
    end = i + 1;
  }
  if (copied == code.freevars.empty()) return 0;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] != ((code.localspluskinds[i] & kCell) != 0)) return 0;
  for (const Instruction& insn : bytecode.code)
    if (insn.target < end) return 0;
  for (const ExceptionEntry& row : bytecode.handlers)
    if (row.target < end) return 0;
  return end;
}

// codegen_class_body (Python/codegen.c): `__module__`, `__qualname__` and `__firstlineno__` are the first names stored, in
// this order; after `__static_attributes__` only cells are stored, and the class body ends.
ClassStores compilers_stores(const CodeTree& tree, const CodeObject& code, const Bytecode& bytecode,
                             const Dialect& dialect) {
  ClassStores out;
  const auto& all = bytecode.code;
  const auto stores = [&](std::size_t i, std::string_view name) {
    return i > 0 && all[i].op == Op::STORE_NAME && all[i].arg < code.names.size() && code.names[all[i].arg] == name;
  };
  if ((code.flags & kCoOptimized) != 0 || code.name.starts_with('<')) return out;
  std::size_t begun = 0;  // how many of the first three there were
  constexpr std::string_view kFirst[] = {"__module__", "__qualname__", "__firstlineno__"};
  for (std::size_t i = 1; i < all.size() && dialect.class_firstlineno && begun < std::size(kFirst); ++i) {
    if (all[i].op != Op::STORE_NAME) continue;
    if (!stores(i, kFirst[begun])) break;
    const bool constant = all[i - 1].op == Op::LOAD_CONST || all[i - 1].op == Op::LOAD_SMALL_INT;
    if (++begun == std::size(kFirst) && constant) out.first_line.push_back(i);
  }
  const auto ends = [&](std::size_t i) {
    for (std::size_t steps = all.size(); i < all.size() && steps > 0; --steps) {
      const Op op = all[i].op;
      if (op == Op::RETURN_VALUE) return true;
      if (op == Op::STORE_NAME && !stores(i, "__classcell__") && !stores(i, "__classdictcell__")) return false;
      const bool is_pure = op == Op::LOAD_CONST || op == Op::LOAD_COMMON_CONSTANT || op == Op::LOAD_FAST ||
                           op == Op::LOAD_CLOSURE || op == Op::COPY || op == Op::STORE_NAME;
      if (!is_pure && !without_effect(op)) return false;
      i = op == Op::JUMP ? all[i].target : i + 1;
    }
    return false;
  };
  for (std::size_t i = 1; i < all.size() && dialect.static_attributes; ++i) {
    const bool constant = all[i - 1].op == Op::LOAD_CONST && all[i - 1].arg < code.consts.size();
    if (constant && stores(i, "__static_attributes__") &&
        std::holds_alternative<ConstTuple>(tree.consts[code.consts[all[i - 1].arg]]) && ends(i + 1))
      out.static_attributes.push_back(i);
  }
  return out;
}

std::optional<std::size_t> reads_locals(const CodeObject& code, const Bytecode& bytecode) {
  constexpr std::string_view kBuiltins[] = {"locals", "vars", "dir", "eval", "exec"};
  constexpr std::string_view kAttributes[] = {"_getframe", "currentframe"};
  const auto& all = bytecode.code;
  const auto name = [&](std::size_t i) {
    return all[i].arg < code.names.size() ? std::string_view(code.names[all[i].arg]) : std::string_view();
  };
  const auto is_global = [&](std::size_t i) { return all[i].op == Op::LOAD_GLOBAL || all[i].op == Op::LOAD_NAME; };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool attribute = all[i].op == Op::LOAD_ATTR || all[i].op == Op::LOAD_METHOD;
    if (!attribute && !is_global(i) && all[i].op != Op::IMPORT_FROM) continue;
    std::size_t of = i;
    while (of > 0 && all[of - 1].op == Op::PUSH_NULL) --of;
    const bool of_builtins =
        of > 0 && is_global(of - 1) && (name(of - 1) == "builtins" || name(of - 1) == "__builtins__");
    if (std::ranges::find(kAttributes, name(i)) != std::end(kAttributes)) return i;
    if ((!attribute || of_builtins) && std::ranges::find(kBuiltins, name(i)) != std::end(kBuiltins)) return i;
  }
  return std::nullopt;
}

std::vector<std::string> variables(const CodeObject& code) {
  if (!code.localsplus.empty()) return code.localsplus;
  std::vector<std::string> out = code.varnames;
  out.insert(out.end(), code.cellvars.begin(), code.cellvars.end());
  out.insert(out.end(), code.freevars.begin(), code.freevars.end());
  return out;
}

std::vector<std::size_t> repetitions(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  std::vector<std::size_t> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(seen[name]++);
  return out;
}

Result<Graph> build_graph(const CodeTree& tree, CodeId code, const Dialect& dialect, Keys& keys,
                          ConstantKeys& constants, bool loose, const Limits& limits) {
  DEPYF_TRY(bytecode, decode(tree, code, limits));
  return Builder(tree, tree.codes[code], dialect, keys, constants, limits).build(bytecode, loose);
}

std::string show(const Label& label, const Keys& keys) {
  if (label.op == Op::POP_JUMP_IF_TRUE) return "branch";
  if (label.op == Op::POP_JUMP_IF_NONE) return "branch_none";
  std::string out(op_name(label.op));
  const ArgKind kind = arg_kind(label.op);
  if (label.key != kNoKey) {
    out += ' ' + keys.show(label.key);
  } else if (kind != ArgKind::None && kind != ArgKind::Jump) {
    out += ' ' + std::to_string(label.arg);
  }
  if (label.flags != 0) out += " +" + std::to_string(label.flags);
  return out;
}

}  // namespace depyf::equivalence
