// SPDX-License-Identifier: MIT
// What lifting leaves of a straight line: statements, the stack, how the line ends.
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
  bool merges = false;                     // kAppend: no key may be in the container already
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
  std::string name;            // of a class whose code has another
  bool gets_iterator = false;  // of a generator expression that stays a function (3.15): its caller calls iter()
  bool is_alias = false;       // `type name = ...`: the function evaluates the value
  ExprIds bases;
  ast::Keywords keywords;
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
  std::uint32_t new_lines = 0;  // of the tuple of targets
  std::uint32_t star = 0xFFFFFFFF;
  std::uint32_t parent = 0, parent_item = 0;  // nested: 1 + group index
  std::uint32_t root = 0;                     // the group that is no item of another
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
  static constexpr auto kNotLeaving = static_cast<std::size_t>(-1);
  std::size_t leave_at = kNotLeaving;  // statement before which values that leave a range are spilled
  [[nodiscard]] bool is_leaving() const { return leave_at != kNotLeaving; }
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
  // literal mode: the instruction before which all that lies on the stack is an ordinary value, or that was refused
  std::size_t settled = 0;
};

// Literal mode, which the dispatch loop takes its straight lines from: nothing is left to structuring, as a value may be
// needed in another arm. Lines end where something is refused, values that are copied or spilled get variables by where
// they lie on the stack.
struct Literal {
  std::set<std::uint32_t> taken;                             // NameIds of variables of ours that are in use
  std::function<ExprId(const struct Value&)> express = {};   // a kKnown or kIter as an expression; invalid: it has none
  std::function<ExprId(std::string_view)> builtin = {};      // a builtin function that nothing hides
  std::function<ExprId(std::string_view)> own_builtin = {};  // one that the code does not look up by its name
  bool annotates = false;                                    // the code object has annotations
};

}  // namespace depyf::lift
