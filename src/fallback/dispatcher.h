// SPDX-License-Identifier: MIT
// What one dispatch loop is made of: arms and where they lead (dispatch.cpp), with statements (with.cpp), and the
// loops and tests around them (loops.cpp); see dispatch.h.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

inline constexpr std::uint32_t kNoArm = 0xFFFFFFFF;
inline constexpr std::uint32_t kMaxInline = 4;  // arms written inside the branch that leads to them
inline constexpr std::uint32_t kMaxLevel = 5;   // a clause takes three of the 20 blocks that may nest

class Dispatcher {
 public:
  Dispatcher(lift::Unit& unit, CodeId code, const Cfg& cfg, bool real_withs, std::uint32_t group_levels)
      : unit_(unit), code_(code), co_(unit.code.codes[code]), cfg_(cfg) {
    shared_.real_withs = real_withs;
    shared_.group_levels = group_levels;
    const bool in_class = (co_.flags & kCoOptimized) == 0 && co_.parent.valid();
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
      for (const auto& insn : cfg.blocks[BlockId{b}].code)
        if (insn.op == Op::LOAD_GLOBAL || insn.op == Op::STORE_GLOBAL || insn.op == Op::DELETE_GLOBAL)
          shared_.globals.insert(co_.names[insn.arg]);
        else if (insn.op == Op::CHECK_EG_MATCH)
          shared_.matches_groups = true;
        else if (in_class && (insn.op == Op::LOAD_NAME || insn.op == Op::STORE_NAME || insn.op == Op::DELETE_NAME))
          shared_.kept.insert(co_.names[insn.arg]);
    hide_variables();
    find_early_reads();
  }
  // Nothing: some with statement cannot be written as such.
  Result<std::optional<ast::Block>> run();
  [[nodiscard]] static bool has_with(const Cfg& cfg);
  // Whether matched groups with clauses of their own make these nest deeper than blocks may.
  [[nodiscard]] bool groups_too_deep() const;

 private:
  struct Handling {  // where an exception raised in an arm goes
    std::uint32_t arm = kNoArm;
    std::uint32_t level = 0;  // of the except clause that takes it
    friend bool operator==(const Handling&, const Handling&) = default;
  };
  struct ArmInfo {
    Arm arm;
    std::optional<State> entry;
    Translated code;
    std::vector<std::uint32_t> targets;  // of code.edges
    Handling handling;
    std::uint32_t preds = 0;
    bool by_exception = false;
    bool outside = false;      // what it raises passes by the __exit__ of the with statement around it
    std::vector<NameId> held;  // variables that are live on entry
  };
  struct RealHandler {  // of a with statement
    BlockId block;      // where it continues when __exit__ swallows the exception
    std::size_t next = 0;
    std::uint32_t exit = 0;  // where __exit__ lies
    bool is_async = false;
    Handler outer;  // takes what __exit__ raises, and what it does not take
  };
  struct RealWith {            // one that is written as such, by the arm its body begins with
    std::uint32_t target = 0;  // the slot of what __enter__ returned
    Handler outer;
    Handling handling;
    BlockId handler;
    std::uint32_t swallow_target = kNoArm;  // when __exit__ takes an exception
    std::vector<NameId> held;               // variables that are live somewhere in it
  };
  struct Scope {  // the states of one except clause or with statement
    std::uint32_t parent = 0, level = 0;
    std::uint32_t with = kNoArm;  // the arm that its body begins with
    std::vector<std::uint32_t> inner, heads;
    std::uint32_t first = 0;  // of the states in it and its inner ones
  };
  struct Head {                   // a state of its own
    std::uint32_t arm = kNoArm;   // kNoArm: raises what was carried out of an inner clause, for `handling`,
    std::uint32_t with = kNoArm;  // or is a with statement
    std::uint32_t scope = 0;
    Handling handling;
    ast::Block body;
    std::uint32_t number = 0;
  };

