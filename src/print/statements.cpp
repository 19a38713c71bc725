// SPDX-License-Identifier: MIT
// Statements: one line each, whatever its length (where a line breaks decides what some compilers generate).
//
// Invariant: recursion is once per indentation, which CPython limits; `elif` chains are a loop. A block without
// statements gets `pass`; a definition is set off by blank lines, two at the top level. The mark of a compound statement
// covers its header only.
#include <algorithm>

#include "ast/walk.h"
#include "depyf/mode.h"
#include "print/printer.h"
#include "support/small_vector.h"

namespace depyf {

using namespace ast;

namespace {

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

}  // namespace

// ---- blocks and lines

bool Printer::all_simple(const Block& body) const {
  return std::all_of(body.begin(), body.end(), [&](StmtId id) {
    bool simple = id.valid() && id.n < tree_.stmts.size();
    if (!simple) return false;
    const StmtNode& node = tree_.stmts[id].node;
    for_each_child_block(node, [&](const Block&) { simple = false; });
    return simple && !std::holds_alternative<Match>(node) && !std::holds_alternative<Comment>(node);
  });
}

void Printer::module(const Block& body) {
  const std::optional<ConstId> no_docstring;
  if (options_.interactive) {
    begin_line();
    put(kInteractiveMark);
    end_line();
  }
  statements(body, &no_docstring);
}

void Printer::begin_line() { out_.indent(std::size_t{indents_} * options_.indent); }

void Printer::docstring(std::string_view text) {
  begin_line();
  out_.put_lines(docstring_text(text, indents_ * options_.indent, dialect_.docstring_cleaned));
  end_line();
}

void Printer::block(const Block& body, const std::optional<ConstId>* docstring_of_body) {
  if (++indents_ > dialect_.max_indents)
    fail(Errc::kLimitExceeded, "more than " + std::to_string(dialect_.max_indents) + " levels of indentation");
  statements(body, docstring_of_body);
  const bool has_docstring = docstring_of_body != nullptr && docstring_of_body->has_value();
  const bool is_empty = std::all_of(body.begin(), body.end(), [&](StmtId id) {
    return id.valid() && id.n < tree_.stmts.size() && std::holds_alternative<Comment>(tree_.stmts[id].node);
  });
  if (is_empty && !has_docstring) {
    begin_line();
    put("pass");
    end_line();
  }
  --indents_;
}

// Comments right before a definition belong to it.
bool Printer::is_definition(const Block& body, std::size_t at) const {
  while (at < body.size() && body[at].valid() && body[at].n < tree_.stmts.size()) {
    const StmtNode& node = tree_.stmts[body[at]].node;
    if (std::holds_alternative<FunctionDef>(node) || std::holds_alternative<ClassDef>(node)) return true;
    if (!std::holds_alternative<Comment>(node)) return false;
    ++at;
  }
  return false;
}

void Printer::statements(const Block& body, const std::optional<ConstId>* docstring_of_body) {
  bool is_first = true, defines = false;
  const bool one_line = options_.interactive && indents_ == 0 && all_simple(body);
  if (docstring_of_body != nullptr && docstring_of_body->has_value()) {
    const Constant* value = constant(**docstring_of_body);
    const auto* text = value != nullptr ? std::get_if<ConstStr>(value) : nullptr;
    if (text == nullptr) return fail(Errc::kInternal, "a docstring is no string");
    docstring(text->text);
    is_first = false;
  }
  for (std::size_t i = 0; i < body.size() && !failed(); ++i) {
    const StmtId id = body[i];
    if (!id.valid() || id.n >= tree_.stmts.size()) return fail(Errc::kInternal, "a statement is missing");
    const bool after_comment = i > 0 && std::holds_alternative<Comment>(tree_.stmts[body[i - 1]].node);
    const bool after_definition = std::exchange(defines, is_definition(body, i));
    if (!is_first && (defines || after_definition) && !after_comment) {
      out_.newline();
      if (indents_ == 0) out_.newline();
    }
    const auto* lone = std::get_if<ExprStmt>(&tree_.stmts[id].node);
    const auto text =
        is_first && docstring_of_body != nullptr && lone != nullptr ? plain_text(lone->value) : std::nullopt;
    joins_ = one_line && i + 1 < body.size();
    if (text && !one_line) {
      docstring(*text);
    } else {
      statement(id);
    }
    joins_ = false;
    is_first = false;
  }
}

// An instruction takes two bytes and a node of the tree seldom makes more than one.
bool Printer::needs_wrapping(const StmtNode& node) const {
  constexpr std::size_t kFewNodes = 100;
  SmallVector<ExprId, 32> todo;
  const auto add = [&](ExprId id) { todo.push_back(id); };
  for_each_child_expr(node, add);
  for (std::size_t nodes = 0; !todo.empty(); ++nodes) {
    if (nodes == kFewNodes) return true;
    const ExprId id = todo.back();
    todo.pop_back();
    for_each_child_expr(tree_.exprs[id].node, add);
  }
  return false;
}

void Printer::statement(StmtId id) {
  const Stmt& s = tree_.stmts[id];
  wraps_ = options_.wrap && dialect_.long_lines_unoptimised && needs_wrapping(s.node);
  const auto compound = [&](const auto& n) {
    begin_line();
    statement(n, out_.begin_mark(s.origin));
  };
  const auto line = [&](const auto& n) {
    begin_line();
    const std::uint32_t mark = out_.begin_mark(s.origin);
    simple(n);
    out_.end_mark(mark);
    end_line();
  };
  const auto word = [&](std::string_view text) {
    begin_line();
    const std::uint32_t mark = out_.begin_mark(s.origin);
    put(text);
    out_.end_mark(mark);
    end_line();
  };
  match(
      s.node,
      [&](const FunctionDef& n) {
        decorators(n.decorators);
        compound(n);
      },
      [&](const ClassDef& n) {
        decorators(n.decorators);
        compound(n);
      },
      [&](const Return& n) { line(n); }, [&](const Delete& n) { line(n); }, [&](const Assign& n) { line(n); },
      [&](const TypeAlias& n) { line(n); }, [&](const AugAssign& n) { line(n); }, [&](const AnnAssign& n) { line(n); },
      [&](const For& n) { compound(n); }, [&](const While& n) { compound(n); }, [&](const If& n) { compound(n); },
      [&](const With& n) { compound(n); }, [&](const Match& n) { compound(n); }, [&](const Raise& n) { line(n); },
      [&](const Try& n) { compound(n); }, [&](const Assert& n) { line(n); }, [&](const Import& n) { line(n); },
      [&](const ImportFrom& n) { line(n); }, [&](const Global& n) { line(n); }, [&](const Nonlocal& n) { line(n); },
      [&](const ExprStmt& n) { line(n); }, [&](const Pass&) { word("pass"); }, [&](const Break&) { word("break"); },
      [&](const Continue&) { word("continue"); }, [&](const Comment& n) { line(n); });
}

void Printer::end_header(std::uint32_t mark) {
  put(":");
  out_.end_mark(mark);
  end_line();
}

// ---- definitions

// Up to 3.8 a decorator is a dotted name, perhaps called (Grammar/Grammar, `decorator`).
bool Printer::is_simple_decorator(ExprId id) const {
  const auto node = [&](ExprId i) { return i.valid() && i.n < tree_.exprs.size() ? &tree_.exprs[i].node : nullptr; };
  const ExprNode* e = node(id);
  if (const auto* call = e != nullptr ? std::get_if<Call>(e) : nullptr) e = node(call->func);
  while (e != nullptr && std::holds_alternative<Attribute>(*e)) e = node(std::get<Attribute>(*e).value);
  return e != nullptr && std::holds_alternative<Name>(*e);
}

void Printer::decorators(const ExprIds& list) {
  for (const ExprId id : list) {
    require(dialect_.any_decorator || is_simple_decorator(id), "a decorator that is no dotted name");
    begin_line();
    put("@");
    expr(id, Level::kTest);
    end_line();
  }
}

void Printer::type_params(const std::vector<TypeParam>& params) {
  if (params.empty()) return;
  require(dialect_.type_parameters, "a type parameter");
  open("[");
  for (std::size_t i = 0; i < params.size(); ++i) {
    const TypeParam& p = params[i];
    if (i != 0) put(", ");
    if (p.kind == TypeParam::Kind::kParamSpec) put("**");
    if (p.kind == TypeParam::Kind::kTypeVarTuple) put("*");
    put(name(p.name));
    if (p.bound.valid()) {
      put(": ");
      expr(p.bound, Level::kTest);
    }
    if (p.default_.valid()) {
      require(dialect_.type_parameter_defaults, "a type parameter's default");
      put(" = ");
      expr(p.default_, Level::kTest);
    }
  }
  close("]");
}

void Printer::statement(const FunctionDef& n, std::uint32_t mark) {
  put(n.is_async ? "async def " : "def ");
  put(name(n.name));
  type_params(n.type_params);
  Parts parts(*this);
  parts.open("(");
  arguments(parts, *n.args);
  parts.close(")");
  if (n.returns.valid()) parts.text(" -> ").expr(n.returns, Level::kTest);
  end_header(mark);
  block(n.body, &n.docstring);
}

void Printer::statement(const ClassDef& n, std::uint32_t mark) {
  put("class ");
  put(name(n.name));
  type_params(n.type_params);
  if (!n.bases.empty() || !n.keywords.empty()) {
    Parts parts(*this);
    parts.open("(").exprs(n.bases, Level::kTest);
    bool first = n.bases.empty();
    keywords(parts, n.keywords, first);
    parts.close(")");
  }
  end_header(mark);
  block(n.body, &n.docstring);
}

// ---- compound statements

void Printer::else_block(std::string_view keyword, const Block& body) {
  if (body.empty()) return;
  begin_line();
  put(keyword);
  put(":");
  end_line();
  block(body);
}

// `for x in *a, b` came with the PEG parser, `x += *a, b` too; parentheses do no harm.
Level Printer::tuple_place(ExprId id, Level place) const {
  const auto* tuple = id.valid() && id.n < tree_.exprs.size() ? std::get_if<Tuple>(&tree_.exprs[id].node) : nullptr;
  const bool has_star = tuple != nullptr && std::any_of(tuple->elts.begin(), tuple->elts.end(),
                                                        [&](ExprId element) { return is_starred(element); });
  return has_star ? Level::kTest : place;
}

bool Printer::is_tuple(ExprId id) const {
  if (!id.valid() || id.n >= tree_.exprs.size()) return false;
  const ExprNode& node = tree_.exprs[id].node;
  const auto* n = std::get_if<ConstantExpr>(&node);
  const Constant* value = n != nullptr ? constant(n->value) : nullptr;
  return std::holds_alternative<Tuple>(node) || (value != nullptr && std::holds_alternative<ConstTuple>(*value));
}

void Printer::statement(const For& n, std::uint32_t mark) {
  put(n.is_async ? "async for " : "for ");
  expr(n.target, Level::kTuple);
  put(" in ");
  expr(n.iter, tuple_place(n.iter, Level::kTuple), kSetDisplay);
  end_header(mark);
  block(n.body);
  else_block("else", n.orelse);
}

void Printer::statement(const While& n, std::uint32_t mark) {
  put("while ");
  expr(n.test, Level::kNamed);
  end_header(mark);
  block(n.body);
  else_block("else", n.orelse);
}

void Printer::statement(const If& first, std::uint32_t mark) {
  put("if ");
  for (const If* n = &first; !failed();) {
    expr(n->test, Level::kNamed);
    end_header(mark);
    block(n->body);
    const bool is_one = n->orelse.size() == 1 && n->orelse[0].valid() && n->orelse[0].n < tree_.stmts.size();
    const Stmt* next = is_one ? &tree_.stmts[n->orelse[0]] : nullptr;
    if (next == nullptr || !std::holds_alternative<If>(next->node)) return else_block("else", n->orelse);
    n = &std::get<If>(next->node);
    begin_line();
    mark = out_.begin_mark(next->origin);
    put("elif ");
  }
}

void Printer::statement(const With& n, std::uint32_t mark) {
  put(n.is_async ? "async with " : "with ");
  for (std::size_t i = 0; i < n.items.size(); ++i) {
    const WithItem& item = n.items[i];
    if (i != 0) put(", ");
    // `with (a, b):` has two items from 3.9 on; a tuple alone needs a second pair.
    const bool lone_tuple = n.items.size() == 1 && !item.vars.valid() && is_tuple(item.context);
    if (lone_tuple) open("(");
    expr(item.context, Level::kTest);
    if (lone_tuple) close(")");
    if (!item.vars.valid()) continue;
    put(" as ");
    expr(item.vars, Level::kTest);
  }
  end_header(mark);
  block(n.body);
}

void Printer::statement(const Match& n, std::uint32_t mark) {
  require(dialect_.match_statement, "a match statement");
  if (n.cases.empty()) fail(Errc::kInternal, "a match statement without cases");
  put("match ");
  expr(n.subject, is_tuple(n.subject) ? Level::kTuple : Level::kNamed);
  end_header(mark);
  if (++indents_ > dialect_.max_indents)
    fail(Errc::kLimitExceeded, "more than " + std::to_string(dialect_.max_indents) + " levels of indentation");
  for (const MatchCase& c : n.cases) {
    begin_line();
    put("case ");
    pattern(c.pattern);
    if (c.guard.valid()) {
      put(" if ");
      expr(c.guard, Level::kNamed);
    }
    end_header(Writer::kNoMark);
    block(c.body);
  }
  --indents_;
}

void Printer::statement(const Try& n, std::uint32_t mark) {
  if (n.is_star) require(dialect_.except_star, "except*");
  if (n.handlers.empty() && (n.finalbody.empty() || !n.orelse.empty()))
    return fail(Errc::kInternal, "a try statement without a handler");
  put("try");
  end_header(mark);
  block(n.body);
  for (const ExceptHandler& h : n.handlers) {
    begin_line();
    put(n.is_star ? "except*" : "except");
    if (h.type.valid()) {
      put(" ");
      expr(h.type, Level::kTest);
    }
    if (h.name.valid()) {
      put(" as ");
      put(name(h.name));
    }
    end_header(Writer::kNoMark);
    block(h.body);
  }
  else_block("else", n.orelse);
  else_block("finally", n.finalbody);
}

// ---- simple statements

void Printer::simple(const Return& n) {
  Parts parts(*this);
  parts.text("return");
  if (n.value.valid()) parts.text(" ").expr(n.value, Level::kTuple);
}

void Printer::simple(const Delete& n) { Parts(*this).text("del ").exprs(n.targets, Level::kTest); }

void Printer::simple(const Assign& n) {
  for (const ExprId target : n.targets) {
    expr(target, Level::kTuple);
    put(" = ");
  }
  expr(n.value, Level::kYield);
}

void Printer::simple(const TypeAlias& n) {
  require(dialect_.type_parameters, "a type alias");
  put("type ");
  put(name(n.name));
  type_params(n.type_params);
  put(" = ");
  expr(n.value, Level::kTest);
}

void Printer::simple(const AugAssign& n) {
  expr(n.target, Level::kAtom);
  put(augmented_operator(n.op));
  expr(n.value, tuple_place(n.value, Level::kYield));
}

void Printer::simple(const AnnAssign& n) {
  const bool is_name =
      n.target.valid() && n.target.n < tree_.exprs.size() && std::holds_alternative<Name>(tree_.exprs[n.target].node);
  if (is_name && !n.simple) open("(");
  expr(n.target, Level::kAtom);
  if (is_name && !n.simple) close(")");
  put(": ");
  expr(n.annotation, Level::kTest);
  if (!n.value.valid()) return;
  put(" = ");
  expr(n.value, Level::kYield);
}

void Printer::simple(const Raise& n) {
  Parts parts(*this);
  parts.text("raise");
  if (n.exc.valid()) parts.text(" ").expr(n.exc, Level::kTest);
  if (n.exc.valid() && n.cause.valid()) parts.text(" from ").expr(n.cause, Level::kTest);
}

void Printer::simple(const Assert& n) {
  Parts parts(*this);
  parts.text("assert ").expr(n.test, Level::kTest);
  if (n.msg.valid()) parts.text(", ").expr(n.msg, Level::kTest);
}

void Printer::aliases(const std::vector<Alias>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) put(", ");
    if (names[i].name == "*") {
      put("*");
    } else {
      put_dotted(names[i].name);
    }
    if (!names[i].asname.valid()) continue;
    put(" as ");
    put(name(names[i].asname));
  }
}

