// SPDX-License-Identifier: MIT
// One arm of the dispatch: straight-line canonical instructions as statements on slot variables.
//
// Invariant: at the end of an arm nothing is pending; `edges` say where control continues and with which stack. Straight
// lines come from the lifter (straight.cpp). What it refuses, and what ends lines, is translated here by CPython's meaning
// of each operation (ceval.c, bytecodes.c), not by what a compiler means by a sequence.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "fallback/stack.h"

namespace depyf::fallback::dispatch {

// A stretch of a basic block; one ends after an instruction that leaves an except clause.
struct Arm {
  BlockId block;
  std::size_t first = 0, last = 0;
  std::uint32_t next = 0xFFFFFFFF;  // the next stretch of the same block
};

enum class Crossing : std::uint8_t { kNone, kEntersWith, kLeavesWith };

struct Edge {
  bool jump = false;  // to the block's jump target; else fall-through
  State state;
  std::vector<NameId> clear;
  NameId enters;  // valid: this exception becomes the one that is handled (except*)
  Crossing crossing = Crossing::kNone;
};

struct Translated {
  ast::Block statements;
  ExprId condition;         // valid: edges[0] if true, edges[1] if false
  std::vector<Edge> edges;  // none: the arm returns or raises
  bool leaves = false;      // a class body or module ends here
  std::size_t end = 0;      // the instruction before which it stopped: a with statement begins or ends there
};

struct Shared {                             // by all arms of one code object
  bool real_withs = false;                  // with statements are written as such
  bool matches_groups = false;              // there is an except* statement
  std::uint32_t group_levels = 0;           // up to which what except* matched has a clause of its own
  std::set<std::string> globals;            // names that the code object looks up as such
  std::set<std::string> kept;               // names that a class body keeps in its namespace
  std::set<std::string> hidden;             // variables of a function that an inlined comprehension's are not, by name
  std::set<std::string> outside;            // those of them that are used outside such comprehensions
  std::map<std::uint32_t, Op> early_reads;  // see Dispatcher::find_early_reads(): offsets, and what reads there
  std::set<std::uint32_t> made_cells;       // offsets of LOAD_FAST_AND_CLEAR that a MAKE_CELL follows
  std::vector<NameId> temps;
  std::vector<std::string> builtins;
  std::vector<ast::TypeParam> type_params;  // made so far
  bool annotates = false;                   // an annotation was written
  bool wants_annotations = false;
  std::vector<std::pair<std::uint32_t, std::string>> qualnames;  // of functions not made yet, by code (<= 3.10)
};

struct Gathered {  // variables of ours: the list of values, the key at hand, the keys before it, its value
  NameId into, key, seen, one;
};

class Translator final : public Stack {
 public:
  Translator(lift::Unit& unit, CodeId code, const Cfg& cfg, Shared& shared);
  Result<Translated> run(const Arm& arm, State entry);
  ast::Block known_stored(Entry entry, std::size_t depth);  // into its slot's variable
  ExprId base_exception() { return builtin("BaseException"); }
  ExprId truth() { return number(1); }
  ast::FunctionDef group_type_check();

 private:
  // straight lines, which the lifter translates
  Result<bool> lift_line();
  Result<bool> lift_plainly(std::size_t operands);
  [[nodiscard]] bool lifts(const Instruction& insn);
  [[nodiscard]] bool is_own(std::uint32_t index);
  [[nodiscard]] bool lifts_function(CodeId code) const;
  lift::Value lifted(std::size_t index);
  ExprId express(const lift::Value& v);
  lift::State line_state();
  lift::Literal literal_mode();
  [[nodiscard]] lift::FunctionValue function_of(std::uint32_t code) const;
  ExprId class_name(std::uint32_t body);
  [[nodiscard]] bool take(lift::State& from, lift::Literal& literal);
  Entry taken(lift::State& from, lift::Literal& literal, lift::Value& v, std::size_t depth);
  std::vector<NameId> mentioned(ExprId expr) const;
  void clear_unused(const std::vector<ast::StmtId>& line, const lift::Literal& literal, std::set<std::uint32_t> live);

