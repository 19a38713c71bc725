// SPDX-License-Identifier: MIT
// The fields of every node. Walks, equality and sizes are generated from this table.
//
// Invariant: each node type of ast.h has one row with all its fields in declaration order; a node type without a row
// does not compile. Works for const and mutable nodes. The meaning of fields and the evaluation order are unknown here.
#pragma once

#include <tuple>
#include <type_traits>

#include "ast/ast.h"

namespace depyf::ast {

template <class Node>
struct FieldsOf;  // not defined: a node type without a row does not compile

#define DEPYF_FIELDS(Node, ...)                                 \
  template <>                                                   \
  struct FieldsOf<Node> {                                       \
    using N = Node;                                             \
    static constexpr auto kList = std::make_tuple(__VA_ARGS__); \
  };
// Parts of nodes.
DEPYF_FIELDS(Parameter, &N::name, &N::annotation, &N::default_)
DEPYF_FIELDS(Arguments, &N::posonly, &N::args, &N::vararg, &N::kwonly, &N::kwarg)
DEPYF_FIELDS(Keyword, &N::name, &N::value)
DEPYF_FIELDS(Generator, &N::target, &N::iter, &N::ifs, &N::is_async)
DEPYF_FIELDS(TypeParam, &N::kind, &N::name, &N::bound, &N::default_)
DEPYF_FIELDS(WithItem, &N::context, &N::vars)
DEPYF_FIELDS(MatchCase, &N::pattern, &N::guard, &N::body)
DEPYF_FIELDS(ExceptHandler, &N::type, &N::name, &N::body)
DEPYF_FIELDS(Alias, &N::name, &N::asname)
// Expressions.
DEPYF_FIELDS(BoolOp, &N::op, &N::values)
DEPYF_FIELDS(NamedExpr, &N::target, &N::value)
DEPYF_FIELDS(BinOp, &N::left, &N::op, &N::right)
DEPYF_FIELDS(UnaryOp, &N::op, &N::operand)
DEPYF_FIELDS(Lambda, &N::args, &N::body)
DEPYF_FIELDS(IfExp, &N::test, &N::body, &N::orelse)
DEPYF_FIELDS(Dict, &N::keys, &N::values)
DEPYF_FIELDS(Set, &N::elts)
DEPYF_FIELDS(Comprehension, &N::kind, &N::elt, &N::value, &N::generators)
DEPYF_FIELDS(Await, &N::value)
DEPYF_FIELDS(Yield, &N::value)
DEPYF_FIELDS(YieldFrom, &N::value)
DEPYF_FIELDS(Compare, &N::left, &N::ops, &N::comparators)
DEPYF_FIELDS(Call, &N::func, &N::args, &N::keywords)
DEPYF_FIELDS(FormattedValue, &N::value, &N::conversion, &N::spec)
DEPYF_FIELDS(JoinedStr, &N::values)
DEPYF_FIELDS(Interpolation, &N::value, &N::text, &N::conversion, &N::spec)
DEPYF_FIELDS(TemplateStr, &N::values)
DEPYF_FIELDS(ConstantExpr, &N::value)
DEPYF_FIELDS(NoneLiteral)
DEPYF_FIELDS(IntLiteral, &N::value)
DEPYF_FIELDS(StrLiteral, &N::text)
DEPYF_FIELDS(BytesLiteral, &N::data)
DEPYF_FIELDS(EllipsisLiteral)
DEPYF_FIELDS(Verbatim, &N::text)
DEPYF_FIELDS(Attribute, &N::value, &N::attr)
DEPYF_FIELDS(Subscript, &N::value, &N::slice)
DEPYF_FIELDS(Starred, &N::value)
DEPYF_FIELDS(Name, &N::id)
DEPYF_FIELDS(List, &N::elts)
DEPYF_FIELDS(Tuple, &N::elts, &N::new_lines)
DEPYF_FIELDS(Slice, &N::lower, &N::upper, &N::step)
// Patterns.
DEPYF_FIELDS(MatchValue, &N::value)
DEPYF_FIELDS(MatchSingleton, &N::value)
DEPYF_FIELDS(MatchSequence, &N::patterns)
DEPYF_FIELDS(MatchMapping, &N::keys, &N::patterns, &N::rest)
DEPYF_FIELDS(MatchClass, &N::cls, &N::patterns, &N::kwd_attrs, &N::kwd_patterns)
DEPYF_FIELDS(MatchStar, &N::name)
DEPYF_FIELDS(MatchAs, &N::pattern, &N::name)
DEPYF_FIELDS(MatchOr, &N::patterns)
// Statements.
DEPYF_FIELDS(FunctionDef, &N::name, &N::args, &N::body, &N::decorators, &N::returns, &N::type_params, &N::is_async,
             &N::docstring)
DEPYF_FIELDS(ClassDef, &N::name, &N::bases, &N::keywords, &N::body, &N::decorators, &N::type_params, &N::docstring)
DEPYF_FIELDS(Return, &N::value)
DEPYF_FIELDS(Delete, &N::targets)
DEPYF_FIELDS(Assign, &N::targets, &N::value)
DEPYF_FIELDS(TypeAlias, &N::name, &N::type_params, &N::value)
DEPYF_FIELDS(AugAssign, &N::target, &N::op, &N::value)
DEPYF_FIELDS(AnnAssign, &N::target, &N::annotation, &N::value, &N::simple)
DEPYF_FIELDS(For, &N::target, &N::iter, &N::body, &N::orelse, &N::is_async)
DEPYF_FIELDS(While, &N::test, &N::body, &N::orelse)
DEPYF_FIELDS(If, &N::test, &N::body, &N::orelse)
DEPYF_FIELDS(With, &N::items, &N::body, &N::is_async)
DEPYF_FIELDS(Match, &N::subject, &N::cases)
DEPYF_FIELDS(Raise, &N::exc, &N::cause)
DEPYF_FIELDS(Try, &N::body, &N::handlers, &N::orelse, &N::finalbody, &N::is_star)
DEPYF_FIELDS(Assert, &N::test, &N::msg)
DEPYF_FIELDS(Import, &N::names, &N::is_lazy)
DEPYF_FIELDS(ImportFrom, &N::module, &N::names, &N::level, &N::is_lazy)
DEPYF_FIELDS(Global, &N::names)
DEPYF_FIELDS(Nonlocal, &N::names)
DEPYF_FIELDS(ExprStmt, &N::value)
DEPYF_FIELDS(Pass)
DEPYF_FIELDS(Break)
DEPYF_FIELDS(Continue)
DEPYF_FIELDS(Comment, &N::text)
#undef DEPYF_FIELDS

template <class T>
struct IsSequence : std::false_type {};
template <class T>
struct IsSequence<std::vector<T>> : std::true_type {};
template <class T, std::uint32_t N>
struct IsSequence<SmallVector<T, N>> : std::true_type {};
template <class T>
struct IsBoxed : std::false_type {};
template <class T>
struct IsBoxed<Boxed<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
concept HasFields = requires { FieldsOf<T>::kList; };

// Calls sink(value) for each leaf field of a node or part, in declaration order: ids (valid or not), numbers, enums,
// texts. The length of each sequence and optional is passed before its elements, as std::size_t, so that the calls
// determine the node. A Block is a single leaf; its statements are not entered.
template <class T, class Sink>
void for_each_leaf(T& value, Sink& sink) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, Block>) {
    sink(value);
  } else if constexpr (IsSequence<Plain>::value) {
    sink(value.size());
    for (auto& element : value) for_each_leaf(element, sink);
  } else if constexpr (IsOptional<Plain>::value) {
    sink(static_cast<std::size_t>(value.has_value() ? 1 : 0));
    if (value) for_each_leaf(*value, sink);
  } else if constexpr (IsBoxed<Plain>::value) {
    for_each_leaf(*value, sink);
  } else if constexpr (HasFields<Plain>) {
    std::apply([&](auto... member) { (for_each_leaf(value.*member, sink), ...); }, FieldsOf<Plain>::kList);
  } else {
    sink(value);
  }
}

// The same for a node in one of the three variants.
template <class Sink>
void for_each_node_leaf(const ExprNode& node, Sink& sink) {
  std::visit([&](const auto& n) { for_each_leaf(n, sink); }, node);
}
template <class Sink>
void for_each_node_leaf(ExprNode& node, Sink& sink) {
  std::visit([&](auto& n) { for_each_leaf(n, sink); }, node);
}
template <class Sink>
void for_each_node_leaf(const PatternNode& node, Sink& sink) {
  std::visit([&](const auto& n) { for_each_leaf(n, sink); }, node);
}
template <class Sink>
void for_each_node_leaf(PatternNode& node, Sink& sink) {
  std::visit([&](auto& n) { for_each_leaf(n, sink); }, node);
}
template <class Sink>
void for_each_node_leaf(const StmtNode& node, Sink& sink) {
  std::visit([&](const auto& n) { for_each_leaf(n, sink); }, node);
}
template <class Sink>
void for_each_node_leaf(StmtNode& node, Sink& sink) {
  std::visit([&](auto& n) { for_each_leaf(n, sink); }, node);
}

}  // namespace depyf::ast
