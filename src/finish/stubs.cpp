// SPDX-License-Identifier: MIT
// Statements that are never run, for what only unreached code told the compiler; see finisher.h.
#include "finish/finisher.h"

#include "ast/own_names.h"
#include "ast/walk.h"

#include <algorithm>

namespace depyf::finish {

using ast::ExprId;

ast::NameSet Finisher::mentioned_inside(const ast::Block& b) const {
  ast::NameSet out;
  const Overloaded names{[&](ExprId e) {
                           if (const auto* n = std::get_if<ast::Name>(&node(e))) out.insert(n->id);
                           return true;
                         },
                         [&](ast::StmtId s) {
                           if (const auto* n = std::get_if<ast::Nonlocal>(&node(s)))
                             for (const auto name : n->names) out.insert(name);
                           return true;
                         }};
  const Overloaded scopes{[&](ast::StmtId s) {
                            const auto* f = std::get_if<ast::FunctionDef>(&node(s));
                            const auto* c = std::get_if<ast::ClassDef>(&node(s));
                            if (f != nullptr) ast::walk(unit_.ast, f->body, names);
                            if (c != nullptr) ast::walk(unit_.ast, c->body, names);
                            return true;
                          },
                          [&](ExprId e) {
                            const bool scope = ast::is<ast::Lambda, ast::Comprehension>(node(e));
                            if (scope) ast::walk(unit_.ast, e, names);
                            return !scope;
                          }};
  ast::walk(unit_.ast, b, scopes);
  return out;
}

std::vector<Finisher::Cell> Finisher::cells_in_doubt(std::size_t arguments, const ast::Block& b) {
  if (co_.name.starts_with('<') || co_.cellvars.empty()) return {};
  const bool plus = !co_.localsplus.empty();
  const auto& names = plus ? co_.localsplus : co_.cellvars;
  std::vector<Cell> all(names.size());
  // An inlined comprehension puts a cell of its own in the place of the function's, until STORE_FAST puts that back.
  struct Own {
    std::uint32_t hidden = 0;
    bool cleared = false, used = false, stored = false;
  };
  std::vector<Own> own(names.size());
  for (const auto& i : accesses_.code) {
    if (i.arg >= names.size()) continue;
    Own& o = own[i.arg];
    const bool stores = i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF;
    if (stores) all[i.arg].stored = true;
    if (i.op == Op::LOAD_CLOSURE) all[i.arg].shared = true;
    if (o.hidden == 0 && (stores || i.op == Op::LOAD_CLOSURE || i.op == Op::LOAD_DEREF)) o.used = true;
    if (o.hidden == 0 && stores) o.stored = true;
    if (!plus) continue;
    if (i.op == Op::STORE_FAST) all[i.arg].stored = true;
    if (i.op == Op::STORE_FAST && o.hidden > 0) --o.hidden;
    if (i.op == Op::LOAD_FAST_AND_CLEAR) {
      ++o.hidden;
      o.cleared = true;
    }
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (own[k].cleared && own[k].used && !is_global(names[k])) all[k].stored = own[k].stored;
  std::optional<ast::OwnNames> text;  // not all code after statements is in the text
  ast::NameSet inside;
  if (accesses_.some_unreached) {
    text = ast::own_names(unit_.ast, b);
    inside = mentioned_inside(b);
  }
  const auto end = co_.varnames.begin() + static_cast<std::ptrdiff_t>(std::min(arguments, co_.varnames.size()));
  std::vector<Cell> out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool cell = !plus || (k < co_.localspluskinds.size() && (co_.localspluskinds[k] & 0x40U) != 0);
    if (!cell || names[k].starts_with('.')) continue;
    all[k].name = unmangled(names[k]);
    if (text) {
      all[k].stored = all[k].stored && text->bound.contains(all[k].name);
      all[k].shared = all[k].shared && inside.contains(all[k].name);
    }
    all[k].stored = all[k].stored || (plus ? k < arguments : std::find(co_.varnames.begin(), end, names[k]) != end);
    if (!all[k].stored || !all[k].shared) out.push_back(all[k]);
  }
  return out;
}

bool Finisher::is_global(const std::string& name) const {
  return std::ranges::any_of(bytecode_.code, [&](const Instruction& i) {
    const bool global = i.op == Op::LOAD_GLOBAL || i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL;
    return global && co_.names[i.arg] == name;
  });
}

void Finisher::local_stub(ast::Block& b) {
  const auto& names = local_names(co_);
  SmallVector<bool, 64> stored(names.size()), read(names.size()), cleared(names.size());
  const std::size_t arguments = parameter_count(co_);
  for (const auto& i : accesses_.code) {
    if (i.arg >= names.size()) continue;
    if (i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST || i.op == Op::LOAD_FAST_AND_CLEAR) stored[i.arg] = true;
    if (i.op == Op::LOAD_FAST) read[i.arg] = true;
    if (i.op == Op::LOAD_FAST_AND_CLEAR) cleared[i.arg] = true;
  }
  if (std::find(cleared.begin(), cleared.end(), true) != cleared.end()) {
    const auto own = ast::own_names(unit_.ast, b);  // what inlined comprehensions store is theirs in the text
    for (std::size_t k = arguments; k < names.size(); ++k) {
      if (!cleared[k]) continue;
      const auto id = local(k);
      read[k] = own.mentioned.contains(id) && !is_global(names[k]);
      stored[k] = own.bound.contains(id);
    }
  }
  if (accesses_.some_unreached && std::find(read.begin(), read.end(), true) != read.end()) {
    const auto own = ast::own_names(unit_.ast, b);
    for (std::size_t k = arguments; k < names.size(); ++k)
      if (read[k]) stored[k] = stored[k] && own.bound.contains(local(k));
  }
  ast::Block dead;
  const auto named = [&](ast::NameId name) { return unit_.ast.expr(ast::Name{name}, {code_, 0}); };
  const auto assign = [&](ast::NameId name) {
    dead.push_back(stmt(ast::Assign{{named(name)}, unit_.ast.expr(ast::NoneLiteral{}, {code_, 0})}));
  };
  for (std::size_t k = arguments; k < names.size(); ++k) {
    bool free = !co_.localspluskinds.empty() && (co_.localspluskinds[k] & 0xC0U) != 0;
    // an inlined comprehension's variable beside a free one of that name
    free = free || std::find(co_.freevars.begin(), co_.freevars.end(), names[k]) != co_.freevars.end();
    if (read[k] && !stored[k] && !free) assign(local(k));
  }
  for (const auto& cell : cells_in_doubt(arguments, b)) {
    const std::string text{unit_.ast.text(cell.name)};
    const bool free = std::find(co_.freevars.begin(), co_.freevars.end(), text) != co_.freevars.end();
    if (unit_.dialect.inlines_comprehensions && (free || is_global(text))) {  // the cell of a comprehension alone
      const auto of = "[lambda: " + text + " for " + text + " in ()]";
      dead.push_back(stmt(ast::ExprStmt{unit_.ast.expr(ast::Verbatim{of}, {code_, 0})}));
      continue;
    }
    if (!cell.stored) assign(cell.name);
    if (!cell.shared)
      dead.push_back(stmt(ast::ExprStmt{unit_.ast.expr(ast::Lambda{{}, named(cell.name)}, {code_, 0})}));
  }
  if (!dead.empty()) b.insert(b.begin(), stmt(ast::If{unit_.ast.expr(ast::IntLiteral{0}, {code_, 0}), dead, {}}));
}

void Finisher::annotations_stub(ast::Block& b) {
  if (!has(Op::SETUP_ANNOTATIONS)) return;
  bool said = false;
  const auto stmt_says = [&](ast::StmtId s) {
    if (ast::is_scope(node(s))) return false;  // bodies of their own
    // find_ann of Python/compile.c looks into match statements from 3.11 on, with exception tables
    if (ast::is<ast::Match>(node(s)) && !unit_.dialect.exception_table) return false;
    return !(said = said || ast::is<ast::AnnAssign>(node(s)));
  };
  const auto expr_says = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&node(e));
    return !(said = said || (n != nullptr && unit_.ast.text(n->id) == "__annotations__"));
  };
  ast::walk(unit_.ast, b, Overloaded{stmt_says, expr_says});
  if (said) return;
  const auto none = unit_.ast.expr(ast::NoneLiteral{}, {code_, 0}),
             zero = unit_.ast.expr(ast::IntLiteral{0}, {code_, 0});
  const auto name = unit_.ast.expr(ast::Name{unit_.ast.intern("_")}, {code_, 0});
  const auto at = co_.parent.valid() ? b.begin() : b.begin() + opening(b);
  b.insert(at, stmt(ast::If{zero, {stmt(ast::AnnAssign{name, none, {}, true})}, {}}));
}

