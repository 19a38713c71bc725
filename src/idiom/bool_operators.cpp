// SPDX-License-Identifier: MIT
// `not` and parentheses among `and` and `or`; see bool_operators.h.
//
// What is joined is taken apart into terms: operands, of which alone some are denied, and operations, none of which is a part
// of one with the same operator. Then forms of each term are made, as it is and denied, with and without a `not` around it or
// around some of its parts. Of those that begin and end alike one is kept, where most columns are those of the source.
#include "idiom/bool_operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::idiom {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::size_t kMostOperands = 24, kMostGrouped = 8;
constexpr int kNoEndOfLine = 2;                        // operators: no line ends after one that is in no parentheses
constexpr Column kAnd = 5, kOr = 4, kParenthesis = 1;  // operators with their blanks

// What forms cost that are as much like the source as others. What the tree has not is taken in this order: a `not`,
// parentheses around an operand that may need them elsewhere, a group of operands, parentheses around a name or its like.
constexpr int kNotCost = 4, kOuterNotCost = 5, kOuterNotCostWithoutColumns = 8;
constexpr int kDeniedComparisonCost = 120;  // `not a < b` beside an operator, of which no column is known
constexpr int kNewNotCost = 100, kParenthesesCost = 200, kGroupCost = 300, kIdleParenthesesCost = 1000;

Column length(ast::BoolOperator op) { return op == ast::BoolOperator::kAnd ? kAnd : kOr; }

ast::BoolOperator dual(ast::BoolOperator op) {
  return op == ast::BoolOperator::kAnd ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
}

// Whether an operation is long, or the rest of a long one (ast::operands()).
bool has_many(const ast::Tree& tree, ast::ExprId e) {
  const auto* both = std::get_if<ast::BoolOp>(&tree.exprs[e].node);
  return both != nullptr && both->values.size() >= ast::kManyOperands;
}

// Whether an operand has parentheses, but for operations that do not need them in others.
bool has_parentheses(const ast::Tree& tree, ast::ExprId e) {
  return ast::is<ast::BoolOp, ast::NamedExpr, ast::IfExp, ast::Lambda, ast::Yield>(tree.exprs[e].node);
}

// How much is written before what an operand begins with, or after what it ends with.
Column length_around(const ast::Tree& tree, ast::ExprId e, ast::BoolOperator outer, bool is_before) {
  if (const auto inner = ast::without_not(tree, e); inner.valid())
    return (is_before ? kNot : 0) + length_around(tree, inner, ast::BoolOperator::kAnd, is_before);
  const auto* both = std::get_if<ast::BoolOp>(&tree.exprs[e].node);
  const bool has_own =
      has_parentheses(tree, e) && (both == nullptr || both->op == outer || outer == ast::BoolOperator::kAnd);
  const Column own = has_own ? kParenthesis : 0;
  if (both == nullptr) return own;
  return own + length_around(tree, is_before ? both->values.front() : both->values.back(), both->op, is_before);
}

struct Range {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Term {
  ast::ExprId e;
  bool is_denied = false;              // an operand
  ast::BoolOperator op{};              // of an operation
  std::vector<std::uint32_t> parts{};  // none: it is an operand
  std::uint32_t first = 0;             // of the operands in it
  std::vector<Range> nots{};           // of parts, around which the tree has one
};

struct Form {
  std::uint32_t term = kNone;          // of an operand
  bool is_denied = false;              // an operand
  bool has_not = false;                // around an operation
  ast::BoolOperator op{};              // of an operation
  std::vector<std::uint32_t> parts{};  // its forms
  Column before = 0, after = 0;        // how much is written before the first operand in it, and after the last
  int met = 0, cost = 0;               // how many operators are as in the source
  int on_lines = 0;                    // and how much others are, which begin or end lines
};

bool is_better(const Form& a, const Form& b) {
  const auto worth = [](const Form& f) { return std::tuple(-f.met, f.cost / kNewNotCost, -f.on_lines, f.cost); };
  return worth(a) < worth(b);
}

using Forms = std::vector<std::uint32_t>;

using Role = BoolOperators::Role;

class BoolLayout {
 public:
  BoolLayout(const CodeTree& code, ast::Tree& tree, const Dialect& dialect, const Columns& columns, Role role)
      : code_(code),
        tree_(tree),
        dialect_(dialect),
        columns_(columns),
        role_(role),
        is_test_(role != Role::kReturned && role != Role::kValue) {}

