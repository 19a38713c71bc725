// SPDX-License-Identifier: MIT
// Lifting: symbolic execution of straight-line canonical instructions over a symbolic operand stack.
//
// Invariant: statements come out in exactly the original order of evaluation; a pending value that a statement could
// change, or that a later value overtook, is spilled to a temporary first. A generic value that enters a block on the
// stack is the variable of its stack slot (slot_name()): whoever leaves a value there for another block stores it.
// This layer knows one straight line at a time; edges belong to src/structure.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "cfg/cfg.h"
#include "depyf/decompile.h"
#include "dynamo/resume_arguments.h"
#include "lift/sizes.h"
#include "lift/stack.h"
#include "support/small_vector.h"

namespace depyf::lift {

using ast::StmtId;
using Line = std::span<const Instruction>;  // a straight line of code; its block owns it

enum class LKind : std::uint8_t {
  kStmt,         // an ordinary statement
  kWithEnter,    // `expr` is entered as a context manager; what follows is its body
  kWithStore,    // target `expr` takes the entered value
  kWithExit,     // the normal-exit call of a context manager
  kForStore,     // loop target `expr` takes the item
  kLoopExit,     // the iterator of a for loop is dropped, at `depth`: by a `break` or a `return`
  kFinallyExit,  // an exit through a finally body, which is not repeated here
  kExcStore,     // `expr` (a Name) takes the current exception
  kPopExcept,    // leaves an except clause
  kReraise,      // RERAISE of the current exception
  kAppend,       // comprehension result: `expr` (and, for dicts, key `key`)
  kRestore,      // a local saved by LOAD_FAST_AND_CLEAR gets its value back
};

enum class Container : std::uint8_t { kList, kSet, kDict };

struct LStmt {
  LKind kind = LKind::kStmt;
  StmtId stmt{};
  ExprId expr{};
  ExprId key{};
  ExprId target{};                         // kAppend: the container
  Container container = Container::kList;  // kAppend
  bool is_async = false;
  std::uint8_t exit_flag =
      0;  // kPopExcept, kWithExit, kFinallyExit: kFallThroughExit or kAbruptExit, as far as that can be seen (3.8)
  std::uint32_t depth = 0;    // kLoopExit: entries below the iterator
  std::uint32_t handler = 0;  // kFinallyExit: the block of its handler
  std::uint32_t offset = 0;
};

struct FunctionValue {
  CodeId code;
  ExprIds defaults;
  std::vector<std::pair<NameId, ExprId>> kwdefaults;
  std::vector<std::pair<std::string, ExprId>> annotations;
  bool defaults_outside = false, kwdefaults_outside = false;  // with type parameters: what the outer call passes
  ExprIds decorators;                                         // innermost last
  std::vector<ast::TypeParam> type_params;
  std::string qualname;  // up to 3.10 an operand, from 3.11 the code's own
  bool is_class = false;
  bool incomplete = false;  // an attribute of it could not be said
  bool is_alias = false;    // `type name = ...`: the function evaluates the value
  ExprIds bases;
  std::vector<ast::Keyword> keywords;
  std::vector<std::pair<std::uint32_t, ExprId>> unsaid = {};  // literal mode: by MAKE_FUNCTION's bit, what no def says
  std::uint32_t offset = 0;
};

struct ImportValue {
  std::string module;
  std::uint32_t level = 0;
  bool has_fromlist = false;
  bool is_lazy = false;
  bool star = false;
  bool stored = false;  // nothing more is to be said about it
  std::vector<std::string> fromlist;
  std::vector<ast::Alias> aliases;
  std::string last_attr;  // of the last IMPORT_FROM not yet stored
  std::string path;       // without a list: the module that has been read so far
  std::uint32_t offset = 0;
};

struct UnpackGroup {
  ExprId value;  // invalid: `source` says what is unpacked
  Value source;
  ExprIds targets;  // filled one by one
  std::uint32_t filled = 0;
  std::uint32_t star = 0xFFFFFFFF;
  std::uint32_t parent = 0, parent_item = 0;  // nested: 1 + group index
  std::uint32_t offset = 0;
};

enum class EndKind : std::uint8_t { kFall, kBranch, kExcBranch, kFor, kCase, kReturn };

using Values = SmallVector<Value, 6>;
using Stmts = SmallVector<LStmt, 4>;

struct State {
  State() {}  // NOLINT: not `= default`, by which State{} would first be filled with zeros
  Stmts stmts;
  Stack stack;
  bool returns_from_loop = false;  // a value on its way to `return` passed the iterator of a for loop
  bool disordered = false;         // a SWAP left values that lie in another order than they were evaluated in
  std::size_t leave_at = static_cast<std::size_t>(-1);  // statement before which values that leave a range are spilled
  std::uint32_t low = 0;  // least height the stack had: entry slots below were not touched
  std::vector<FunctionValue> functions;
  std::vector<ImportValue> imports;
  std::vector<UnpackGroup> groups;
  std::optional<std::uint32_t> class_function;  // in a display of a class's arguments, where its bases hold a star
  // how the line ends
  EndKind end = EndKind::kFall;
  bool async_loop = false;                     // kFor
  ExprId cond;                                 // kBranch: the test; kExcBranch: the exception type; kCase: the subject
  ast::PatternId pattern;                      // kCase
  bool keep_true = false, keep_false = false;  // the tested value stays on the stack along that edge
  bool free_polarity = false;                  // the test may be negated without changing the bytecode (`is None`)
  bool matches_group = false;                  // kExcBranch: a clause of except*
  std::uint32_t end_offset = 0;
  std::string_view refusal;  // why this line cannot be written as statements, empty if it can
  std::size_t settled =
      0;  // literal mode: the instruction before which all that lies on the stack is an ordinary value
};

// Literal mode, which the dispatch loop takes its straight lines from: nothing is left to structuring, as a value may be
// needed in another arm. Lines end where something is refused, values that are copied or spilled get variables by where
// they lie on the stack.
struct Literal {
  std::set<std::uint32_t> taken;                            // NameIds of variables of ours that are in use
  std::function<ExprId(const struct Value&)> express = {};  // a kKnown or kIter as an expression; invalid: it has none
  std::function<ExprId(std::string_view)> builtin = {};     // a builtin function that nothing hides
  bool annotates = false;                                   // the code object has annotations
};

// The finished text of one code object, used where the parent makes the function.
struct Body {
  bool ready = false;
  ast::Arguments args;
  ast::Block block;
  ExprId expr;  // what a lambda or an evaluator (3.12+: of a bound, default, alias) returns, if it does nothing else
  std::optional<FunctionValue> generic;  // 3.12+: what a scope of type parameters makes, if it does nothing else
  std::optional<ast::Comprehension>
      comprehension;  // <listcomp> and its like; generators[0].iter is filled by the caller
  std::optional<ConstId> docstring;
  bool is_async = false;
};

// What the decompilation of one tree shares.
struct Unit {
  const CodeTree& code;
  const Dialect& dialect;
  ast::Tree& ast;
  const DecompileOptions& options;
  std::vector<Body> bodies;              // by CodeId
  std::vector<std::string> class_names;  // by CodeId: enclosing class for name mangling, empty if none
  std::uint32_t temps = 0;
  struct Append {
    ExprId key;      // dicts
    StmtId spelled;  // what adds in a function that is called like any other; invalid if nothing says it
  };
  std::unordered_map<std::uint32_t, Append> appends;  // statements that add to a comprehension's result
  std::string refusal;                       // why the code object at hand has no structured form, empty if it has one
  std::set<std::uint32_t> assertion_errors;  // ExprIds made by LOAD_ASSERTION_ERROR
  std::set<std::uint32_t> displays{};        // ExprIds of what 3.8 unpacks into a display that is no list of arguments
  std::vector<dynamo::ResumeArgument> resume_arguments{};  // by local variable of the code object at hand
  std::set<std::uint32_t> declared_globals{};              // NameIds that a `global` statement of a finished text names
  std::unordered_map<std::uint32_t, CodeId> annotates{};   // by CodeId (classes, modules): its __annotate__ function
  std::set<std::uint32_t> incomplete_exprs{}, incomplete_stmts{};  // of this code object: they must not be in its text
  std::unordered_map<std::uint32_t, ExprId> starred{};             // by ExprId: what an annotation or a default unpacks
  std::unordered_map<std::uint32_t, FunctionValue> generics{};     // by StmtId: what a scope of type parameters made
  Sizes sizes{};
  std::array<std::uint8_t, 256> families{};    // by Op: which of Lifter's families it is in, as far as that is known
  std::optional<SourcePositions> positions{};  // of the code object at hand
  std::uint64_t most_nodes = 0;                // of all text of the code object at hand: in proportion to its code