  // families: false if the operation is none of theirs
  bool stack_op(const Instruction& insn);
  bool load_op(const Instruction& insn);
  bool store_op(const Instruction& insn);
  bool value_op(const Instruction& insn);
  bool call_op(const Instruction& insn);
  bool function_op(const Instruction& insn);
  bool import_op(const Instruction& insn);
  ExprId async_iterator(ExprId iterable);
  bool iterate_op(const Instruction& insn);
  bool await_op(const Instruction& insn);
  bool branch_op(const Instruction& insn);
  bool leave_op(const Instruction& insn);
  bool context_op(const Instruction& insn);
  bool exception_op(const Instruction& insn);
  bool group_op(const Instruction& insn);
  void prepare_reraise();
  [[nodiscard]] std::uint32_t clause_level() const;
  NameId matched_group();
  bool pattern_op(const Instruction& insn);
  bool intrinsic_op(const Instruction& insn);
  void type_parameter(ast::TypeParam parameter);
  bool type_alias();
  ExprId evaluator(Entry& e, std::size_t depth);
  void generic_base();
  void settle_below();
  void settle_all(std::size_t operands = 0);

  // names
  [[nodiscard]] NameId unmangle(std::string_view text) const { return unit_.unmangled(code_, text); }
  NameId local(std::uint32_t index);
  [[nodiscard]] std::string_view deref_name(std::uint32_t index) const;
  NameId deref(std::uint32_t index);
  NameId hidden_name(std::uint32_t index);
  void read_early(const Instruction& insn);
  [[nodiscard]] const Entry* cleared(std::uint32_t index) const;
  [[nodiscard]] bool is_hidden(std::uint32_t index) const;
  [[nodiscard]] bool is_hidden_cell(std::uint32_t index) const;
  [[nodiscard]] bool takes_hidden_cell(CodeId code) const;
  void bind_hidden_cells(CodeId code, ast::FunctionDef def);
  ExprId past_class(std::string_view spelt);
  [[nodiscard]] std::optional<NameId> store_target(const Instruction& insn);
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const;
  [[nodiscard]] bool is_function() const { return (co_.flags & kCoOptimized) != 0; }

  // helpers of the families
  void swap(std::size_t n);
  void copy(std::size_t n);
  void store_name(NameId target);
  void setup_annotations();
  void load_from_namespace(const Instruction& insn);
  void unpack(const Instruction& insn);
  void leave_context(std::uint32_t argc, bool two_slots);
  void make_function(ExprId code, ExprId closure, NameId into);
  void define_as(const lift::FunctionValue& f, NameId into, bool renames);
  void clear_variable(const Instruction& insn);
  void restore_cleared(NameId target);
  ExprId joined(ExprIds values) { return make(ast::JoinedStr{std::move(values)}); }
  ExprId shown(NameId id) { return make(ast::FormattedValue{name(id), 'r', {}}); }
  void invoke_with_names(std::uint32_t argc, bool two_slots);
  std::optional<std::vector<NameId>> keyword_names(const Entry& entry);
  void define(std::uint32_t code, NameId into) override;
  ExprId function_value(std::uint32_t code) override;
  void enter_context(bool is_async);
  bool real_with_op(const Instruction& insn);
  void enter_real(std::size_t entries, bool is_async);
  [[nodiscard]] std::size_t awaits(std::size_t n) const;
  void leave_real(std::size_t base, std::size_t arguments);
  void require_protocol(ExprId manager, ExprId test, bool is_async);
  ExprId exit_call(const Entry& exit, ExprIds args);
  void raise_again(const Entry& exc);
  void match_exception(const Entry& exc, Entry match);
  void yielded(Entry receiver);
  void match_keys();
  void match_class(const Instruction& insn);
  ast::StmtId gather(NameId keys, const Gathered& g, ExprId got, ExprId again, ast::Block missing, ast::Block all);
  void send();

  const Cfg& cfg_;
  Shared& shared_;
  lift::Lifter lifter_;
  const std::vector<Instruction>* stream_ = nullptr;
  std::size_t at_ = 0, last_ = 0;
  Translated result_;
  bool ended_ = false;
  bool group_matched_ = false;  // CHECK_EG_MATCH has been here
};

}  // namespace depyf::fallback::dispatch
