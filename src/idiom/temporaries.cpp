// SPDX-License-Identifier: MIT
// Names of depyf's own variables, and statements about them; see temporaries.h.
#include "idiom/temporaries.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/fresh_names.h"
#include "idiom/value_paths.h"

namespace depyf::idiom {

namespace {

using ast::Block;
using ast::ExprId;
using ast::ExprIds;
using ast::NameId;

// Tells which names are temporaries: depyf's own variables and those of the framework's compiler.
class Variables {
 public:
  Variables(const ast::Tree& tree, const Temporaries& temporaries) : tree_(tree), temporaries_(temporaries) {}

  [[nodiscard]] const NameId* name(ExprId e) const {
    const auto* n = std::get_if<ast::Name>(&tree_.exprs[e].node);
    return n != nullptr ? &n->id : nullptr;
  }
  [[nodiscard]] bool is_temporary(ExprId e) const {
    const auto* n = name(e);
    return n != nullptr && is_temporary(tree_.text(*n));
  }
  [[nodiscard]] bool is_temporary(std::string_view name) const {
    return (name.starts_with(temporaries_.prefix) && name != temporaries_.argument) ||
           temporaries_.listed.contains(std::string(name));
  }

 private:
  const ast::Tree& tree_;
  const Temporaries& temporaries_;
};

// Rewrites statements about temporaries as a person would write them.
class Shapes {
 public:
  Shapes(ast::Tree& tree, const Variables& variables) : tree_(tree), variables_(variables) {}

  void run(Block& body) {
    each_block(body, [&](Block& b) { merge_branches(b); });
    merge_default_value(body);
    each_block(body, [&](Block& b) { merge_item_reads(b); }, Blocks::kWithoutHandler);
    each_block(body, [&](Block& b) { merge_deletions(b); });
  }
  void mark_profiler(Block& body) {
    each_block(body, [&](Block& b) { add_marker_comment(b); });
  }

 private:
  // Which blocks to change. After an exception in a `try` or `with` statement, the code that follows may read the
  // variables that were stored before it.
  enum class Blocks : bool { kAll, kWithoutHandler };

  // Returns the blocks of a statement, except for functions and classes. Adding a statement to the tree moves them.
  std::vector<Block*> blocks_of(ast::StmtId s, Blocks which) {
    std::vector<Block*> out;
    auto& node = tree_.stmts[s].node;
    if (!ast::is_scope(node) && (which == Blocks::kAll || !ast::is<ast::Try, ast::With>(node)))
      ast::for_each_child_block(node, [&](Block& b) { out.push_back(&b); });
    return out;
  }
  // Calls change(block) for `body` and the blocks in it, inner blocks first.
  template <class F>
  void each_block(Block& body, F&& change, Blocks which = Blocks::kAll) {
    std::vector<ast::StmtId> stmts(body.begin(), body.end());
    for (std::size_t i = 0; i < stmts.size(); ++i)
      for (Block* b : blocks_of(stmts[i], which)) stmts.insert(stmts.end(), b->begin(), b->end());
    for (auto i = stmts.size(); i-- > 0;)
      for (std::size_t k = 0; k < blocks_of(stmts[i], which).size(); ++k) {
        Block changed = *blocks_of(stmts[i], which)[k];
        change(changed);
        *blocks_of(stmts[i], which)[k] = std::move(changed);
      }
    change(body);
  }

  // Returns the only statement of a block if it assigns to one temporary, else null.
  [[nodiscard]] const ast::Assign* sole_store(const Block& b) const {
    if (b.size() != 1) return nullptr;
    const auto* a = std::get_if<ast::Assign>(&tree_.stmts[b[0]].node);
    return a != nullptr && a->targets.size() == 1 && variables_.is_temporary(a->targets[0]) ? a : nullptr;
  }

  // if t: v = a / else: v = b  ->  v = a if t else b
  void merge_branches(Block& b) {
    for (auto s : b) {
      const auto* i = std::get_if<ast::If>(&tree_.stmts[s].node);
      if (i == nullptr) continue;
      const auto *x = sole_store(i->body), *y = sole_store(i->orelse);
      if (x == nullptr || y == nullptr || *variables_.name(x->targets[0]) != *variables_.name(y->targets[0])) continue;
      const ExprId target = x->targets[0];
      const auto value = tree_.expr(ast::IfExp{i->test, x->value, y->value}, tree_.stmts[s].origin);
      tree_.stmts[s].node = ast::Assign{{target}, value};
    }
  }