  // What the text of a code object says for a name: in a class the compiler stores `__x` as `_Class__x` (_Py_Mangle in
  // Python/symtable.c); `.0`, `.format` and their like are no identifiers.
  [[nodiscard]] NameId unmangled(CodeId of, std::string_view text) const;

  // The message of a `raise` that says what an `assert` does, an invalid one if it has none; nothing if it is none.
  [[nodiscard]] std::optional<ExprId> asserted(const ast::StmtNode& statement) const;

  // What the text calls `.0`, the argument of a comprehension's function, where it must name it.
  [[nodiscard]] NameId argument_name() const { return ast.intern(options.temp_prefix + "arg0"); }

  // The starred form of a value in a place where it may be starred.
  [[nodiscard]] ExprId with_star(ExprId e) {
    const auto it = starred.find(e.n);
    return it != starred.end() ? ast.expr(ast::Starred{it->second}, ast.exprs[e].origin) : e;
  }

  // 3.15: the item of `*x for ... in ...`, which the compiler gives no name (codegen_comprehension).
  [[nodiscard]] NameId item_name() const { return ast.intern(options.temp_prefix + "item"); }

  // A variable of ours: nothing but our own stores changes it.
  [[nodiscard]] bool is_temp(ExprId e) const {
    const auto* n = std::get_if<ast::Name>(&ast.exprs[e].node);
    return n != nullptr && ast.text(n->id).starts_with(options.temp_prefix);
  }
};

// A constant as an expression.
[[nodiscard]] ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin);

