// SPDX-License-Identifier: MIT
// Compares the headers of two code objects, then walks their normalized graphs in lockstep.
//
// Invariant: pairs of nodes are visited in offset order, so the reported difference is the first one. Each pair is
// visited at most once. If the walk visits many more pairs than there are nodes, union-find classes of equivalent nodes
// bound the work by the number of nodes (Hopcroft and Karp's test of automata). compare_trees() handles nested code
// objects.
#include "verify/compare.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_set>

#include "code/docstring.h"

namespace depyf::equivalence {
namespace {

// The pairs of nodes that the walk has visited. At first each pair is remembered by itself. Beyond kPairsPerNode pairs
// per node, nodes that were compared form classes, and a pair within one class is implied by earlier pairs and counts
// as visited. The walk gives the same answer in both modes.
class Pairs {
 public:
  Pairs(std::size_t a, std::size_t b) : a_(a), b_(b), first_partner_(a, kOffEnd) {}

  bool is_new(NodeId i, NodeId j) {
    NodeId& partner = first_partner_[static_cast<std::size_t>(i)];
    if (partner == j) return false;
    if (!classes_.empty()) return merge_classes(i, j);
    if (partner == kOffEnd) {
      partner = j;
      return true;
    }
    if (!further_pairs_.insert(pack(i, j)).second) return false;
    if (further_pairs_.size() > kPairsPerNode * (a_ + b_)) form_classes();
    return true;
  }

 private:
  static constexpr std::size_t kPairsPerNode = 8;

  static std::uint64_t pack(NodeId i, NodeId j) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) << 32U | static_cast<std::uint32_t>(j);
  }

  void form_classes() {
    classes_.resize(a_ + b_);
    std::iota(classes_.begin(), classes_.end(), std::size_t{0});
    for (std::size_t i = 0; i < a_; ++i) {
      if (first_partner_[i] != kOffEnd) merge_classes(static_cast<NodeId>(i), first_partner_[i]);
    }
    for (const std::uint64_t pair : further_pairs_) {
      merge_classes(static_cast<NodeId>(pair >> 32U), static_cast<NodeId>(pair & 0xFFFFFFFFU));
    }
  }

  std::size_t find_class(std::size_t k) {
    while (classes_[k] != k) k = classes_[k] = classes_[classes_[k]];
    return k;
  }

  bool merge_classes(NodeId i, NodeId j) {
    const std::size_t x = find_class(static_cast<std::size_t>(i));
    const std::size_t y = find_class(a_ + static_cast<std::size_t>(j));
    classes_[y] = x;
    return x != y;
  }

  std::size_t a_, b_;
  std::vector<NodeId> first_partner_;  // by node of the first graph: the first node that it was paired with
  std::unordered_set<std::uint64_t> further_pairs_;
  std::vector<std::size_t> classes_;
};

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> arguments(const CodeObject& code) {
  const bool rest = (code.flags & kCoVarArgs) != 0;
  const bool keywords = (code.flags & kCoVarKeywords) != 0;
  const std::size_t count = std::size_t{code.argcount} + code.kwonlyargcount + (rest ? 1U : 0U) + (keywords ? 1U : 0U);
  const std::size_t kept = std::min(count, code.varnames.size());
  return {code.varnames.begin(), code.varnames.begin() + static_cast<std::ptrdiff_t>(kept)};
}

// Returns whether two slots of one kind have the same name, which no compiler produces.
bool has_repeated_names(const CodeObject& code) {
  const auto any = [](const std::vector<std::string>& names) {
    return std::ranges::any_of(earlier_occurrences(names), [](std::size_t nth) { return nth > 0; });
  };
  if (!code.localsplus.empty()) return any(code.localsplus);
  std::vector<std::string> cells = code.cellvars;
  cells.insert(cells.end(), code.freevars.begin(), code.freevars.end());
  return any(code.varnames) || any(cells);
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::uint32_t compared_flags(const CodeObject& code, bool loose) {
  const std::uint32_t ignored = kCoNoFree | (loose ? kCoNested | kCoMethod : 0U);
  return code.flags & ~ignored;
}

std::string show_handler(const Graph& graph, const Node& node) {
  if (node.handler < 0) return "none";
  const GraphHandler& handler = graph.handlers[static_cast<std::size_t>(node.handler)];
  return "depth " + std::to_string(handler.depth) + (handler.lasti ? " lasti" : "");
}

}  // namespace