void Finisher::generator_stub(ast::Block& b) {
  if ((co_.flags & (kCoGenerator | kCoAsyncGenerator)) == 0 || out_.comprehension || co_.name == "<lambda>") return;
  bool yields = false;
  const auto is_own = [&](ast::StmtId s) { return !ast::is_scope(node(s)); };
  const auto expr_yields = [&](ExprId e) {
    yields = yields || ast::is<ast::Yield, ast::YieldFrom>(node(e));
    return !yields && !ast::is<ast::Lambda>(node(e));
  };
  ast::walk(unit_.ast, b, Overloaded{is_own, expr_yields});
  if (yields) return;
  const auto y = stmt(ast::ExprStmt{unit_.ast.expr(ast::Yield{}, {code_, 0})});
  const auto zero = unit_.ast.expr(ast::IntLiteral{0}, {code_, 0});
  b.push_back(stmt(ast::If{zero, {y}, {}}));
}

void Finisher::class_stub(ast::Block& b) {
  std::vector<ast::NameId> read;
  for (const auto& i : bytecode_.code) {
    if (i.op != Op::LOAD_NAME || !enclosing_has(co_.names[i.arg])) continue;
    const ast::NameId name = unmangled(co_.names[i.arg]);
    if (std::find(read.begin(), read.end(), name) == read.end()) read.push_back(name);
  }
  if (read.empty()) return;
  const auto own = ast::own_names(unit_.ast, b);
  std::erase_if(read, [&](ast::NameId name) { return own.bound.contains(name); });
  if (read.empty()) return;
  ast::Block dead;
  for (const auto name : read)
    dead.push_back(stmt(
        ast::Assign{{unit_.ast.expr(ast::Name{name}, {code_, 0})}, unit_.ast.expr(ast::NoneLiteral{}, {code_, 0})}));
  b.insert(b.begin(), stmt(ast::If{literal(0), dead, {}}));
}

