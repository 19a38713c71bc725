// SPDX-License-Identifier: MIT
// Restores `not` and parentheses among `and` and `or`; see bool_operators.h.
//
// The expression is normalized to a tree of terms: every `not` is pushed down to an operand, and an operation contains
// none with the same operator. Then dynamic programming builds the forms of each term: plain or negated, with or
// without a `not` or parentheses around it or around a group of its parts. Of the forms with the same number of columns
// before the first and after the last operand, only the best is kept: that with most operators at their column in the
// source.
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
constexpr std::size_t kMaxOperands = 24, kMaxGroupedParts = 8;
constexpr int kNoEndOfLine = 2;                        // penalty in operators: a line ends outside of parentheses
constexpr Column kAnd = 5, kOr = 4, kParenthesis = 1;  // lengths, with the spaces around an operator

// Costs, which decide among forms that fit the source equally well. The tree's own form is cheapest. Then come, in this
// order: a new `not`, parentheses around an operand that needs them elsewhere, a group, parentheses around a name.
constexpr int kNotCost = 4, kOuterNotCost = 5, kOuterNotCostWithoutColumns = 8;
constexpr int kNegatedComparisonCost = 120;  // `not a < b` as an operand of unknown column
constexpr int kNewNotCost = 100, kParenthesesCost = 200, kGroupCost = 300, kRedundantParenthesesCost = 1000;

Column length(ast::BoolOperator op) { return op == ast::BoolOperator::kAnd ? kAnd : kOr; }

ast::BoolOperator dual(ast::BoolOperator op) {
  return op == ast::BoolOperator::kAnd ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
}

// Returns whether an operation has so many operands that it is split into several nodes (ast::operands()).
bool is_split(const ast::Tree& tree, ast::ExprId e) {
  const auto* operation = std::get_if<ast::BoolOp>(&tree.exprs[e].node);
  return operation != nullptr && operation->values.size() >= ast::kManyOperands;
}

// Returns whether an operand is printed in parentheses. An `and` in an `or` is not, which the caller must check.
bool has_parentheses(const ast::Tree& tree, ast::ExprId e) {
  return ast::is<ast::BoolOp, ast::NamedExpr, ast::IfExp, ast::Lambda, ast::Yield>(tree.exprs[e].node);
}

// Returns the number of columns of `not ` and parentheses before the first operand in `e`, or after the last one.
Column affix_length(const ast::Tree& tree, ast::ExprId e, ast::BoolOperator outer, bool is_before) {
  for (Column length = 0;;) {
    if (const auto inner = ast::without_not(tree, e); inner.valid()) {
      length += is_before ? kNot : 0;
      e = inner, outer = ast::BoolOperator::kAnd;
      continue;
    }
    const auto* operation = std::get_if<ast::BoolOp>(&tree.exprs[e].node);
    if (has_parentheses(tree, e) &&
        (operation == nullptr || operation->op == outer || outer == ast::BoolOperator::kAnd))
      length += kParenthesis;
    if (operation == nullptr) return length;
    e = is_before ? operation->values.front() : operation->values.back(), outer = operation->op;
  }
}

struct Range {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Term {
  ast::ExprId e;
  bool is_negated = false;             // for an operand
  ast::BoolOperator op{};              // for an operation
  std::vector<std::uint32_t> parts{};  // terms of an operation; empty for an operand
  std::uint32_t first = 0;             // index of its first operand
  std::vector<Range> nots{};           // groups of parts that have a `not` around them in the tree
};

struct Form {
  std::uint32_t term = kNone;          // for an operand
  bool is_negated = false;             // for an operand
  bool has_not = false;                // around an operation
  ast::BoolOperator op{};              // for an operation
  std::vector<std::uint32_t> parts{};  // forms of its parts
  Column before = 0, after = 0;        // columns of `not ` and parentheses before its first operand, after its last
  int matches = 0, cost = 0;           // met: number of operators at their column in the source
  int line_score = 0;                  // score of the operators at line breaks
};

bool is_better(const Form& a, const Form& b) {
  const auto rank = [](const Form& f) { return std::tuple(-f.matches, f.cost / kNewNotCost, -f.line_score, f.cost); };
  return rank(a) < rank(b);
}

using Forms = std::vector<std::uint32_t>;

using Role = BoolOperators::Role;

class BoolLayout {
 public:
  BoolLayout(const CodeTree& code, ast::Tree& tree, const Dialect& dialect, const Columns& columns, Role role,
             NodePositions::Extents* known = nullptr)
      : code_(code),
        tree_(tree),
        dialect_(dialect),
        columns_(columns),
        known_(known),
        role_(role),
        is_test_(role != Role::kReturned && role != Role::kValue) {}