Comparer::Comparer(const CodeTree& a, const CodeTree& b, const Limits& limits)
    : limits_(limits),
      dialect_(dialect_of(a.version)),
      a_{a, {a, keys_}, {}},
      b_{b, {b, keys_}, {}},
      validator_(a, b, keys_, a_.constants, b_.constants, limits) {
  a_.graphs.resize(a.codes.size());
  b_.graphs.resize(b.codes.size());
}

Result<const Graph*> Comparer::graph(Side& side, CodeId code, bool loose) {
  std::unique_ptr<Graph>& kept = side.graphs[code.n];
  if (kept == nullptr) {
    DEPYF_TRY(built, build_graph(side.tree, code, dialect_, keys_, side.constants, loose, limits_));
    kept = std::make_unique<Graph>(std::move(built));
  }
  return static_cast<const Graph*>(kept.get());
}

Result<std::optional<Difference>> Comparer::compare_headers(CodeId x, CodeId y, bool loose) {
  const CodeObject& a = a_.tree.codes[x];
  const CodeObject& b = b_.tree.codes[y];
  const auto difference = [](const char* field, const std::string& left, const std::string& right) {
    return std::optional<Difference>{{std::string("head:") + field, left + " | " + right, 0}};
  };
  if (!loose && a.name != b.name) return difference("name", a.name, b.name);
  if (!loose && a.qualname != b.qualname) return difference("qualname", a.qualname, b.qualname);
  const auto counts = [](const CodeObject& code) {
    return std::to_string(code.argcount) + " " + std::to_string(code.posonlyargcount) + " " +
           std::to_string(code.kwonlyargcount);
  };
  if (counts(a) != counts(b)) return difference("argument counts", counts(a), counts(b));
  if (const auto f = compared_flags(a, loose), g = compared_flags(b, loose); f != g) {
    return difference("flags", std::to_string(f), std::to_string(g));
  }
  const auto difference_in = [&](const char* field, const std::vector<std::string>& left,
                                 const std::vector<std::string>& right) {
    return left == right ? std::nullopt : difference(field, joined(left), joined(right));
  };
  if (auto d = difference_in("argument names", arguments(a), arguments(b))) return d;
  // A nested function gets its cells in the order of its free variables, so the order counts. The cells of the root are
  // bound to it by name.
  const bool root = x == roots_.first && y == roots_.second;
  const auto free = [&](const CodeObject& code) { return root ? sorted(code.freevars) : code.freevars; };
  if (auto d = difference_in("free variables", free(a), free(b))) return d;
  if (auto d = difference_in("cell variables", sorted(a.cellvars), sorted(b.cellvars))) return d;
  if (has_repeated_names(a) || has_repeated_names(b)) {  // a name does not identify a slot
    if (auto d = difference_in("variables", variable_names(a), variable_names(b))) return d;
    if (a.localspluskinds != b.localspluskinds) return difference("variables", "other kinds", "of the same names");
  }
  const std::string* first = docstring(a_.tree, a, dialect_.docstring_flag);
  const std::string* second = docstring(b_.tree, b, dialect_.docstring_flag);
  if ((first == nullptr) != (second == nullptr) || (first != nullptr && *first != *second)) {
    const auto text = [&](const std::string* s) { return s != nullptr ? keys_.show(keys_.text(*s)) : "none"; };
    return difference("docstring", text(first), text(second));
  }
  return std::optional<Difference>{};
}

Difference Comparer::different_labels(const Label& x, const Label& y, std::uint32_t offset) const {
  std::string kind;
  if (x.op == y.op) {
    kind = "operand:" + std::string(op_name(x.op));
  } else {
    kind = "op:" + std::string(op_name(x.op)) + "/" + std::string(op_name(y.op));
  }
  return {std::move(kind), show(x, keys_) + " | " + show(y, keys_), offset};
}