void Finisher::delete_temporaries(ast::Block& b) {
  auto bound = ast::own_names(unit_.ast, b).bound.names();
  std::erase_if(bound, [&](auto id) { return !unit_.ast.text(id).starts_with(unit_.options.temp_prefix); });
  if (bound.empty()) return;
  ast::NameSet gone;
  ast::Block end = b;
  if (const auto* t = b.empty() ? nullptr : std::get_if<ast::Try>(&node(b.back()))) end = t->finalbody;
  if (const auto* last = end.empty() ? nullptr : std::get_if<ast::Delete>(&node(end.back())))
    for (const ExprId e : last->targets)
      if (const auto* n = std::get_if<ast::Name>(&node(e))) gone.insert(n->id);
  ast::walk(unit_.ast, b, [&](ast::StmtId s) {
    if (const auto* t = std::get_if<ast::Try>(&node(s)))
      for (const auto& h : t->handlers)
        if (h.name.valid()) gone.insert(h.name);  // at the handler's end
    return !ast::is_scope(node(s));
  });
  ast::ExprIds stored, deleted;
  for (const auto id : bound) {
    if (gone.contains(id)) continue;
    stored.push_back(unit_.ast.expr(ast::Name{id}, {code_, 0}));
    deleted.push_back(unit_.ast.expr(ast::Name{id}, {code_, 0}));
  }
  if (stored.empty()) return;
  b.push_back(stmt(ast::Assign{std::move(stored), unit_.ast.expr(ast::NoneLiteral{}, {code_, 0})}));
  b.push_back(stmt(ast::Delete{std::move(deleted)}));
}

}  // namespace depyf::finish
