// SPDX-License-Identifier: MIT
// Prints statements, each on a line of its own, which is broken if it is too long.
//
// Invariant: recursion is once per level of indentation, which CPython limits; `elif` chains are a loop. A block
// without statements gets `pass`. Blank lines surround a definition, two at the top level. The source range of a
// compound statement covers its header only.
#include <algorithm>
#include <utility>

#include "ast/walk.h"
#include "depyf/mode.h"
#include "print/nodes.h"
#include "support/small_vector.h"

namespace depyf {
namespace {

using namespace ast;

// `for x in *a, b` and `x += *a, b` need the PEG parser (3.9+), so tuples with stars get parentheses.
Level tuple_place(const Input& in, ExprId id, Level place) {
  const auto* tuple = in.find<Tuple>(id);
  const bool has_star = tuple != nullptr && std::any_of(tuple->elts.begin(), tuple->elts.end(),
                                                        [&](ExprId element) { return is_starred(in, element); });
  return has_star ? Level::kTest : place;
}

bool is_tuple(const Input& in, ExprId id) {
  return in.find<Tuple>(id) != nullptr || in.constant<ConstTuple>(id) != nullptr;
}

// Returns whether the expression is a string that adjacent literals may be made of.
bool is_long_text(const Input& in, ExprId id) {
  std::size_t length = 0;
  bool has_words = false;
  const auto add = [&](ExprId part) {
    const auto text = in.plain_text(part);
    length += text ? text->size() : 0;
    has_words = has_words || (text && text->find(' ') != std::string_view::npos);
  };
  add(id);
  if (const auto* joined = in.find<JoinedStr>(id)) std::for_each(joined->values.begin(), joined->values.end(), add);
  return length >= kLongLiteral && has_words;
}

// Prints an expression at the end of a line, or before its colon, with optional parentheses if it can only be broken
// within them.
void print_last(Printer& p, ExprId id, Level place, std::uint8_t flags = kAnywhere) {
  const auto* tuple = p.in.find<Tuple>(id);
  const auto* constants = p.in.constant<ConstTuple>(id);
  const std::size_t items = tuple != nullptr ? tuple->elts.size() : constants != nullptr ? constants->items.size() : 0;
  const bool is_bare = spelling_of(p.in.options.spellings, id) != Spelling::kInParentheses;  // else has its own
  if ((items > 1 && is_bare && place <= Level::kTuple) || is_long_text(p.in, id) || has_operators(p.in, id))
    p.group(BreakPoint::Kind::kOptional, [&] { p.expr(id, place, flags); });
  else
    p.expr(id, place, flags);
}

// ---- simple statements

std::string_view augmented_operator(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kAdd: return " += ";
    case BinaryOperator::kAnd: return " &= ";
    case BinaryOperator::kFloorDivide: return " //= ";
    case BinaryOperator::kLshift: return " <<= ";
    case BinaryOperator::kMatrixMultiply: return " @= ";
    case BinaryOperator::kMultiply: return " *= ";
    case BinaryOperator::kRemainder: return " %= ";
    case BinaryOperator::kOr: return " |= ";
    case BinaryOperator::kPower: return " **= ";
    case BinaryOperator::kRshift: return " >>= ";
    case BinaryOperator::kSubtract: return " -= ";
    case BinaryOperator::kTrueDivide: return " /= ";
    case BinaryOperator::kXor: return " ^= ";
  }
  return " ?= ";
}

void node(Printer& p, const Return& n) {
  p.out.put("return");
  if (!n.value.valid()) return;
  p.out.put(" ");
  print_last(p, n.value, Level::kTuple);
}

void node(Printer& p, const Delete& n) { Parts(p).text("del ").exprs(n.targets, Level::kTest); }

// Returns whether the targets may be on several lines. The compiler swaps stores on one line, and drops one if the next
// is to the same variable (apply_static_swaps and optimize_basic_block in Python/flowgraph.c), so such targets stay on
// one line.
bool may_break_targets(const Input& in, ExprId target, ExprId value) {
  const auto* tuple = in.find<Tuple>(target);
  if (tuple == nullptr || tuple->elts.size() < 2 || tuple->new_lines != 0 || is_tuple(in, value)) return false;
  const auto is_same = [&](ExprId a, ExprId b) {
    const auto *x = in.find<Name>(a), *y = in.find<Name>(b);
    return x != nullptr && y != nullptr && x->id == y->id;
  };
  return std::adjacent_find(tuple->elts.begin(), tuple->elts.end(), is_same) == tuple->elts.end();
}

void node(Printer& p, const Assign& n) {
  Parts parts(p);
  for (const ExprId target : n.targets) {
    if (may_break_targets(p.in, target, n.value))
      p.group(BreakPoint::Kind::kOptional, [&] { p.expr(target, Level::kTuple); });
    else
      parts.expr(target, Level::kTuple);
    parts.text(" = ");
  }
  print_last(p, n.value, Level::kYield);
}

void node(Printer& p, const TypeAlias& n) {
  p.out.require(p.in.dialect.type_parameters, "a type alias");
  Parts parts(p);
  parts.text("type ").name(n.name);
  print_type_params(p, parts, n.type_params);
  parts.text(" = ").expr(n.value, Level::kTest);
}

void node(Printer& p, const AugAssign& n) {
  Parts parts(p);
  parts.expr(n.target, Level::kAtom).text(augmented_operator(n.op));
  print_last(p, n.value, tuple_place(p.in, n.value, Level::kYield));
}

void node(Printer& p, const AnnAssign& n) {
  Parts parts(p);
  const bool in_parentheses = p.in.find<Name>(n.target) != nullptr && !n.simple;
  if (in_parentheses) parts.open("(");
  parts.expr(n.target, Level::kAtom);
  if (in_parentheses) parts.close(")");
  parts.text(": ").expr(n.annotation, Level::kTest);
  if (!n.value.valid()) return;
  parts.text(" = ");
  print_last(p, n.value, Level::kYield);
}

void node(Printer& p, const Raise& n) {
  Parts parts(p);
  parts.text("raise");
  if (n.exc.valid()) parts.text(" ").expr(n.exc, Level::kTest);
  if (n.exc.valid() && n.cause.valid()) parts.text(" from ").expr(n.cause, Level::kTest);
}

void node(Printer& p, const Assert& n) {
  p.out.put("assert ");
  print_last(p, n.test, Level::kTest);
  if (!n.msg.valid()) return;
  p.out.put(", ");
  print_last(p, n.msg, Level::kTest);
}

// Names in `import` can have dots, names in `from … import` cannot.
void print_aliases(Printer& p, const std::vector<Alias>& names, bool is_from) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) p.out.comma();
    const std::string& name = names[i].name;
    if (is_from && name == "*") {
      p.out.put("*");
    } else if (is_from && name.find('.') != std::string::npos) {
      p.out.fail(Errc::kInternal, "no identifier: '" + name + "'");
    } else {
      p.out.put_dotted(name);
    }
    if (!names[i].asname.valid()) continue;
    p.out.put(" as ");
    p.out.put(p.out.name(names[i].asname));
  }
}