void Printer::simple(const Import& n) {
  if (n.is_lazy) require(dialect_.lazy_imports, "a lazy import");
  put(n.is_lazy ? "lazy import " : "import ");
  aliases(n.names);
}

void Printer::simple(const ImportFrom& n) {
  if (n.is_lazy) require(dialect_.lazy_imports, "a lazy import");
  put(n.is_lazy ? "lazy from " : "from ");
  put(std::string(n.level, '.'));
  if (!n.module.empty() || n.level == 0) put_dotted(n.module);
  put(" import ");
  aliases(n.names);
}

void Printer::name_list(std::string_view keyword, const std::vector<NameId>& names) {
  put(keyword);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) put(", ");
    put(name(names[i]));
  }
}

void Printer::simple(const Global& n) { name_list("global ", n.names); }
void Printer::simple(const Nonlocal& n) { name_list("nonlocal ", n.names); }
// A starred tuple needs its parentheses in code of mode "eval".
void Printer::simple(const ExprStmt& n) { expr(n.value, tuple_place(n.value, Level::kYield)); }

// A comment cannot end early, nor be taken for the file's encoding (PEP 263: "coding" before ":" or "=").
void Printer::simple(const Comment& n) {
  std::string text = n.text;
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  for (std::size_t at = text.find("coding"); at != std::string::npos; at = text.find("coding", at + 1)) {
    const std::size_t next = at + 6;
    if (next < text.size() && (text[next] == ':' || text[next] == '=')) text.insert(next, " ");
  }
  put(text.starts_with(' ') || text.empty() ? "#" : "# ");
  put(text);
}

}  // namespace depyf
