// SPDX-License-Identifier: MIT
// The engine of the printer: nodes within nodes, however deep. What the nodes are, the functions of nodes.h know.
//
// Invariant: nesting cannot overflow the machine's stack: expressions and patterns within more than kMostNested others
// are printed from an explicit stack of tasks; statements recurse once per indentation, fields of f-strings once per
// nested string, both bounded by the target's own limits. Of a text with an error nothing is returned.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "print/spelling.h"
#include "print/tokens.h"

namespace depyf {

// What binds looser comes first (the grammar of Doc/reference/expressions.rst). As the place of an expression, a level
// says what may be there without parentheses: kYield anything but a walrus (right side of `=`), kTuple the same
// without yield (`return`), kNamed a walrus but neither yield nor tuple (`if`), the others what binds at least as tight.
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

// Where an expression is, beyond its level.
enum PlaceFlag : std::uint8_t {
  kAnywhere = 0,
  kInSubscript = 1,   // directly between [ and ]: a slice, or a tuple without parentheses
  kSliceAllowed = 2,  // element of such a tuple
  kSetDisplay = 4,    // after `in`: the compiler makes a frozenset of a set display of constants
  kLeftOperand = 8,   // of a binary operator
  kSolidTuple = 16,   // a tuple of targets, which no line is broken in
};

// What the f-strings around the text at hand leave to it.
struct StringState {
  StringContext context;
  bool unspellable = false;                // something could not be spelled with the quotes that are left
  std::uint32_t parentheses = 0xFFFFFFFF;  // open where the field began: a lambda there needs its own
  std::uint32_t depth = 0;
};

class Printer {
 public:
  explicit Printer(const Input& input) : in(input), out(input) {}

  void expr(ast::ExprId id, Level place, std::uint8_t flags = kAnywhere) {
    nested({Task::Kind::kExpr, static_cast<std::uint8_t>(place), flags, id.n, {}});
  }
  // What comes before and after the parts of a node.
  std::uint32_t begin_node(const ast::Origin& origin, bool in_parentheses) {
    if (deferring_ && in_parentheses) tasks_.push_back({Task::Kind::kClose, 0, 0, 0, ")"});
    if (in_parentheses) out.open("(");
    const std::uint32_t mark = out.begin_mark(origin);
    if (deferring_) tasks_.push_back({Task::Kind::kEndMark, 0, 0, mark, {}});
    return mark;
  }
  // Prints something as a group of places to break a line at; far down, where nothing is broken, without one.
  template <class Print>
  void group(LinePlace::Kind kind, Print print) {
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
  std::set<CodeId> codes;  // named as values

 private:
  friend class Parts;
  static constexpr std::uint32_t kMostNested = 64;

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
  // What holds others: by recursion as far down as that may go, then with all below it from the stack of tasks.
  void nested(const Task& task) {
    if (nested_ == kMostNested) return run_deferred(task);
    ++nested_;
    run(task);
    --nested_;
  }

  std::vector<Task> tasks_;
  std::uint32_t nested_ = 0;  // expressions and patterns around the one at hand
  bool deferring_ = false;    // they are as many as may recurse: parts are put on tasks_
};

// The parts of a node in the order of the text: printed at once or, far down, after the function that made them returns.
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
  // Brackets count towards CPython's limit of nested parentheses.
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
  // Elements with ", " between them.
  Parts& exprs(const ast::ExprIds& ids, Level place);
  // A comma from the second call on.
  Parts& comma(bool& first);
  // An operator or a keyword between spaces that a line may be broken before.
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
