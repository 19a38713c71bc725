// SPDX-License-Identifier: MIT
// Test program that reads syntax trees, which roundtrip_ast.py makes from CPython's `ast`, and prints their texts.
//
// Each line of input is a command: a constant, a node (numbered in order of appearance, like the ids of the arenas), or
// `print`. The argument of the program is the width at which lines are broken. The answer to `print` is "ok LENGTH\n"
// and the text, or "error LENGTH\n" and the reason. See roundtrip_ast.py.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

#include "print/print.h"

namespace {

using namespace depyf;
using namespace depyf::ast;

// A line, split at spaces. A list is a count and the elements, a missing id or name is "-", and texts are hexadecimal.
class Fields {
 public:
  explicit Fields(const std::string& line) : in_(line) {}
  std::string word() {
    std::string w;
    in_ >> w;
    return w;
  }
  std::uint64_t number() { return std::stoull(word(), nullptr, 0); }
  bool flag() { return word() == "1"; }
  std::string text() {
    const std::string hex = word();
    std::string out;
    for (std::size_t i = 1; i + 1 < hex.size(); i += 2)  // after the leading 'x'
      out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return out;
  }
  template <class Tag>
  void read(Id<Tag>& id) {
    const std::string w = word();
    if (w != "-") id.n = static_cast<std::uint32_t>(std::stoul(w));
  }
  template <class List>
    requires requires(List& list) { list.push_back(typename List::value_type{}); }
  void read(List& list) {
    const std::uint64_t count = number();
    for (std::uint64_t i = 0; i < count; ++i) {
      typename List::value_type element{};
      read(element);
      list.push_back(std::move(element));
    }
  }
  void read(std::string& held) { held = text(); }
  template <class T>
  void read(Boxed<T>& held) {
    read(*held);
  }
  Tree* tree = nullptr;
  void read(NameId& id) {
    const std::string w = word();
    if (w != "-") {
      std::istringstream hex(w);
      Fields f(w);
      id = tree->intern(f.text());
    }
  }
  void read(Alias& a) {
    a.name = text();
    read(a.asname);
  }
  void read(Parameter& p) {
    read(p.name);
    read(p.annotation);
    read(p.default_);
  }
  void read(std::optional<Parameter>& p) {
    if (!flag()) return;
    p.emplace();
    read(*p);
  }
  void read(Arguments& a) {
    read(a.posonly);
    read(a.args);
    read(a.vararg);
    read(a.kwonly);
    read(a.kwarg);
  }
  void read(Keyword& k) {
    read(k.name);
    read(k.value);
  }
  void read(Generator& g) {
    read(g.target);
    read(g.iter);
    read(g.ifs);
    g.is_async = flag();
  }
  void read(TypeParam& p) {
    p.kind = static_cast<TypeParam::Kind>(number());
    read(p.name);
    read(p.bound);
    read(p.default_);
  }
  void read(WithItem& w) {
    read(w.context);
    read(w.vars);
  }
  void read(MatchCase& c) {
    read(c.pattern);
    read(c.guard);
    read(c.body);
  }
  void read(ExceptHandler& h) {
    read(h.type);
    read(h.name);
    read(h.body);
  }
  void read(CompareOperator& op) { op = static_cast<CompareOperator>(number()); }
  void read(std::optional<ConstId>& id) {
    ConstId found;
    read(found);
    if (found.valid()) id = found;
  }

