// SPDX-License-Identifier: MIT
// The result of lifting a straight line of code: its statements, the operand stack after it, and how the line ends.
//
// Some instructions have no statement of Python's own until the structuring stage has found their construct (the entry
// of a `with`, the target of a `for`, the end of an `except` clause). They become an LStmt of a kind of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/ast.h"
#include "bytecode/instruction.h"
#include "lift/stack.h"
#include "support/lazy.h"
#include "support/small_vector.h"

namespace depyf::lift {

using ast::StmtId;
using Line = std::span<const Instruction>;  // straight-line code, owned by its block

enum class LKind : std::uint8_t {
  kStmt,         // an ordinary statement
  kWithEnter,    // `expr` is entered as a context manager; the statements after it are its body
  kWithStore,    // the result of __enter__ is assigned to target `expr`
  kWithExit,     // the normal-exit call of a context manager
  kForStore,     // the item is assigned to the loop target `expr`
  kLoopExit,     // a `break` or a `return` pops the iterator of a for loop, which is at stack depth `depth`
  kFinallyExit,  // control leaves a protected range through its finally body, whose copy here was removed
  kExcStore,     // the current exception is assigned to `expr` (a Name)
  kPopExcept,    // control leaves an except clause
  kReraise,      // RERAISE of the current exception
  kAppend,       // `expr` (for dicts: with key `key`) is added to the container of a comprehension
  kRestore,      // a local saved by LOAD_FAST_AND_CLEAR gets its old value back
};

enum class Container : std::uint8_t { kList, kSet, kDict };

struct LStmt {
  LKind kind = LKind::kStmt;
  StmtId stmt{};
  ExprId expr{};
  ExprId key{};
  ExprId target{};                         // kAppend: the container
  Container container = Container::kList;  // kAppend
  bool merges = false;  // kAppend: DICT_MERGE, which raises TypeError for a key that is there already
  bool is_async = false;
  std::uint8_t exit_flag =
      0;  // kPopExcept, kWithExit, kFinallyExit: kFallThroughExit or kAbruptExit where the bytecode tells (3.8)
  std::uint32_t depth = 0;    // kLoopExit: number of stack entries below the iterator
  std::uint32_t handler = 0;  // kFinallyExit: block id of the handler
  std::uint32_t offset = 0;
};

// A function object under construction: the operands of MAKE_FUNCTION, and what later instructions have added to it.
struct FunctionValue {
  CodeId code;
  ExprIds defaults;
  std::vector<std::pair<NameId, ExprId>> kwdefaults;
  std::vector<std::pair<std::string, ExprId>> annotations;
  bool outer_defaults = false, outer_kwdefaults = false;  // 3.12+: the call of the type parameter scope passes them
  ExprIds decorators;                                     // innermost last
  std::vector<ast::TypeParam> type_params;
  std::string qualname;  // up to 3.10 an operand of MAKE_FUNCTION, from 3.11 on that of the code object
  bool is_class = false;
  std::string name;            // of a class whose code object has another name
  bool gets_iterator = false;  // 3.14+: a generator expression that is kept as a function, whose caller calls iter()
  bool is_alias = false;       // `type name = ...`: the function evaluates the aliased value
  ExprIds bases;
  ast::Keywords keywords;
  // Literal mode: attributes that a def statement cannot express, assigned after it; by MAKE_FUNCTION's bit.
  std::vector<std::pair<std::uint32_t, ExprId>> extras = {};
  std::uint32_t offset = 0;
};

// The module on the stack between IMPORT_NAME and the instruction that completes the import statement.
struct ImportValue {
  std::string module;
  std::uint32_t level = 0;
  bool has_fromlist = false;
  bool is_lazy = false;
  bool star = false;
  bool stored = false;  // its statement has been emitted
  std::vector<std::string> fromlist;
  std::vector<ast::Alias> aliases;
  std::string last_attr;  // attribute of the last IMPORT_FROM, until its store
  std::string path;       // `import a.b.c as d`: the dotted name up to the last IMPORT_FROM
  std::uint32_t offset = 0;
};

// An UNPACK_SEQUENCE or UNPACK_EX whose targets are being collected from the stores after it.
struct UnpackGroup {
  ExprId value;  // the unpacked value; invalid if it is `source`, which is no expression (a for item, ...)
  Value source;
  ExprIds targets;  // in order; the first `filled` ones are known
  std::uint32_t filled = 0;
  std::uint32_t new_lines = 0;                // bit i: target i starts a line of its own (ast::Tuple::new_lines)
  std::uint32_t star = 0xFFFFFFFF;            // index of the starred target
  std::uint32_t parent = 0, parent_item = 0;  // nested: 1 + index of the enclosing group, and the item of it
  std::uint32_t root = 0;                     // index of the outermost enclosing group
  std::uint32_t offset = 0;
};

enum class EndKind : std::uint8_t { kFall, kBranch, kExcBranch, kFor, kCase, kReturn };

using Values = SmallVector<Value, 6>;
using Stmts = SmallVector<LStmt, 1>;

// Constructs that take several instructions and that a line has not finished. Values refer to them by index.
struct PendingConstructs {
  std::vector<FunctionValue> functions;
  std::vector<ImportValue> imports;
  std::vector<UnpackGroup> groups;
  // Function index of a class body, while the arguments of its class statement are collected in a list (starred bases).
  std::optional<std::uint32_t> class_function;
};

// What is known of a line beside its statements and its stack.
struct LineFacts {
  bool returns_from_loop = false;  // the iterator of a for loop was popped below a value that is about to be returned
  bool disordered = false;         // after a SWAP the stack order may differ from the order of evaluation
  static constexpr std::uint32_t kNotLeaving = 0xFFFFFFFF;
  std::uint32_t leave_at = kNotLeaving;  // index of the statement that leaves a protected range: spills go before it
  [[nodiscard]] bool is_leaving() const { return leave_at != kNotLeaving; }
  std::uint32_t low = 0;  // least depth that the stack had: the line has not touched the entries below
  // How the line ends:
  EndKind end = EndKind::kFall;
  bool async_loop = false;                     // kFor
  ExprId cond;                                 // kBranch: the test; kExcBranch: the exception type; kCase: the subject
  ast::PatternId pattern;                      // kCase
  bool keep_true = false, keep_false = false;  // the tested value stays on the stack along that edge
  bool free_polarity = false;                  // negating the test does not change the bytecode (`is None`)
  bool matches_group = false;                  // kExcBranch: a clause of except*
  std::uint32_t end_offset = 0;
  std::string_view refusal;  // why this line cannot be written as statements, empty if it can
  // Literal mode: the end of the longest prefix of the line after which the stack holds nothing but plain values (see
  // has_plain_stack()); if an instruction was refused, its index.
  std::size_t plain_end = 0;
};

// The state of a line that is being lifted, and the result when it ends.
struct State : LineFacts {
  State() {}  // NOLINT: not `= default`, by which State{} would first be filled with zeros
  Stmts stmts;
  Stack stack;
  Lazy<PendingConstructs> pending;
  [[nodiscard]] const std::optional<std::uint32_t>& class_function() const { return pending->class_function; }