class Lifter {
 public:
  Lifter(Unit& unit, CodeId code);
  // The moment of evaluation of a value that somebody else puts on the stack now.
  std::uint32_t next_moment() { return ++seq_; }

  // Continues `state` with the instructions [first, last) of `code`.
  [[nodiscard]] Status run(State& state, Line code, std::size_t first, std::size_t last);
  // In literal mode, up to `last` or what is refused. The variables that it takes are added to `literal`.
  [[nodiscard]] Status run(State& state, Line code, std::size_t first, std::size_t last, Literal& literal);
  [[nodiscard]] ExprId expression(State& state, Value& v);  // of a value that `state` is left with
  // The def statement of a function that takes nothing but cells; of another name if it says so.
  void define(State& state, FunctionValue f, NameId name, bool renames);
  // The attribute of a function that a bit of MAKE_FUNCTION's argument sets.
  [[nodiscard]] static std::string_view attribute_of(std::uint32_t bit);
  [[nodiscard]] bool is_awaited(ExprId e) const { return coroutines_.contains(e.n); }
  void set_awaited(ExprId e) { coroutines_.insert(e.n); }
  // Ends the line with a `case`: the value on top is its subject.
  [[nodiscard]] Status test_case(State& state, ast::PatternId pattern, bool keeps_subject);
  // The name that an instruction stores to.
  [[nodiscard]] std::optional<ExprId> plain_target(const Instruction& insn);
  [[nodiscard]] Slots& slots() { return slots_; }
  [[nodiscard]] ExprId slot(std::uint32_t depth) { return slots_[depth]; }  // the variable of a stack slot
  [[nodiscard]] bool is_slot(ExprId expr, std::uint32_t depth) const { return slots_.is(expr, depth); }
  [[nodiscard]] NameId fresh_temp();  // a variable of ours
  std::vector<NameId> steady;         // parameters that nothing stores, sorted: always bound, never changed
  std::set<std::uint32_t> spill;      // offsets of COPY instructions whose value needs a temporary
  bool spill_all = false;             // every COPY: values that are shared make the text larger than it may be
  bool outgrown = false;              // written as often as they are used, values are larger than text may be
  // Whether any value is used in more than one place.
  [[nodiscard]] bool shares() const { return !shared_.empty(); }
  // Offsets of COPY instructions whose value would be evaluated twice by what was built.
  [[nodiscard]] std::set<std::uint32_t> violations(const std::optional<ast::Block>& result) const;
  // Whether what was built has a display whose items were hashed one by one, as no compiler does for so few.
  [[nodiscard]] bool splits_display(const ast::Block& result) const;
  void note_use(ExprId e);  // the expression occurs in one more place of the result
  [[nodiscard]] NameId local_name(std::uint32_t index) const { return locals_[index]; }
  bool is_evaluated = false;            // the graph was evaluated: tuples of arguments are not the source's
  void add_variables(std::uint32_t n);  // locals of ours after those of the code object
  [[nodiscard]] const CodeObject& code_object() const { return co_; }
  [[nodiscard]] bool is_comprehension() const;  // a function of its own (<= 3.11)
  ExprId name_expr(NameId name) { return unit_.ast.expr(ast::Name{name}, origin_); }
  template <class Node>
  ExprId make(Node&& node) {
    return unit_.ast.expr(std::forward<Node>(node), origin_);
  }

