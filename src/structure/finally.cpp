// SPDX-License-Identifier: MIT
// Undoing the copies of finally bodies (3.9+; 3.8's graph has them too).
//
// A finally body stands once in its exception handler, ending in RERAISE, and once on every other way out of the
// protected range. Handler and way out are walked in lockstep; where they agree until the handler's RERAISE, the copy is
// replaced by one POP_BLOCK (lifted to kFinallyExit) that leads to what follows the copy. What does not agree stays.
#include <algorithm>
#include <map>
#include <set>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

struct Place {
  std::uint32_t block = kNone;
  std::uint32_t at = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class FinallyBodies {
 public:
  FinallyBodies(Cfg& cfg, const Dialect& dialect) : cfg_(cfg), dialect_(dialect) {}

  void run() {
    const auto n = static_cast<std::uint32_t>(cfg_.blocks.size());
    std::vector<std::uint32_t> handlers;
    for (std::uint32_t i = 0; i < n; ++i)
      if (block(i).is_handler && may_be_finally(i)) handlers.push_back(i);
    // inner bodies first: an outer copy then holds the inner marker on both sides
    std::sort(handlers.begin(), handlers.end(), [&](auto a, auto b) { return depth(a) > depth(b); });
    for (auto h : handlers) collapse(h);
  }

 private:
  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  std::size_t start_of(std::uint32_t h) {
    return !block(h).code.empty() && block(h).code[0].op == Op::PUSH_EXC_INFO ? 1 : 0;
  }
  bool may_be_finally(std::uint32_t h) {
    const auto& code = block(h).code;
    const auto at = start_of(h);
    if (at >= code.size()) return at == 1 && block(h).fall.valid();
    if (dialect_.exception_table && at == 0) return false;
    const auto op = code[at].op;
    return op != Op::POP_TOP && op != Op::WITH_EXCEPT_START && op != Op::RERAISE && op != Op::COPY;
  }
  // COPY 3; POP_EXCEPT; RERAISE 1: what stands around a handler itself (3.11+)
  bool is_cleanup(std::uint32_t h) {
    const auto& code = block(h).code;
    return code.size() >= 3 && code[0].op == Op::COPY && code[1].op == Op::POP_EXCEPT && code[2].op == Op::RERAISE;
  }
  // What protects code behind the statement whose handler is h.
  Handler outer_of(std::uint32_t h) {
    const Handler handler = block(h).handler;
    return handler.block.valid() && is_cleanup(handler.block.n) ? block(handler.block.n).handler : handler;
  }
  std::uint32_t parent(std::uint32_t b) {
    std::uint32_t h = block(b).handler.block.valid() ? block(b).handler.block.n : kNone;
    for (int i = 0; h != kNone && i < 64; ++i) {  // clean-up handlers only pass the exception on
      const auto& code = block(h).code;
      const bool cleanup = is_cleanup(h);
      const bool names = code.size() == 4 && code[3].op == Op::RERAISE && code[0].op == Op::LOAD_CONST;
      if (!cleanup && !names) return h;
      h = block(h).handler.block.valid() ? block(h).handler.block.n : kNone;
    }
    return h;
  }
  std::uint32_t depth(std::uint32_t b) {
    std::uint32_t d = 0;
    for (auto h = parent(b); h != kNone && d < 200; h = parent(h)) ++d;
    return d;
  }
  bool inside(std::uint32_t b, std::uint32_t h) {
    std::uint32_t d = 0;
    for (auto p = parent(b); p != kNone && d < 200; p = parent(p), ++d)
      if (p == h) return true;
    return false;
  }

  void collapse(std::uint32_t h) {
    const auto n = static_cast<std::uint32_t>(cfg_.blocks.size());
    std::vector<std::pair<std::uint32_t, Place>> copies;  // first block of a copy, what follows it
    std::set<std::uint32_t> seen;
    for (std::uint32_t b = 0; b < n; ++b) {
      if (!inside(b, h)) continue;
      for (BlockId s : {block(b).fall, block(b).jump}) {
        if (!s.valid() || inside(s.n, h) || !seen.insert(s.n).second) continue;
        Place rest;
        if (matches(h, s.n, rest)) copies.emplace_back(s.n, rest);
      }
    }
    for (auto& [first, rest] : copies) {
      const auto follow = rest.block == kNone ? kNone : cut(rest);
      BasicBlock marker;
      Instruction leave;
      leave.op = Op::POP_BLOCK;
      leave.arg = h;
      leave.offset = block(first).code.empty() ? 0 : block(first).code[0].offset;
      marker.code.push_back(leave);
      marker.index.push_back(block(first).first_index);
      marker.handler = outer_of(h);
      marker.entry_depth = block(first).entry_depth;
      marker.first_index = block(first).first_index;
      if (follow != kNone) marker.fall = BlockId{follow};
      const auto id = cfg_.blocks.add(std::move(marker));
      for (std::uint32_t b = 0; b < n; ++b) {
        if (!inside(b, h)) continue;
        if (block(b).fall.n == first && block(b).fall.valid()) block(b).fall = id;
        if (block(b).jump.n == first && block(b).jump.valid()) block(b).jump = id;
      }
    }
  }

  // The block that starts at a place.
  std::uint32_t cut(const Place& p) {
    if (p.at == 0) return p.block;
    if (auto it = cuts_.find(p); it != cuts_.end()) return it->second;
    BasicBlock tail = block(p.block);
    tail.is_handler = false;
    tail.code.erase(tail.code.begin(), tail.code.begin() + p.at);
    if (tail.index.size() >= p.at) tail.index.erase(tail.index.begin(), tail.index.begin() + p.at);
    if (!tail.index.empty())
      tail.first_index = tail.index[0];
    else
      tail.first_index += p.at;
    const auto id = cfg_.blocks.add(std::move(tail));
    cuts_[p] = id.n;
    return id.n;
  }

  // Skips to the next instruction of straight-line flow.
  Place settle(Place p) {
    for (int i = 0; i < 64; ++i) {
      const auto& b = block(p.block);
      if (p.at < b.code.size() || b.jump.valid() || !b.fall.valid()) return p;
      p = {b.fall.n, 0};
    }
    return p;
  }

  // Do handler h, until it raises again, and the code at `copy` agree? `rest`: what follows the copy. Where the compiler
  // copied what follows to each end of the copy (3.10+: inline_small_exit_blocks), those copies agree as well.
  bool matches(std::uint32_t h, std::uint32_t copy, Place& rest) {
    std::vector<Place> rests;
    const Place start{h, static_cast<std::uint32_t>(start_of(h))};
    if (!agree(start, {copy, 0}, {block(h).handler, outer_of(h)}, block(h).entry_depth, &rests)) return false;
    if (rests.empty() || rests.front() == Place{copy, 0}) return false;
    rest = rests.front();
    for (const auto& r : rests)
      if (r.at == 0) rest = r;
    const auto handler = block(rest.block).handler;
    for (const auto& r : rests)
      if (r != rest && !agree(rest, r, {handler, block(r.block).handler}, 0, nullptr)) return false;
    return true;
  }

  // Walks two places in lockstep. `base`: the handlers that stand for each other outside of what is compared. With
  // `rests`, the first is in a handler whose RERAISE of its own exception ends the comparison there.
  bool agree(Place from, Place with, std::pair<Handler, Handler> base, std::uint32_t exc, std::vector<Place>* rests) {
    std::set<std::pair<Place, Place>> seen;
    std::vector<std::pair<Place, Place>> todo{{from, with}};
    std::size_t steps = 0;
    while (!todo.empty()) {
      auto [x, y] = todo.back();
      todo.pop_back();
      x = settle(x);
      y = settle(y);
      if (x == y || !seen.insert({x, y}).second) continue;
      if (++steps > 20000) return false;
      const auto &a = block(x.block), &b = block(y.block);
      if (x.at >= a.code.size()) return false;
      const auto& i = a.code[x.at];
      if (rests != nullptr && i.op == Op::RERAISE && reraises_handled(x, exc)) {
        if (std::find(rests->begin(), rests->end(), y) == rests->end()) rests->push_back(y);
        continue;
      }
      if (y.at >= b.code.size()) return false;
      const auto& j = b.code[y.at];
      if (i.op != j.op || i.flags != j.flags) return false;
      if (i.arg != j.arg) {  // markers of inner bodies name their handlers
        if (i.op != Op::POP_BLOCK) return false;
        todo.push_back({{i.arg, 0}, {j.arg, 0}});
      }
      if (!(std::pair(a.handler, b.handler) == base)) {
        if (a.handler.block.valid() != b.handler.block.valid()) return false;
        if (a.handler.block.valid() && a.handler.block != base.first.block)
          todo.push_back({{a.handler.block.n, 0}, {b.handler.block.n, 0}});
        else if (a.handler.block.valid() && b.handler.block != base.second.block)
          return false;
      }
      if (!next_places(x, y, todo)) return false;
    }
    return true;
  }

  // What follows two instructions that agree.
  bool next_places(const Place& x, const Place& y, std::vector<std::pair<Place, Place>>& todo) {
    const auto &a = block(x.block), &b = block(y.block);
    const bool ax = x.at + 1 == a.code.size(), by = y.at + 1 == b.code.size();
    if (ax && by) {
      if (a.jump.valid() != b.jump.valid() || a.fall.valid() != b.fall.valid()) return false;
      if (a.jump.valid()) todo.push_back({{a.jump.n, 0}, {b.jump.n, 0}});
      if (a.fall.valid()) todo.push_back({{a.fall.n, 0}, {b.fall.n, 0}});
      return true;
    }
    // one block ends where the other goes on
    if ((ax && (a.jump.valid() || !a.fall.valid())) || (by && (b.jump.valid() || !b.fall.valid()))) return false;
    todo.push_back(
        {ax ? Place{a.fall.n, 0} : Place{x.block, x.at + 1}, by ? Place{b.fall.n, 0} : Place{y.block, y.at + 1}});
    return true;
  }

  // RERAISE of the exception that the finally handler was entered with (not of one caught inside its body).
  bool reraises_handled(const Place& p, std::uint32_t handler_depth) {
    std::int64_t d = block(p.block).entry_depth;
    for (std::uint32_t i = 0; i < p.at; ++i) {
      const auto e = effect(dialect_.version, block(p.block).code[i], false);
      d += e.pushes - e.pops;
    }
    return d == static_cast<std::int64_t>(handler_depth) + (dialect_.exception_table ? 1 : 0);
  }

  Cfg& cfg_;
  const Dialect& dialect_;
  std::map<Place, std::uint32_t> cuts_;
};

}  // namespace

void collapse_finally_bodies(Cfg& cfg, const Dialect& dialect) { FinallyBodies(cfg, dialect).run(); }

}  // namespace depyf::structure