  // nodes
  ast::StmtId stmt(ast::StmtNode n) { return unit_.ast.stmt(std::move(n), origin_); }
  ast::ExprId expr(ast::ExprNode n) { return unit_.ast.expr(std::move(n), origin_); }
  ast::NameId temp(std::string_view s) {
    const auto id = unit_.ast.intern(unit_.options.temp_prefix + std::string(s));
    if (std::find(shared_.temps.begin(), shared_.temps.end(), id) == shared_.temps.end()) shared_.temps.push_back(id);
    return id;
  }
  ast::ExprId var(std::string_view s) { return expr(ast::Name{temp(s)}); }
  ast::ExprId exception(std::uint32_t level) {
    return expr(ast::Name{unit_.ast.intern(unit_.options.temp_prefix + "e" + std::to_string(level))});
  }
  ast::ExprId none() { return expr(ast::NoneLiteral{}); }
  ast::StmtId set(ast::ExprId target, ast::ExprId value) { return stmt(ast::Assign{{target}, value}); }
  ast::ExprId attribute(ast::ExprId e, std::string_view a) { return expr(ast::Attribute{e, unit_.ast.intern(a)}); }

  void hide_variables();
  void find_early_reads();
  void split();
  [[nodiscard]] bool is_bypass(const BasicBlock& b) const;
  [[nodiscard]] Handler taken_by(BlockId block) const;
  [[nodiscard]] std::optional<RealHandler> real_handler(const Handler& handler) const;
  void split_at(std::uint32_t arm, std::size_t end);
  bool raises_within(std::uint32_t arm, const Handler& handler);
  void enter_with(std::uint32_t arm, Edge& edge);
  [[nodiscard]] bool is_harmless(const ast::Block& block) const;
  [[nodiscard]] bool with_is_whole() const;
  void flow_into(std::uint32_t arm, State state);
  Status propagate(Translator& translator, std::uint32_t arm);
  void store_constants();
  void exception_edge(std::uint32_t arm);
  void count();
  [[nodiscard]] std::uint32_t level(std::uint32_t arm) const { return arms_[arm].entry->level; }
  [[nodiscard]] bool inlines(std::uint32_t from, std::uint32_t to, std::uint32_t depth) const;
  std::uint32_t scope_of(const State& state);
  std::uint32_t head_of(std::uint32_t arm);
  std::uint32_t head_of_with(std::uint32_t arm);
  std::uint32_t landing_for(const Handling& handling);
  ast::ExprId state_number(std::uint32_t head);
  ast::Block edge_code(Translator& t, std::uint32_t from, std::size_t edge);
  ast::Block arm_code(Translator& t, std::uint32_t arm, std::uint32_t depth);
  ast::Block leave_to(std::uint32_t from, std::size_t edge);
  ast::StmtId go_to(std::uint32_t arm) { return set(var("pc"), state_number(head_of(arm))); }
  void number_heads();
  ast::Block tree(const std::vector<std::pair<std::uint32_t, ast::Block>>& items, std::size_t first, std::size_t last,
                  bool exact);
  std::vector<std::uint32_t> order_scopes();
  ast::Block exception_map(const Scope& scope);
  ast::Block exception_leaf(std::uint32_t level, const Head& head);
  ast::Block with_statement(std::uint32_t head, const ast::Block& loop);
  ast::Block scope_loop(Translator& t, const Scope& scope, const std::vector<ast::Block>& loops);
  ast::Block loops(Translator& t);
  ast::Block clear_all(const std::vector<NameId>& held, const std::vector<NameId>& kept);
  [[nodiscard]] const std::vector<NameId>& held_in(const Head& head) const;
  void bind_names(ast::Block& head);
  void surround(Translator& t, ast::Block& block);

  lift::Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  const Cfg& cfg_;
  Shared shared_;
  ast::Origin origin_;
  std::vector<ArmInfo> arms_;
  std::vector<std::uint32_t> first_arm_;  // by block
  std::vector<std::uint32_t> work_;
  std::vector<Head> heads_;
  std::map<std::uint32_t, std::uint32_t> head_by_arm_, head_by_with_;
  std::map<std::uint32_t, RealWith> withs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, RealHandler> real_handlers_;  // by block and depth
  std::vector<Scope> scopes_{1};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scope_by_place_;  // by parent and `with`
  bool refused_ = false;
  std::vector<std::pair<ast::ExprId, std::uint32_t>> numbers_;  // literals to fill in: heads
};

}  // namespace depyf::fallback::dispatch
