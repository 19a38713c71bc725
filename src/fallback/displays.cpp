// SPDX-License-Identifier: MIT
// Displays, what grows them, and formatted strings; see translate.h.
#include <algorithm>

#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

ExprIds Translator::constant_items(const Entry& entry) {
  ExprIds out_items;
  const auto* c = entry.kind == Kind::kPending ? constant_of(entry.expr) : nullptr;
  if (const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr)
    for (ConstId id : t->items) out_items.push_back(constant(id));
  return out_items;
}

void Translator::display(std::size_t n, bool starred, Op op) {
  const bool cells = n > 0 && std::all_of(state.stack.end() - static_cast<std::ptrdiff_t>(n), state.stack.end(),
                                          [](const Entry& e) { return e.kind == Kind::kCell; });
  if (cells) {
    ast::ExprIds each;
    for (std::size_t i = size() - n; i < size(); ++i) each.push_back(state.stack[i].expr);
    state.stack.resize(size() - n);
    push_kind(Kind::kCell);
    top().expr = op == Op::BUILD_LIST ? make(ast::List{each}) : make(ast::Tuple{each});
    return;
  }
  // the arguments of a class statement with a star: its body's function comes first
  std::uint32_t class_body = 0;
  const std::size_t first = size() - n;
  const auto below = [&](std::size_t depth, Kind kind) {
    return first >= depth && state.stack[first - depth].kind == kind;
  };
  if (n >= 2 && state.stack[first].kind == Kind::kFunction &&
      (below(1, Kind::kBuildClass) || (below(1, Kind::kNull) && below(2, Kind::kBuildClass)))) {
    class_body = state.stack[first].a + 1;
    state.stack[first] = Entry{};
    state.stack[first].kind = Kind::kNull;
  }
  auto e = pop(n);
  ExprIds elts, keys;
  bool sliced = false;
  for (const auto& x : e) {
    if (x.kind == Kind::kClassArguments) {
      class_body = x.a;
      elts = {none(), none(), make(ast::Starred{x.expr})};
      continue;
    }
    const auto* together = starred ? std::get_if<ast::Tuple>(&unit_.ast.exprs[x.expr].node) : nullptr;
    const auto is_star = [&](ExprId item) { return std::holds_alternative<ast::Starred>(unit_.ast.exprs[item].node); };
    const bool unpacks =
        together != nullptr && x.a == 0 && std::any_of(together->elts.begin(), together->elts.end(), is_star);
    if (together != nullptr && x.kind == Kind::kPending && !unpacks) {  // (*(a, b), *c): a, b, *c
      if (&x == &e.front()) class_body = x.a;
      elts.insert(elts.end(), together->elts.begin(), together->elts.end());
      continue;
    }
    elts.push_back(starred ? make(ast::Starred{x.expr}) : x.expr);
    keys.push_back(x.subscript.valid() ? x.subscript : elts.back());
    sliced = sliced || x.subscript.valid();
  }
  switch (op) {
    case Op::BUILD_LIST:
    case Op::BUILD_LIST_UNPACK:
      push(make(ast::List{elts}), e);
      top().a = class_body;
      return;
    case Op::BUILD_SET:
    case Op::BUILD_SET_UNPACK:
      if (elts.empty()) elts.push_back(make(ast::Starred{make(ast::Tuple{})}));
      push(make(ast::Set{elts}), e);
      return;
    default:
      push(make(ast::Tuple{elts}), e);
      top().a = class_body;
      if (sliced) top().subscript = make(ast::Tuple{keys});
  }
}

bool Translator::display_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_TUPLE:
      if (alias_statement(insn)) return true;
      [[fallthrough]];
    case Op::BUILD_LIST:
    case Op::BUILD_SET: display(insn.arg, false, insn.op); return true;
    case Op::BUILD_LIST_UNPACK:
    case Op::BUILD_TUPLE_UNPACK:
    case Op::BUILD_TUPLE_UNPACK_WITH_CALL:
    case Op::BUILD_SET_UNPACK: display(insn.arg, true, insn.op); return true;
    case Op::BUILD_MAP: {
      auto e = pop(2 * static_cast<std::size_t>(insn.arg));
      ast::Dict d;
      for (std::size_t i = 0; i < e.size(); i += 2) {
        d.keys.push_back(e[i].expr);
        d.values.push_back(e[i + 1].expr);
      }
      push(make(std::move(d)), e);
      return true;
    }
    case Op::BUILD_CONST_KEY_MAP: {
      Entry keys = pop();
      auto e = pop(insn.arg);
      ast::Dict d;
      d.keys = constant_items(keys);
      for (const auto& x : e) d.values.push_back(x.expr);
      for (const ExprId absent = none(); d.keys.size() < d.values.size();) d.keys.push_back(absent);
      d.keys.resize(d.values.size());
      push(make(std::move(d)), e);
      return true;
    }
    case Op::BUILD_MAP_UNPACK:
    case Op::BUILD_MAP_UNPACK_WITH_CALL: {
      auto e = pop(insn.arg);
      ast::Dict d;
      for (const auto& x : e) {
        d.keys.push_back({});
        d.values.push_back(x.expr);
      }
      push(make(std::move(d)), e);
      return true;
    }
    case Op::LIST_TO_TUPLE: {
      if (top().kind == Kind::kClassArguments) return true;
      Entry e = pop();
      const auto* l = std::get_if<ast::List>(&unit_.ast.exprs[e.expr].node);
      if (l != nullptr)
        push(make(ast::Tuple{l->elts}), {e});
      else
        push(call(from_builtins("tuple"), {e.expr}), {e});
      top().a = e.a;
      return true;
    }
    default: return false;
  }
}

