// SPDX-License-Identifier: MIT
// The engine of the printer: prints nodes within nodes to any depth. The functions of nodes.h print the single nodes.
//
// Invariant: nesting cannot overflow the machine's stack. Expressions and patterns inside more than kMaxRecursion
// others are printed from an explicit stack of tasks. Statements recurse once per level of indentation, fields of
// f-strings once per nested string; the target limits both. A text with an error is not returned.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "print/spelling.h"
#include "print/tokens.h"

namespace depyf {

// Precedence levels, loosest first (the grammar in Doc/reference/expressions.rst). The parameter `place` is the level
// of an expression's context: expressions of that level or a tighter one need no parentheses there. kYield, the right
// side of `=`, takes everything but a walrus; kTuple, as after `return`, takes no yield either; kNamed, as after `if`,
// takes a walrus but neither yield nor tuple.
enum class Level : std::uint8_t {
  kYield,
  kTuple,
  kNamed,
  kTest,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kSign,
  kPower,
  kAwait,
  kAtom,
};
// The same for patterns.
enum class PatternLevel : std::uint8_t { kAs, kOr, kClosed };

[[nodiscard]] constexpr Level tighter(Level level) { return static_cast<Level>(static_cast<int>(level) + 1); }
[[nodiscard]] constexpr bool needs_parentheses(Level level, Level place) {
  return level < place || (level == Level::kNamed && place < Level::kNamed);
}

// The context of an expression beyond its level.
enum PlaceFlag : std::uint8_t {
  kAnywhere = 0,
  kInSubscript = 1,   // directly in [ ]: slices, and tuples without parentheses, are allowed
  kSliceAllowed = 2,  // element of such a tuple
  kSetDisplay = 4,    // after `in`: the compiler makes a frozenset of a set display of constants
  kLeftOperand = 8,   // of a binary operator
  kSolidTuple = 16,   // a tuple of targets, which is not broken
};

// What the enclosing f-strings allow in the text being printed.
struct StringState {
  StringContext context;
  bool unspellable = false;                // some string has no spelling with the allowed quotes
  std::uint32_t parentheses = 0xFFFFFFFF;  // open at the field's start: a lambda there needs its own
  std::uint32_t depth = 0;
};

class Printer {
 public:
  explicit Printer(const Input& input) : in(input), out(input) {}

  void expr(ast::ExprId id, Level place, std::uint8_t flags = kAnywhere) {
    nested({Task::Kind::kExpr, static_cast<std::uint8_t>(place), flags, id.n, {}});
  }
  // Begin and end a node: parentheses, and the source range.
  std::uint32_t begin_node(const ast::Origin& origin, bool in_parentheses) {
    if (deferring_ && in_parentheses) tasks_.push_back({Task::Kind::kClose, 0, 0, 0, ")"});
    if (in_parentheses) out.open("(");
    const std::uint32_t mark = out.begin_mark(origin);
    if (deferring_) tasks_.push_back({Task::Kind::kEndMark, 0, 0, mark, {}});
    return mark;
  }
  // Prints a group of break points. Beyond kMaxRecursion lines are not broken, and there is no group.
  template <class Print>
  void group(BreakPoint::Kind kind, Print print) {
    const bool is_group = !deferring_;
    if (is_group) out.begin_group(kind);
    print();
    if (is_group) out.end_group();
  }
  void end_node(std::uint32_t mark, bool in_parentheses) {
    if (deferring_) return;
    out.end_mark(mark);
    if (in_parentheses) out.close(")");
  }

  const Input& in;
  Tokens out;
  StringState strings;
  std::set<CodeId> codes;  // used as values

 private:
  friend class Parts;
  static constexpr std::uint32_t kMaxRecursion = 64;

  struct Task {
    enum class Kind : std::uint8_t { kText, kOpen, kClose, kComma, kNewLine, kExpr, kConst, kPattern, kEndMark };
    Kind kind = Kind::kText;
    std::uint8_t place = 0;  // Level or PatternLevel
    std::uint8_t flags = 0;
    std::uint32_t id = 0;   // of the expression, constant, pattern or mark
    std::string_view text;  // lives as long as the tree
  };

  void run(const Task& task);
  void run_deferred(const Task& task);
  // Runs a task that may contain others: recursively up to kMaxRecursion, beyond that with the stack of tasks.
  void nested(const Task& task) {
    if (nested_ == kMaxRecursion) return run_deferred(task);
    ++nested_;
    run(task);
    --nested_;
  }

  std::vector<Task> tasks_;
  std::uint32_t nested_ = 0;  // number of expressions and patterns around the current one
  bool deferring_ = false;    // beyond kMaxRecursion: parts are pushed onto tasks_
};

// The parts of a node in text order, printed at once or, beyond kMaxRecursion, after the node's function returns.
class Parts {
 public:
  explicit Parts(Printer& printer) : printer_(printer), base_(printer.tasks_.size()) {}
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Parts& text(std::string_view text) {
    if (printer_.deferring_) return defer({Task::Kind::kText, 0, 0, 0, text});
    printer_.out.put(text);
    return *this;
  }
  Parts& name(ast::NameId id) { return text(printer_.out.name(id)); }
  // Brackets count for CPython's limit of nested parentheses.
  Parts& open(std::string_view text) {
    if (printer_.deferring_) return defer({Task::Kind::kOpen, 0, 0, 0, text});
    printer_.out.open(text);
    return *this;
  }
  Parts& close(std::string_view text) {
    if (printer_.deferring_) return defer({Task::Kind::kClose, 0, 0, 0, text});
    printer_.out.close(text);
    return *this;
  }
  Parts& expr(ast::ExprId id, Level place, std::uint8_t flags = kAnywhere) {
    return nested({Task::Kind::kExpr, static_cast<std::uint8_t>(place), flags, id.n, {}});
  }
  Parts& constant(ConstId id, Level place, std::uint8_t flags = kAnywhere) {
    return nested({Task::Kind::kConst, static_cast<std::uint8_t>(place), flags, id.n, {}});
  }
  Parts& pattern(ast::PatternId id, PatternLevel place) {
    return nested({Task::Kind::kPattern, static_cast<std::uint8_t>(place), 0, id.n, {}});
  }
  // Elements separated by ", ".
  Parts& exprs(const ast::ExprIds& ids, Level place);
  // Puts a comma, except in the first call.
  Parts& comma(bool& first);
  // An operator or keyword with its spaces; the line may be broken before it.
  Parts& binary_operator(std::string_view text) {
    if (printer_.deferring_) return defer({Task::Kind::kText, 0, 0, 0, text});
    printer_.out.binary_operator(text);
    return *this;
  }
  // A comma that ends its line.
  Parts& comma_and_new_line();

 private:
  using Task = Printer::Task;
  Parts& defer(const Task& task) {
    printer_.tasks_.push_back(task);
    return *this;
  }
  Parts& nested(const Task& task) {
    if (printer_.deferring_) return defer(task);
    printer_.nested(task);
    return *this;
  }
  Printer& printer_;
  std::size_t base_;
};

}  // namespace depyf
