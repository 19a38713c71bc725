// SPDX-License-Identifier: MIT
// Interning of names, and walking, counting and comparing of trees.
//
// Invariant: everything here uses explicit work lists and the field table (fields.h). Single node types appear only
// where Python's `ast` counts them differently. Nothing is printed or changed.
#include "ast/ast.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::ast {

namespace {

// Hashes eight bytes per step. Names are short, and each is looked up once for every code object that uses it.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  std::uint64_t hash = text.size(), word = 0;
  const auto mix = [&] {
    hash = (hash ^ word) * kMix;
    hash ^= hash >> 32U;
  };
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    mix();
  }
  word = 0;
  for (const char c : text) word = word << 8U | static_cast<unsigned char>(c);
  if (!text.empty()) mix();
  return hash;
}

}  // namespace

NameId Tree::intern(std::string_view text) {
  const std::uint64_t hash = hash_of(text);
  for (auto at = hash; !index_.empty(); ++at) {
    const NameId id = index_[at & (index_.size() - 1)];
    if (!id.valid()) break;
    if (names_[id.n].hash == hash && names_[id.n].text == text) return id;
  }
  const NameId added{static_cast<std::uint32_t>(names_.size())};
  names_.push_back({store_text(text), hash});
  if (2 * names_.size() <= index_.size()) {
    add_to_index(added);
  } else {
    index_.assign(std::max<std::size_t>(512, 2 * index_.size()), NameId{});
    for (std::uint32_t n = 0; n < names_.size(); ++n) add_to_index(NameId{n});
  }
  return added;
}

void Tree::add_to_index(NameId id) {
  std::uint64_t at = names_[id.n].hash;
  while (index_[at & (index_.size() - 1)].valid()) ++at;
  index_[at & (index_.size() - 1)] = id;
}

std::string_view Tree::store_text(std::string_view text) {
  constexpr std::size_t kChunk = 4096;
  if (text.size() > left_) {
    left_ = std::max(kChunk, text.size());
    next_ = chunks_.emplace_back(std::make_unique_for_overwrite<char[]>(left_)).get();
  }
  const std::string_view copy(next_, text.size());
  next_ = std::copy(text.begin(), text.end(), next_);
  left_ -= text.size();
  return copy;
}

ExprIds operands(const Tree& tree, const BoolOp& operation) {
  ExprIds all = operation.values;
  while (!all.empty() && all.back().valid()) {
    const auto* rest = std::get_if<BoolOp>(&tree.exprs[all.back()].node);
    if (rest == nullptr || rest->op != operation.op || rest->values.size() < kManyOperands) break;
    all.pop_back();
    all.insert(all.end(), rest->values.begin(), rest->values.end());
  }
  return all;
}

namespace {

// ---- sizes

std::size_t parameters(const Arguments& args) {
  return 1 + args.posonly.size() + args.args.size() + args.kwonly.size() + (args.vararg ? 1U : 0U) +
         (args.kwarg ? 1U : 0U);
}

// Returns the number of `ast` nodes that the expression represents in Python, without its child expressions.
std::size_t own_size(const ExprNode& node) {
  if (const auto* n = std::get_if<Lambda>(&node)) return 1 + parameters(*n->args);
  if (const auto* n = std::get_if<Comprehension>(&node)) return 1 + n->generators.size();
  if (const auto* n = std::get_if<Compare>(&node)) return 1 + n->ops.size();
  if (const auto* n = std::get_if<Call>(&node)) return 1 + n->keywords.size();
  const bool has_operator = std::holds_alternative<BoolOp>(node) || std::holds_alternative<BinOp>(node) ||
                            std::holds_alternative<UnaryOp>(node);
  return has_operator ? 2 : 1;
}

std::size_t own_size(const StmtNode& node) {
  if (const auto* n = std::get_if<FunctionDef>(&node))
    return 1 + parameters(*n->args) + n->type_params.size() + (n->docstring ? 2U : 0U);
  if (const auto* n = std::get_if<ClassDef>(&node))
    return 1 + n->keywords.size() + n->type_params.size() + (n->docstring ? 2U : 0U);
  if (const auto* n = std::get_if<TypeAlias>(&node)) return 2 + n->type_params.size();
  if (std::holds_alternative<AugAssign>(node)) return 2;
  if (const auto* n = std::get_if<With>(&node)) return 1 + n->items.size();
  if (const auto* n = std::get_if<Match>(&node)) return 1 + n->cases.size();
  if (const auto* n = std::get_if<Try>(&node)) return 1 + n->handlers.size();
  if (const auto* n = std::get_if<Import>(&node)) return 1 + n->names.size();
  if (const auto* n = std::get_if<ImportFrom>(&node)) return 1 + n->names.size();
  return std::holds_alternative<Comment>(node) ? 0 : 1;
}

struct Counter {
  const Tree& tree;
  std::size_t total = 0;