  // Begins another line, on the entries of its block. Memory of the last line is used again.
  void restart(const Entries& entry) {
    static_cast<LineFacts&>(*this) = {};
    low = static_cast<std::uint32_t>(entry.size());
    stmts.clear();
    stack.restart(entry);
    pending.reset();
  }
  // Takes the result of a line, without the spare memory of `from`, whose pending constructs move here.
  void take(State& from) {
    static_cast<LineFacts&>(*this) = from;
    stmts = from.stmts;
    stack = from.stack;
    pending = std::move(from.pending);
  }
};

// The hooks of literal mode, in which the fallback lifts the straight lines of its arms. In this mode every LStmt is an
// ordinary statement, since a value may be used in another arm and no structuring follows. A line ends before an
// instruction that is refused. A value that is copied or spilled gets the variable of its stack slot.
struct Literal {
  std::set<std::uint32_t> used_names;                           // NameIds of generated variables that are in use
  std::function<ExprId(const struct Value&)> express = {};      // the expression of a kKnown or kIter; invalid: none
  std::function<ExprId(std::string_view)> builtin = {};         // a builtin, by a name that is not shadowed
  std::function<ExprId(std::string_view)> builtin_object = {};  // the object in `builtins`: the code looks no name up
  bool annotates = false;                                       // the code object has annotations
};

}  // namespace depyf::lift