// The collection lies in a variable: a statement.
void Translator::grow_variable(const Instruction& insn, Entry item, Entry key) {
  const ExprId into = name(slot(size() - insn.arg));
  const auto method = [&](std::string_view which, ExprId arg) {
    emit(ast::ExprStmt{call(attribute(into, which), {arg})}, {item, key});
  };
  switch (insn.op) {
    case Op::LIST_APPEND: method("append", item.expr); return;
    case Op::SET_ADD: method("add", item.expr); return;
    case Op::LIST_EXTEND: method("extend", make(ast::List{{make(ast::Starred{item.expr})}})); return;
    case Op::SET_UPDATE: method("update", item.expr); return;
    case Op::MAP_ADD: emit(ast::Assign{{make(ast::Subscript{into, key.expr})}, item.expr}, {item, key}); return;
    case Op::DICT_UPDATE: method("update", make(ast::Dict{{ExprId{}}, {item.expr}})); return;
    default: {  // DICT_MERGE: a key that comes twice is an error
      ast::Lambda l;
      const NameId k = intern(unit_.options.temp_prefix + "k");
      l.args->kwarg = ast::Parameter{k, {}, {}};
      l.body = name(k);
      ast::Call c{make(std::move(l)), {}, {{NameId{}, into}, {NameId{}, item.expr}}};
      emit(ast::Assign{{into}, make(std::move(c))}, {item});
    }
  }
}

bool Translator::grow_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LIST_APPEND:
    case Op::SET_ADD:
    case Op::MAP_ADD:
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: break;
    default: return false;
  }
  const std::size_t operands = insn.op == Op::MAP_ADD ? 2 : 1;
  settle(operands);
  const std::size_t index = size() - operands - insn.arg;
  const auto& held = state.stack[index];
  const bool display = held.kind == Kind::kPending && held.form == Form::kPlain &&
                       (std::holds_alternative<ast::List>(unit_.ast.exprs[held.expr].node) ||
                        std::holds_alternative<ast::Set>(unit_.ast.exprs[held.expr].node) ||
                        std::holds_alternative<ast::Dict>(unit_.ast.exprs[held.expr].node));
  const auto into_variable = [&] {
    materialise(index);
    const bool both = operands == 2 && top(1).form != Form::kConstant && top(2).kind == Kind::kPending;
    if (both && top(2).form != Form::kConstant) materialise(size() - 2);  // the key is evaluated before the value
    Entry item = pop();
    Entry key = operands == 2 ? pop() : Entry{};
    grow_variable(insn, item, key);
    return true;
  };
  if (insn.arg != 1 || !display) return into_variable();
  // the items of a display are hashed together: the second one is added by a statement
  const auto* set = std::get_if<ast::Set>(&unit_.ast.exprs[state.stack[index].expr].node);
  const bool hashed_late =
      set != nullptr && insn.op == Op::SET_ADD &&
      (set->elts.size() > 1 || !std::holds_alternative<ast::Starred>(unit_.ast.exprs[set->elts[0]].node));
  const auto* dict = std::get_if<ast::Dict>(&unit_.ast.exprs[state.stack[index].expr].node);
  const bool more = dict != nullptr && operands == 2 && !dict->keys.empty() && dict->keys.back().valid();
  if (hashed_late || more) return into_variable();
  Entry item = pop();
  Entry key = operands == 2 ? pop() : Entry{};
  const bool whole = insn.op == Op::LIST_EXTEND || insn.op == Op::SET_UPDATE;
  const ExprId elt = whole ? make(ast::Starred{item.expr}) : item.expr;
  auto& fresh = unit_.ast.exprs[top().expr].node;
  if (auto* l = std::get_if<ast::List>(&fresh)) {
    l->elts.push_back(elt);
  } else if (auto* s = std::get_if<ast::Set>(&fresh)) {
    s->elts.push_back(elt);
  } else if (auto* d = std::get_if<ast::Dict>(&fresh)) {
    d->keys.push_back(operands == 2 ? key.expr : ExprId{});
    d->values.push_back(item.expr);
  }
  for (const Entry* e : {&key, &item}) {
    top().height = std::max(top().height, e->height + 1);
    top().uses.insert(top().uses.end(), e->uses.begin(), e->uses.end());
  }
  return true;
}

