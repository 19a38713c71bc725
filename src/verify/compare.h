// SPDX-License-Identifier: MIT
// Canonical comparison: do two code objects of one version differ in anything but what line numbers decide?
//
// Two code objects are equal when their headers are (name, arguments, flags, cells, docstring) and their normalised
// graphs (verify/graph.h) are bisimilar: walked in lockstep from the entry, every pair of nodes met agrees in label,
// in exception handler and in successors. Nested code objects are compared separately; a parent needs only a child of
// the same name at the same place. What differs goes to the translation validator (validate.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "depyf/decompile.h"
#include "verify/graph.h"
#include "verify/validate.h"

namespace depyf::equivalence {

struct CompareOptions {
  // The two roots count as one unit taken out of its module: their name, qualified name and nesting are not
  // compared, and their free variables in any order.
  bool loose_root = false;
  bool prove = true;       // ask the translation validator where the graphs differ
  bool prove_all = false;  // ... and where they do not
};

struct Difference {
  std::string kind;    // "head:flags", "op:LOAD_FAST/LOAD_CONST", "operand:LOAD_FAST", "handler", "flow", …
  std::string detail;  // "LOAD_FAST x | LOAD_FAST y"
  std::uint32_t offset = 0xFFFFFFFF;  // byte offset in the code of the first
};

struct Comparison {
  std::optional<Difference> difference;           // none: equal
  std::optional<proof::Failure> retested;         // a value whose truth one of the two asks more often in a row
  std::vector<std::pair<CodeId, CodeId>> nested;  // code objects loaded at the same place, before any difference
};

// One comparison of two trees: graphs and interned constants are kept between calls.
class Comparer {
 public:
  // Both trees must outlive the comparer and be of one version.
  Comparer(const CodeTree& a, const CodeTree& b, const Limits& limits);

  [[nodiscard]] Result<Comparison> compare(CodeId x, CodeId y, bool loose);
  // Verdicts of everything that is reachable from x, parents first, children in code order; y and what it loads
  // are their counterparts.
  [[nodiscard]] std::vector<Verdict> compare_trees(CodeId x, CodeId y, const CompareOptions& options);

 private:
  struct Side {
    const CodeTree& tree;
    ConstantKeys constants;
    std::vector<std::unique_ptr<Graph>> graphs;  // by CodeId, when first asked for
  };
  struct Task {
    CodeId x;
    std::vector<CodeId> others;  // what x must equal; empty: it has no counterpart
    bool loose = false;
    bool equal_names = false;    // the functions made of it are: the proof of what makes them says so
    bool is_unreached = false;   // if it has none: its parent was compared, and no way in it makes this one
    bool cells_by_name = false;  // so it does of their cells; the unit itself is given them by name
  };
  [[nodiscard]] Result<const Graph*> graph(Side& side, CodeId code, bool loose);
  [[nodiscard]] Result<std::optional<Difference>> compare_headers(CodeId x, CodeId y, bool loose);
  [[nodiscard]] Difference different_labels(const Label& x, const Label& y, std::uint32_t offset) const;
  // The translation validator's answer in place of a difference.
  void prove(const Task& task, CodeId other, Verdict& verdict, std::vector<std::pair<CodeId, CodeId>>& nested);
  // The verdict of one task; what its children must equal goes to `todo`.
  [[nodiscard]] Verdict judge(const Task& task, const CompareOptions& options, std::vector<Task>& todo);
  [[nodiscard]] bool same_names(CodeId x, CodeId y) const;
  [[nodiscard]] Result<std::vector<std::pair<CodeId, CodeId>>> pair_children(CodeId x, CodeId y);
  [[nodiscard]] Status pair_alike(std::vector<CodeId>& mine, std::vector<CodeId>& theirs, bool whole,
                                  std::vector<std::pair<CodeId, CodeId>>& out);
  [[nodiscard]] Result<std::vector<Key>> signature(Side& side, CodeId code, bool whole);

  Limits limits_;
  std::pair<CodeId, CodeId> roots_{};
  Dialect dialect_;
  Keys keys_;
  Side a_, b_;
  proof::Validator validator_;
};

}  // namespace depyf::equivalence
