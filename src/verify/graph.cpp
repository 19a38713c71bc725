// SPDX-License-Identifier: MIT
// Builds the normalized graph of a code object: nodes with labels and successors, handlers, then the optimizations that
// CPython applies depending on line numbers.
//
// Invariant: two labels are equal if and only if the instructions do the same to equal operands. The optimizations are
// apply_static_swaps() and jump threading (Python/flowgraph.c, Python/compile.c). The decoder has already split
// superinstructions, whose use depends on line numbers too.
#include "verify/graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "verify/offset_uses.h"

namespace depyf::equivalence {
namespace {

bool is_no_op(Op op) { return op == Op::NOP || op == Op::RESUME || op == Op::JUMP; }

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
      const std::vector<std::size_t> nth = earlier_occurrences(names);
      std::vector<Key> out;
      for (std::size_t i = 0; i < names.size(); ++i) out.push_back(keys_.variable(names[i], nth[i]));
      return out;
    };
    if (!dialect_.block_stack) {  // 3.11+: localsplus has locals, cells and free variables
      locals_ = derefs_ = variables(code_.localsplus);
      return;
    }
    locals_ = variables(code_.varnames);
    std::vector<std::string> names = code_.cellvars;
    names.insert(names.end(), code_.freevars.begin(), code_.freevars.end());
    derefs_ = variables(names);
  }

  Result<Graph> build(const Bytecode& bytecode, bool loose) {
    frame_setup_ = frame_setup_length(code_, bytecode);
    if (const auto at = find_locals_reader(code_, bytecode)) graph_.locals_reader = bytecode.code[*at].offset;
    for (std::size_t i = 0; i < bytecode.code.size(); ++i) DEPYF_CHECK(add_node(bytecode.code, i));
    add_handlers(bytecode.handlers);
    DEPYF_CHECK(mask_line_numbers(find_compiler_stores(tree_, code_, bytecode, dialect_)));
    if (loose && dialect_.qualname_operand) shorten_qualnames();
    if (!dialect_.block_stack) DEPYF_CHECK(apply_static_swaps());  // up to 3.10 SWAP stands for ROT_x
    find_effect_nodes();
    thread_or_pop_jumps();
    DEPYF_CHECK(mask_order_of_tested_sets());
    DEPYF_CHECK(find_children(bytecode));
    return std::move(graph_);
  }

 private:
  Status add_node(const std::vector<Instruction>& code, std::size_t index);
  Status set_operand(const std::vector<Instruction>& code, std::size_t index, Label& label, CodeId& loaded);
  Status set_name(const Instruction& insn, Label& label);
  Key common_constant(std::uint32_t arg);
  void add_handlers(const std::vector<ExceptionEntry>& entries);
  Status mask_line_numbers(const ClassStores& stores);
  Status mask_order_of_tested_sets();
  void shorten_qualnames();
  Status apply_static_swaps();
  NodeId next_store(NodeId i, const std::vector<bool>& entered);
  void find_effect_nodes();
  [[nodiscard]] bool has_equal_handlers(const Node& a, const Node& b) const;
  void thread_or_pop_jumps();
  // Collects Graph::children. Fails if an undefined opcode is reachable, as its behaviour is unknown.
  Status find_children(const Bytecode& bytecode);

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(graph_.nodes.size()); }
  [[nodiscard]] Node& node(NodeId i) { return graph_.nodes[static_cast<std::size_t>(i)]; }

  const CodeTree& tree_;
  const CodeObject& code_;
  const Dialect& dialect_;
  Keys& keys_;
  ConstantKeys& constants_;
  std::uint64_t budget_;
  std::vector<Key> locals_, derefs_;  // keys of variables, by operand of a Local or a Deref instruction
  std::size_t frame_setup_ = 0;
  Graph graph_;
  std::vector<ConstId> loaded_;  // by node: the constant that a LOAD_CONST loads, else invalid
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
  } else if (!is_no_op(insn.op) && !(sets_up_frame(insn.op) && index < frame_setup_)) {
    out.label.op = insn.op;
    DEPYF_CHECK(set_operand(code, index, out.label, out.code));
    if (is_jump(insn.op)) {
      out.successors = 2;
      out.next[1] = target;
    } else if (is_terminator(insn.op)) {
      out.successors = 0;
    }
  }
  // Both polarities of a test get one label; the successor for "true" (or "is None") comes first.
  if (insn.op == Op::POP_JUMP_IF_TRUE || insn.op == Op::POP_JUMP_IF_NONE) std::swap(out.next[0], out.next[1]);
  if (insn.op == Op::POP_JUMP_IF_FALSE) out.label.op = Op::POP_JUMP_IF_TRUE;
  if (insn.op == Op::POP_JUMP_IF_NOT_NONE) out.label.op = Op::POP_JUMP_IF_NONE;
  graph_.nodes.push_back(out);
  return Unit{};
}