void node(Printer& p, const Import& n) {
  if (n.is_lazy) p.out.require(p.in.dialect.lazy_imports, "a lazy import");
  p.out.put(n.is_lazy ? "lazy import " : "import ");
  print_aliases(p, n.names, false);
}

void node(Printer& p, const ImportFrom& n) {
  if (n.is_lazy) p.out.require(p.in.dialect.lazy_imports, "a lazy import");
  p.out.put(n.is_lazy ? "lazy from " : "from ");
  if (n.level > ImportFrom::kMostDots) return p.out.fail(Errc::kInternal, "an import of a package too far around");
  p.out.put(std::string(n.level, '.'));
  if (!n.module.empty() || n.level == 0) p.out.put_dotted(n.module);
  p.out.put(" import ");
  if (n.names.size() < 2) return print_aliases(p, n.names, true);
  p.group(BreakPoint::Kind::kOptional, [&] { print_aliases(p, n.names, true); });
}

void name_list(Printer& p, std::string_view keyword, const std::vector<NameId>& names) {
  p.out.put(keyword);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) p.out.put(", ");
    p.out.put(p.out.name(names[i]));
  }
}

void node(Printer& p, const Global& n) { name_list(p, "global ", n.names); }
void node(Printer& p, const Nonlocal& n) { name_list(p, "nonlocal ", n.names); }

