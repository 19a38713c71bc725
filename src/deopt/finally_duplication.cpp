// SPDX-License-Identifier: MIT
// Undoing the copies of finally bodies (3.9+; 3.8's graph has them too).
//
// A finally body is compiled once as an exception handler, ending in RERAISE, and once on every other exit of the
// protected range (compiler_unwind_fblock in Python/compile.c). Handler and exit are walked in lockstep; where they agree
// until the handler's RERAISE, the copy is replaced by one POP_BLOCK (lifted to kFinallyExit) that leads to what follows
// the copy. What does not agree stays. A body that leaves by itself (return, break, continue) drops what it was entered
// with: the exception in the handler, a pending return value in a copy; both sides then continue at the same place. One
// that raises drops nothing.
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

// COPY 3; POP_EXCEPT; RERAISE 1: the clean-up code around a handler itself (3.11+)
bool is_cleanup(const BasicBlock& h) {
  return h.code.size() >= 3 && h.code[0].op == Op::COPY && h.code[1].op == Op::POP_EXCEPT &&
         h.code[2].op == Op::RERAISE;
}

// What protects a block, innermost first, but for what only passes the exception on.
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

bool is_inside(const Cfg& cfg, std::uint32_t b, std::uint32_t handler) {
  const auto around = handlers_around(cfg, b);
  return std::find(around.begin(), around.end(), handler) != around.end();
}

// The same test with the jump inverted: the compiler turns a conditional jump back into one forward over a jump back
// (normalize_jumps_in_block in Python/flowgraph.c).
bool are_inverse(Op a, Op b) { return a != b && either_polarity(a) == either_polarity(b); }

std::size_t start_of(const Cfg& cfg, std::uint32_t h) {
  const auto& code = cfg.blocks[BlockId{h}].code;
  return !code.empty() && code[0].op == Op::PUSH_EXC_INFO ? 1 : 0;
}

// The handler of the code that follows the statement whose handler is h.
Handler outer_of(const Cfg& cfg, const Dialect& dialect, std::uint32_t h) {
  const auto block = [&](std::uint32_t b) -> const BasicBlock& { return cfg.blocks[BlockId{b}]; };
  Handler handler = block(h).handler;
  // its body may begin with a try statement, whose handler keeps the exception on the stack
  for (int i = 0; !dialect.exception_table && handler.block.valid() && i < 64; ++i) {
    if (handler.depth < block(h).entry_depth) break;
    handler = block(handler.block.n).handler;
  }
  return handler.block.valid() && is_cleanup(block(handler.block.n)) ? block(handler.block.n).handler : handler;
}