Result<Comparison> Comparer::compare(CodeId x, CodeId y, bool loose) {
  Comparison out;
  DEPYF_TRY(header, compare_headers(x, y, loose));
  out.difference = std::move(header);
  if (out.difference) return out;
  DEPYF_TRY(first, graph(a_, x, loose));
  DEPYF_TRY(second, graph(b_, y, loose));
  const Graph& ga = *first;
  const Graph& gb = *second;
  if (const auto reader = ga.locals_reader ? ga.locals_reader : gb.locals_reader) {
    const CodeObject &a = a_.tree.codes[x], &b = b_.tree.codes[y];
    if (variable_names(a) != variable_names(b) || a.localspluskinds != b.localspluskinds) {
      out.difference =
          Difference{"head:shown variables", joined(variable_names(a)) + " | " + joined(variable_names(b)), *reader};
      return out;
    }
  }

  // The smallest pair first. kEndless and kOffEnd are negative, so they precede all nodes.
  using Pair = std::pair<NodeId, NodeId>;
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> todo;
  Pairs pairs(ga.nodes.size(), gb.nodes.size());
  const NodeId entry = 0;
  todo.emplace(ga.nodes.empty() ? kOffEnd : entry, gb.nodes.empty() ? kOffEnd : entry);
  while (!todo.empty()) {
    auto [i, j] = todo.top();
    todo.pop();
    if (i >= 0) i = ga.nodes[static_cast<std::size_t>(i)].effect_node;
    if (j >= 0) j = gb.nodes[static_cast<std::size_t>(j)].effect_node;
    if (i < 0 || j < 0) {
      if (i == j) continue;
      const auto text = [&](const Graph& g, NodeId k) {
        if (k < 0) return std::string(k == kEndless ? "endless loop" : "end");
        return show(g.nodes[static_cast<std::size_t>(k)].label, keys_);
      };
      const std::uint32_t offset = i >= 0 ? ga.nodes[static_cast<std::size_t>(i)].offset : 0xFFFFFFFF;
      out.difference = Difference{"flow", text(ga, i) + " | " + text(gb, j), offset};
      return out;
    }
    if (!pairs.is_new(i, j)) continue;
    const Node& na = ga.nodes[static_cast<std::size_t>(i)];
    const Node& nb = gb.nodes[static_cast<std::size_t>(j)];
    if (!(na.label == nb.label)) {
      out.difference = different_labels(na.label, nb.label, na.offset);
      return out;
    }
    if (na.code.valid() && nb.code.valid()) out.nested.emplace_back(na.code, nb.code);
    if (na.handler >= 0 || nb.handler >= 0) {
      const GraphHandler* ha = na.handler >= 0 ? &ga.handlers[static_cast<std::size_t>(na.handler)] : nullptr;
      const GraphHandler* hb = nb.handler >= 0 ? &gb.handlers[static_cast<std::size_t>(nb.handler)] : nullptr;
      if (ha == nullptr || hb == nullptr || ha->depth != hb->depth || ha->lasti != hb->lasti) {
        out.difference = Difference{
            "handler", show(na.label, keys_) + ": " + show_handler(ga, na) + " | " + show_handler(gb, nb), na.offset};
        return out;
      }
      todo.emplace(ha->target, hb->target);
    }
    for (std::size_t s = 0; s < na.successors; ++s) {
      todo.emplace(na.next[s], nb.next[s]);
      if (na.retests[s] == nb.retests[s] || out.retested) continue;
      const std::string amount = na.retests[s] < nb.retests[s] ? "more" : "less";
      out.retested = {na.offset, "__bool__() of a value is called " + amount + " often in a row than in the original"};
    }
  }
  if (const auto use = ga.offset_use ? ga.offset_use : gb.offset_use)
    out.difference = Difference{"offset", "an instruction offset is used as a value", *use};
  return out;
}

}  // namespace depyf::equivalence
