// SPDX-License-Identifier: MIT
// Canonical comparison: checks that two code objects of one version differ at most in what CPython's compiler decides
// by line numbers.
//
// Two code objects are equal if their headers (name, arguments, flags, cells, docstring) are equal and their normalized
// graphs (verify/graph.h) are bisimilar: a lockstep walk from the entry visits only pairs of nodes that agree in label,
// exception handler and successors. Nested code objects are compared separately; their parents only need to load a code
// object of the same name at the same place. Code objects that differ go to the translation validator (validate.h).
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
  // The roots were compiled outside of their modules: their names, qualified names and nesting flags are not compared,
  // and their free variables may be in any order.
  bool loose_root = false;
  bool prove = true;       // run the translation validator on code objects whose graphs differ
  bool prove_all = false;  // ... and on those whose graphs are equal
};

struct Difference {
  std::string kind;    // "head:flags", "op:LOAD_FAST/LOAD_CONST", "operand:LOAD_FAST", "handler", "flow", …
  std::string detail;  // "LOAD_FAST x | LOAD_FAST y"
  std::uint32_t offset = 0xFFFFFFFF;  // in bytes, in the first code object; 0xFFFFFFFF: unknown
};

struct Comparison {
  std::optional<Difference> difference;           // nullopt: the code objects are equal
  std::optional<proof::Failure> retested;         // a value that one side tests more often in succession than the other
  std::vector<std::pair<CodeId, CodeId>> nested;  // code objects loaded at the same place, up to the first difference
};

// Compares code objects of two trees. Caches their graphs and interned constants between calls.
class Comparer {
 public:
  // Both trees must outlive the comparer and have the same version.
  Comparer(const CodeTree& a, const CodeTree& b, const Limits& limits);

  // Compares x of the first tree with y of the second, without their nested code objects. `loose`: as in
  // CompareOptions.
  [[nodiscard]] Result<Comparison> compare(CodeId x, CodeId y, bool loose);
  // Returns the verdicts of x and of all code objects that reachable instructions load from there, parents before
  // children and children in code order. Their counterparts are y and the code objects that y loads.
  [[nodiscard]] std::vector<Verdict> compare_trees(CodeId x, CodeId y, const CompareOptions& options);

 private:
  struct Side {
    const CodeTree& tree;
    ConstantKeys constants;
    std::vector<std::unique_ptr<Graph>> graphs;  // by CodeId; built on first use
  };
  struct Task {
    CodeId x;
    std::vector<CodeId> counterparts;  // the counterparts, all of which x must equal; empty if x has none
    bool loose = false;
    bool has_proved_names = false;  // the proof of the parent has compared the names of the functions made of x
    bool is_unreached = false;      // if x has no counterpart: no path of its parent, which was compared, loads x
    bool cells_by_name =
        false;  // free variables correspond by name, not by position: x is a root, or the parent is proved
  };
  [[nodiscard]] Result<const Graph*> graph(Side& side, CodeId code, bool loose);
  [[nodiscard]] Result<std::optional<Difference>> compare_headers(CodeId x, CodeId y, bool loose);
  [[nodiscard]] Difference different_labels(const Label& x, const Label& y, std::uint32_t offset) const;
  // Replaces `verdict` and `nested` by the result of the translation validator.
  void prove(const Task& task, CodeId other, Verdict& verdict, std::vector<std::pair<CodeId, CodeId>>& nested);
  // Returns the verdict of one task, the weakest over its counterparts, and appends the tasks of its children to
  // `todo`.
  [[nodiscard]] Verdict judge(const Task& task, const CompareOptions& options, std::vector<Task>& todo);
  [[nodiscard]] bool same_names(CodeId x, CodeId y) const;
  [[nodiscard]] Result<std::vector<std::pair<CodeId, CodeId>>> pair_children(CodeId x, CodeId y);
  [[nodiscard]] Status pair_similar(std::vector<CodeId>& first, std::vector<CodeId>& second, bool full,
                                    std::vector<std::pair<CodeId, CodeId>>& out);
  [[nodiscard]] Result<std::vector<Key>> signature(Side& side, CodeId code, bool full);

  Limits limits_;
  std::pair<CodeId, CodeId> roots_{};
  Dialect dialect_;
  Keys keys_;
  Side a_, b_;
  proof::Validator validator_;
};

}  // namespace depyf::equivalence
