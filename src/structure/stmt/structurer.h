// SPDX-License-Identifier: MIT
// From the folded graph to statements: shared state of the rules in this folder.
//
// Method: emit() walks from a node to the follow of its context, in code order; the rule of a construct computes the
// construct's own follow (the first node, in code order, that both exits reach) and emits its parts towards it. A small
// node that ends the function may be written again wherever it is reached. Whatever does not fit makes the whole
// attempt fail, and the caller uses the dispatch loop.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "structure/expr/combine.h"
#include "structure/graph.h"
#include "structure/stmt/node_set.h"

namespace depyf::structure {

struct Loop {
  std::uint32_t header = kNone;
  std::uint32_t brk = kNone;  // where `break` goes
};

struct Context {
  std::uint32_t follow = kNone;  // where falling off the end of the block being written leads
  const Loop* loop = nullptr;
  const Loop* loop_around_finally = nullptr;  // the loop around the innermost finally body being written
  const Loop* loop_around_star = nullptr;     // in_star: the loop around the clause, which nothing in it leaves
  std::uint32_t handler = kNone;              // node of the innermost enclosing try's handler
  std::uint32_t start = kNone;                // first node of a range or `while True`: not yet a way back to it
  std::uint32_t depth = 0;
  bool in_star = false;  // in a clause of `except*`, which has no `return`
  bool jumps = false;    // an arm that another one follows: its end has a jump of its own
  bool in_else = false;  // the block is the other arm of an `if`

  // That of a block in the statement being written, at whose end control continues at `to`.
  [[nodiscard]] Context inside(std::uint32_t to) const {
    Context inner = *this;
    ++inner.depth;
    inner.follow = to;
    inner.in_else = false;
    return inner;
  }
};

// An `if` of which all but the other arm is written. That arm takes no recursion, so that an elif chain, or guards one
// after the other, may be of any length.
struct OpenIf {
  ast::If stmt;
  std::uint32_t test = kNone, arm = kNone, follow = kNone;
  Context around{};          // of the block that it is in
  std::size_t guarded = 0;   // > 0: the other arm is that block's statements from here, after the one that leaves
  std::size_t in_block = 0;  // the block that it is in: 0, or 1 + the index of the `if` whose other arm that is
};

enum class HandlerKind : std::uint8_t { kWith, kExcept, kFinally, kCleanup, kOther };

struct Case {  // of a match statement
  ast::PatternId pattern;
  ExprId guard{};
  std::uint32_t node = kNone, body = kNone;
  bool before_default = false;  // `case _ if guard`, and a last `case _` follows
};

// Where a node leads: its edges, and room for its handler.
class Successors {
 public:
  void push_back(std::uint32_t n) { at_[size_++] = n; }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t back() const { return at_[size_ - 1]; }
  [[nodiscard]] const std::uint32_t* begin() const { return at_; }
  [[nodiscard]] const std::uint32_t* end() const { return at_ + size_; }

 private:
  std::uint32_t at_[3];
  std::uint32_t size_ = 0;
};

class Structurer {
 public:
  Structurer(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, TailDuplication duplication);
  std::optional<ast::Block> run();

