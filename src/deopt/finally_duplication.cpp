// SPDX-License-Identifier: MIT
// Removes the copies of finally bodies (3.9+; the graph of 3.8 has them, too).
//
// The compiler generates a finally body once as an exception handler that ends in RERAISE, and once for every other
// exit of the protected range (compiler_unwind_fblock in Python/compile.c). Handler and exit are walked in lockstep. If
// they agree up to the handler's RERAISE, the copy is replaced by a marker: one POP_BLOCK (lifted to kFinallyExit) that
// leads to the code after the copy. Otherwise the copy is kept. A body that leaves by return, break or continue first
// drops the state with which it was entered: the exception in the handler, a pending return value in a copy; then both
// sides continue at the same position. A body that raises drops nothing.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "cfg/cut.h"
#include "cfg/position_classes.h"
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;  // no block

// Returns whether the block is the clean-up handler around a handler (3.11+): COPY 3; POP_EXCEPT; RERAISE 1.
bool is_cleanup(const BasicBlock& h) {
  return h.code.size() >= 3 && h.code[0].op == Op::COPY && h.code[1].op == Op::POP_EXCEPT &&
         h.code[2].op == Op::RERAISE;
}

// Returns the handlers around a block, innermost first, without clean-up handlers, which only reraise.
SmallVector<std::uint32_t, 8> handlers_around(const Cfg& cfg, std::uint32_t b) {
  constexpr int kMost = 256;
  SmallVector<std::uint32_t, 8> out;
  BlockId h = cfg.blocks[BlockId{b}].handler.block;
  for (int i = 0; h.valid() && i < kMost; ++i) {
    const BasicBlock& handler = cfg.blocks[h];
    const auto& code = handler.code;
    const bool names = code.size() == 4 && code[3].op == Op::RERAISE && rebinds_and_deletes(code[1], code[2]);
    if (!is_cleanup(handler) && !names) out.push_back(h.n);
    h = handler.handler.block;
  }
  return out;
}

// Returns whether `handler` is around the block.
bool is_inside(const Cfg& cfg, std::uint32_t b, std::uint32_t handler) {
  const auto around = handlers_around(cfg, b);
  return std::find(around.begin(), around.end(), handler) != around.end();
}

// Returns whether both are the same test with the jump inverted: the compiler turns a conditional jump back into a
// forward jump over a jump back (normalize_jumps_in_block in Python/flowgraph.c).
bool are_inverse(Op a, Op b) { return a != b && either_polarity(a) == either_polarity(b); }

std::size_t index_after_push(const Cfg& cfg, std::uint32_t h) {
  const auto& code = cfg.blocks[BlockId{h}].code;
  return !code.empty() && code[0].op == Op::PUSH_EXC_INFO ? 1 : 0;
}

// Returns the handler of the code after the statement whose handler is `h`.
Handler outer_of(const Cfg& cfg, const Dialect& dialect, std::uint32_t h) {
  const auto block = [&](std::uint32_t b) -> const BasicBlock& { return cfg.blocks[BlockId{b}]; };
  Handler handler = block(h).handler;
  // The handler's code may begin with a try statement, whose handler keeps the exception on the stack.
  for (int i = 0; !dialect.exception_table && handler.block.valid() && i < 64; ++i) {
    if (handler.depth < block(h).entry_depth) break;
    handler = block(handler.block.n).handler;
  }
  return handler.block.valid() && is_cleanup(block(handler.block.n)) ? block(handler.block.n).handler : handler;
}