  // Whether an operation is long, or one of its operands the rest of a long one.
  [[nodiscard]] bool is_part_of_many(ast::ExprId e) const {
    const auto& values = std::get<ast::BoolOp>(tree_.exprs[e].node).values;
    return has_many(tree_, e) || std::ranges::any_of(values, [&](auto v) { return has_many(tree_, v); });
  }

  // Whether its operators are as far apart as they are if it is written as it is.
  [[nodiscard]] bool is_written(ast::ExprId e) const {
    const auto& both = std::get<ast::BoolOp>(tree_.exprs[e].node);
    const auto& values = both.values;
    if (is_part_of_many(e)) return true;
    auto a = columns_.extent(values[0]);
    for (std::size_t k = 1; k < values.size(); ++k) {
      const auto b = columns_.extent(values[k]);
      if (a && b && a->end_line == b->line &&
          b->column - a->end_column != length_around(tree_, values[k - 1], both.op, false) + length(both.op) +
                                           length_around(tree_, values[k], both.op, true))
        return false;
      a = b;
    }
    return true;
  }

  // Whether one line ends between its operands, before the last two of them: there may be a parenthesis.
  [[nodiscard]] bool ends_line_once(ast::ExprId e) const {
    const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    if (both == nullptr || is_part_of_many(e)) return false;
    std::size_t count = 0, last = 0;
    for (std::size_t k = 1; k < both->values.size(); ++k) {
      const auto a = columns_.extent(both->values[k - 1]), b = columns_.extent(both->values[k]);
      if (a && b && a->end_line < b->line) ++count, last = k;
    }
    return count == 1 && last + 1 < both->values.size();
  }

  void write(ast::ExprId e, std::set<ast::ExprId>& known) {
    if (has_many(tree_, e)) return;
    const auto root = add(e, false);
    known.insert(operations_.begin(), operations_.end());
    if (terms_[root].parts.empty() || operands_.size() > kMostOperands) return;
    const Range all{0, terms_[root].parts.size()};
    if (!has_nots_ && std::ranges::all_of(operations_, [&](auto o) { return is_written(o); }) &&
        !(ends_line_once(e) && begins_after_keyword(0)))
      return;
    Forms forms = joined(root, all, false, true);
    if (is_test_) add_denied(root, all, joined(root, all, true, true), forms);
    for (const auto f : forms) {
      Form& form = forms_[f];
      const bool is_alone = !begins_after_keyword(form.before);  // in parentheses after the keyword
      if (is_alone && !begins_statement_line(form.before)) continue;
      ++form.met;
      const bool begins_with_parenthesis = form.before != 0 && form.before != kNot;
      form.cost += is_alone && begins_with_parenthesis && form.cost >= kNewNotCost ? kParenthesesCost : 0;
    }
    const auto best = std::ranges::min_element(forms, [&](auto a, auto b) { return is_better(forms_[a], forms_[b]); });
    if (best == forms.end()) return;
    const auto made = make(*best);
    tree_.exprs[e].node = ast::ExprNode(tree_.exprs[made].node);
  }