 private:
  std::istringstream in_;
};

struct Session {
  CodeTree code;
  Tree tree;
  Dialect dialect;
};

bool read_constant(Session& s, const std::string& kind, Fields& f) {
  Constant c;
  if (kind == "none") {
    c = ConstNone{};
  } else if (kind == "ellipsis") {
    c = ConstEllipsis{};
  } else if (kind == "bool") {
    c = ConstBool{f.flag()};
  } else if (kind == "int") {
    ConstInt n;
    n.negative = f.flag();
    const std::uint64_t count = f.number();
    for (std::uint64_t i = 0; i < count; ++i) n.digits.push_back(static_cast<std::uint32_t>(f.number()));
    c = n;
  } else if (kind == "float") {
    const std::uint64_t bits = f.number();
    double d = 0;
    std::memcpy(&d, &bits, sizeof d);
    c = ConstFloat{d};
  } else if (kind == "complex") {
    const std::uint64_t bits[2] = {f.number(), f.number()};
    double d[2] = {0, 0};
    std::memcpy(d, bits, sizeof d);
    c = ConstComplex{d[0], d[1]};
  } else if (kind == "str") {
    c = ConstStr{f.text()};
  } else if (kind == "bytes") {
    c = ConstBytes{f.text()};
  } else if (kind == "tuple") {
    ConstTuple t;
    f.read(t.items);
    c = t;
  } else if (kind == "frozenset") {
    ConstFrozenSet t;
    f.read(t.items);
    c = t;
  } else if (kind == "slice") {
    ConstSlice t;
    f.read(t.start);
    f.read(t.stop);
    f.read(t.step);
    c = t;
  } else {
    return false;
  }
  s.code.consts.add(c);
  return true;
}

template <class Node, class... Members>
Node make(Fields& f, Members... members) {
  Node node{};
  [[maybe_unused]] const auto one = [&](auto& member) {
    using M = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_same_v<M, bool>) {
      member = f.flag();
    } else if constexpr (std::is_enum_v<M>) {
      member = static_cast<M>(f.number());
    } else if constexpr (std::is_same_v<M, char>) {
      member = static_cast<char>(f.number());
    } else if constexpr (std::is_arithmetic_v<M>) {
      member = static_cast<M>(f.number());
    } else {
      f.read(member);
    }
  };
  (one(node.*members), ...);
  return node;
}

bool read_expr(Session& s, const std::string& kind, Fields& f) {
  using Reader = ExprNode (*)(Fields&);
#define READ(Node, ...)                             \
  {                                                 \
    #Node, [](Fields& g) -> ExprNode {              \
      using N = Node;                               \
      return make<N>(g __VA_OPT__(, ) __VA_ARGS__); \
    }                                               \
  }
  static const std::map<std::string, Reader> readers = {
      READ(BoolOp, &N::op, &N::values),
      READ(NamedExpr, &N::target, &N::value),
      READ(BinOp, &N::left, &N::op, &N::right),
      READ(UnaryOp, &N::op, &N::operand),
      READ(Lambda, &N::args, &N::body),
      READ(IfExp, &N::test, &N::body, &N::orelse),
      READ(Dict, &N::keys, &N::values),
      READ(Set, &N::elts),
      READ(Comprehension, &N::kind, &N::elt, &N::value, &N::generators),
      READ(Await, &N::value),
      READ(Yield, &N::value),
      READ(YieldFrom, &N::value),
      READ(Compare, &N::left, &N::ops, &N::comparators),
      READ(Call, &N::func, &N::args, &N::keywords),
      READ(FormattedValue, &N::value, &N::conversion, &N::spec),
      READ(JoinedStr, &N::values),
      READ(Interpolation, &N::value, &N::text, &N::conversion, &N::spec),
      READ(TemplateStr, &N::values),
      READ(ConstantExpr, &N::value),
      READ(Attribute, &N::value, &N::attr),
      READ(Subscript, &N::value, &N::slice),
      READ(Starred, &N::value),
      READ(Name, &N::id),
      READ(List, &N::elts),
      READ(Tuple, &N::elts),
      READ(Slice, &N::lower, &N::upper, &N::step)};
  const auto found = readers.find(kind);
  if (found == readers.end()) return false;
  // Every expression has its id as the offset of its origin, to test the source map.
  const auto offset = static_cast<std::uint32_t>(s.tree.exprs.size());
  s.tree.expr(found->second(f), Origin{CodeId{0}, offset});
  return true;
}

bool read_pattern(Session& s, const std::string& kind, Fields& f) {
  using Reader = PatternNode (*)(Fields&);
#undef READ
#define READ(Node, ...)                             \
  {                                                 \
    #Node, [](Fields& g) -> PatternNode {           \
      using N = Node;                               \
      return make<N>(g __VA_OPT__(, ) __VA_ARGS__); \
    }                                               \
  }
  static const std::map<std::string, Reader> readers = {
      READ(MatchValue, &N::value),
      READ(MatchSingleton, &N::value),
      READ(MatchSequence, &N::patterns),
      READ(MatchMapping, &N::keys, &N::patterns, &N::rest),
      READ(MatchClass, &N::cls, &N::patterns, &N::kwd_attrs, &N::kwd_patterns),
      READ(MatchStar, &N::name),
      READ(MatchAs, &N::pattern, &N::name),
      READ(MatchOr, &N::patterns)};
  const auto found = readers.find(kind);
  if (found == readers.end()) return false;
  s.tree.pattern(found->second(f));
  return true;
}