// Compares a finally body, in its handler, with what may be a copy of it.
class BodyComparison {
 public:
  BodyComparison(const CodeTree& tree, CodeId code, const Cfg& cfg, const Dialect& dialect)
      : tree_(tree), co_(tree.codes[code]), cfg_(cfg), dialect_(dialect) {
    own_ = static_cast<std::uint32_t>(local_names(co_).size());
    std::size_t instructions = 0;
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      instructions += block(b).code.size();
      for (const Instruction& insn : block(b).code)
        if (ours(insn)) ++mentions_[insn.arg];
    }
    most_pairs_ = std::max<std::size_t>(20000, 4 * instructions);
  }

  // Do handler h, until it raises again, and the code at `copy` agree? `rest`: what follows the copy. Where the compiler
  // copied what follows to each end of the copy (3.10+: inline_small_exit_blocks), those copies agree as well.
  bool matches(std::uint32_t h, std::uint32_t copy, Position& rest) {
    std::vector<Position> rests;
    const Position start{BlockId{h}, static_cast<std::uint32_t>(start_of(cfg_, h))};
    const Entered entered{block(h).entry_depth, pending(h, copy), &rests};
    const Handler own = dialect_.exception_table ? block(h).handler : outer_of(cfg_, dialect_, h);
    if (!agree(start, {BlockId{copy}, 0}, {own, outer_of(cfg_, dialect_, h)}, &entered)) return false;
    if (rests.empty()) return true;  // it never ends
    if (rests.front() == Position{BlockId{copy}, 0}) return false;
    rest = rests.front();
    for (const auto& r : rests)
      if (r.at == 0) rest = r;
    const auto handler = block(rest.block).handler;
    for (const auto& r : rests)
      if (r != rest && !agree(rest, r, {handler, block(r.block).handler}, nullptr)) return false;
    return true;
  }

  // A value lies on the stack when the copy begins that is not there when the protected range does.
  bool pending(std::uint32_t h, std::uint32_t copy) {
    return block(copy).entry_depth + exception_size() == block(h).entry_depth + 1;
  }
  // Entries on the stack at a place. A block's code never changes once it is made.
  std::int64_t entries_at(const Position& p) {
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
  [[nodiscard]] std::uint32_t exception_size() const { return dialect_.exception_table ? 1 : 6; }

  // Where past_ends() finds nothing but a way back.
  bool loops_at_once(const Position& p) {
    const auto& b = block(p.block);
    return p.at >= b.code.size() && !b.jump.valid() && b.fall.valid();
  }

  struct Entered {                 // how the two sides of a finally body are entered
    std::uint32_t exc = 0;         // handler: entries on the stack, with the exception
    bool pending = false;          // copy: a value is on its way to `return`
    std::vector<Position>* rests;  // copy: the places that correspond to the handler's RERAISE
  };

  // Takes `n` entries and maybe a value above them off the stack, all but the value: POP_TOP, with SWAP around it;
  // POP_EXCEPT, which takes `popped` entries, is the end in a handler.
  bool drop_entries(Position& p, std::size_t n, bool value, std::size_t popped) {
    std::vector<bool> stack(n, true);
    if (value) stack.push_back(false);
    for (int i = 0; i < 16; ++i) {
      if (popped == 0 && stack.size() == (value ? 1U : 0U)) return true;
      p = past_ends(cfg_, p);
      if (p.at >= block(p.block).code.size()) return false;
      const auto& insn = block(p.block).code[p.at];
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
  // The handler's body leaves by itself at x: both sides continue after dropping what they were entered with.
  bool leave(Position& x, Position& y, const Entered& in) {
    const auto& code = block(x.block).code;
    const auto op = code[x.at].op;
    if (op != Op::POP_TOP && op != Op::SWAP) return false;
    const auto own = static_cast<std::int64_t>(in.exc) + (dialect_.exception_table ? 1 : 0);
    const auto depth = entries_at(x);
    const bool value = op == Op::SWAP;
    if (depth != own + (value ? 1 : 0)) return false;
    Position a = x, b = y;
    if (!drop_entries(a, exception_size() + (dialect_.exception_table ? 1 : 0), value,
                      dialect_.exception_table ? 1 : 3))
      return false;
    if (in.pending && !drop_entries(b, 1, value, 0)) return false;
    x = a;
    y = b;
    return true;
  }

  // Walks two places in lockstep. `base`: the handlers that correspond to each other outside of what is compared. With
  // `entered`, the first is in a handler whose RERAISE of its own exception ends the comparison there.
  bool agree(Position from, Position with, std::pair<Handler, Handler> base, const Entered* entered) {
    std::set<std::pair<Position, Position>> seen;
    struct Step {
      Position x, y;
      bool has_left = false;  // the handler: what it was entered with is no longer handled
    };
    std::vector<Step> todo{{from, with}};
    std::vector<std::pair<std::uint32_t, Position>> matched;  // variables of ours, and where the other one is
    std::size_t steps = 0;
    while (!todo.empty()) {
      const Step step = todo.back();
      todo.pop_back();
      const bool has_left = step.has_left;
      Position x = past_ends(cfg_, step.x), y = past_ends(cfg_, step.y);
      // Only where a block begins can a pair be met again.
      const bool begins = x.at == 0 || y.at == 0;
      if (x == y || (begins && !seen.insert({x, y}).second)) continue;
      if (++steps > most_pairs_) return false;
      const auto &a = block(x.block), &b = block(y.block);
      if (loops_at_once(x) && loops_at_once(y)) continue;
      if (x.at >= a.code.size()) return false;
      const auto& i = a.code[x.at];
      if (entered != nullptr && !has_left && i.op == Op::RERAISE && reraises_handled(x, entered->exc)) {
        auto& rests = *entered->rests;
        if (std::find(rests.begin(), rests.end(), y) == rests.end()) rests.push_back(y);
        continue;
      }
      if (entered != nullptr && !has_left && leave(x, y, *entered)) {
        todo.push_back({x, y, true});
        continue;
      }
      if (y.at >= b.code.size()) return false;
      const auto& j = b.code[y.at];
      const bool inverted = are_inverse(i.op, j.op);
      // 3.15: what a handler imports is never lazy, as within a `try`; after the body it may be (codegen_import in codegen.c)
      const bool is_eager = i.op == Op::IMPORT_NAME && i.flags == kEagerImport && j.flags == 0;
      if ((i.op != j.op && !inverted) || (i.flags != j.flags && !is_eager)) return false;
      if (i.arg != j.arg && i.op == Op::POP_BLOCK)  // markers of inner bodies name their handlers
        todo.push_back({{BlockId{i.arg}, 0}, {BlockId{j.arg}, 0}, has_left});
      else if (ours(i))
        matched.push_back({i.arg, y});
      else if (i.arg != j.arg && !load_the_same(i, j) && !(counts_annotation(a, x.at) && counts_annotation(b, y.at)))
        return false;
      if (!(std::pair(a.handler, b.handler) == base)) {
        if (a.handler.block.valid() != b.handler.block.valid()) return false;
        if (a.handler.block.valid() && a.handler.block != base.first.block)
          todo.push_back({{a.handler.block, 0}, {b.handler.block, 0}, has_left});
        else if (a.handler.block.valid() && b.handler.block != base.second.block)
          return false;
      }
      if (!next_places(x, y, inverted, [&](Position p, Position q) { todo.push_back({p, q, has_left}); })) return false;
    }
    return same_variables(matched);
  }

  // A variable of ours, numbered after those of the code object.
  [[nodiscard]] bool ours(const Instruction& insn) const {
    return (insn.op == Op::LOAD_FAST || insn.op == Op::STORE_FAST || insn.op == Op::DELETE_FAST) && insn.arg >= own_;
  }
  // Whether the variables of ours in a copy correspond one to one to those of the handler, and to none outside it.
  bool same_variables(const std::vector<std::pair<std::uint32_t, Position>>& matched) {
    std::map<std::uint32_t, std::uint32_t> there, back;
    std::map<std::uint32_t, std::set<Position>> met;
    for (const auto& [variable, y] : matched) {
      const std::uint32_t other = block(y.block).code[y.at].arg;
      if (other < own_ || there.try_emplace(variable, other).first->second != other) return false;
      if (back.try_emplace(other, variable).first->second != variable) return false;
      met[other].insert(y);
    }
    return std::all_of(back.begin(), back.end(), [&](const auto& pair) {
      return pair.first == pair.second || met[pair.first].size() == mentions_[pair.first];
    });
  }

  // Constants that the compiler has made anew, each for its copy (3.9: what it folded).
  bool load_the_same(const Instruction& i, const Instruction& j) const {
    const auto& consts = co_.consts;
    return i.op == Op::LOAD_CONST && i.arg < consts.size() && j.arg < consts.size() &&
           same_constant(tree_, consts[i.arg], tree_, consts[j.arg]);
  }

  // 3.14+: whether the instruction is the number of LOAD __conditional_annotations__; n; SET_ADD 1; POP_TOP, of which each
  // copy has its own (codegen_annassign in Python/codegen.c).
  bool counts_annotation(const BasicBlock& b, std::size_t at) const {
    if (!dialect_.deferred_annotations || at == 0 || at + 2 >= b.code.size()) return false;
    const auto &set = b.code[at - 1], &number = b.code[at], &add = b.code[at + 1];
    if (number.op != Op::LOAD_SMALL_INT && number.op != Op::LOAD_CONST) return false;
    if (add.op != Op::SET_ADD || add.arg != 1 || b.code[at + 2].op != Op::POP_TOP) return false;
    const std::string_view name = set.op == Op::LOAD_NAME    ? co_.names[set.arg]
                                  : set.op == Op::LOAD_DEREF ? co_.localsplus[set.arg]
                                                             : std::string_view();
    return name == "__conditional_annotations__";
  }

  // What follows two instructions that agree.
  bool next_places(const Position& x, const Position& y, bool inverted, const auto& add) {
    const auto &a = block(x.block), &b = block(y.block);
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

  // RERAISE of the exception that the finally handler was entered with (not of one caught inside its body).
  bool reraises_handled(const Position& p, std::uint32_t handler_depth) {
    return entries_at(p) == static_cast<std::int64_t>(handler_depth) + (dialect_.exception_table ? 1 : 0);
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const Cfg& cfg_;
  const Dialect& dialect_;
  std::uint32_t own_ = 0;                          // locals of the code object
  std::map<std::uint32_t, std::size_t> mentions_;  // of variables of ours
  std::size_t most_pairs_ = 0;                     // that one comparison walks: bodies that agree have fewer
  std::vector<std::vector<std::int64_t>> depths_;  // by block: entries on the stack before each instruction
};

class FinallyBodies {
 public:
  FinallyBodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect)
      : cfg_(cfg),
        dialect_(dialect),
        may_return_((tree.codes[code].flags & kCoOptimized) != 0),
        compared_(tree, code, cfg, dialect) {}

  // Whether there was a copy.
  bool run() {
    const auto n = static_cast<std::uint32_t>(cfg_.blocks.size());
    std::vector<std::uint32_t> handlers;
    for (std::uint32_t i = 0; i < n; ++i) {
      enlist(i);
      if (block(i).is_handler && may_be_finally(i)) handlers.push_back(i);
    }
    // inner bodies first: an outer copy then holds the inner marker on both sides. A statement within a finally body has
    // its own two, and which of them is met first says nothing, so what did not agree is tried again.
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
    Position rest;        // what follows it; nothing if the body never ends
    BlockId range;        // handler of what it is entered from
  };

  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  bool may_be_finally(std::uint32_t h) {
    const auto& code = block(h).code;
    const auto at = start_of(cfg_, h);
    if (at >= code.size()) return block(h).fall.valid() && (at == 1 || !dialect_.exception_table);
    if (dialect_.exception_table && at == 0) return false;
    const auto op = code[at].op;
    if (op == Op::POP_TOP) return code[at].flags == kAbruptExit;  // POP_FINALLY: the body leaves at once
    return op != Op::WITH_EXCEPT_START && op != Op::RERAISE && op != Op::COPY;
  }
  // A new block joins those inside each of its handlers. What protects a block never changes.
  void enlist(std::uint32_t b) {
    for (const auto h : handlers_around(cfg_, b)) inside_[h].push_back(b);
  }

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
        if (compared_.matches(h, s.n, rest)) copies.push_back({s.n, rest, block(b).handler.block});
      }
    }
    if (copies.empty()) return false;
    const auto ends = last_endless(copies);
    const auto callers = ends_of_predecessors(members);
    std::unordered_map<std::uint32_t, BlockId> markers;  // by first block of a copy
    for (const auto& [first, rest, range] : copies) {
      const auto follow = rest.block.valid() ? cut(rest) : kNone;
      BasicBlock marker;
      Instruction leave;
      leave.op = Op::POP_BLOCK;
      leave.arg = h;
      leave.flags = block(first).entered;
      leave.offset = block(first).code.empty() ? 0 : block(first).code[0].offset;
      marker.code.push_back(leave);
      marker.handler = outer_of(cfg_, dialect_, h);
      marker.entry_depth = block(first).entry_depth;
      marker.first_index = block(first).first_index;
      if (follow != kNone) marker.fall = BlockId{follow};
      if (leave.flags == kAbruptExit) marker.first_index = call_position(callers, first, follow);
      // what a body that never ends was left for was dropped: any of return, break and continue does the same
      if (follow == kNone && may_return_ &&
          (dialect_.call_finally ? leave.flags == kAbruptExit : first != ends.at(range)))
        marker.code.back().flags = kEndlessExit;
      if (follow == kNone && compared_.pending(h, first)) {  // the value was that of a `return`
        leave.op = Op::RETURN_VALUE;
        leave.arg = 0;
        marker.code.push_back(leave);
      }
      const auto id = cfg_.blocks.add(std::move(marker));
      enlist(id.n);
      markers.emplace(first, id);
    }
    for (const std::uint32_t b : members)
      for (BlockId* s : {&block(b).fall, &block(b).jump, &block(b).phantom})
        if (const auto it = s->valid() ? markers.find(s->n) : markers.end(); it != markers.end()) *s = it->second;
    return true;
  }

  // By block: the position after the last of the members from which control falls through or jumps there.
  std::unordered_map<std::uint32_t, std::uint32_t> ends_of_predecessors(const std::vector<std::uint32_t>& members) {
    std::unordered_map<std::uint32_t, std::uint32_t> ends;
    for (const std::uint32_t b : members)
      for (const BlockId s : {block(b).fall, block(b).jump})
        if (s.valid())
          ends[s.n] = std::max(ends[s.n], block(b).first_index + static_cast<std::uint32_t>(block(b).code.size()));
    return ends;
  }

  // By range, of a body or its clauses: the last of the copies that never end, where it comes to its end.
  std::map<BlockId, std::uint32_t> last_endless(const std::vector<Copy>& copies) {
    std::map<BlockId, std::uint32_t> last;
    for (const auto& [first, rest, range] : copies) {
      if (rest.block.valid()) continue;
      const auto [known, is_new] = last.try_emplace(range, first);
      if (!is_new && block(known->second).first_index < block(first).first_index) known->second = first;
    }
    return last;
  }

  // The position of CALL_FINALLY: before where it returns to or, if that jumps back, after the copy's predecessors.
  std::uint32_t call_position(const std::unordered_map<std::uint32_t, std::uint32_t>& callers, std::uint32_t first,
                              std::uint32_t follow) {
    const auto it = callers.find(first);
    const std::uint32_t caller = it != callers.end() ? it->second : 0;
    return follow == kNone ? caller : std::max(caller, std::max(block(follow).first_index, 1U) - 1);
  }

  // The block that starts at a place.
  std::uint32_t cut(const Position& p) {
    if (p.at == 0) return p.block.n;
    if (auto it = cuts_.find(p); it != cuts_.end()) return it->second;
    const auto id = cfg_.blocks.add(tail_at(cfg_, dialect_.version, p));
    cuts_[p] = id.n;
    enlist(id.n);
    return id.n;
  }

  Cfg& cfg_;
  const Dialect& dialect_;
  const bool may_return_;  // else what leaves at once, a `break` or `continue`, may as well come to the end
  BodyComparison compared_;
  std::map<Position, std::uint32_t> cuts_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> inside_;  // by handler: the blocks it protects, in order
};

}  // namespace

bool collapse_finally_bodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect) {
  return FinallyBodies(tree, code, cfg, dialect).run();
}

}  // namespace depyf::deopt
