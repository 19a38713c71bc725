// SPDX-License-Identifier: MIT
// From the folded graph to statements: the walk, and what the constructs share while they are written.
//
// Method: emit() walks from a node to the follow of its context, in code order; the rule of a construct computes the
// construct's own follow (region/follow.h) and emits its parts towards it. A small node that ends the function may be
// written again wherever it is reached. Whatever does not fit makes the whole attempt fail, and the caller uses the
// dispatch loop.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "structure/region/follow.h"

namespace depyf::structure {

// An `if` of which all but the other arm is written. That arm takes no recursion, so that an elif chain, or guards one
// after the other, may be of any length.
struct OpenIf {
  ast::If stmt;
  std::uint32_t test = kNone, arm = kNone, follow = kNone;
  Context around{};          // of the block that it is in
  std::size_t guarded = 0;   // > 0: the other arm is that block's statements from here, after the one that leaves
  std::size_t in_block = 0;  // the block that it is in: 0, or 1 + the index of the `if` whose other arm that is
};

class Emitter {
 public:
  Emitter(LiftedCode& lifted, const Regions& regions);
  std::optional<ast::Block> run();

  LiftedCode& code;
  const Regions& r;
  [[nodiscard]] const Node& node(std::uint32_t n) const { return code.node(n); }
  [[nodiscard]] ast::Tree& tree() const { return code.unit.ast; }

  // Statements from n until the follow of the context.
  bool emit(std::uint32_t n, const Context& ctx, ast::Block& out);
  // The same as the block of a statement made at `at`, which has a `pass` where it says nothing.
  bool emit_block(std::uint32_t n, const Context& ctx, std::uint32_t at, ast::Block& out);
  // The statements of node n itself, but for those that a construct has used.
  bool emit_stmts(std::uint32_t n, const Context& ctx, ast::Block& out);
  ast::StmtId make(ast::StmtNode made, std::uint32_t n) { return code.make(std::move(made), n); }
  void or_pass(ast::Block& block, std::uint32_t n) {
    if (block.empty()) block.push_back(make(ast::Pass{}, n));
  }
  // The target that the body of a construct stores first.
  [[nodiscard]] ExprId take_target(std::uint32_t body, LKind kind);
  // Whether control comes to the end of the block. `rest`: what would follow it.
  [[nodiscard]] bool falls_through(const ast::Block& block, std::uint32_t rest = kNone) const;

  // Records which rule gave up, for people who ask why (dump_stage "structure"). Clang 14 has no std::source_location.
  bool fail(std::string_view file = __builtin_FILE(), int line = __builtin_LINE());
  bool restart();  // the graph has changed
  [[nodiscard]] bool must_restart() const { return must_restart_; }

  // What is known of a node by what is written of it.
  struct Written {
    std::uint32_t visits = 0;
    std::size_t skip = 0;      // leading pseudo-statements already used by a construct
    bool is_asserted = false;  // it raises what an `assert` in the text raises
    bool is_active = false;    // a header, of a loop that is being written
  };
  Written& at(std::uint32_t n) { return at_[n]; }
  void open(OpenIf opened) { opened_ = std::move(opened); }  // by the node just written
  // The statement does not come to its end, where `follow` is (3.8).
  void unreached(ast::StmtId stmt, std::uint32_t follow) { unreached_[stmt.n] = follow; }
  // That of the last statement; kNone if it is not such a one.
  [[nodiscard]] std::uint32_t unreached_follow(const ast::Block& block) const {
    const auto it = block.empty() ? unreached_.end() : unreached_.find(block.back().n);
    return it == unreached_.end() ? kNone : it->second;
  }
  // Whether no other `for` has taken the iterator, which is known by where it is made.
  bool take_iterator(std::uint32_t made) { return iterated_.insert(made).second; }

 private:
  bool emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool emit_line(std::uint32_t& n, const Context& ctx, ast::Block& out);
  bool end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended);
  [[nodiscard]] bool is_complete(const ast::Block& out) const;

  SmallVector<Written, 32> at_;  // by node
  std::optional<OpenIf> opened_;
  std::map<std::uint32_t, std::uint32_t> unreached_;  // by statement
  std::set<std::uint32_t> iterated_;
  std::size_t duplicates_left_ = 0;  // statements that may be written once more
  std::uint64_t budget_;
  bool must_restart_ = false;
};

// The construct that starts at n; n becomes its follow (kNone: control does not come out).
bool emit_if(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_for(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_while(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_try(Emitter& e, std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out);
bool emit_with(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
bool emit_match(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out);
// Both arms of the `if` are written.
void close_if(Emitter& e, OpenIf done, ast::Block& out);

}  // namespace depyf::structure