 private:
  // ---- terms
  // `outer`: the operator of what it is an operand of. An operand with the same one is apart, which may be other bytecode.
  std::uint32_t add(ast::ExprId e, bool is_denied, std::optional<ast::BoolOperator> outer = std::nullopt) {
    bool has_not = false;
    for (ast::ExprId inner; is_test_ && (inner = ast::without_not(tree_, e)).valid(); e = inner)
      has_not = true, is_denied = !is_denied;
    const auto own = static_cast<std::uint32_t>(terms_.size());
    terms_.push_back({.e = e, .is_denied = is_denied, .first = static_cast<std::uint32_t>(operands_.size())});
    const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    if (both == nullptr || (!has_not && both->op == outer) || operands_.size() > kMostOperands) {
      operands_.push_back(columns_.extent(e));
      return own;
    }
    operations_.push_back(e);
    const auto op = is_denied ? dual(both->op) : both->op;
    Term made = std::move(terms_[own]);
    made.op = op;
    for (const auto operand : ast::operands(tree_, *both)) {
      const auto part = add(operand, is_denied, both->op);
      const auto at = made.parts.size();
      if (terms_[part].parts.empty() || terms_[part].op != op) {
        made.parts.push_back(part);
        continue;
      }
      made.parts.insert(made.parts.end(), terms_[part].parts.begin(), terms_[part].parts.end());
      for (const auto& [begin, end] : terms_[part].nots) made.nots.push_back({at + begin, at + end});
    }
    if (has_not) made.nots.push_back({0, made.parts.size()});
    has_nots_ |= has_not;
    terms_[own] = std::move(made);
    return own;
  }

  // ---- forms
  // Adds a form, unless there is a better one that begins and ends with as much.
  void keep(Form form, Forms& forms) {
    const auto alike = std::ranges::find_if(
        forms, [&](auto f) { return forms_[f].before == form.before && forms_[f].after == form.after; });
    if (alike != forms.end() && !is_better(form, forms_[*alike])) return;
    const auto id = static_cast<std::uint32_t>(forms_.size());
    forms_.push_back(std::move(form));
    if (alike != forms.end())
      *alike = id;
    else
      forms.push_back(id);
  }

  void keep_in_parentheses(Form form, int cost, Forms& forms) {
    form.before += kParenthesis, form.after += kParenthesis, form.cost += cost;
    keep(std::move(form), forms);
  }

  // Those of an operand.
  Forms alone(std::uint32_t t, bool is_denied) {
    Forms forms;
    Form form{.term = t, .is_denied = terms_[t].is_denied != is_denied};
    const auto e = terms_[t].e;
    if (form.is_denied && !flips(e)) {
      // the compiler folds a constant
      if (ast::is_inverted_by_not(tree_, e) || (is_denied && ast::is_constant(tree_, e))) return forms;
      const bool is_unusual = !operands_[terms_[t].first] && ast::is<ast::Compare>(tree_.exprs[e].node);
      form.before = kNot, form.cost = is_unusual ? kDeniedComparisonCost : kNotCost;
    }
    const bool has_own = has_parentheses(tree_, e);
    if (!has_own) keep(form, forms);
    const bool needs_none =
        !form.is_denied && ast::is<ast::Name, ast::Attribute, ast::Subscript, ast::Call>(tree_.exprs[e].node);
    keep_in_parentheses(form, has_own ? 0 : needs_none ? kIdleParenthesesCost : kParenthesesCost, forms);
    return forms;
  }

  // Those of parts of an operation, which are joined by its operator, or all denied by the other one.
  Forms joined(std::uint32_t t, Range parts, bool is_denied, bool has_groups) {
    const auto op = is_denied ? dual(terms_[t].op) : terms_[t].op;
    const bool is_whole = t == 0 && parts == Range{0, terms_[t].parts.size()} && !is_denied;
    std::vector<Forms> until(parts.end - parts.begin + 1);  // by how many parts: forms of as many
    for (std::size_t k = 0; k + 1 < until.size(); ++k) {
      const auto at = parts.begin + k;
      const auto from = until[k];
      if (k > 0 && from.empty()) break;
      const auto append = [&](std::size_t count, const Forms& next) {
        for (const auto f : next) {
          if (k == 0) keep(started(op, f), until[count]);
          for (const auto done : from) keep(continued(done, f, terms_[t].parts[at], is_whole), until[k + count]);
        }
      };
      append(1, within(terms_[t].parts[at], is_denied, op, has_groups));
      const bool groups = has_groups && parts.end - parts.begin <= kMostGrouped;
      for (std::size_t end = at + 2; groups && end <= parts.end; ++end)
        if (end - at < parts.end - parts.begin) append(end - at, group(t, {at, end}, is_denied));
    }
    return until.back();
  }