  bool operator()(StmtId id) { return total += own_size(tree.stmts[id].node), true; }
  bool operator()(ExprId id) { return total += own_size(tree.exprs[id].node), true; }
  bool operator()(PatternId) { return ++total, true; }
};

// ---- equality

// One side of a comparison: the leaves of a node as words and texts, and its children.
struct Leaves {
  SmallVector<std::uint64_t, 16> words;
  SmallVector<std::string_view, 4> texts;
  SmallVector<ConstId, 4> constants;
  AnyIds children;

  void clear() { words.clear(), texts.clear(), constants.clear(), children.clear(); }
  void operator()(ExprId id) { add(id); }
  void operator()(PatternId id) { add(id); }
  void operator()(NameId id) { words.push_back(id.n); }
  void operator()(ConstId id) { constants.push_back(id); }
  void operator()(const std::string& text) { texts.push_back(text); }
  void operator()(const Block& block) {
    words.push_back(block.size());
    children.insert(children.end(), block.begin(), block.end());
  }
  template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void operator()(Number number) {
    words.push_back(static_cast<std::uint64_t>(number));
  }

 private:
  template <class AnId>
  void add(AnId id) {
    words.push_back(id.valid() ? 1 : 0);
    if (id.valid()) children.push_back(id);
  }
};

struct Comparison {
  const Tree& tree;
  const CodeTree& code;
  struct Pair {
    AnyId left, right;
  };
  SmallVector<Pair, 32> todo;
  Leaves left, right;

  template <class Node>
  bool same_leaves(const Node& a, const Node& b) {
    if (a.index() != b.index()) return false;
    left.clear();
    right.clear();
    for_each_node_leaf(a, left);
    for_each_node_leaf(b, right);
    if (!std::ranges::equal(left.words, right.words) || !std::ranges::equal(left.texts, right.texts) ||
        left.constants.size() != right.constants.size())
      return false;
    for (std::size_t i = 0; i < left.constants.size(); ++i)
      if (!same_constant(code, left.constants[i], code, right.constants[i])) return false;
    for (std::size_t i = 0; i < left.children.size(); ++i) todo.push_back({left.children[i], right.children[i]});
    return true;
  }

  bool same_node(const AnyId& a, const AnyId& b) {
    if (a == b) return true;
    if (a.index() != b.index()) return false;
    return match(
        a, [&](StmtId id) { return same_leaves(tree.stmts[id].node, tree.stmts[std::get<StmtId>(b)].node); },
        [&](ExprId id) { return same_leaves(tree.exprs[id].node, tree.exprs[std::get<ExprId>(b)].node); },
        [&](PatternId id) { return same_leaves(tree.patterns[id].node, tree.patterns[std::get<PatternId>(b)].node); });
  }

  bool run() {
    while (!todo.empty()) {
      const auto [a, b] = todo.back();
      todo.pop_back();
      if (!same_node(a, b)) return false;
    }
    return true;
  }
};

}  // namespace

// Pushes the children in reverse order: the first child ends up last, from where it is popped first.
void push_children(const Tree& tree, AnyId node, AnyIds& todo) {
  const std::size_t base = todo.size();
  const auto add = [&](const auto& node_of) {
    for_each_child(
        node_of, [&](ExprId id) { todo.push_back(id); }, [&](PatternId id) { todo.push_back(id); },
        [&](const Block& block) { todo.insert(todo.end(), block.begin(), block.end()); });
  };
  match(
      node, [&](StmtId id) { add(tree.stmts[id].node); }, [&](ExprId id) { add(tree.exprs[id].node); },
      [&](PatternId id) { add(tree.patterns[id].node); });
  std::reverse(todo.begin() + base, todo.end());
}

void push_statements(const Tree& tree, StmtId node, AnyIds& todo) {
  if (!has_blocks(tree.stmts[node].node)) return;
  const std::size_t base = todo.size();
  for_each_child_block(tree.stmts[node].node,
                       [&](const Block& block) { todo.insert(todo.end(), block.begin(), block.end()); });
  std::reverse(todo.begin() + base, todo.end());
}

std::size_t tree_size(const Tree& tree, const Block& block) {
  Counter counter{tree};
  walk(tree, block, counter);
  return counter.total;
}

std::size_t tree_size(const Tree& tree, ExprId expr) {
  Counter counter{tree};
  walk(tree, expr, counter);
  return counter.total;
}

bool equal(const Tree& tree, const CodeTree& code, ExprId a, ExprId b) {
  if (!a.valid() || !b.valid()) return a == b;
  Comparison comparison{tree, code, {{AnyId{a}, AnyId{b}}}, {}, {}};
  return comparison.run();
}

bool equal(const Tree& tree, const CodeTree& code, const Block& a, const Block& b) {
  if (a.size() != b.size()) return false;
  Comparison comparison{tree, code, {}, {}, {}};
  for (std::size_t i = 0; i < a.size(); ++i) comparison.todo.push_back({a[i], b[i]});
  return comparison.run();
}

}  // namespace depyf::ast