// In mode "eval" a tuple with stars needs its parentheses.
void node(Printer& p, const ExprStmt& n) { print_last(p, n.value, tuple_place(p.in, n.value, Level::kYield)); }

// Keeps a comment on one line, and from being taken for the file's encoding (PEP 263: "coding" before ":" or "=").
void node(Printer& p, const Comment& n) {
  std::string text = n.text;
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  for (std::size_t at = text.find("coding"); at != std::string::npos; at = text.find("coding", at + 1)) {
    const std::size_t next = at + 6;
    if (next < text.size() && (text[next] == ':' || text[next] == '=')) text.insert(next, " ");
  }
  p.out.put(text.starts_with(' ') || text.empty() ? "#" : "# ");
  p.out.put(text);
}

void node(Printer& p, const Pass&) { p.out.put("pass"); }
void node(Printer& p, const Break&) { p.out.put("break"); }
void node(Printer& p, const Continue&) { p.out.put("continue"); }

// ---- compound statements: a header with a source range, and blocks

// Prints an indented block. `docstring` is not null for bodies that can have one.
void block(Printer& p, const Block& body, const std::optional<ConstId>* docstring = nullptr);

void end_header(Printer& p, std::uint32_t mark = Writer::kNoMark) {
  p.out.put(":");
  p.out.end_mark(mark);
  p.out.end_line();
}

void else_block(Printer& p, std::string_view keyword, const Block& body) {
  if (body.empty()) return;
  p.out.begin_line();
  p.out.put(keyword);
  end_header(p);
  block(p, body);
}

// Up to 3.8 a decorator is a dotted name, optionally called (`decorator` in Grammar/Grammar).
bool is_simple_decorator(const Input& in, ExprId id) {
  if (const auto* call = in.find<Call>(id)) id = call->func;
  while (const auto* attribute = in.find<Attribute>(id)) id = attribute->value;
  return in.find<Name>(id) != nullptr;
}

void print_decorators(Printer& p, const ExprIds& decorators) {
  for (const ExprId id : decorators) {
    p.out.require(p.in.dialect.any_decorator || is_simple_decorator(p.in, id), "a decorator that is no dotted name");
    p.out.begin_line();
    Parts(p).text("@").expr(id, Level::kTest);
    p.out.end_line();
  }
}

void node(Printer& p, const FunctionDef& n, std::uint32_t mark) {
  Parts parts(p);
  parts.text(n.is_async ? "async def " : "def ").name(n.name);
  print_type_params(p, parts, n.type_params);
  p.out.open("(", BreakPoint::Kind::kSignature);
  print_arguments(parts, *n.args);
  parts.close(")");
  if (n.returns.valid()) parts.text(" -> ").expr(n.returns, Level::kTest);
  end_header(p, mark);
  block(p, n.body, &n.docstring);
}

void node(Printer& p, const ClassDef& n, std::uint32_t mark) {
  Parts parts(p);
  parts.text("class ").name(n.name);
  print_type_params(p, parts, n.type_params);
  if (!n.bases.empty() || !n.keywords.empty()) {
    parts.open("(").exprs(n.bases, Level::kTest);
    print_keywords(parts, n.keywords, n.bases.empty());
    parts.close(")");
  }
  end_header(p, mark);
  block(p, n.body, &n.docstring);
}