  // Those of parts in parentheses, or after a `not`. A value is the last one evaluated, so only the last can be a group.
  Forms group(std::uint32_t t, Range parts, bool is_denied) {
    Forms forms;
    if (is_test_) add_denied(t, parts, joined(t, parts, !is_denied, false), forms);
    if (is_test_ || parts.end == terms_[t].parts.size())
      for (const auto f : joined(t, parts, is_denied, false)) keep_in_parentheses(forms_[f], kGroupCost, forms);
    return forms;
  }

  // Those of an operation that is a part of another one with that operator.
  Forms within(std::uint32_t t, bool is_denied, ast::BoolOperator outer, bool has_groups) {
    if (terms_[t].parts.empty()) return alone(t, is_denied);
    const auto [known, is_new] = within_.try_emplace({t, is_denied, has_groups});
    if (!is_new) return known->second;
    const Range all{0, terms_[t].parts.size()};
    Forms forms;
    for (const auto f : joined(t, all, is_denied, has_groups)) {
      if (outer == ast::BoolOperator::kOr) keep(forms_[f], forms);
      keep_in_parentheses(forms_[f], outer == ast::BoolOperator::kOr ? 1 : 0, forms);
    }
    if (is_test_) add_denied(t, all, joined(t, all, !is_denied, has_groups), forms);
    return within_[{t, is_denied, has_groups}] = forms;
  }

  // `not (…)` around each.
  void add_denied(std::uint32_t t, Range parts, const Forms& inner, Forms& forms) {
    const bool is_ours = std::ranges::find(terms_[t].nots, parts) == terms_[t].nots.end();
    const auto first = terms_[terms_[t].parts[parts.begin]].first;
    const int cost = operands_[first] ? kOuterNotCost : kOuterNotCostWithoutColumns;
    for (const auto f : inner) {
      Form form = forms_[f];
      form.has_not = true, form.before += kNot;
      keep_in_parentheses(std::move(form), cost + (is_ours ? kNewNotCost : 0), forms);
    }
  }

  Form started(ast::BoolOperator op, std::uint32_t first) const {
    const Form& f = forms_[first];
    return {.op = op,
            .parts = {first},
            .before = f.before,
            .after = f.after,
            .met = f.met,
            .cost = f.cost,
            .on_lines = f.on_lines};
  }

  Form continued(std::uint32_t done, std::uint32_t next, std::uint32_t t, bool is_whole) const {
    Form form = forms_[done];
    const Form& f = forms_[next];
    form.met += f.met;
    form.on_lines += f.on_lines;
    see_operator(form, terms_[t].first, f.before);
    if (is_whole && begins_after_keyword(form.before) && begins_line_alone(form, f, terms_[t].first))
      form.met -= kNoEndOfLine;
    form.cost += f.cost;
    form.after = f.after;
    form.parts.push_back(next);
    return form;
  }

  [[nodiscard]] std::uint32_t first_of(const Form& form) const {
    const Form* f = &form;
    while (!f->parts.empty()) f = &forms_[f->parts[0]];
    return terms_[f->term].first;
  }

  // Adds whether what a form ends with, its operator and so much before an operand are as long as in the source.
  void see_operator(Form& form, std::uint32_t operand, Column before) const {
    const auto first = first_of(form);
    const Column op = length(form.op);
    const auto &a = operands_[operand - 1], &b = operands_[operand], &begin = operands_[first];
    if (!a || !b) return;
    if (a->end_line == b->line && b->column - a->end_column == form.after + op + before) ++form.met;
    if (!begin || a->end_line >= b->line || (first == 0 ? begins_after_keyword(form.before) : follows_on_line(first)))
      return;
    const Column column = begin->column - form.before, in = b->column - column - before;
    if (role_ == Role::kClause && column % kIndent == kAfterIf)
      form.on_lines += in == op - 1 - kAfterIf ? 2 : 0;
    else if (column % kIndent == 0)
      form.on_lines += in == op - 1 ? 2 : in == 0 ? 1 : 0;
  }