 private:
  // families, each in its own file; false: not one of mine
  Result<bool> stack_op(const Instruction& insn);
  Result<bool> name_op(const Instruction& insn);
  Result<bool> store_op(const Instruction& insn);
  Result<bool> operator_op(const Instruction& insn);
  Result<bool> item_op(const Instruction& insn);
  Result<bool> display_op(const Instruction& insn);
  Result<bool> unpack_op(const Instruction& insn);
  Result<bool> grow_op(const Instruction& insn);
  Result<bool> text_op(const Instruction& insn);
  Result<bool> call_op(const Instruction& insn);
  Result<bool> flow_op(const Instruction& insn);
  Result<bool> iterate_op(const Instruction& insn);
  Result<bool> generator_op(const Instruction& insn);
  Result<bool> context_op(const Instruction& insn);
  Result<bool> import_op(const Instruction& insn);
  Result<bool> pattern_op(const Instruction& insn);

  // stack
  void push(Value v);
  void push_expr(ExprId e) {
    Value v;
    v.expr = e;
    push(v);
  }
  void push_kind(ValueKind k) {
    Value v;
    v.kind = k;
    push(v);
  }
  Value pop();
  ExprId pop_expr();  // pops and turns whatever it is into an expression
  ExprId as_expr(Value& v);
  Value& top(std::uint32_t n = 1) { return s_->stack[s_->stack.size() - n]; }
  [[nodiscard]] bool has(std::uint32_t n) const { return s_->stack.size() >= n; }
  [[nodiscard]] static Error underflow(const Instruction& insn) {
    return {Errc::kMalformed, insn.offset, "stack underflow at " + std::string(op_name(insn.op))};
  }
  void embed(const Value& v);  // a shared value is used in an expression
  void unembed(ExprId e);      // ... and that use is folded into another
  [[nodiscard]] bool stable(const Value& v) const;