void node(Printer& p, const For& n, std::uint32_t mark) {
  Parts parts(p);
  parts.text(n.is_async ? "async for " : "for ").expr(n.target, Level::kTuple);
  parts.text(" in ");
  print_last(p, n.iter, tuple_place(p.in, n.iter, Level::kTuple), kSetDisplay);
  end_header(p, mark);
  block(p, n.body);
  else_block(p, "else", n.orelse);
}

void node(Printer& p, const While& n, std::uint32_t mark) {
  p.out.put("while ");
  print_last(p, n.test, Level::kNamed);
  end_header(p, mark);
  block(p, n.body);
  else_block(p, "else", n.orelse);
}

void node(Printer& p, const If& first, std::uint32_t mark) {
  p.out.put("if ");
  for (const If* n = &first; !p.out.failed();) {
    print_last(p, n->test, Level::kNamed);
    end_header(p, mark);
    block(p, n->body);
    const If* next = n->orelse.size() == 1 ? p.in.find<If>(n->orelse[0]) : nullptr;
    if (next == nullptr) return else_block(p, "else", n->orelse);
    p.out.begin_line();
    mark = p.out.begin_mark(p.in.tree.stmts[n->orelse[0]].origin);
    p.out.put("elif ");
    n = next;
  }
}

void node(Printer& p, const With& n, std::uint32_t mark) {
  Parts parts(p);
  parts.text(n.is_async ? "async with " : "with ");
  const auto items = [&] {
    bool first = true;
    for (const WithItem& item : n.items) {
      parts.comma(first);
      // From 3.9 on `with (a, b):` has two items, so a single tuple needs a second pair of parentheses.
      const bool lone_tuple = n.items.size() == 1 && !item.vars.valid() && is_tuple(p.in, item.context);
      if (lone_tuple) parts.open("(");
      parts.expr(item.context, Level::kTest);
      if (lone_tuple) parts.close(")");
      if (item.vars.valid()) parts.text(" as ").expr(item.vars, Level::kTest);
    }
  };
  if (n.items.size() > 1 && p.in.dialect.parenthesised_with)
    p.group(BreakPoint::Kind::kOptional, items);
  else
    items();
  end_header(p, mark);
  block(p, n.body);
}

void node(Printer& p, const Match& n, std::uint32_t mark) {
  p.out.require(p.in.dialect.match_statement, "a match statement");
  if (n.cases.empty()) p.out.fail(Errc::kInternal, "a match statement without cases");
  Parts parts(p);
  parts.text("match ").expr(n.subject, is_tuple(p.in, n.subject) ? Level::kTuple : Level::kNamed);
  end_header(p, mark);
  p.out.indent();
  for (const MatchCase& c : n.cases) {
    p.out.begin_line();
    parts.text("case ").pattern(c.pattern, PatternLevel::kAs);
    if (c.guard.valid()) parts.text(" if ").expr(c.guard, Level::kNamed);
    end_header(p);
    block(p, c.body);
  }
  p.out.dedent();
}

void node(Printer& p, const Try& n, std::uint32_t mark) {
  if (n.is_star) p.out.require(p.in.dialect.except_star, "except*");
  if (n.handlers.empty() && (n.finalbody.empty() || !n.orelse.empty()))
    return p.out.fail(Errc::kInternal, "a try statement without a handler");
  p.out.put("try");
  end_header(p, mark);
  block(p, n.body);
  for (const ExceptHandler& h : n.handlers) {
    p.out.begin_line();
    Parts parts(p);
    parts.text(n.is_star ? "except*" : "except");
    if (h.type.valid()) parts.text(" ").expr(h.type, Level::kTest);
    if (h.name.valid()) parts.text(" as ").name(h.name);
    end_header(p);
    block(p, h.body);
  }
  else_block(p, "else", n.orelse);
  else_block(p, "finally", n.finalbody);
}