 private:
  // Records which rule gave up, for people who ask why (dump_stage "structure"). Clang 14 has no std::source_location.
  bool fail(std::string_view file = __builtin_FILE(), int line = __builtin_LINE());
  void prepare();
  // walking
  bool emit(std::uint32_t n, const Context& ctx, ast::Block& out);
  bool end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended);
  [[nodiscard]] bool exits_star_handler(std::uint32_t n, const Context& ctx) const;
  bool emit_block(std::uint32_t from, const Context& ctx, std::uint32_t n, ast::Block& out) {
    if (!emit(from, ctx, out)) return false;
    or_pass(out, n);
    return true;
  }
  void or_pass(ast::Block& block, std::uint32_t n) {
    if (block.empty()) block.push_back(make(ast::Pass{}, n));
  }
  bool emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_stmts(std::uint32_t n, std::size_t from, ast::Block& out);
  bool emit_if(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_armless_if(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_guarded(std::uint32_t n, ast::StmtId exit, bool when, std::uint32_t follow, ast::Block& out);
  void close(OpenIf done, ast::Block& out);
  bool emit_open_if(std::uint32_t& n, bool t_empty, bool f_empty, const Context& ctx, ast::Block& out);
  bool emit_for(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_while(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_try(std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out);
  bool emit_finally(std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out);
  bool emit_with(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_before_with(std::uint32_t n, ast::Block& out);
  [[nodiscard]] std::uint32_t follow_of_swallowed(std::uint32_t handler) const;
  struct WithParts {
    std::uint32_t enter, handler;  // nodes
    std::uint32_t swallowed;       // where it continues after an exception that was swallowed
  };
  bool join_with_exits(const WithParts& with, const std::vector<std::uint32_t>& exits, const Context& ctx);
  std::uint32_t add_node(Node node);
  bool emit_match(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool read_cases(std::uint32_t n, std::vector<Case>& cases, std::uint32_t& rest);
  [[nodiscard]] bool is_wildcard(ast::PatternId id) const;
  bool read_guard(Case& c, bool is_first, std::uint32_t& failed);
  bool emit_clauses(std::uint32_t handler, std::uint32_t follow, const Context& ctx,
                    std::vector<ast::ExceptHandler>& out);

  struct RegionExits {
    std::vector<std::uint32_t> required, candidates;
  };
  struct TryFollow {
    std::uint32_t follow = kNone, normal = kNone;
    bool reached = true;  // the follow
  };
  [[nodiscard]] RegionExits region_exits(const NodeSet& region, const Context& ctx) const;
  [[nodiscard]] bool has_cleanup_suffix(const Stmts& a, const Stmts& b) const;
  [[nodiscard]] bool same_tail(std::uint32_t a, std::uint32_t b) const;
  bool merge_tails(std::vector<std::uint32_t> exits);
  std::uint32_t split_tail(std::uint32_t n, std::uint32_t exit);
  bool merge_tails_with(std::uint32_t brk, std::uint32_t from);
  [[nodiscard]] bool ends_finally(std::uint32_t n) const;
  [[nodiscard]] bool is_end_of_finally(std::uint32_t follow) const;
  [[nodiscard]] bool exits_finally(std::uint32_t n, std::uint32_t follow) const;
  [[nodiscard]] std::uint32_t follow_of_finally(std::uint32_t handler, std::uint32_t exit) const;
  [[nodiscard]] std::vector<std::uint32_t> forward_reachable(std::uint32_t n, const Context& ctx) const;
  bool find_try_follow(std::uint32_t handler, const RegionExits& body, const RegionExits& clauses,
                       const NodeSet& clause_nodes, const Context& ctx, TryFollow& ends);
  enum class ExitKind : std::uint8_t { kUnknown, kFallThrough, kAbrupt };
  [[nodiscard]] ExitKind exit_kind(std::uint32_t n) const;
  struct StatementFollow {
    bool known = false;
    std::uint32_t node = kNone;
    bool alone = false;  // only the re-raise leads there
  };
  [[nodiscard]] StatementFollow follow_of_statement(std::uint32_t handler) const;
  [[nodiscard]] StatementFollow follow_of_handlers(std::uint32_t handler, const NodeSet& clause_nodes) const;
  bool emit_abrupt_exit(std::uint32_t& n, const Context& ctx, ast::Block& out);
  [[nodiscard]] bool has_single_entry(std::uint32_t body, LKind kind) const;
  [[nodiscard]] std::uint32_t skip_cleanup(std::uint32_t n, const Loop* loop = nullptr) const;

  // facts
  [[nodiscard]] std::uint32_t handler_of(std::uint32_t n) const;  // node of its effective handler, kNone if none
  [[nodiscard]] std::uint32_t outer_of(std::uint32_t handler) const;
  [[nodiscard]] bool inside(std::uint32_t handler, std::uint32_t outer) const;  // handler is, or is nested in, outer
  [[nodiscard]] bool is_complete(const ast::Block& out) const;
  [[nodiscard]] std::set<std::uint32_t> names_of_exceptions() const;  // of every `except E as name`
  HandlerKind kind_of(std::uint32_t handler) const;
  [[nodiscard]] bool is_stop(std::uint32_t n, const Context& ctx) const;
  const std::vector<std::uint32_t>& reach(std::uint32_t n);  // sorted by rank; back edges not followed
  // the first node that ways of at least two of the groups lead to
  std::uint32_t common_follow(const std::vector<std::vector<std::uint32_t>>& groups, const Context& ctx);
  std::vector<std::uint32_t> exits_of(const NodeSet& region) const;
  NodeSet loop_nodes(std::uint32_t header) const;
  [[nodiscard]] bool is_on_cycle(std::uint32_t n) const;
  void find_breaks();
  [[nodiscard]] bool reaches_fall_through_exit(std::uint32_t exit) const;
  std::uint32_t break_of(std::uint32_t header, bool& several) const;
  std::uint32_t break_target(const NodeSet& in, std::uint32_t header, std::uint32_t normal, const Context& ctx);
  [[nodiscard]] std::vector<std::uint32_t> exits_before(std::uint32_t from, std::uint32_t limit, const Context& ctx,
                                                        std::uint32_t sought = kNone) const;
  [[nodiscard]] std::uint32_t end_of_ranges(const NodeSet& in, const Context& ctx) const;
  [[nodiscard]] std::uint32_t exit_of_ranges(const NodeSet& in, const Context& ctx) const;
  [[nodiscard]] std::uint32_t first_nontrivial_exit(const std::vector<std::uint32_t>& exits, const Context& ctx) const;
  std::uint32_t follow_of_if(std::uint32_t n, const Context& ctx);
  [[nodiscard]] bool exits_to_outer_loop(std::uint32_t n, const Context& ctx) const;
  [[nodiscard]] bool continues_after_exit(const NodeSet& in, std::uint32_t exit) const;
  [[nodiscard]] NodeSet range_nodes(std::uint32_t from, std::uint32_t handler) const;
  [[nodiscard]] NodeSet handler_nodes(std::uint32_t handler) const;
  [[nodiscard]] std::size_t handler_depth(std::uint32_t handler) const;
  [[nodiscard]] bool is_constant_return(std::uint32_t n) const;
  [[nodiscard]] bool is_none(ExprId e) const;
  [[nodiscard]] bool returns_none(std::uint32_t n) const;
  [[nodiscard]] bool is_short_exit(std::uint32_t n) const;
  [[nodiscard]] bool is_cleanup_only(std::uint32_t n) const;
  [[nodiscard]] bool exits_handler(std::uint32_t n) const;
  [[nodiscard]] ast::NameId dropped_name(const Stmts& s, std::size_t at) const;
  [[nodiscard]] bool drops_name(std::uint32_t body, ast::NameId name) const;
  [[nodiscard]] bool loop_leaves_range(std::uint32_t header, const Context& ctx) const;
  [[nodiscard]] bool may_negate(std::uint32_t n) const { return structure::may_negate(unit_, g_.nodes[n].state); }
  ExprId condition(std::uint32_t n, bool holds) { return tested(unit_, g_.nodes[n].state, holds); }
  [[nodiscard]] bool tests_lead_on() const;
  bool raises_assertion(std::uint32_t m, ExprId& message) const;
  [[nodiscard]] bool true_arm_first(std::uint32_t n) const;
  [[nodiscard]] ast::StmtId early_exit(std::uint32_t n, bool when, std::uint32_t follow, const Context& ctx);
  [[nodiscard]] bool is_long(const ast::Block& block) const;
  [[nodiscard]] bool falls_through(const ast::Block& block, std::uint32_t rest = kNone) const;
  ast::StmtId make(ast::StmtNode node, std::uint32_t n);
  ast::StmtId append_call(const LStmt& s, std::uint32_t n);
  void take_target(std::uint32_t n, LKind kind, ExprId& target, std::size_t& skip) const;
  [[nodiscard]] Successors successors(std::uint32_t n) const;
  bool split_headers();
  [[nodiscard]] std::vector<std::uint32_t> in_order(const NodeSet& nodes) const;

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
  TailDuplication duplication_;
  struct Facts {
    std::uint32_t rank = 0;           // position in code order
    std::uint32_t effective = kNone;  // its effective handler
    std::uint32_t outer = kNone;      // handlers only: what the whole statement is protected by
    std::uint32_t visits = 0;
    bool is_asserted = false;  // it raises what an `assert` in the text raises
    std::size_t skip = 0;      // leading pseudo-statements already used by a construct
    HandlerKind kind = HandlerKind::kOther;
    bool is_header = false;  // target of a back edge
    bool is_active = false;  // of a loop that is being written
  };
  std::vector<Facts> at_;  // by node
  NodeIds by_rank_;
  std::set<std::uint32_t> exception_names_;
  mutable SpareMarks spare_;
  std::vector<std::vector<std::uint32_t>> preds_,
      protected_;                    // if there is a loop: by node; by handler: the nodes whose effective one it is
  std::optional<OpenIf> opened_;     // by the node just written
  std::size_t duplicates_left_ = 0;  // statements that may be written once more
  std::map<std::uint32_t, std::vector<std::uint32_t>> reach_;
  struct Arms {
    std::uint32_t t = kNone, f = kNone;
  };
  std::vector<Arms> original_layout_;       // by node: where in code order its edges led before find_breaks()
  std::vector<std::uint32_t> breaks_;       // by node, headers of for loops: where `break` leads; kNone: there is none
  bool graph_changed_ = false;              // copies have become one: the walk starts again
  bool has_several_break_targets_ = false;  // a for loop is left to several places
  std::map<std::uint32_t, std::uint32_t> unreached_;  // 3.8, by statement that does not come to its end: what is there
  std::set<std::uint32_t> iterated_;                  // iterators, by where they are made, that a `for` has taken
  std::uint64_t budget_ = 0;
  std::uint32_t in_finally_ = 0;  // > 0: the RERAISE at the end of a finally body says nothing
};

}  // namespace depyf::structure