  // statements
  template <class Node>
  StmtId stmt(Node&& node) {
    return unit_.ast.stmt(std::forward<Node>(node), ast::Origin{code_, insn_->offset});
  }
  void emit(LStmt s);
  template <class Node>
  void emit_stmt(Node&& node) {
    check_late();
    spill_pending();
    push_stmt(stmt(std::forward<Node>(node)));
  }
  void push_stmt(StmtId id);
  void refuse(std::string_view why) {
    if (s_->refusal.empty()) s_->refusal = why;
  }
  void check_late();
  [[nodiscard]] bool can_spill(const Value& v) const;
  [[nodiscard]] bool is_settled() const;
  [[nodiscard]] bool is_bare(const Value& v) const;
  [[nodiscard]] bool is_lambda(const Value& v) const;
  [[nodiscard]] bool is_class_display(const Value& v) const;
  [[nodiscard]] bool mentions(const Value& v, NameId name) const;
  NameId literal_temp(const Value& v);
  void settle_function();
  ExprId class_value(FunctionValue& f);
  bool leave_unsaid(FunctionValue& f, std::uint32_t bit, const Value& v);
  ExprId unsaid_value(std::uint32_t bit, ExprId value);
  void set_unsaid(const FunctionValue& f, NameId function);
  void decorate_unsaid(FunctionValue& f);
  StmtId append_stmt(const LStmt& s);
  void spill_pending();
  void spill_value(Value& v);
  void emit_leave(LStmt s);
  void settle_order(const Instruction& insn);
  void settle_rest(const Value* first);
  [[nodiscard]] bool leaving() const { return s_->leave_at != static_cast<std::size_t>(-1); }
  Status store(ExprId target, Value value);
  Result<bool> store_special(ExprId target, Value& value);
  bool settle_overtaken(Value& value);
  bool parallel_store(ExprId first_target);
  void settle_unpackings();
  ExprId format_as_kept(ast::BinaryOperator op, ExprId left, ExprId right);
  void fill_unpack(std::uint32_t group, std::uint32_t item, ExprId target);
  void close_group(std::uint32_t group);
  void open_swap(std::uint32_t n);
  bool swap_starts_stores(std::uint32_t n);
  void settle_lambda(Value& v);
  [[nodiscard]] bool loads_before_store() const;
  void chain_assign(ExprId value);
  void chain_before_unpacking(ExprId& value);
  bool augmented(ExprId target, ExprId value);
  bool same_index(ExprId a, ExprId b);
  bool annotation_store(ExprId object, ExprId key);
  ExprId pop_slice(ExprId step = {});
  [[nodiscard]] bool is_literal(ExprId e) const;
  void pop_namespace();
  bool load_locals();
  ExprId pop_key();
  ExprIds pop_exprs(std::uint32_t n);
  ExprIds pop_keys(std::uint32_t n);
  Result<bool> special_tuple(const Instruction& insn);
  [[nodiscard]] bool tests_next() const;
  [[nodiscard]] bool is_name(ExprId e, std::string_view text) const;
  [[nodiscard]] bool is_argument(ExprId e) const { return is_name(e, unit_.ast.text(argument_)); }
  void make_bool();
  void emit_delete(ExprId target);
  [[nodiscard]] bool only_frees(ExprId target) const;
  void load_common(CommonConstant which);
  void unpack(const Instruction& insn);
  [[nodiscard]] NameId unmangle(std::string_view text) const { return unit_.unmangled(code_, text); }
  [[nodiscard]] const std::vector<NameId>& derefs() const { return cells_.empty() ? locals_ : cells_; }
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const {
    return at_ + n < last_ ? &stream_[at_ + n] : nullptr;
  }