// ---- blocks and lines

void statement(Printer& p, const Stmt& s) {
  match(s.node, [&](const auto& n) {
    if constexpr (requires { n.decorators; }) print_decorators(p, n.decorators);
    p.out.begin_line();
    const std::uint32_t mark = p.out.begin_mark(s.origin);
    if constexpr (requires { node(p, n, mark); }) {
      node(p, n, mark);
    } else {
      node(p, n);
      p.out.end_mark(mark);
      p.out.end_line();
    }
  });
}

void print_docstring(Printer& p, std::string_view text) {
  p.out.begin_line();
  p.out.put_lines(docstring_text(text, p.out.indents() * p.in.options.indent, p.in.dialect.docstring_cleaned));
  p.out.end_line();
}

bool all_simple(const Input& in, const Block& body) {
  return std::all_of(body.begin(), body.end(), [&](StmtId id) {
    return in.has(id) && !has_blocks(in.tree.stmts[id].node) && in.find<Comment>(id) == nullptr;
  });
}

// Returns whether statement `at` is a definition or one of the comments directly before it.
bool is_definition(const Input& in, const Block& body, std::size_t at) {
  while (at < body.size() && in.find<Comment>(body[at]) != nullptr) ++at;
  return at < body.size() && in.has(body[at]) && is<FunctionDef, ClassDef>(in.tree.stmts[body[at]].node);
}

void statements(Printer& p, const Block& body, const std::optional<ConstId>* docstring) {
  bool is_first = true, is_before_definition = false;
  const bool one_line = p.in.options.mode == "single" && p.out.indents() == 0 && all_simple(p.in, body);
  if (docstring != nullptr && docstring->has_value()) {
    const Constant* value = p.in.constant(**docstring);
    const auto* text = value != nullptr ? std::get_if<ConstStr>(value) : nullptr;
    if (text == nullptr) return p.out.fail(Errc::kInternal, "a docstring is no string");
    print_docstring(p, text->text);
    is_first = false;
  }
  for (std::size_t i = 0; i < body.size() && !p.out.failed(); ++i) {
    if (!p.in.has(body[i])) return p.out.fail(Errc::kInternal, "a statement is missing");
    const bool after_comment = i > 0 && p.in.find<Comment>(body[i - 1]) != nullptr;
    const bool after_definition = std::exchange(is_before_definition, is_definition(p.in, body, i));
    if (!is_first && (is_before_definition || after_definition) && !after_comment) {
      p.out.newline();
      if (p.out.indents() == 0) p.out.newline();
    }
    const auto* lone = is_first && docstring != nullptr && !one_line ? p.in.find<ExprStmt>(body[i]) : nullptr;
    const auto text = lone != nullptr ? p.in.plain_text(lone->value) : std::nullopt;
    p.out.joins_next = one_line && i + 1 < body.size();
    if (text)
      print_docstring(p, *text);
    else
      statement(p, p.in.tree.stmts[body[i]]);
    p.out.joins_next = false;
    is_first = false;
  }
}

void block(Printer& p, const Block& body, const std::optional<ConstId>* docstring) {
  p.out.indent();
  statements(p, body, docstring);
  const bool has_docstring = docstring != nullptr && docstring->has_value();
  const bool is_empty =
      std::all_of(body.begin(), body.end(), [&](StmtId id) { return p.in.find<Comment>(id) != nullptr; });
  if (is_empty && !has_docstring) {
    p.out.begin_line();
    p.out.put("pass");
    p.out.end_line();
  }
  p.out.dedent();
}

}  // namespace

void print_module(Printer& p, const Block& body) {
  const std::optional<ConstId> no_docstring;
  if (p.in.options.mode != "exec") {
    p.out.begin_line();
    p.out.put(std::string(kModeMark) + std::string(p.in.options.mode));
    p.out.end_line();
  }
  statements(p, body, &no_docstring);
}

}  // namespace depyf