  // Returns whether an operation is a part of one that is split into several nodes.
  [[nodiscard]] bool is_part_of_split(ast::ExprId e) const {
    const auto& values = std::get<ast::BoolOp>(tree_.exprs[e].node).values;
    return is_split(tree_, e) || std::ranges::any_of(values, [&](auto v) { return is_split(tree_, v); });
  }

  // Returns whether the distances between operands on one line fit the operation as the tree has it.
  [[nodiscard]] bool is_written(ast::ExprId e) const {
    const auto& operation = std::get<ast::BoolOp>(tree_.exprs[e].node);
    const auto& values = operation.values;
    if (is_part_of_split(e)) return true;
    auto a = extent(values[0]);
    for (std::size_t k = 1; k < values.size(); ++k) {
      const auto b = extent(values[k]);
      if (a && b && a->end_line == b->line &&
          b->column - a->end_column != affix_length(tree_, values[k - 1], operation.op, false) + length(operation.op) +
                                           affix_length(tree_, values[k], operation.op, true))
        return false;
      a = b;
    }
    return true;
  }

  // Returns whether there is one line break, and at least two operands after it: these may be in parentheses.
  [[nodiscard]] bool ends_line_once(ast::ExprId e) const {
    const auto* operation = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    if (operation == nullptr || is_part_of_split(e)) return false;
    std::size_t count = 0, last = 0;
    for (std::size_t k = 1; k < operation->values.size(); ++k) {
      const auto a = extent(operation->values[k - 1]), b = extent(operation->values[k]);
      if (a && b && a->end_line < b->line) ++count, last = k;
    }
    return count == 1 && last + 1 < operation->values.size();
  }

  void write(ast::ExprId e, std::set<ast::ExprId>& known) {
    if (is_split(tree_, e)) return;
    const auto root = add_term(e, false, 0);
    known.insert(operations_.begin(), operations_.end());
    if (terms_[root].parts.empty() || operand_ids_.size() > kMaxOperands) return;
    for (const auto operand : operand_ids_) operands_.push_back(extent(operand));
    const Range all{0, terms_[root].parts.size()};
    if (!has_nots_ && std::ranges::all_of(operations_, [&](auto o) { return is_written(o); }) &&
        !(ends_line_once(e) && begins_after_keyword(0)))
      return;
    Forms forms = forms_of_parts(root, all, false, true);
    if (is_test_) add_negated(root, all, forms_of_parts(root, all, true, true), forms);
    for (const auto f : forms) {
      Form& form = forms_[f];
      const bool is_alone = !begins_after_keyword(form.before);  // on a line of its own, in parentheses
      if (is_alone && !begins_statement_line(form.before)) continue;
      ++form.matches;
      const bool begins_with_parenthesis = form.before != 0 && form.before != kNot;
      form.cost += is_alone && begins_with_parenthesis && form.cost >= kNewNotCost ? kParenthesesCost : 0;
    }
    const auto best = std::ranges::min_element(forms, [&](auto a, auto b) { return is_better(forms_[a], forms_[b]); });
    if (best == forms.end()) return;
    const auto result = make_expr(*best);
    tree_.exprs[e].node = ast::ExprNode(tree_.exprs[result].node);
  }

 private:
  [[nodiscard]] std::optional<SourcePosition> extent(ast::ExprId e) const { return columns_.extent(e, known_); }