  // functions, classes, calls
  ExprId function_expr(FunctionValue& f);
  [[nodiscard]] bool has_effects(const FunctionValue& f) const;
  bool read_import(ImportValue& imp, const Value& level, const Value& from);
  Status store_import(const Value& value, NameId name);
  void drop_import(const Value& v);
  void drop(Value v);
  void leave_loop();
  ExprId builtin(std::string_view name);
  StmtId function_stmt(FunctionValue& f, NameId name);
  void rename(const FunctionValue& f, NameId id);
  void set_text(NameId function, std::string_view attribute, std::string_view text);
  [[nodiscard]] bool is_named_by_place(const FunctionValue& f) const;
  void attach_arguments(const FunctionValue& f, ast::Arguments& args);
  Status call(std::uint32_t argc, const std::vector<NameId>& names);
  [[nodiscard]] bool awaits_class() const;
  Status call_ex(const Instruction& insn);
  void unpack_keywords(ast::Call& c, ExprId e);
  [[nodiscard]] bool unpacks_display(const ast::Call& c, ExprId list) const;
  void push_function(FunctionValue f);
  void set_attribute(FunctionValue& f, std::uint32_t bit, Value v);
  bool make_class(Values& args, const std::vector<NameId>& names);
  [[nodiscard]] bool is_plain_decorator(ExprId e) const;
  bool decorate(Value& callee, Value& arg);
  bool comprehension_call(const Value& callee, Value& iter);
  bool is_none(const Value& v) const;
  const Constant* constant_of(ExprId e) const;
  std::vector<NameId> keyword_names(const Value& v);
  ExprId specification(ExprId spec);
  void format_value(std::uint32_t arg);
  ExprId build_string(const Values& parts);
  void go_on_with_display(std::uint32_t n);
  bool grow(std::uint32_t n, ExprId item, bool star);
  void append(std::uint32_t n, ExprId item, ExprId key, bool star);
  [[nodiscard]] bool continues_run(const ast::Dict& d, bool one_by_one) const;
  void merge_dict(ast::Dict& into, ExprId item);
  ExprIds joined(const ExprIds& parts, bool sets);
  bool joined_call(const ast::Call& c);
  void annotate(FunctionValue& f, const FunctionValue& by);
  bool annotations_map();
  bool stores_annotate(ExprId target, const FunctionValue& f);
  Result<bool> annotation_mark(NameId name);
  // type parameters
  Result<bool> type_op(const Instruction& insn);
  bool make_type_param(Intrinsic1 which);
  [[nodiscard]] std::vector<ast::TypeParam> all_params() const;
  bool bound_type_param(bool is_default);
  bool params_tuple(std::uint32_t n);
  bool type_alias();
  void starred_class(std::uint32_t n);
  bool generic_call(const Value& callee, const Values& args);
  bool load_hidden(NameId name);
  bool store_hidden(NameId name, const Value& value);
  ExprId evaluated(const Value& v) const;
  bool starred_annotation(const Instruction& insn);
  [[nodiscard]] bool is_evaluator() const;
  [[nodiscard]] bool is_generic_scope() const { return co_.name.starts_with("<generic parameters of "); }
  [[nodiscard]] bool is_hidden(NameId name, std::string_view hidden) const;
  void branch(const Instruction& insn);
  void skip_none_result();

  Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  std::uint32_t first_stmt_;  // statements before it are those of functions and classes within this code object
  NameId argument_;           // Unit::argument_name()
  std::vector<NameId> names_, locals_;
  std::vector<NameId> cells_;  // up to 3.10: what LOAD_DEREF counts
  std::set<std::uint32_t> cleared_;
  bool annotates_ = false;  // the compiler saw annotated names here (SETUP_ANNOTATIONS opens the code)
  State* s_ = nullptr;
  Literal* literal_ = nullptr;
  NameId spill_name_;  // of the value that is being spilled
  Line stream_;
  std::size_t at_ = 0, last_ = 0;
  const Instruction* insn_ = nullptr;
  Effect effect_;  // of insn_
  ast::Origin origin_;
  std::uint32_t seq_ = 0;
  struct Shared {
    std::uint32_t offset = 0;  // of its COPY
    std::int32_t uses = 0;     // times it occurs in a finished expression or statement
  };
  std::unordered_map<std::uint32_t, Shared> shared_;  // by ExprId
  std::set<std::uint32_t> one_by_one_;                // displays (ExprIds) whose items were hashed one by one
  bool spilling_ = false;
  Slots slots_;
  std::unordered_map<std::uint32_t, Shared>
      inplace_;  // in-place operations, by ExprId: any use but by their own target is one too many
  Value pending_store_;
  std::map<std::uint32_t, ast::TypeParam> params_;  // of this scope of type parameters, by offset
  std::uint32_t call_slots_ = 2;
  std::set<std::uint32_t> coroutines_;    // ExprIds of comprehensions that their function awaits (<= 3.11)
  std::uint32_t future_annotations_ = 0;  // its co_flags bit
  bool iterates_inside_ = false;          // 3.14+: a generator expression's code calls iter() itself
  bool copied_for_test_ = false;          // 3.12+: JUMP_IF_x_OR_POP is COPY 1, POP_JUMP_IF_x, POP_TOP
};

// Whether some code object has a variable, global or attribute of this name: it may hide the builtin of that name.
[[nodiscard]] bool names_anything(const CodeTree& tree, std::string_view name);
// The body of a comprehension's function that stays a function: how it adds to its result, and where its items come from.
void stay_function(Unit& unit, CodeId code);

}  // namespace depyf::lift