Status Builder::set_operand(const std::vector<Instruction>& code, std::size_t index, Label& label, CodeId& loaded) {
  const Instruction& insn = code[index];
  label.flags = closes_without_handlers(code, index) ? 1 : insn.flags;
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
      // 3.11+: a LOAD_GLOBAL that also pushes NULL, which the decoder splits into two instructions at one offset,
      // differs from a separate PUSH_NULL next to a LOAD_GLOBAL.
      if (insn.op == Op::PUSH_NULL) {
        const auto is_half = [&](std::size_t i) {
          return i < code.size() && code[i].op == Op::LOAD_GLOBAL && code[i].offset == insn.offset;
        };
        label.flags = is_half(index + 1) || is_half(index - 1);
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
    // 3.11+: LOAD_FAST of a cell's slot pushes the cell, as LOAD_CLOSURE does (3.13+ has no LOAD_CLOSURE).
    if (!dialect_.block_stack && label.op == Op::LOAD_CLOSURE) label.op = Op::LOAD_FAST;
    label.key = variables[insn.arg];
    return Unit{};
  }
  if (insn.arg >= code_.names.size()) return bad_operand(insn);
  label.key = keys_.name(code_.names[insn.arg]);
  return Unit{};
}

// Returns the key of a common constant (3.14+) that may also be in co_consts, or kNoKey for functions and classes,
// which cannot.
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

// Masks the value stored to `__firstlineno__`, a line number, and the order of `__static_attributes__`, which compilers
// take from a set (3.13+; compiler_class_body in Python/compile.c).
Status Builder::mask_line_numbers(const ClassStores& stores) {
  const auto value = [&](std::size_t store) -> Label& { return node(static_cast<NodeId>(store) - 1).label; };
  for (const std::size_t store : stores.first_line) value(store).key = keys_.marker("line number");
  for (const std::size_t store : stores.static_attributes) {
    DEPYF_TRY(key, constants_.unordered(loaded_[store - 1]));
    value(store).key = key;
  }
  return Unit{};
}