// Compares a finally body, as its handler has it, with code that may be a copy of it.
class BodyComparison {
 public:
  BodyComparison(const CodeTree& tree, CodeId code, const Cfg& cfg, const Dialect& dialect)
      : tree_(tree), co_(tree.codes[code]), cfg_(cfg), dialect_(dialect) {
    local_count_ = static_cast<std::uint32_t>(local_names(co_).size());
    std::size_t instructions = 0;
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      instructions += block(b).code.size();
      for (const Instruction& insn : block(b).code)
        if (is_added_variable(insn)) ++use_counts_[insn.arg];
    }
    max_pairs_ = std::max<std::size_t>(20000, 4 * instructions);
  }

  // Returns whether handler `h`, up to its RERAISE, and the code at block `copy` agree. Sets `rest` to the position
  // after the copy, unless the body never ends. The compiler may have copied the code after it to each end of the copy
  // (3.10+: inline_small_exit_blocks); then those copies must agree, too.
  bool matches(std::uint32_t h, std::uint32_t copy, Position& rest) {
    std::vector<Position> rests;
    const Position start{BlockId{h}, static_cast<std::uint32_t>(index_after_push(cfg_, h))};
    const Entered entered{block(h).entry_depth, has_pending_value(h, copy), &rests};
    const Handler own = dialect_.exception_table ? block(h).handler : outer_of(cfg_, dialect_, h);
    if (!agree(start, {BlockId{copy}, 0}, {own, outer_of(cfg_, dialect_, h)}, &entered)) return false;
    if (rests.empty()) return true;  // the body never ends
    if (rests.front() == Position{BlockId{copy}, 0}) return false;
    rest = rests.front();
    for (const auto& r : rests)
      if (r.at == 0) rest = r;
    const auto handler = block(rest.block).handler;
    for (const auto& r : rests)
      if (r != rest && !agree(rest, r, {handler, block(r.block).handler}, nullptr)) return false;
    return true;
  }

  // Returns whether the copy begins with a value on the stack that the protected range did not begin with: the pending
  // value of a `return`.
  bool has_pending_value(std::uint32_t h, std::uint32_t copy) {
    return block(copy).entry_depth + exception_size() == block(h).entry_depth + 1;
  }
  // Returns the depth of the stack at a position. Caches it, since the code of a block never changes once it is
  // created.
  std::int64_t depth_at_position(const Position& p) {
    if (depths_.size() < cfg_.blocks.size()) depths_.resize(cfg_.blocks.size());
    auto& depths = depths_[p.block.n];
    if (depths.empty()) {
      const auto& b = block(p.block);
      depths.reserve(b.code.size() + 1);
      depths.push_back(b.entry_depth);
      for (const Instruction& insn : b.code) {
        const auto e = effect(dialect_.version, insn, false);
        depths.push_back(depths.back() + e.pushes - e.pops);
      }
    }
    return depths[p.at];
  }

 private:
  [[nodiscard]] const BasicBlock& block(std::uint32_t i) const { return cfg_.blocks[BlockId{i}]; }
  [[nodiscard]] const BasicBlock& block(BlockId i) const { return cfg_.blocks[i]; }
  [[nodiscard]] const Instruction& instruction(const Position& p) const { return block(p.block).code[p.at]; }
  [[nodiscard]] bool is_at_end(const Position& p) const { return p.at >= block(p.block).code.size(); }
  [[nodiscard]] std::uint32_t exception_size() const { return dialect_.exception_table ? 1 : 6; }

  // Returns whether the position is in an empty loop, the only case in which past_ends() stops at the end of a block
  // that falls through.
  bool is_empty_loop(const Position& p) const {
    return is_at_end(p) && !block(p.block).jump.valid() && block(p.block).fall.valid();
  }

  struct Entered {                   // the state in which the two sides of a finally body are entered
    std::uint32_t exc = 0;           // handler: depth of the stack, with the exception
    bool has_pending_value = false;  // copy: the value of a `return` is on the stack
    std::vector<Position>* rests;    // copy: the positions that correspond to the handler's RERAISE
  };

  // Steps over code that pops `n` entries, from below a value if `value`: POP_TOP, with SWAP around it. POP_EXCEPT,
  // which pops `popped` entries, ends the sequence in a handler (`popped` > 0). Returns false for any other code.
  bool drop_entries(Position& p, std::size_t n, bool value, std::size_t popped) {
    std::vector<bool> stack(n, true);
    if (value) stack.push_back(false);
    for (int i = 0; i < 16; ++i) {
      if (popped == 0 && stack.size() == (value ? 1U : 0U)) return true;
      p = past_ends(cfg_, p);
      if (is_at_end(p)) return false;
      const auto& insn = instruction(p);
      const bool end = insn.op == Op::POP_EXCEPT;
      if (insn.op == Op::SWAP && insn.arg >= 2 && insn.arg <= stack.size()) {
        std::vector<bool>::swap(stack[stack.size() - 1], stack[stack.size() - insn.arg]);
      } else if (insn.op == Op::POP_TOP || (end && popped > 0)) {
        for (std::size_t k = 0; k < (end ? popped : 1); ++k) {
          if (stack.empty() || !stack.back()) return false;
          stack.pop_back();
        }
      } else {
        return false;
      }
      ++p.at;
      if (end) return stack.size() == (value ? 1U : 0U);
    }
    return false;
  }
  // If the body leaves by itself at `x`, steps over the code with which both sides drop the state they were entered
  // with.
  bool step_over_drops(Position& x, Position& y, const Entered& in) {
    const auto op = instruction(x).op;
    if (op != Op::POP_TOP && op != Op::SWAP) return false;
    const auto own = static_cast<std::int64_t>(in.exc) + (dialect_.exception_table ? 1 : 0);
    const auto depth = depth_at_position(x);
    const bool value = op == Op::SWAP;
    if (depth != own + (value ? 1 : 0)) return false;
    Position a = x, b = y;
    if (!drop_entries(a, exception_size() + (dialect_.exception_table ? 1 : 0), value,
                      dialect_.exception_table ? 1 : 3))
      return false;
    if (in.has_pending_value && !drop_entries(b, 1, value, 0)) return false;
    x = a;
    y = b;
    return true;
  }

  // Walks two positions in lockstep and returns whether they agree. `base`: the pair of handlers around both. With
  // `entered`, the first position is in a handler, and the RERAISE of its own exception ends the comparison of a path.
  bool agree(Position from, Position with, const std::pair<Handler, Handler>& base, const Entered* entered) {
    std::set<std::pair<Position, Position>> seen;
    struct Step {
      Position x, y;
      bool has_left = false;  // the handler has dropped the exception that it was entered with
    };
    std::vector<Step> todo{{from, with}};
    AddedVariables variables;
    std::size_t steps = 0;
    while (!todo.empty()) {
      const Step step = todo.back();
      todo.pop_back();
      const auto add = [&, has_left = step.has_left](Position p, Position q) { todo.push_back({p, q, has_left}); };
      Position x = past_ends(cfg_, step.x), y = past_ends(cfg_, step.y);
      // Only the beginning of a block can be reached a second time.
      const bool begins = x.at == 0 || y.at == 0;
      if (x == y || (begins && !seen.insert({x, y}).second)) continue;
      if (++steps > max_pairs_) return false;
      if (is_empty_loop(x) && is_empty_loop(y)) continue;
      if (is_at_end(x)) return false;
      if (entered != nullptr && !step.has_left) {
        if (reraises_handled(x, entered->exc)) {
          auto& rests = *entered->rests;
          if (std::find(rests.begin(), rests.end(), y) == rests.end()) rests.push_back(y);
          continue;
        }
        if (step_over_drops(x, y, *entered)) {
          todo.push_back({x, y, true});
          continue;
        }
      }
      if (is_at_end(y)) return false;
      const std::pair handlers{block(x.block).handler, block(y.block).handler};
      if (!is_same_operation(instruction(x), instruction(y)) || !add_arguments(x, y, variables, add) ||
          !(handlers == base || add_handlers(handlers, base, add)) || !add_successors(x, y, add))
        return false;
    }
    return variables_correspond(variables);
  }

  static bool is_same_operation(const Instruction& i, const Instruction& j) {
    // 3.15: an import in a handler is never lazy, as in a `try`; the copy after the body may be (codegen_import)
    const bool is_eager = i.op == Op::IMPORT_NAME && i.flags == kEagerImport && j.flags == 0;
    // 3.14+: jump threading is visible only where a handler protects the code (see jump_threading.cpp)
    const bool is_threaded = is_jump(i.op) && (i.flags | j.flags) == kThreaded;
    return (i.op == j.op || are_inverse(i.op, j.op)) && (i.flags == j.flags || is_eager || is_threaded);
  }

  // Of uses of added variables in the handler: the variable, and the position of the use in the copy.
  using AddedVariables = std::vector<std::pair<std::uint32_t, Position>>;

  // Returns whether the arguments of two equal operations can correspond. Calls `add` with the handlers that the markers
  // of two inner bodies have as arguments, and collects the uses of added variables.
  bool add_arguments(const Position& x, const Position& y, AddedVariables& variables, const auto& add) const {
    const Instruction &i = instruction(x), &j = instruction(y);
    if (is_added_variable(i)) variables.push_back({i.arg, y});
    if (is_added_variable(i) || i.arg == j.arg) return true;
    if (i.op == Op::POP_BLOCK) add(Position{BlockId{i.arg}, 0}, Position{BlockId{j.arg}, 0});
    return i.op == Op::POP_BLOCK || load_equal_constants(i, j) || (is_annotation_number(x) && is_annotation_number(y));
  }

  // Calls `add` with the handlers around two positions if they are inside the code that is compared. Returns false if
  // they cannot correspond.
  static bool add_handlers(const std::pair<Handler, Handler>& handlers, const std::pair<Handler, Handler>& base,
                           const auto& add) {
    const BlockId a = handlers.first.block, b = handlers.second.block;
    if (!a.valid() || !b.valid()) return a == b;
    if (a == base.first.block) return b == base.second.block;
    add(Position{a, 0}, Position{b, 0});
    return true;
  }

  // Returns whether the instruction uses a variable that depyf has added, which is numbered after those of the code
  // object.
  [[nodiscard]] bool is_added_variable(const Instruction& insn) const {
    return (insn.op == Op::LOAD_FAST || insn.op == Op::STORE_FAST || insn.op == Op::DELETE_FAST) &&
           insn.arg >= local_count_;
  }
  // Returns whether the added variables of the handler correspond one to one to those of the copy, which uses them
  // alone.
  bool variables_correspond(const AddedVariables& variables) {
    std::map<std::uint32_t, std::uint32_t> to_copy, to_handler;
    std::map<std::uint32_t, std::set<Position>> uses;
    for (const auto& [variable, y] : variables) {
      const std::uint32_t other = instruction(y).arg;
      if (other < local_count_ || to_copy.try_emplace(variable, other).first->second != other) return false;
      if (to_handler.try_emplace(other, variable).first->second != variable) return false;
      uses[other].insert(y);
    }
    return std::all_of(to_handler.begin(), to_handler.end(), [&](const auto& pair) {
      return pair.first == pair.second || uses[pair.first].size() == use_counts_[pair.first];
    });
  }

  // Returns whether both load equal constants: the compiler may create a constant again for each copy (3.9: folded
  // ones).
  bool load_equal_constants(const Instruction& i, const Instruction& j) const {
    const auto& consts = co_.consts;
    return i.op == Op::LOAD_CONST && i.arg < consts.size() && j.arg < consts.size() &&
           same_constant(tree_, consts[i.arg], tree_, consts[j.arg]);
  }

  // 3.14+: returns whether the instruction loads n in LOAD __conditional_annotations__; n; SET_ADD 1; POP_TOP, where
  // each copy has a number of its own (codegen_annassign in Python/codegen.c).
  bool is_annotation_number(const Position& p) const {
    const BasicBlock& b = block(p.block);
    const std::size_t at = p.at;
    if (!dialect_.deferred_annotations || at == 0 || at + 2 >= b.code.size()) return false;
    const auto &set = b.code[at - 1], &number = b.code[at], &add = b.code[at + 1];
    if (number.op != Op::LOAD_SMALL_INT && number.op != Op::LOAD_CONST) return false;
    if (add.op != Op::SET_ADD || add.arg != 1 || b.code[at + 2].op != Op::POP_TOP) return false;
    const std::string_view name = set.op == Op::LOAD_NAME    ? co_.names[set.arg]
                                  : set.op == Op::LOAD_DEREF ? co_.localsplus[set.arg]
                                                             : std::string_view();
    return name == "__conditional_annotations__";
  }

  // Calls `add` with the pairs of positions that follow two instructions that agree. Returns false if the edges differ.
  bool add_successors(const Position& x, const Position& y, const auto& add) const {
    const auto &a = block(x.block), &b = block(y.block);
    const bool inverted = are_inverse(instruction(x).op, instruction(y).op);
    const bool ax = x.at + 1 == a.code.size(), by = y.at + 1 == b.code.size();
    if (inverted && (!ax || !by || !a.jump.valid() || !b.jump.valid())) return false;
    if (ax && by) {
      if (a.jump.valid() != b.jump.valid() || a.fall.valid() != b.fall.valid()) return false;
      if (a.jump.valid()) add(Position{a.jump, 0}, Position{inverted ? b.fall : b.jump, 0});
      if (a.fall.valid()) add(Position{a.fall, 0}, Position{inverted ? b.jump : b.fall, 0});
      return true;
    }
    // one block ends where the other continues
    if ((ax && (a.jump.valid() || !a.fall.valid())) || (by && (b.jump.valid() || !b.fall.valid()))) return false;
    add(ax ? Position{a.fall, 0} : Position{x.block, x.at + 1}, by ? Position{b.fall, 0} : Position{y.block, y.at + 1});
    return true;
  }

  // Returns whether the instruction at `p` is a RERAISE that raises the exception that the finally handler was entered with, not one that its
  // body has caught.
  bool reraises_handled(const Position& p, std::uint32_t handler_depth) {
    return instruction(p).op == Op::RERAISE &&
           depth_at_position(p) == static_cast<std::int64_t>(handler_depth) + (dialect_.exception_table ? 1 : 0);
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const Cfg& cfg_;
  const Dialect& dialect_;
  std::uint32_t local_count_ = 0;                    // number of local variables of the code object
  std::map<std::uint32_t, std::size_t> use_counts_;  // by added variable: the number of instructions that use it
  std::size_t max_pairs_ = 0;  // the most pairs that one comparison visits; bodies that agree have fewer
  std::vector<std::vector<std::int64_t>> depths_;  // by block: depth of the stack before each instruction
};