  // v = a / if t: v = b  ->  v = b if t else a, for a temporary v, a constant a and a name t, in the body of the
  // function. If b raises, no handler of the function sees v; no other function can read v while b is evaluated.
  void merge_default_value(Block& body) {
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      const auto* first = std::get_if<ast::Assign>(&tree_.stmts[body[i]].node);
      const auto* test = std::get_if<ast::If>(&tree_.stmts[body[i + 1]].node);
      if (first == nullptr || test == nullptr || !test->orelse.empty() || test->body.size() != 1) continue;
      const auto* then = std::get_if<ast::Assign>(&tree_.stmts[test->body[0]].node);
      if (then == nullptr || then->targets.size() != 1 || first->targets.size() != 1 ||
          !variables_.is_temporary(first->targets[0]))
        continue;
      const auto *x = variables_.name(first->targets[0]), *y = variables_.name(then->targets[0]),
                 *t = variables_.name(test->test);
      if (x == nullptr || y == nullptr || t == nullptr || *x != *y || *t == *x) continue;
      if (!std::holds_alternative<ast::ConstantExpr>(tree_.exprs[first->value].node) || mentions(then->value, *x))
        continue;
      const ExprId target = first->targets[0], value = then->value, orelse = first->value, condition = test->test;
      const auto origin = tree_.stmts[test->body[0]].origin;
      const auto conditional = tree_.expr(ast::IfExp{condition, value, orelse}, origin);
      tree_.stmts[body[i + 1]] = {ast::Assign{{target}, conditional}, origin};
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  [[nodiscard]] bool mentions(ExprId e, NameId name) const {
    bool found = false;
    ast::walk(tree_, e, [&](ExprId x) {
      return !(found = found || (variables_.name(x) != nullptr && *variables_.name(x) == name));
    });
    return found;
  }

  // v = c[0] / w = c[1]  ->  v, w = c[0], c[1]
  void merge_item_reads(Block& b) {
    constexpr std::size_t kMaxTargets = 4;
    Block out;
    for (std::size_t i = 0; i < b.size();) {
      ExprIds targets, values;
      std::size_t k = i;
      for (; k < b.size() && targets.size() < kMaxTargets; ++k) {
        const auto* a = sole_store({b[k]});
        if (a == nullptr || !is_item(a->value)) break;
        const auto* c = variables_.name(std::get<ast::Subscript>(tree_.exprs[a->value].node).value);
        const auto is_container = [&](ExprId t) { return *variables_.name(t) == *c; };
        if (!values.empty() && *c != *variables_.name(std::get<ast::Subscript>(tree_.exprs[values[0]].node).value))
          break;
        if (std::any_of(targets.begin(), targets.end(), is_container)) break;
        targets.push_back(a->targets[0]);
        values.push_back(a->value);
      }
      if (targets.size() < 2) {
        out.push_back(b[i++]);
        continue;
      }
      const auto origin = tree_.stmts[b[i]].origin;
      const auto left = tree_.expr(ast::Tuple{targets}, origin), right = tree_.expr(ast::Tuple{values}, origin);
      out.push_back(tree_.stmt(ast::Assign{{left}, right}, origin));
      i = k;
    }
    b = std::move(out);
  }
  // del v / del w  ->  del v, w
  void merge_deletions(Block& b) {
    const auto deletes_temporaries = [&](ast::StmtId s) {
      const auto* d = std::get_if<ast::Delete>(&tree_.stmts[s].node);
      return d != nullptr &&
             std::all_of(d->targets.begin(), d->targets.end(), [&](ExprId t) { return variables_.is_temporary(t); });
    };
    for (std::size_t i = 0; i + 1 < b.size();) {
      if (!deletes_temporaries(b[i]) || !deletes_temporaries(b[i + 1])) {
        ++i;
        continue;
      }
      auto targets = std::get<ast::Delete>(tree_.stmts[b[i]].node).targets;
      const auto& next = std::get<ast::Delete>(tree_.stmts[b[i + 1]].node).targets;
      targets.insert(targets.end(), next.begin(), next.end());
      b[i] = tree_.stmt(ast::Delete{std::move(targets)}, tree_.stmts[b[i]].origin);  // a new one: it may be shared
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
  [[nodiscard]] bool is_item(ExprId e) const {
    const auto* s = std::get_if<ast::Subscript>(&tree_.exprs[e].node);
    return s != nullptr && variables_.name(s->value) != nullptr && ast::is_constant(tree_, s->slice);
  }

  // ---- the profiler's marker
  [[nodiscard]] bool is_marker(ast::StmtId s) const {
    bool found = false;
    const auto look = [&](ExprId e) {
      const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node);
      found |= a != nullptr && tree_.text(a->attr) == "record_pregraph_bytecode_enter";
      return !found;
    };
    const auto& node = tree_.stmts[s].node;
    if (const auto* a = std::get_if<ast::Assign>(&node)) ast::walk(tree_, a->value, look);
    if (const auto* x = std::get_if<ast::ExprStmt>(&node)) ast::walk(tree_, x->value, look);
    return found;
  }
  void add_marker_comment(Block& b) {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (is_marker(b[i])) {
        const auto comment = tree_.stmt(ast::Comment{"profiler marker: start and end of the code before the graph"},
                                        tree_.stmts[b[i]].origin);
        b.insert(b.begin() + static_cast<std::ptrdiff_t>(i), comment);
        return;
      }
  }

  ast::Tree& tree_;
  const Variables& variables_;
};

// How a temporary is used.
struct Facts {
  ExprIds values;          // expressions that are assigned to it
  std::uint32_t item = 0;  // its index, if it is a target of an unpacking
  // `other`: used in another way, except for `del`.
  bool unpacked = false, called = false, tested = false, other = false;
  bool defined = false;  // by a `def`
  bool caught = false;   // by an `except`
};

class Namer {
 public:
  Namer(const CodeTree& code, ast::Tree& tree, const Temporaries& temporaries, const Variables& variables,
        std::set<std::string>& taken)
      : code_(code), tree_(tree), temporaries_(temporaries), variables_(variables), taken_(taken) {}

  void run(const Block& body) {
    collect(body);
    rename(body);
  }

 private:
  // ---- facts about variables
  Facts* facts_or_null(ExprId e) {
    if (!variables_.is_temporary(e)) return nullptr;
    return &facts_of(*variables_.name(e));
  }
  Facts& facts_of(NameId id) {
    if (!facts_.contains(id.n)) order_.push_back(id);
    return facts_[id.n];
  }
  void assign(ExprId target, ExprId value) {
    if (auto* f = facts_or_null(target)) {
      f->values.push_back(value);
      return;
    }
    const auto* t = std::get_if<ast::Tuple>(&tree_.exprs[target].node);
    if (t == nullptr) return;
    const auto* v = std::get_if<ast::Tuple>(&tree_.exprs[value].node);
    for (std::uint32_t i = 0; i < t->elts.size(); ++i)
      if (auto* f = facts_or_null(t->elts[i])) {
        const bool is_paired = v != nullptr && v->elts.size() == t->elts.size();
        f->values.push_back(is_paired ? v->elts[i] : value);
        f->unpacked |= !is_paired;
        f->item = i;
      }
  }
  void collect(const Block& body) {
    std::set<std::uint32_t> classified;
    const auto in_stmt = [&](ast::StmtId s) {
      const auto& node = tree_.stmts[s].node;
      if (const auto* a = std::get_if<ast::Assign>(&node)) {
        for (ExprId t : a->targets) {
          assign(t, a->value);
          classified.insert(t.n);
          if (const auto* tuple = std::get_if<ast::Tuple>(&tree_.exprs[t].node))
            for (ExprId e : tuple->elts) classified.insert(e.n);
        }
      } else if (const auto* i = std::get_if<ast::If>(&node)) {
        test(i->test, classified);
      } else if (const auto* d = std::get_if<ast::Delete>(&node)) {
        for (ExprId t : d->targets) classified.insert(t.n);
      } else if (const auto* def = std::get_if<ast::FunctionDef>(&node)) {
        if (variables_.is_temporary(tree_.text(def->name))) facts_of(def->name).defined = true;
      } else if (const auto* t = std::get_if<ast::Try>(&node)) {
        for (const auto& h : t->handlers)
          if (h.name.valid() && variables_.is_temporary(tree_.text(h.name))) facts_of(h.name).caught = true;
      }
      return true;
    };
    const auto in_expr = [&](ExprId e) {
      if (const auto* c = std::get_if<ast::Call>(&tree_.exprs[e].node)) {
        if (auto* f = facts_or_null(c->func)) f->called = true;
        classified.insert(c->func.n);
      } else if (const auto* x = std::get_if<ast::IfExp>(&tree_.exprs[e].node)) {
        test(x->test, classified);
      } else if (auto* f = classified.contains(e.n) ? nullptr : facts_or_null(e)) {
        f->other = true;
      }
      return true;
    };
    ast::walk(tree_, body, Overloaded{in_stmt, in_expr});
  }
  void test(ExprId e, std::set<std::uint32_t>& seen) {
    for (int i = 0; i < 2; ++i)
      if (const auto* u = std::get_if<ast::UnaryOp>(&tree_.exprs[e].node); u != nullptr) e = u->operand;
    if (auto* f = facts_or_null(e)) {
      f->tested = true;
      seen.insert(e.n);
    }
  }

  // Returns the last word of an expression: the attribute, or the name of a variable; for a temporary, its new name.
  [[nodiscard]] std::string last_word(ExprId e) const {
    if (const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node)) return std::string(tree_.text(a->attr));
    const auto* n = variables_.name(e);
    if (n == nullptr) return "";
    if (auto it = names_.find(n->n); it != names_.end()) return it->second;
    return std::string(tree_.text(*n));
  }
  static std::string without_suffix(std::string word, std::string_view suffix) {
    if (word.ends_with(suffix)) word.resize(word.size() - suffix.size());
    return word;
  }
  [[nodiscard]] std::string describe(const Facts& f) const {
    const bool is_flag = std::all_of(f.values.begin(), f.values.end(), [&](ExprId v) { return is_bool(v); });
    // The only flag is the one that tells whether a `with` statement has suppressed an exception.
    if (f.tested && is_flag && !f.values.empty()) return "swallowed";
    const bool is_attribute =
        f.values.size() == 1 && std::holds_alternative<ast::Attribute>(tree_.exprs[f.values[0]].node);
    if (f.tested && !f.called && !f.other && !is_attribute) return "branch";
    if (f.defined) return "function";
    if (f.caught) return "error";
    if (f.unpacked) return "out_" + std::to_string(f.item);
    // A stack slot that holds different values in turn is named after none of them.
    std::string word;
    for (const ExprId v : f.values) {
      if (ast::is_none(tree_, code_, v)) continue;
      const auto next = describe(f, v);
      if (!word.empty() && next != word) return "value";
      word = next;
    }
    return word.empty() ? "value" : word;
  }
  [[nodiscard]] bool is_bool(ExprId e) const {
    const auto* v = std::get_if<ast::Verbatim>(&tree_.exprs[e].node);
    return v != nullptr && (v->text == "True" || v->text == "False");
  }
  [[nodiscard]] std::string describe(const Facts& f, ExprId v) const {
    const auto& node = tree_.exprs[v].node;
    if (const auto* n = variables_.name(v)) {
      const auto text = tree_.text(*n);
      if (text.starts_with("__compiled_fn_")) return "graph";
      if (text.starts_with("__resume_at_")) return "resume";
      if (text.starts_with("__import_")) return module_word(text);
    }
    const auto path = path_name(code_, tree_, v, [&](NameId id) { return sole_value(id); });
    if (std::holds_alternative<ast::Name>(node) || std::holds_alternative<ast::Attribute>(node)) {
      const auto word = last_word(v);
      if (f.called) return word + "_fn";
      return path.empty() ? word + "_value" : path;
    }
    if (const auto* s = std::get_if<ast::Subscript>(&node)) {
      const auto* c = std::get_if<ast::Call>(&tree_.exprs[s->value].node);
      const bool is_graph_output =
          c != nullptr ? last_word(c->func) == "graph" : last_word(s->value).starts_with("graph_out");
      if (is_graph_output) return "out" + index_text(s->slice);
      return path.empty() ? "item" : path;
    }
    if (const auto* c = std::get_if<ast::Call>(&node)) {
      auto word = without_suffix(last_word(c->func), "_fn");
      if (word == "graph") return "graph_out";
      if (word.find("record_pregraph") != std::string::npos) return "marker";
      if (word.empty()) word = path_name(code_, tree_, c->func, [&](NameId id) { return sole_value(id); });
      while (word.ends_with('_')) word.pop_back();  // __new__
      return word.empty() ? "result" : word + "_result";
    }
    if (const auto* x = std::get_if<ast::IfExp>(&node))
      if (const auto* c = std::get_if<ast::Call>(&tree_.exprs[x->body].node))
        if (last_word(c->func).find("record_pregraph") != std::string::npos) return "marker";
    if (std::holds_alternative<ast::List>(node)) return "items";
    if (std::holds_alternative<ast::Dict>(node)) return "table";
    return "value";
  }

  // Returns `utils` for `__import_torch_dot__dynamo_dot_utils`, the global name that Dynamo gives to a module.
  static std::string module_word(std::string_view name) {
    constexpr std::string_view kDot = "_dot_", kImport = "__import_";
    const auto last = name.rfind(kDot);
    return std::string(name.substr(last == std::string_view::npos ? kImport.size() : last + kDot.size()));
  }

  // Returns the only value that is assigned to a temporary as a whole, else an invalid id.
  [[nodiscard]] ExprId sole_value(NameId id) const {
    const auto it = facts_.find(id.n);
    if (it == facts_.end()) return {};
    const Facts& f = it->second;
    return f.values.size() == 1 && !f.unpacked && !f.defined && !f.caught ? f.values[0] : ExprId{};
  }

  // Returns "_1" for the index 1, "" for other expressions than small integers.
  [[nodiscard]] std::string index_text(ExprId e) const {
    const std::string number = small_int_text(code_, tree_, e);
    return number.empty() ? "" : "_" + number;
  }

  void rename(const Block& body) {
    for (NameId id : order_) {
      const bool is_state = tree_.text(id) == temporaries_.prefix + "pc";  // of a dispatch loop
      std::string word = is_state ? "block" : describe(facts_[id.n]);
      while (!word.empty() && word.front() == '_') word.erase(word.begin());
      if (word.empty()) word = "value";
      names_[id.n] = fresh_name(taken_, word, 2);
    }
    const auto rename_in = [&](auto& node) {
      const auto leaf = [&](auto&& field) {
        if constexpr (std::is_same_v<decltype(field), NameId&>) apply_name(field);
      };
      ast::for_each_node_leaf(node, leaf);
      return true;
    };
    ast::walk(tree_, body,
              Overloaded{[&](ast::StmtId s) { return rename_in(tree_.stmts[s].node); },
                         [&](ExprId e) { return rename_in(tree_.exprs[e].node); },
                         [&](ast::PatternId p) { return rename_in(tree_.patterns[p].node); }});
  }
  void apply_name(NameId& id) {
    if (!id.valid()) return;
    if (auto it = names_.find(id.n); it != names_.end()) id = tree_.intern(it->second);
  }

  const CodeTree& code_;
  ast::Tree& tree_;
  const Temporaries& temporaries_;
  const Variables& variables_;
  std::set<std::string>& taken_;
  std::map<std::uint32_t, Facts> facts_;  // by NameId
  std::vector<NameId> order_;             // by first appearance
  std::map<std::uint32_t, std::string> names_;
};

}  // namespace

void name_temporaries(const CodeTree& code, ast::Tree& tree, Block& body, const Temporaries& temporaries,
                      std::set<std::string>& taken) {
  const Variables variables(tree, temporaries);
  Shapes shapes(tree, variables);
  shapes.run(body);
  Namer(code, tree, temporaries, variables, taken).run(body);
  shapes.mark_profiler(body);
}

}  // namespace depyf::idiom
