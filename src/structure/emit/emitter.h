// SPDX-License-Identifier: MIT
// Builds statements from the folded graph: the walk over the nodes, and the state that the constructs share.
//
// emit() walks from a node to the follow of its context, in code order. The rule of each construct computes the
// construct's own follow (region/follow.h) and emits its parts towards it. A small node that ends the function may be
// written wherever it is reached. If anything does not fit, the whole attempt fails; then other forms of the graph are
// tried, and at last the dispatch loop.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "structure/region/follow.h"

namespace depyf::structure {

// An `if` of which everything but the other arm has been written. That arm is written without recursion, so an elif
// chain or a sequence of guard clauses may have any length.
struct OpenIf {
  ast::If stmt;
  std::uint32_t test = kNone, arm = kNone, follow = kNone;
  Context around{};  // context of the block that contains it
  // > 0: a guard clause, which ends at this index of its block; the other arm is the rest of the block.
  std::size_t guarded = 0;
  // The block that contains it: 0 for the outermost, or 1 + index of the `if` whose other arm it is.
  std::size_t in_block = 0;
};

class Emitter {
 public:
  Emitter(LiftedCode& lifted, const Regions& regions);
  std::optional<ast::Block> run();

  LiftedCode& code;
  const Regions& r;
  [[nodiscard]] const Node& node(std::uint32_t n) const { return code.node(n); }
  [[nodiscard]] ast::Tree& tree() const { return code.unit.ast; }

  // Emits statements from n up to the follow of the context. Returns false if that fails, as all such functions do.
  bool emit(std::uint32_t n, const Context& ctx, ast::Block& out);
  // Emits the block of a statement made at node `at`: the same, with a `pass` if there is no statement.
  bool emit_block(std::uint32_t n, const Context& ctx, std::uint32_t at, ast::Block& out);
  // Emits the statements of node n itself, except those that a construct has used.
  bool emit_stmts(std::uint32_t n, const Context& ctx, ast::Block& out);
  ast::StmtId make(ast::StmtNode made, std::uint32_t n) { return code.make(std::move(made), n); }
  void or_pass(ast::Block& block, std::uint32_t n) {
    if (block.empty()) block.push_back(make(ast::Pass{}, n));
  }
  // Returns the target that the body of a construct stores first, or an invalid id.
  [[nodiscard]] ExprId take_target(std::uint32_t body, LKind kind);
  // Returns whether control reaches the end of the block. `rest`: the node after the block.
  [[nodiscard]] bool falls_through(const ast::Block& block, std::uint32_t rest = kNone) const;

  // Records which rule failed, for people who debug (`--stop-after=structure`). Returns false. Clang 14 has no
  // std::source_location.
  bool fail(std::string_view file = __builtin_FILE(), int line = __builtin_LINE());
  bool restart();  // the graph has changed; returns false
  [[nodiscard]] bool must_restart() const { return must_restart_; }

  // What has been written of a node.
  struct Written {
    std::uint32_t visits = 0;
    std::size_t skip = 0;      // leading pseudo-statements already used by a construct
    bool is_asserted = false;  // it raises the AssertionError of an `assert` that has been written
    bool is_active = false;    // the header of a loop that is being written
  };
  Written& written(std::uint32_t n) { return written_[n]; }
  void open(OpenIf opened) { opened_ = std::move(opened); }  // by the node just written
  // Records that the statement never reaches its end, and that `follow` is the node there (3.8).
  void set_unreached_follow(ast::StmtId stmt, std::uint32_t follow) { unreached_[stmt.n] = follow; }
  // Returns this node for the last statement of the block, kNone if that is not such a statement.
  [[nodiscard]] std::uint32_t unreached_follow(const ast::Block& block) const {
    const auto it = block.empty() ? unreached_.end() : unreached_.find(block.back().n);
    return it == unreached_.end() ? kNone : it->second;
  }
  // Returns whether no other `for` has used the iterator, which is identified by where it is created.
  bool take_iterator(std::uint32_t made) { return iterated_.insert(made).second; }

 private:
  bool emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_line(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended);
  [[nodiscard]] bool is_complete(const ast::Block& out) const;

  SmallVector<Written, 32> written_;  // by node
  std::optional<OpenIf> opened_;
  std::map<std::uint32_t, std::uint32_t> unreached_;  // by statement
  std::set<std::uint32_t> iterated_;
  std::size_t duplicates_left_ = 0;  // number of statements that may still be duplicated
  std::uint64_t budget_;
  bool must_restart_ = false;
};

// Each emits the construct that starts at n; n becomes its follow (kNone: control does not continue).
bool emit_if(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_for(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_while(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_try(Emitter& e, std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out);
bool emit_with(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_match(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
// Completes an `if` after both arms have been written.
void close_if(Emitter& e, OpenIf done, ast::Block& out);

}  // namespace depyf::structure