class FinallyBodies {
 public:
  FinallyBodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect)
      : cfg_(cfg),
        dialect_(dialect),
        may_return_((tree.codes[code].flags & kCoOptimized) != 0),
        comparison_(tree, code, cfg, dialect) {}

  // Returns whether there was a copy.
  bool run() {
    const auto n = static_cast<std::uint32_t>(cfg_.blocks.size());
    std::vector<std::uint32_t> handlers;
    for (std::uint32_t i = 0; i < n; ++i) {
      register_block(i);
      if (block(i).is_handler && may_be_finally(i)) handlers.push_back(i);
    }
    // Inner bodies first: an outer copy then has the inner marker on both sides. A statement in a finally body has two
    // copies of its own in arbitrary order, so handlers are tried again until nothing changes.
    std::sort(handlers.begin(), handlers.end(),
              [&](auto a, auto b) { return handlers_around(cfg_, a).size() > handlers_around(cfg_, b).size(); });
    bool any = false, changed = true;
    for (int round = 0; changed && round < 16; ++round) {
      changed = false;
      for (auto h : handlers) changed |= collapse(h);
      any |= changed;
    }
    return any;
  }

 private:
  struct Copy {
    std::uint32_t first;  // block
    Position rest;        // the position after it; invalid if the body never ends
    BlockId range;        // handler of the code that enters it
  };

  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  // Returns whether the handler may be that of a finally statement: it is not an except clause, a with statement or a
  // clean-up.
  bool may_be_finally(std::uint32_t h) {
    const auto& code = block(h).code;
    const auto at = index_after_push(cfg_, h);
    if (at >= code.size()) return block(h).fall.valid() && (at == 1 || !dialect_.exception_table);
    if (dialect_.exception_table && at == 0) return false;
    const auto op = code[at].op;
    if (op == Op::POP_TOP) return code[at].flags == kAbruptExit;  // POP_FINALLY: the body leaves at once
    return op != Op::WITH_EXCEPT_START && op != Op::RERAISE && op != Op::COPY;
  }
  // Adds a new block to the list of each handler around it. The handlers around a block never change.
  void register_block(std::uint32_t b) {
    for (const auto h : handlers_around(cfg_, b)) inside_[h].push_back(b);
  }

  // Replaces the copies of the finally body of handler h by markers. Returns whether there was one.
  bool collapse(std::uint32_t h) {
    const auto protects = inside_.find(h);
    if (protects == inside_.end()) return false;
    const std::vector<std::uint32_t> members = protects->second;
    std::vector<Copy> copies;
    std::set<std::uint32_t> seen;
    for (const std::uint32_t b : members) {
      for (BlockId s : {block(b).fall, block(b).jump, block(b).phantom}) {
        if (!s.valid() || is_inside(cfg_, s.n, h) || !seen.insert(s.n).second) continue;
        Position rest;
        if (comparison_.matches(h, s.n, rest)) copies.push_back({s.n, rest, block(b).handler.block});
      }
    }
    if (copies.empty()) return false;
    const auto ends = last_endless_copies(copies);
    const auto callers = predecessor_ends(members);
    std::unordered_map<std::uint32_t, BlockId> markers;  // by first block of a copy
    for (const auto& [first, rest, range] : copies) {
      const auto follow = rest.block.valid() ? block_at(rest) : kNone;
      BasicBlock marker;
      Instruction insn;
      insn.op = Op::POP_BLOCK;
      insn.arg = h;
      insn.flags = block(first).entered;
      insn.offset = block(first).code.empty() ? 0 : block(first).code[0].offset;
      marker.code.push_back(insn);
      marker.handler = outer_of(cfg_, dialect_, h);
      marker.entry_depth = block(first).entry_depth;
      marker.first_index = block(first).first_index;
      if (follow != kNone) marker.fall = BlockId{follow};
      if (insn.flags == kAbruptExit) marker.first_index = call_position(callers, first, follow);
      // A body that never ends drops the exit, so whether it was entered by return, break or continue makes no
      // difference.
      if (follow == kNone && may_return_ &&
          (dialect_.call_finally ? insn.flags == kAbruptExit : first != ends.at(range)))
        marker.code.back().flags = kEndlessExit;
      if (follow == kNone && comparison_.has_pending_value(h, first)) {  // the value of a `return` was pending
        insn.op = Op::RETURN_VALUE;
        insn.arg = 0;
        marker.code.push_back(insn);
      }
      const auto id = cfg_.blocks.add(std::move(marker));
      register_block(id.n);
      markers.emplace(first, id);
    }
    for (const std::uint32_t b : members)
      for (BlockId* s : {&block(b).fall, &block(b).jump, &block(b).phantom})
        if (const auto it = s->valid() ? markers.find(s->n) : markers.end(); it != markers.end()) *s = it->second;
    return true;
  }

  // Returns by block: the position after the last of `members` with an edge to it.
  std::unordered_map<std::uint32_t, std::uint32_t> predecessor_ends(const std::vector<std::uint32_t>& members) {
    std::unordered_map<std::uint32_t, std::uint32_t> ends;
    for (const std::uint32_t b : members)
      for (const BlockId s : {block(b).fall, block(b).jump})
        if (s.valid())
          ends[s.n] = std::max(ends[s.n], block(b).first_index + static_cast<std::uint32_t>(block(b).code.size()));
    return ends;
  }

  // Returns by range (of a body or its clauses): the last of the copies that never end, which is the range's normal
  // exit.
  std::map<BlockId, std::uint32_t> last_endless_copies(const std::vector<Copy>& copies) {
    std::map<BlockId, std::uint32_t> last;
    for (const auto& [first, rest, range] : copies) {
      if (rest.block.valid()) continue;
      const auto [known, is_new] = last.try_emplace(range, first);
      if (!is_new && block(known->second).first_index < block(first).first_index) known->second = first;
    }
    return last;
  }

  // Returns the position of CALL_FINALLY (3.8): before the code it returns to or, if that is a jump back, after the
  // predecessors of the copy.
  std::uint32_t call_position(const std::unordered_map<std::uint32_t, std::uint32_t>& callers, std::uint32_t first,
                              std::uint32_t follow) {
    const auto it = callers.find(first);
    const std::uint32_t caller = it != callers.end() ? it->second : 0;
    return follow == kNone ? caller : std::max(caller, std::max(block(follow).first_index, 1U) - 1);
  }

  // Returns the block that starts at a position, split if necessary.
  std::uint32_t block_at(const Position& p) {
    if (p.at == 0) return p.block.n;
    if (auto it = split_blocks_.find(p); it != split_blocks_.end()) return it->second;
    const auto id = cfg_.blocks.add(tail_at(cfg_, dialect_.version, p));
    split_blocks_[p] = id.n;
    register_block(id.n);
    return id.n;
  }

  Cfg& cfg_;
  const Dialect& dialect_;
  // Otherwise an abrupt exit of an endless body is a `break` or `continue`, which the fall-through exit can replace.
  const bool may_return_;
  BodyComparison comparison_;
  std::map<Position, std::uint32_t> split_blocks_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> inside_;  // by handler: the blocks it protects, in order
};

}  // namespace

bool collapse_finally_bodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect) {
  return FinallyBodies(tree, code, cfg, dialect).run();
}

}  // namespace depyf::deopt