  // ---- terms
  // Adds the term of an expression and returns its index. `outer`: the operator of the operation that contains it. An
  // operation with the same operator, without `not` between them, stays an operand: it may be other bytecode. `depth`:
  // the number of operations that contain it; as each has another operand, a deep one also has too many operands.
  std::uint32_t add_term(ast::ExprId e, bool is_negated, std::size_t depth,
                         std::optional<ast::BoolOperator> outer = std::nullopt) {
    bool has_not = false;
    for (ast::ExprId inner; is_test_ && (inner = ast::without_not(tree_, e)).valid(); e = inner)
      has_not = true, is_negated = !is_negated;
    const auto own = static_cast<std::uint32_t>(terms_.size());
    terms_.push_back({.e = e, .is_negated = is_negated, .first = static_cast<std::uint32_t>(operand_ids_.size())});
    const auto* operation = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    if (operation == nullptr || (!has_not && operation->op == outer) || depth > kMaxOperands ||
        operand_ids_.size() > kMaxOperands) {
      operand_ids_.push_back(e);
      return own;
    }
    operations_.push_back(e);
    const auto op = is_negated ? dual(operation->op) : operation->op;
    Term result = std::move(terms_[own]);
    result.op = op;
    for (const auto operand : ast::operands(tree_, *operation)) {
      const auto part = add_term(operand, is_negated, depth + 1, operation->op);
      const auto at = result.parts.size();
      if (terms_[part].parts.empty() || terms_[part].op != op) {
        result.parts.push_back(part);
        continue;
      }
      result.parts.insert(result.parts.end(), terms_[part].parts.begin(), terms_[part].parts.end());
      for (const auto& [begin, end] : terms_[part].nots) result.nots.push_back({at + begin, at + end});
    }
    if (has_not) result.nots.push_back({0, result.parts.size()});
    has_nots_ |= has_not;
    terms_[own] = std::move(result);
    return own;
  }

  // ---- forms
  // Adds a form to the list, unless that has a better one with the same `before` and `after`.
  void keep(Form form, Forms& forms) {
    const auto same_affixes = std::ranges::find_if(
        forms, [&](auto f) { return forms_[f].before == form.before && forms_[f].after == form.after; });
    if (same_affixes != forms.end() && !is_better(form, forms_[*same_affixes])) return;
    const auto id = static_cast<std::uint32_t>(forms_.size());
    forms_.push_back(std::move(form));
    if (same_affixes != forms.end())
      *same_affixes = id;
    else
      forms.push_back(id);
  }

  void keep_in_parentheses(Form form, int cost, Forms& forms) {
    form.before += kParenthesis, form.after += kParenthesis, form.cost += cost;
    keep(std::move(form), forms);
  }

  // Returns the forms of an operand, or of its negation.
  Forms forms_of_operand(std::uint32_t t, bool is_negated) {
    Forms forms;
    Form form{.term = t, .is_negated = terms_[t].is_negated != is_negated};
    const auto e = terms_[t].e;
    if (form.is_negated && !flips(e)) {
      // The compiler would fold the `not`.
      if (ast::is_inverted_by_not(tree_, e) || (is_negated && ast::is_constant(tree_, e))) return forms;
      const bool is_unusual = !operands_[terms_[t].first] && ast::is<ast::Compare>(tree_.exprs[e].node);
      form.before = kNot, form.cost = is_unusual ? kNegatedComparisonCost : kNotCost;
    }
    const bool has_own = has_parentheses(tree_, e);
    if (!has_own) keep(form, forms);
    const bool needs_none =
        !form.is_negated && ast::is<ast::Name, ast::Attribute, ast::Subscript, ast::Call>(tree_.exprs[e].node);
    keep_in_parentheses(form, has_own ? 0 : needs_none ? kRedundantParenthesesCost : kParenthesesCost, forms);
    return forms;
  }