bool read_stmt(Session& s, const std::string& kind, Fields& f) {
  using Reader = StmtNode (*)(Fields&);
#undef READ
#define READ(Node, ...)                             \
  {                                                 \
    #Node, [](Fields& g) -> StmtNode {              \
      using N = Node;                               \
      return make<N>(g __VA_OPT__(, ) __VA_ARGS__); \
    }                                               \
  }
  static const std::map<std::string, Reader> readers = {
      READ(FunctionDef, &N::name, &N::args, &N::body, &N::decorators, &N::returns, &N::type_params, &N::is_async,
           &N::docstring),
      READ(ClassDef, &N::name, &N::bases, &N::keywords, &N::body, &N::decorators, &N::type_params, &N::docstring),
      READ(Return, &N::value),
      READ(Delete, &N::targets),
      READ(Assign, &N::targets, &N::value),
      READ(TypeAlias, &N::name, &N::type_params, &N::value),
      READ(AugAssign, &N::target, &N::op, &N::value),
      READ(AnnAssign, &N::target, &N::annotation, &N::value, &N::simple),
      READ(For, &N::target, &N::iter, &N::body, &N::orelse, &N::is_async),
      READ(While, &N::test, &N::body, &N::orelse),
      READ(If, &N::test, &N::body, &N::orelse),
      READ(With, &N::items, &N::body, &N::is_async),
      READ(Match, &N::subject, &N::cases),
      READ(Raise, &N::exc, &N::cause),
      READ(Try, &N::body, &N::handlers, &N::orelse, &N::finalbody, &N::is_star),
      READ(Assert, &N::test, &N::msg),
      READ(Import, &N::names, &N::is_lazy),
      READ(ImportFrom, &N::module, &N::names, &N::level, &N::is_lazy),
      READ(Global, &N::names),
      READ(Nonlocal, &N::names),
      READ(ExprStmt, &N::value),
      READ(Pass),
      READ(Break),
      READ(Continue)};
#undef READ
  const auto found = readers.find(kind);
  if (found == readers.end()) return false;
  s.tree.stmt(found->second(f));
  return true;
}

// Returns what is wrong with the source map: ranges must be in the text, nested or disjoint, and ordered by start.
std::string map_fault(const Printed& printed) {
  std::vector<std::size_t> lines{0};
  for (std::size_t at = 0; at < printed.text.size(); ++at)
    if (printed.text[at] == '\n') lines.push_back(at + 1);
  std::vector<std::size_t> ends;
  std::size_t last = 0;
  for (const MapEntry& e : printed.map) {
    const SourceRange& r = e.range;
    if (r.line < 1 || r.end_line < r.line || r.end_line > lines.size()) return "line out of range";
    const std::size_t begin = lines[r.line - 1] + r.column;
    const std::size_t end = lines[r.end_line - 1] + r.end_column;
    if (begin >= end || end > printed.text.size() || begin < last) return "entry out of order";
    while (!ends.empty() && ends.back() <= begin) ends.pop_back();
    if (!ends.empty() && end > ends.back()) return "entries overlap";
    ends.push_back(end);
    last = begin;
  }
  return {};
}

void answer(const char* word, const std::string& text) {
  std::printf("%s %zu\n", word, text.size());
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  PrintOptions options;
  if (count > 1) options.width = static_cast<std::uint32_t>(std::stoul(arguments[1]));
  std::ios::sync_with_stdio(false);
  Session s;
  std::string line;
  while (std::getline(std::cin, line)) {
    Fields f(line);
    f.tree = &s.tree;
    const std::string kind = f.word();
    if (kind == "version") {
      s = Session{};
      s.dialect = dialect_of(Version{3, static_cast<std::uint8_t>(f.number())});
    } else if (kind == "print") {
      Block body;
      f.read(body);
      const auto printed = print(s.code, s.tree, body, s.dialect, options);
      const std::string fault = printed.ok() ? map_fault(*printed) : printed.error().what;
      answer(fault.empty() ? "ok" : "error", fault.empty() ? printed->text : fault);
    } else if (kind == "print_expr") {
      ExprId id;
      f.read(id);
      const auto printed = print_expr(s.code, s.tree, id, s.dialect);
      answer(printed.ok() ? "ok" : "error", printed.ok() ? *printed : printed.error().what);
    } else if (!read_constant(s, kind, f) && !read_expr(s, kind, f) && !read_pattern(s, kind, f) &&
               !read_stmt(s, kind, f)) {
      std::fprintf(stderr, "no such command: %s\n", line.c_str());
      return 2;
    }
  }
  return 0;
}