// What an f-string may hold as it is; a variable would be formatted once more.
bool Translator::is_part(ExprId text) const {
  const auto* c = constant_of(text);
  return std::holds_alternative<ast::JoinedStr>(unit_.ast.exprs[text].node) ||
         (c != nullptr && std::holds_alternative<ConstStr>(*c));
}

ExprId Translator::with_specification(const Entry& value, char how, const Entry& spec) {
  if (is_part(spec.expr)) return formatted(value, how, spec.expr);
  if (how == 0) return call(from_builtins("format"), {value.expr, spec.expr});
  return formatted(value, how, joined({make(ast::FormattedValue{spec.expr, 0, {}})}));
}

ExprId Translator::formatted(const Entry& value, char how, ExprId spec) {
  if (value.form == Form::kConverted && how == 0) {
    auto f = std::get<ast::FormattedValue>(unit_.ast.exprs[value.raw].node);
    f.spec = spec;
    return joined({make(std::move(f))});
  }
  return joined({make(ast::FormattedValue{value.expr, how, spec})});
}

bool Translator::text_op(const Instruction& insn) {
  constexpr char kConversions[] = {0, 's', 'r', 'a'};
  switch (insn.op) {
    case Op::FORMAT_VALUE: {
      const bool has_spec = (insn.arg & 4U) != 0;
      auto e = pop(has_spec ? 2 : 1);
      const char how = kConversions[insn.arg & 3U];
      push(has_spec ? with_specification(e[0], how, e[1]) : formatted(e[0], how, {}), e);
      return true;
    }
    case Op::CONVERT_VALUE: {
      Entry e = pop();
      const ExprId part = make(ast::FormattedValue{e.expr, kConversions[insn.arg & 3U], {}});
      const bool is_str = (insn.arg & 3U) == 1;  // str() would call __init__ of a subclass
      push(is_str ? joined({part}) : call(from_builtins((insn.arg & 3U) == 2 ? "repr" : "ascii"), {e.expr}), {e},
           Form::kConverted);
      if (top().kind == Kind::kPending) top().raw = part;
      return true;
    }
    case Op::FORMAT_SIMPLE: {
      Entry e = pop();
      push(formatted(e, 0, {}), {e});
      return true;
    }
    case Op::FORMAT_WITH_SPEC: {
      auto e = pop(2);
      push(with_specification(e[0], 0, e[1]), e);
      return true;
    }
    case Op::BUILD_STRING: {
      auto e = pop(insn.arg);
      ExprIds parts, whole;
      for (const auto& x : e) {
        whole.push_back(x.expr);
        if (const auto* j = std::get_if<ast::JoinedStr>(&unit_.ast.exprs[x.expr].node))
          parts.insert(parts.end(), j->values.begin(), j->values.end());
        else
          parts.push_back(x.expr);
      }
      if (std::all_of(whole.begin(), whole.end(), [&](ExprId x) { return is_part(x); }))
        push(joined(std::move(parts)), e);
      else
        push(call(attribute(text(""), "join"), {make(ast::Tuple{whole})}), e);
      return true;
    }
    default: return false;
  }
}

// 3.14 t-strings: by the classes they are made of, since a literal would hold its own text of each expression.
// Their types are those of other ones: nothing needs importing.
bool Translator::template_op(const Instruction& insn) {
  if (insn.op == Op::BUILD_INTERPOLATION) {
    const bool has_spec = (insn.arg & 1U) != 0;
    auto e = pop(has_spec ? 3 : 2);
    constexpr std::string_view kConversions[] = {"", "s", "r", "a"};
    const auto which = kConversions[(insn.arg >> 2U) & 3U];
    ExprIds args{e[0].expr, e[1].expr, which.empty() ? none() : text(which)};
    args.push_back(has_spec ? e[2].expr : text(""));
    const ExprId one = make(ast::TemplateStr{{make(ast::Interpolation{number(0), "0", 0, {}})}});
    const ExprId first = make(ast::Subscript{attribute(one, "interpolations"), number(0)});
    push(call(builtin_call("type", {first}), args), e);
    return true;
  }
  if (insn.op != Op::BUILD_TEMPLATE) return false;
  auto e = pop(2);
  const auto strings = constant_items(e[0]);
  const auto* fields = std::get_if<ast::Tuple>(&unit_.ast.exprs[e[1].expr].node);
  const std::size_t count = fields != nullptr ? fields->elts.size() : 0;
  ExprIds parts;
  if (strings.size() == count + 1) {
    for (std::size_t i = 0; i < strings.size(); ++i) {
      parts.push_back(strings[i]);
      if (i < count) parts.push_back(fields->elts[i]);
    }
  } else {  // they lie in variables: one of each in turn, and adjacent strings become one
    const ExprId all = make(ast::Tuple{{make(ast::Starred{e[1].expr}), text("")}});
    const ExprId turns = builtin_call("zip", {e[0].expr, all});
    parts.push_back(make(ast::Starred{builtin_call("sum", {turns, make(ast::Tuple{})})}));
  }
  push(call(builtin_call("type", {make(ast::TemplateStr{})}), parts), e);
  return true;
}

}  // namespace depyf::fallback::dispatch