  // Returns the forms of consecutive parts of an operation, joined by its operator; if negated, of the negated parts,
  // joined by the other operator.
  Forms forms_of_parts(std::uint32_t t, Range parts, bool is_negated, bool has_groups) {
    const auto op = is_negated ? dual(terms_[t].op) : terms_[t].op;
    const bool is_whole = t == 0 && parts == Range{0, terms_[t].parts.size()} && !is_negated;
    std::vector<Forms> by_count(parts.end - parts.begin + 1);  // by_count[k]: forms of the first k parts
    for (std::size_t k = 0; k + 1 < by_count.size(); ++k) {
      const auto at = parts.begin + k;
      const auto from = by_count[k];
      if (k > 0 && from.empty()) break;
      const auto append = [&](std::size_t count, const Forms& next) {
        for (const auto f : next) {
          if (k == 0) keep(first_part(op, f), by_count[count]);
          for (const auto done : from) keep(with_part(done, f, terms_[t].parts[at], is_whole), by_count[k + count]);
        }
      };
      append(1, forms_as_part(terms_[t].parts[at], is_negated, op, has_groups));
      const bool groups = has_groups && parts.end - parts.begin <= kMaxGroupedParts;
      for (std::size_t end = at + 2; groups && end <= parts.end; ++end)
        if (end - at < parts.end - parts.begin) append(end - at, forms_of_group(t, {at, end}, is_negated));
    }
    return by_count.back();
  }

  // Returns the forms of consecutive parts in parentheses, or after a `not`. In a value, a group must be at the end.
  Forms forms_of_group(std::uint32_t t, Range parts, bool is_negated) {
    Forms forms;
    if (is_test_) add_negated(t, parts, forms_of_parts(t, parts, !is_negated, false), forms);
    if (is_test_ || parts.end == terms_[t].parts.size())
      for (const auto f : forms_of_parts(t, parts, is_negated, false))
        keep_in_parentheses(forms_[f], kGroupCost, forms);
    return forms;
  }

  // Returns the forms of a term as a part of an operation with the operator `outer`.
  Forms forms_as_part(std::uint32_t t, bool is_negated, ast::BoolOperator outer, bool has_groups) {
    if (terms_[t].parts.empty()) return forms_of_operand(t, is_negated);
    const auto [known, is_new] = part_forms_.try_emplace({t, is_negated, has_groups});
    if (!is_new) return known->second;
    const Range all{0, terms_[t].parts.size()};
    Forms forms;
    for (const auto f : forms_of_parts(t, all, is_negated, has_groups)) {
      if (outer == ast::BoolOperator::kOr) keep(forms_[f], forms);
      keep_in_parentheses(forms_[f], outer == ast::BoolOperator::kOr ? 1 : 0, forms);
    }
    if (is_test_) add_negated(t, all, forms_of_parts(t, all, !is_negated, has_groups), forms);
    return part_forms_[{t, is_negated, has_groups}] = forms;
  }

  // Adds `not (…)` around each form.
  void add_negated(std::uint32_t t, Range parts, const Forms& inner, Forms& forms) {
    const bool is_new_not = std::ranges::find(terms_[t].nots, parts) == terms_[t].nots.end();
    const auto first = terms_[terms_[t].parts[parts.begin]].first;
    const int cost = operands_[first] ? kOuterNotCost : kOuterNotCostWithoutColumns;
    for (const auto f : inner) {
      Form form = forms_[f];
      form.has_not = true, form.before += kNot;
      keep_in_parentheses(std::move(form), cost + (is_new_not ? kNewNotCost : 0), forms);
    }
  }

  Form first_part(ast::BoolOperator op, std::uint32_t first) const {
    const Form& f = forms_[first];
    return {.op = op,
            .parts = {first},
            .before = f.before,
            .after = f.after,
            .matches = f.matches,
            .cost = f.cost,
            .line_score = f.line_score};
  }

