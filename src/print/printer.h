// SPDX-License-Identifier: MIT
// The printer's machinery, private to src/print: one class, its methods spread over a file per kind of node.
//
// Invariant: nesting cannot overflow the machine's stack: expressions and patterns within more than kMostNested others
// are printed from an explicit stack of tasks; statements recurse once per indentation, fields of f-strings once per
// nested string, both bounded by the target's own limits. Of a text with an error nothing is returned.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "print/print.h"
#include "print/spelling.h"
#include "print/writer.h"

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
};

class Printer {
  static constexpr std::uint32_t kMostNested = 64;

 public:
  Printer(const CodeTree& code, const ast::Tree& tree, const Dialect& dialect, const PrintOptions& options)
      : code_(code), tree_(tree), dialect_(dialect), options_(options), out_(options.first_line, tree.exprs.size()) {}

  // statements.cpp
  void module(const ast::Block& body);
  // printer.cpp
  void expr(ast::ExprId id, Level place, std::uint8_t flags = kAnywhere);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] const std::set<CodeId>& codes() const { return codes_; }
  [[nodiscard]] Error take_error() { return std::move(*error_); }
  [[nodiscard]] Writer& out() { return out_; }

 private:
  struct Task {
    enum class Kind : std::uint8_t { kText, kOpen, kClose, kComma, kNewLine, kExpr, kConst, kPattern, kEndMark };
    Kind kind = Kind::kText;
    std::uint8_t place = 0;  // Level or PatternLevel
    std::uint8_t flags = 0;
    std::uint32_t id = 0;   // of the expression, constant, pattern or mark
    std::string_view text;  // lives as long as the tree
  };

  // The parts of a node in the order of the text: printed at once or, far down, after the method that made them returns.
  class Parts {
   public:
    explicit Parts(Printer& printer) : printer_(printer), base_(printer.tasks_.size()) {}
    ~Parts();
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    Parts& text(std::string_view text) {
      if (printer_.deferring_) return defer({Task::Kind::kText, 0, 0, 0, text});
      printer_.put(text);
      return *this;
    }
    // Brackets count towards CPython's limit of nested parentheses.
    Parts& open(std::string_view text) {
      if (printer_.deferring_) return defer({Task::Kind::kOpen, 0, 0, 0, text});
      printer_.open(text);
      return *this;
    }
    Parts& close(std::string_view text) {
      if (printer_.deferring_) return defer({Task::Kind::kClose, 0, 0, 0, text});
      printer_.close(text);
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
    // A comma from the second call on: a place to break the line if the statement is wrapped and brackets are open.
    Parts& comma(bool& first);
    // A comma that ends its line.
    Parts& comma_and_new_line();

   private:
    Parts& defer(const Task& task) {
      printer_.tasks_.push_back(task);
      return *this;
    }
    Parts& nested(const Task& task) {
      if (printer_.deferring_) return defer(task);
      printer_.print_nested(task);
      return *this;
    }
    Printer& printer_;
    std::size_t base_;
  };

  // printer.cpp
  void fail(Errc code, std::string what);
  void run_task(const Task& task);
  void run_deferred(const Task& task);
  // What holds others: by recursion as far down as that may go, then with all below it from the stack of tasks.
  void print_nested(const Task& task) {
    if (nested_ == kMostNested) return run_deferred(task);
    ++nested_;
    run_task(task);
    --nested_;
  }
  // What comes before and after the parts of a node.
  std::uint32_t begin_nested(const ast::Origin& origin, bool in_parentheses) {
    if (deferring_ && in_parentheses) tasks_.push_back({Task::Kind::kClose, 0, 0, 0, ")"});
    if (in_parentheses) open("(");
    const std::uint32_t mark = out_.begin_mark(origin);
    if (deferring_) tasks_.push_back({Task::Kind::kEndMark, 0, 0, mark, {}});
    return mark;
  }
  void end_nested(std::uint32_t mark, bool in_parentheses) {
    if (deferring_) return;
    out_.end_mark(mark);
    if (in_parentheses) close(")");
  }
  void put(std::string_view text) { out_.put(text); }
  void put_comma();
  void put_comma_and_new_line();
  [[nodiscard]] bool needs_wrapping(const ast::StmtNode& node) const;
  void open(std::string_view text);
  void close(std::string_view text);
  [[nodiscard]] std::string_view name(ast::NameId id);
  void put_dotted(const std::string& name);
  void require(bool has_feature, std::string_view what);

  // expressions.cpp
  [[nodiscard]] Level level_of(const ast::ExprNode& node) const;
  void visit_expr(ast::ExprId id, Level place, std::uint8_t flags);
  void visit_node(ast::ExprId id, Level place, bool in_parentheses, std::uint8_t flags);
  void node(const ast::BoolOp& n);
  void node(const ast::NamedExpr& n);
  void node(const ast::BinOp& n);
  void node(const ast::UnaryOp& n);
  void node(const ast::Lambda& n);
  void node(const ast::IfExp& n);
  void node(const ast::Dict& n);
  void node(const ast::Set& n);
  void node(const ast::Comprehension& n);
  void node(const ast::Await& n);
  void node(const ast::Yield& n);
  void node(const ast::YieldFrom& n);
  void node(const ast::Compare& n);
  void node(const ast::Call& n);
  void node(const ast::Attribute& n);
  void node(const ast::Subscript& n);
  void node(const ast::Starred& n);
  void node(const ast::List& n);
  void node(const ast::Tuple& n, bool in_parentheses, std::uint8_t flags);
  void node(const ast::Slice& n);
  void arguments(Parts& parts, const ast::Arguments& args);
  void parameter(Parts& parts, const ast::Parameter& parameter);
  void keywords(Parts& parts, const ast::Keywords& keywords, bool& first);
  [[nodiscard]] bool is_whole_number(ast::ExprId id) const;
  [[nodiscard]] bool is_generator(ast::ExprId id) const;
  [[nodiscard]] bool is_starred(ast::ExprId id) const;
  // A tuple that this version takes without parentheses between brackets.
  [[nodiscard]] bool is_bare_in_subscript(const ast::Tuple& n) const;

  // constants.cpp
  [[nodiscard]] Level level_of(const Constant& constant) const;
  void visit_const(ConstId id, Level place, std::uint8_t flags);
  void put_const(const Constant& constant, bool in_parentheses, std::uint8_t flags);
  void put_tuple(const ConstTuple& tuple, bool in_parentheses, std::uint8_t flags);
  void put_frozenset(const ConstFrozenSet& set, std::uint8_t flags);
  void put_slice(const ConstSlice& slice, std::uint8_t flags);
  void put_opaque(const ConstOpaque& opaque);
  void put_code(const ConstCode& constant);
  void put_int(const ConstInt& value);
  void put_str(std::string_view text);
  void put_bytes(std::string_view data);
  [[nodiscard]] const Constant* constant(ConstId id) const;
  [[nodiscard]] bool is_none(ConstId id) const;
  // The text of a str constant or StrLiteral; nothing for other expressions.
  [[nodiscard]] std::optional<std::string_view> plain_text(ast::ExprId id) const;

  // fstrings.cpp
  struct StringPlace {  // of the text between the fields
    Quote quote = kSingle;
    bool no_backslash = false;
    std::uint32_t spec_depth = 0;  // format specifications around it
  };
  void joined(const ast::ExprIds& values, bool is_template, Level place);
  bool try_quotes(const ast::ExprIds& values, bool is_template, QuoteSet inner);
  bool try_joined(const ast::ExprIds& values, bool is_template, Quote quote, QuoteSet inner);
  void put_parts(const ast::ExprIds& values, const StringPlace& place);
  void put_text_part(std::string_view text, const StringPlace& place);
  void put_field(const ast::FormattedValue& n, const StringPlace& place);
  void put_interpolation(const ast::Interpolation& n, const StringPlace& place);
  void put_field_end(char conversion, ast::ExprId spec, const StringPlace& place);
  bool percent_form(const ast::ExprIds& values, Level place);
  void format_form(const ast::ExprIds& values);
  void format_call(const ast::FormattedValue& n);
  [[nodiscard]] std::vector<Quote> fstring_quotes(const ast::ExprIds& values) const;
  [[nodiscard]] std::optional<std::string> spec_text(ast::ExprId spec) const;
  [[nodiscard]] std::optional<std::string> percent_text(const ast::ExprIds& values) const;

  // patterns.cpp
  void visit_pattern(ast::PatternId id, PatternLevel place);
  void node(const ast::MatchValue& n);
  void node(const ast::MatchSingleton& n);
  void node(const ast::MatchSequence& n);
  void node(const ast::MatchMapping& n);
  void node(const ast::MatchClass& n);
  void node(const ast::MatchStar& n);
  void node(const ast::MatchAs& n);
  void node(const ast::MatchOr& n);
  void pattern(ast::PatternId id);

  // statements.cpp
  // An indented block. `docstring` is not null for the bodies that can hold one.
  void block(const ast::Block& body, const std::optional<ConstId>* docstring = nullptr);
  void statements(const ast::Block& body, const std::optional<ConstId>* docstring);
  void statement(ast::StmtId id);
  [[nodiscard]] bool is_definition(const ast::Block& body, std::size_t at) const;
  void begin_line();
  void end_line() {
    if (joins_)
      put("; ");
    else
      out_.newline();
  }
  [[nodiscard]] bool all_simple(const ast::Block& body) const;
  void docstring(std::string_view text);
  void statement(const ast::FunctionDef& n, std::uint32_t mark);
  void statement(const ast::ClassDef& n, std::uint32_t mark);
  void statement(const ast::For& n, std::uint32_t mark);
  void statement(const ast::While& n, std::uint32_t mark);
  void statement(const ast::If& n, std::uint32_t mark);
  void statement(const ast::With& n, std::uint32_t mark);
  void statement(const ast::Match& n, std::uint32_t mark);
  void statement(const ast::Try& n, std::uint32_t mark);
  void simple(const ast::Return& n);
  void simple(const ast::Delete& n);
  void simple(const ast::Assign& n);
  void simple(const ast::TypeAlias& n);
  void simple(const ast::AugAssign& n);
  void simple(const ast::AnnAssign& n);
  void simple(const ast::Raise& n);
  void simple(const ast::Assert& n);
  void simple(const ast::Import& n);
  void simple(const ast::ImportFrom& n);
  void simple(const ast::Global& n);
  void simple(const ast::Nonlocal& n);
  void simple(const ast::ExprStmt& n);
  void simple(const ast::Comment& n);
  void name_list(std::string_view keyword, const std::vector<ast::NameId>& names);
  void aliases(const std::vector<ast::Alias>& names);
  void decorators(const ast::ExprIds& decorators);
  void type_params(const std::vector<ast::TypeParam>& params);
  void end_header(std::uint32_t mark);
  void else_block(std::string_view keyword, const ast::Block& body);
  [[nodiscard]] bool is_simple_decorator(ast::ExprId id) const;
  [[nodiscard]] bool is_tuple(ast::ExprId id) const;  // node or constant
  // Before the PEG parser a bare tuple with a star is not allowed everywhere.
  [[nodiscard]] Level tuple_place(ast::ExprId id, Level place) const;

  const CodeTree& code_;
  const ast::Tree& tree_;
  const Dialect& dialect_;
  const PrintOptions& options_;
  std::set<CodeId> codes_;
  Writer out_;
  std::vector<Task> tasks_;
  std::uint32_t nested_ = 0;               // expressions and patterns around the one at hand
  bool deferring_ = false;                 // they are as many as may recurse: parts are put on tasks_
  std::vector<std::uint8_t> known_names_;  // by NameId: 1 if found to be a plain identifier
  std::optional<Error> error_;
  std::uint32_t indents_ = 0;
  std::uint32_t parentheses_ = 0;
  bool joins_ = false;  // the next statement is put on the same line
  bool wraps_ = false;  // the statement at hand may break at commas
  // Inside a field of an f-string:
  StringContext strings_;
  bool unspellable_ = false;  // something could not be spelled with the quotes that are left
  std::uint32_t field_parentheses_ =
      0xFFFFFFFF;  // open parentheses where the field began: a lambda there needs its own
  std::uint32_t nested_strings_ = 0;
};

}  // namespace depyf