// Masks the order of the frozenset in `x in {1, 2}`: no program can observe it.
Status Builder::mask_order_of_tested_sets() {
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

// Up to 3.10 the constant loaded before MAKE_FUNCTION is the qualified name.
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

// Returns the next node after i if it only consumes the top of the stack (STORE_FAST or POP_TOP); skips nodes without
// effect. Returns kOffEnd if it does anything else or if a jump enters in between.
NodeId Builder::next_store(NodeId i, const std::vector<bool>& entered) {
  for (++i; i < size() && !entered[static_cast<std::size_t>(i)] && budget_ > 0; ++i, --budget_) {
    const Node& at = node(i);
    if (at.label.has_effect()) return at.label.op == Op::STORE_FAST || at.label.op == Op::POP_TOP ? i : kOffEnd;
    if (at.next[0] != i + 1) return kOffEnd;
  }
  return kOffEnd;
}

// Removes a SWAP n that is followed by n plain stores and exchanges the first and the n-th store instead, as
// apply_static_swaps (Python/flowgraph.c) does where the lines of the stores agree. Works from the last SWAP to the
// first.
Status Builder::apply_static_swaps() {
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
    // If a store in between has the target of an exchanged one, their order matters: the last one wins.
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

void Builder::find_effect_nodes() {
  std::vector<bool> known(graph_.nodes.size(), false);
  std::vector<NodeId> path;
  for (NodeId i = size() - 1; i >= 0; --i) {
    path.clear();
    NodeId at = i;
    while (at >= 0 && !known[static_cast<std::size_t>(at)] && !node(at).label.has_effect()) {
      known[static_cast<std::size_t>(at)] = true;
      node(at).effect_node = kEndless;  // provisional: reaching it again means an endless loop without effect
      path.push_back(at);
      at = node(at).next[0];
    }
    const NodeId target = at >= 0 && !node(at).label.has_effect() ? node(at).effect_node : at;
    for (const NodeId k : path) node(k).effect_node = target;
    if (node(i).label.has_effect()) node(i).effect_node = i;
  }
}

bool Builder::has_equal_handlers(const Node& a, const Node& b) const {
  if (a.handler < 0 || b.handler < 0) return a.handler == b.handler;
  return graph_.handlers[static_cast<std::size_t>(a.handler)] == graph_.handlers[static_cast<std::size_t>(b.handler)];
}

// Threads a JUMP_IF_x_OR_POP whose target tests the same value to the outcome of that test (up to 3.11), as
// optimize_basic_block (Python/compile.c) does where the lines agree. Not between ranges of different handlers, where an
// exception of the second test would be caught elsewhere.
void Builder::thread_or_pop_jumps() {
  for (NodeId i = size() - 1; i >= 0; --i) {
    Node& from = node(i);
    if (!is_or_pop(from.label)) continue;
    const bool jumps_if_true = from.label.op == Op::JUMP_IF_TRUE_OR_POP;
    const NodeId target = from.next[1] >= 0 ? node(from.next[1]).effect_node : from.next[1];
    if (target <= i || !has_equal_handlers(from, node(target))) continue;
    const Node& to = node(target);
    if (to.label == from.label) {
      from.next[1] = to.next[1];
      from.retests[1] = 1 + to.retests[1];
      continue;
    }
    const bool target_is_or_pop = is_or_pop(to.label);
    if (!target_is_or_pop && to.label.op != Op::POP_JUMP_IF_TRUE) continue;
    const int outcome = target_is_or_pop || jumps_if_true ? 0 : 1;
    from.label = Label{};
    from.label.op = Op::POP_JUMP_IF_TRUE;
    const NodeId following = from.next[0];
    from.next[jumps_if_true ? 0 : 1] = to.next[outcome];
    from.next[jumps_if_true ? 1 : 0] = following;
    from.retests[jumps_if_true ? 0 : 1] = 1 + to.retests[outcome];
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
    if (at.handler >= 0 && at.label.has_effect()) reach(graph_.handlers[static_cast<std::size_t>(at.handler)].target);
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

std::size_t frame_setup_length(const CodeObject& code, const Bytecode& bytecode) {
  constexpr std::uint8_t kCell = 0x40;
  std::vector<bool> has_cell(code.localspluskinds.size(), false);
  bool copied = false;
  std::size_t end = 0;
  for (std::size_t i = 0; i < bytecode.code.size(); ++i) {
    const Instruction& insn = bytecode.code[i];
    if (insn.op == Op::MAKE_CELL) {
      if (insn.arg >= has_cell.size() || has_cell[insn.arg]) return 0;
      has_cell[insn.arg] = true;
    } else if (insn.op == Op::COPY_FREE_VARS) {
      if (copied || insn.arg != code.freevars.size()) return 0;
      copied = true;
    } else if (!is_no_op(insn.op) || insn.op == Op::JUMP) {
      break;
    } else {
      continue;
    }
    end = i + 1;
  }
  if (copied == code.freevars.empty()) return 0;
  for (std::size_t i = 0; i < has_cell.size(); ++i)
    if (has_cell[i] != ((code.localspluskinds[i] & kCell) != 0)) return 0;
  for (const Instruction& insn : bytecode.code)
    if (insn.target < end) return 0;
  for (const ExceptionEntry& row : bytecode.handlers)
    if (row.target < end) return 0;
  return end;
}

// codegen_class_body (Python/codegen.c) stores `__module__`, `__qualname__` and `__firstlineno__` first, in this order.
// After `__static_attributes__` it stores only cells, and the class body ends.
ClassStores find_compiler_stores(const CodeTree& tree, const CodeObject& code, const Bytecode& bytecode,
                                 const Dialect& dialect) {
  ClassStores out;
  const auto& all = bytecode.code;
  const auto is_store_of = [&](std::size_t i, std::string_view name) {
    return i > 0 && all[i].op == Op::STORE_NAME && all[i].arg < code.names.size() && code.names[all[i].arg] == name;
  };
  if ((code.flags & kCoOptimized) != 0 || code.name.starts_with('<')) return out;
  std::size_t matched = 0;  // number of names of kFirst that were stored
  constexpr std::string_view kFirst[] = {"__module__", "__qualname__", "__firstlineno__"};
  for (std::size_t i = 1; i < all.size() && dialect.class_firstlineno && matched < std::size(kFirst); ++i) {
    if (all[i].op != Op::STORE_NAME) continue;
    if (!is_store_of(i, kFirst[matched])) break;
    const bool constant = all[i - 1].op == Op::LOAD_CONST || all[i - 1].op == Op::LOAD_SMALL_INT;
    if (++matched == std::size(kFirst) && constant) out.first_line.push_back(i);
  }
  const auto ends_body = [&](std::size_t i) {
    for (std::size_t steps = all.size(); i < all.size() && steps > 0; --steps) {
      const Op op = all[i].op;
      if (op == Op::RETURN_VALUE) return true;
      if (op == Op::STORE_NAME && !is_store_of(i, "__classcell__") && !is_store_of(i, "__classdictcell__"))
        return false;
      const bool is_pure = op == Op::LOAD_CONST || op == Op::LOAD_COMMON_CONSTANT || op == Op::LOAD_FAST ||
                           op == Op::LOAD_CLOSURE || op == Op::COPY || op == Op::STORE_NAME;
      if (!is_pure && !is_no_op(op)) return false;
      i = op == Op::JUMP ? all[i].target : i + 1;
    }
    return false;
  };
  for (std::size_t i = 1; i < all.size() && dialect.static_attributes; ++i) {
    const bool constant = all[i - 1].op == Op::LOAD_CONST && all[i - 1].arg < code.consts.size();
    if (constant && is_store_of(i, "__static_attributes__") &&
        std::holds_alternative<ConstTuple>(tree.consts[code.consts[all[i - 1].arg]]) && ends_body(i + 1))
      out.static_attributes.push_back(i);
  }
  return out;
}

std::optional<std::size_t> find_locals_reader(const CodeObject& code, const Bytecode& bytecode) {
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
    std::size_t load = i;
    while (load > 0 && all[load - 1].op == Op::PUSH_NULL) --load;
    const bool of_builtins =
        load > 0 && is_global(load - 1) && (name(load - 1) == "builtins" || name(load - 1) == "__builtins__");
    if (std::ranges::find(kAttributes, name(i)) != std::end(kAttributes)) return i;
    if ((!attribute || of_builtins) && std::ranges::find(kBuiltins, name(i)) != std::end(kBuiltins)) return i;
  }
  return std::nullopt;
}

std::vector<std::string> variable_names(const CodeObject& code) {
  if (!code.localsplus.empty()) return code.localsplus;
  std::vector<std::string> out = code.varnames;
  out.insert(out.end(), code.cellvars.begin(), code.cellvars.end());
  out.insert(out.end(), code.freevars.begin(), code.freevars.end());
  return out;
}

std::vector<std::size_t> earlier_occurrences(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  std::vector<std::size_t> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(seen[name]++);
  return out;
}

Result<Graph> build_graph(const CodeTree& tree, CodeId code, const Dialect& dialect, Keys& keys,
                          ConstantKeys& constants, bool loose, const Limits& limits) {
  DEPYF_TRY(bytecode, decode(tree, code, limits));
  DEPYF_TRY(graph, Builder(tree, tree.codes[code], dialect, keys, constants, limits).build(bytecode, loose));
  DEPYF_TRY(offset_use, find_offset_use(tree, code, bytecode, dialect, limits));
  graph.offset_use = offset_use;
  return graph;
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