  Form with_part(std::uint32_t done, std::uint32_t next, std::uint32_t t, bool is_whole) const {
    Form form = forms_[done];
    const Form& f = forms_[next];
    form.matches += f.matches;
    form.line_score += f.line_score;
    score_operator(form, terms_[t].first, f.before);
    if (is_whole && begins_after_keyword(form.before) && begins_line_alone(form, f, terms_[t].first))
      form.matches -= kNoEndOfLine;
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

  // Scores the operator between a form and the next operand. On one line, the distance between the two operands must be
  // that of the source. At a line break, the operand may be aligned with the start of the form, or its operator may.
  void score_operator(Form& form, std::uint32_t operand, Column before) const {
    const auto first = first_of(form);
    const Column op = length(form.op);
    const auto &a = operands_[operand - 1], &b = operands_[operand], &begin = operands_[first];
    if (!a || !b) return;
    if (a->end_line == b->line && b->column - a->end_column == form.after + op + before) ++form.matches;
    if (!begin || a->end_line >= b->line || (first == 0 ? begins_after_keyword(form.before) : follows_on_line(first)))
      return;
    const Column column = begin->column - form.before, indent = b->column - column - before;
    if (role_ == Role::kClause && column % kIndent == kAfterIf)
      form.line_score += indent == op - 1 - kAfterIf ? 2 : 0;
    else if (column % kIndent == 0)
      form.line_score += indent == op - 1 ? 2 : indent == 0 ? 1 : 0;
  }

  // Returns the lengths of the keywords that may precede the expression.
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

  // Returns whether the first operand, with `before` columns before it, follows the keyword of an indented statement.
  [[nodiscard]] bool begins_after_keyword(Column before) const {
    return operands_[0] && std::ranges::any_of(keywords(), [&](Column keyword) {
             return (operands_[0]->column - before - keyword) % kIndent == 0;
           });
  }

  // Returns whether the first operand, with `before` columns before it, starts an indented line.
  [[nodiscard]] bool begins_statement_line(Column before) const {
    const bool has_keyword = role_ != Role::kClause && role_ != Role::kTest && role_ != Role::kValue;
    return has_keyword && operands_[0] && (operands_[0]->column - before) % kIndent == 0;
  }

  [[nodiscard]] bool follows_on_line(std::uint32_t operand) const {
    const auto &a = operands_[operand - 1], &b = operands_[operand];
    return a && b && a->end_line == b->line;
  }

  // Returns whether a part without parentheses starts the only other line, at the column of the statement's body. In
  // that place, a group in parentheses is more likely.
  [[nodiscard]] bool begins_line_alone(const Form& whole, const Form& part, std::uint32_t first) const {
    const Column own_before = part.parts.empty() ? part.before / kNot * kNot : forms_[part.parts[0]].before;
    if (part.before > own_before || first + 1 == operands_.size()) return false;
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      const auto &a = operands_[k - 1], &b = operands_[k];
      if (!a || !b || (a->end_line < b->line) != (k == first)) return false;
    }
    const Column begin = operands_[0]->column - whole.before, own = operands_[first]->column - own_before;
    return std::ranges::any_of(keywords(), [&](Column keyword) { return own == begin - keyword + kIndent; });
  }

  // ---- expressions
  ast::ExprId make_expr(std::uint32_t f) {
    const Form form = forms_[f];
    if (form.parts.empty()) {
      const auto e = terms_[form.term].e;
      return form.is_negated ? ast::negated(tree_, e, flips(e)) : e;
    }
    ast::ExprIds values;
    for (const auto part : form.parts) values.push_back(make_expr(part));
    const auto origin = tree_.exprs[values[0]].origin;
    const auto operation = tree_.expr(ast::BoolOp{form.op, std::move(values)}, origin);
    return form.has_not ? tree_.expr(ast::UnaryOp{ast::UnaryOperator::kNot, operation}, origin) : operation;
  }

  // Returns whether the expression is `a is None` or `a is not None`, each of which is one jump (3.11+): its negation
  // is the other one.
  [[nodiscard]] bool flips(ast::ExprId e) const { return dialect_.jumps_on_none && ast::is_none_test(tree_, code_, e); }

  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  NodePositions::Extents* known_;
  Role role_;
  bool is_test_;
  bool has_nots_ = false;    // some operation has a `not` around it
  ast::ExprIds operations_;  // of the tree that became terms
  std::vector<Term> terms_;
  ast::ExprIds operand_ids_;                             // in source order
  std::vector<std::optional<SourcePosition>> operands_;  // their positions
  std::vector<Form> forms_;
  std::map<std::tuple<std::uint32_t, bool, bool>, Forms> part_forms_;  // results of forms_as_part() for operations
};

}  // namespace

bool BoolOperators::is_written(ast::ExprId e, NodePositions::Extents& known) const {
  const BoolLayout layout(code_, tree_, dialect_, columns_, Role::kTest, &known);
  return layout.is_written(e) && !layout.ends_line_once(e);
}

void BoolOperators::write(ast::ExprId e, Role role) {
  if (!known_.contains(e)) BoolLayout(code_, tree_, dialect_, columns_, role).write(e, known_);
}

}  // namespace depyf::idiom