  // How long the keywords are that may precede it.
  [[nodiscard]] SmallVector<Column, 2> keywords() const {
    switch (role_) {
      case Role::kIf: return {kAfterIf};
      case Role::kElif: return {kAfterIf, kAfterElif};
      case Role::kWhile: return {kAfterWhile};
      case Role::kAsserted: return {kAfterAssert};
      case Role::kReturned: return {kReturnWord + 1};
      default: return {};
    }
  }

  // Whether the first operand stands after the keyword of a statement that is indented as most are, and so much.
  [[nodiscard]] bool begins_after_keyword(Column before) const {
    return operands_[0] && std::ranges::any_of(keywords(), [&](Column keyword) {
             return (operands_[0]->column - before - keyword) % kIndent == 0;
           });
  }

  // Whether it stands on a line of its own, or in parentheses after an `if`.
  [[nodiscard]] bool begins_statement_line(Column before) const {
    const bool has_keyword = role_ != Role::kClause && role_ != Role::kTest && role_ != Role::kValue;
    return has_keyword && operands_[0] && (operands_[0]->column - before) % kIndent == 0;
  }

  [[nodiscard]] bool follows_on_line(std::uint32_t operand) const {
    const auto &a = operands_[operand - 1], &b = operands_[operand];
    return a && b && a->end_line == b->line;
  }

  // Whether a part without parentheses begins the only other line, where it may be the first of a group: that is indented
  // as the body of the statement is.
  [[nodiscard]] bool begins_line_alone(const Form& whole, const Form& part, std::uint32_t first) const {
    const Column within = part.parts.empty() ? part.before / kNot * kNot : forms_[part.parts[0]].before;
    if (part.before > within || first + 1 == operands_.size()) return false;
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      const auto &a = operands_[k - 1], &b = operands_[k];
      if (!a || !b || (a->end_line < b->line) != (k == first)) return false;
    }
    const Column begin = operands_[0]->column - whole.before, own = operands_[first]->column - within;
    return std::ranges::any_of(keywords(), [&](Column keyword) { return own == begin - keyword + kIndent; });
  }

  // ---- expressions
  ast::ExprId make(std::uint32_t f) {
    const Form form = forms_[f];
    if (form.parts.empty()) {
      const auto e = terms_[form.term].e;
      return form.is_denied ? ast::negated(tree_, e, flips(e)) : e;
    }
    ast::ExprIds values;
    for (const auto part : form.parts) values.push_back(make(part));
    const auto origin = tree_.exprs[values[0]].origin;
    const auto both = tree_.expr(ast::BoolOp{form.op, std::move(values)}, origin);
    return form.has_not ? tree_.expr(ast::UnaryOp{ast::UnaryOperator::kNot, both}, origin) : both;
  }

  // `a is None` or `a is not None`, which the compiler makes one jump of (3.11+).
  [[nodiscard]] bool flips(ast::ExprId e) const { return dialect_.jumps_on_none && ast::is_none_test(tree_, code_, e); }

  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  Role role_;
  bool is_test_;
  bool has_nots_ = false;    // around operations
  ast::ExprIds operations_;  // in the tree
  std::vector<Term> terms_;
  std::vector<std::optional<SourcePosition>> operands_;  // where they stand
  std::vector<Form> forms_;
  std::map<std::tuple<std::uint32_t, bool, bool>, Forms> within_;  // those of operations: by term, as within() is asked
};

}  // namespace

bool BoolOperators::is_written(ast::ExprId e) const {
  const BoolLayout layout(code_, tree_, dialect_, columns_, Role::kTest);
  return layout.is_written(e) && !layout.ends_line_once(e);
}

void BoolOperators::write(ast::ExprId e, Role role) {
  if (!known_.contains(e)) BoolLayout(code_, tree_, dialect_, columns_, role).write(e, known_);
}

}  // namespace depyf::idiom
