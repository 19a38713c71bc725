// SPDX-License-Identifier: MIT
// Computes the verdicts of two whole trees: pairs the code objects of the first with those of the second and judges
// each pair by compare() (compare.cpp) and the translation validator (validate.h).
//
// Invariant: each code object that reachable instructions of the first tree load gets one verdict: kExact only if it
// equals all its counterparts, kProved if each of them is equal or proved. Children that the comparison of their
// parents did not visit are paired by name, signature and order, so that a difference is reported for the parent only.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "verify/compare.h"

namespace depyf::equivalence {
namespace {

using CodePairs = std::vector<std::pair<CodeId, CodeId>>;

std::map<std::string, std::vector<CodeId>> by_name(const CodeTree& tree, const std::vector<CodeId>& codes) {
  std::map<std::string, std::vector<CodeId>> out;
  for (const CodeId code : codes) out[tree.codes[code].name].push_back(code);
  return out;
}

Verdict unproved(CodeId code, std::uint32_t offset, std::string reason) {
  return {code, VerdictKind::kUnproved, std::move(reason), offset};
}

Verdict failed(CodeId code, const Error& error, const char* whose) {
  const std::uint32_t offset = error.at == kNowhere ? 0xFFFFFFFF : static_cast<std::uint32_t>(error.at);
  return unproved(code, offset, std::string(whose) + error.what);
}

// Returns whether verdict a guarantees less than verdict b of the same code object.
bool is_weaker(const Verdict& a, const Verdict& b) {
  const auto rank = [](const Verdict& v) {
    return (v.kind == VerdictKind::kUnproved ? 4 : v.kind == VerdictKind::kProved ? 2 : 0) + (v.reason.empty() ? 0 : 1);
  };
  return rank(a) > rank(b);
}

}  // namespace

// Returns a key by which pair_similar() pairs code objects. `full`: arguments, flags, names and constants, which are
// equal if both were compiled from the same text. Otherwise only the interface: parameters, flags and free variables.
Result<std::vector<Key>> Comparer::signature(Side& side, CodeId code, bool full) {
  const CodeObject& object = side.tree.codes[code];
  const auto& locals = object.varnames;
  std::vector<Key> out{object.argcount, object.posonlyargcount, object.kwonlyargcount, object.flags};
  const auto add = [&](const auto& names, std::size_t count) {
    out.push_back(static_cast<Key>(count));
    for (std::size_t i = 0; i < count; ++i) out.push_back(keys_.name(names[i]));
  };
  add(locals, full ? locals.size() : std::min<std::size_t>(parameter_count(object), locals.size()));
  add(object.freevars, object.freevars.size());
  if (!full) return out;
  add(object.names, object.names.size());
  for (const ConstId id : object.consts) {
    DEPYF_TRY(key, side.constants.key(id));
    out.push_back(key);
  }
  return out;
}

// Pairs code objects of equal signature in order, and removes them from both lists.
Status Comparer::pair_similar(std::vector<CodeId>& first, std::vector<CodeId>& second, bool full, CodePairs& out) {
  std::map<std::vector<Key>, std::vector<CodeId>> by_signature;  // the second list by signature, in reverse order
  for (std::size_t i = second.size(); i-- > 0;) {
    DEPYF_TRY(key, signature(b_, second[i], full));
    by_signature[std::move(key)].push_back(second[i]);
  }
  std::vector<CodeId> unpaired;
  std::unordered_set<CodeId> paired;
  for (const CodeId code : first) {
    DEPYF_TRY(key, signature(a_, code, full));
    const auto hit = by_signature.find(key);
    if (hit == by_signature.end() || hit->second.empty()) {
      unpaired.push_back(code);
    } else {
      out.emplace_back(code, hit->second.back());
      paired.insert(hit->second.back());
      hit->second.pop_back();
    }
  }
  std::erase_if(second, [&](CodeId code) { return paired.contains(code); });
  first = std::move(unpaired);
  return Unit{};
}

// Pairs the children of two code objects whose comparison did not pair them. Children of the same name are paired by
// signature, since the other text may create them in another order, then by position among those of that name. Children
// without a namesake (the text may name them otherwise) are paired by position if both sides have equally many. No
// proof depends on these pairs: the parent is unproved, or no reachable instruction loads the child.
Result<CodePairs> Comparer::pair_children(CodeId x, CodeId y) {
  CodePairs out;
  DEPYF_TRY(first, graph(a_, x, false));
  DEPYF_TRY(second, graph(b_, y, false));
  const auto second_by_name = by_name(b_.tree, second->children);
  for (const auto& [name, group] : by_name(a_.tree, first->children)) {
    const auto namesakes = second_by_name.find(name);
    if (namesakes == second_by_name.end()) continue;
    std::vector<CodeId> left = group, right = namesakes->second;
    for (const bool full : {true, false}) DEPYF_CHECK(pair_similar(left, right, full, out));
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) out.emplace_back(left[i], right[i]);
  }
  std::unordered_set<CodeId> paired_first, paired_second;
  for (const auto& [inner, other] : out) {
    paired_first.insert(inner);
    paired_second.insert(other);
  }
  std::vector<CodeId> left = first->children, right = second->children;
  std::erase_if(left, [&](CodeId code) { return paired_first.contains(code); });
  std::erase_if(right, [&](CodeId code) { return paired_second.contains(code); });
  for (std::size_t i = 0; left.size() == right.size() && i < left.size(); ++i) out.emplace_back(left[i], right[i]);
  return out;
}

void Comparer::prove(const Task& task, CodeId other, Verdict& verdict, CodePairs& nested) {
  const auto proof = validator_.prove(task.x, other, task.loose, task.loose || task.cells_by_name);
  if (!proof.ok()) {
    verdict = failed(task.x, proof.error(), "validation: ");
  } else if (proof->failure) {
    const std::uint32_t offset = proof->failure->offset;
    verdict = unproved(task.x, offset, proof->failure->reason);
  } else {
    verdict = {task.x, VerdictKind::kProved, "", 0xFFFFFFFF};
    // A proof with notes is weaker: they tell which differences it does not exclude.
    for (const auto* note : {&proof->lenient_table, &proof->constant_identity, &proof->lifetime}) {
      if (!*note) continue;
      if (verdict.reason.empty()) verdict.offset = (*note)->offset;
      verdict.reason += (verdict.reason.empty() ? "" : "; ") + (*note)->reason;
    }
    nested = proof->codes;
  }
}

// Returns whether functions made of x and y have the same name and, relative to the roots, the same qualified name.
bool Comparer::same_names(CodeId x, CodeId y) const {
  const auto inner = [](const CodeTree& tree, CodeId root, CodeId code) {
    std::string_view name = tree.codes[code].qualname;
    const std::string prefix = tree.codes[root].qualname + ".";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  };
  const std::string& name = a_.tree.codes[x].name;
  if (name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>")
    return true;  // called where it is created, so no program sees its name
  return name == b_.tree.codes[y].name && inner(a_.tree, roots_.first, x) == inner(b_.tree, roots_.second, y);
}

Verdict Comparer::judge(const Task& task, const CompareOptions& options, std::vector<Task>& todo) {
  const auto first_graph = graph(a_, task.x, task.loose);
  if (!first_graph.ok()) return failed(task.x, first_graph.error(), "");
  std::unordered_map<CodeId, std::vector<CodeId>> child_pairs;
  const auto pair_up = [&](CodeId x, CodeId y) {
    std::vector<CodeId>& known = child_pairs[x];
    if (std::find(known.begin(), known.end(), y) == known.end()) known.push_back(y);
  };
  Verdict verdict{task.x, VerdictKind::kExact, "", 0xFFFFFFFF};
  if (task.counterparts.empty() && task.is_unreached)
    verdict.kind = VerdictKind::kProved;
  else if (task.counterparts.empty())
    verdict = unproved(task.x, 0xFFFFFFFF, "the other code has nothing in its place");
  for (const CodeId y : task.counterparts) {
    auto result = compare(task.x, y, task.loose);
    Verdict candidate{task.x, VerdictKind::kExact, "", 0xFFFFFFFF};
    CodePairs nested;
    if (!result.ok()) {
      candidate = failed(task.x, result.error(), "recompiled code: ");
    } else if (result->difference) {
      const Difference& d = *result->difference;
      const bool header = d.kind.starts_with("head:");
      candidate = unproved(task.x, d.offset, header ? d.kind.substr(5) + ": " + d.detail : d.detail);
    } else if (result->retested) {
      candidate.reason = result->retested->reason;
      candidate.offset = result->retested->offset;
    }
    if (result.ok()) nested = std::move(result->nested);
    const bool differs = result.ok() && result->difference;
    const bool named = task.loose || task.has_proved_names || same_names(task.x, y);
    if (result.ok() && named && (options.prove_all || (options.prove && differs))) prove(task, y, candidate, nested);
    if (is_weaker(candidate, verdict)) verdict = std::move(candidate);
    for (const auto& [inner, other] : nested) pair_up(inner, other);
  }
  const std::vector<CodeId>& children = (*first_graph)->children;
  // The comparison has no counterparts for children beyond its first difference and for those that it did not reach.
  if (verdict.kind == VerdictKind::kUnproved) child_pairs.clear();
  const bool met = std::all_of(children.begin(), children.end(), [&](CodeId c) { return child_pairs.contains(c); });
  if (!met && !task.counterparts.empty()) {
    if (const auto guess = pair_children(task.x, task.counterparts.front()); guess.ok()) {
      const auto known = child_pairs;
      for (const auto& [inner, other] : *guess) {
        if (!known.contains(inner)) pair_up(inner, other);
      }
    }
  }
  for (std::size_t i = children.size(); i-- > 0;) {
    const bool proved = verdict.kind == VerdictKind::kProved;
    const bool compared = verdict.kind == VerdictKind::kExact || proved;
    todo.push_back({children[i], std::move(child_pairs[children[i]]), false, proved, compared, proved});
  }
  return verdict;
}

std::vector<Verdict> Comparer::compare_trees(CodeId x, CodeId y, const CompareOptions& options) {
  std::vector<Verdict> out;
  // Index in `out`, by code object. If several parents load a code object, it gets the weakest of its verdicts.
  std::unordered_map<CodeId, std::size_t> verdict_index;
  std::vector<Task> todo{{x, {y}, options.loose_root, false, false, true}};
  validator_.set_roots(x, y);
  roots_ = {x, y};
  while (!todo.empty()) {
    const Task task = std::move(todo.back());
    todo.pop_back();
    Verdict verdict = judge(task, options, todo);
    const auto [it, fresh] = verdict_index.try_emplace(task.x, out.size());
    if (fresh) {
      out.push_back(std::move(verdict));
    } else if (is_weaker(verdict, out[it->second])) {
      out[it->second] = std::move(verdict);
    }
  }
  return out;
}

}  // namespace depyf::equivalence

namespace depyf {

Result<std::vector<Verdict>> verify(const CodeTree& a, const CodeTree& b, const Limits& limits) {
  if (a.version != b.version) return Error{Errc::kMalformed, kNowhere, "the two trees are of different versions"};
  if (a.codes.size() == 0 || b.codes.size() == 0)
    return Error{Errc::kMalformed, kNowhere, "a tree without code objects"};
  std::vector<Verdict> out = equivalence::Comparer(a, b, limits).compare_trees(a.root(), b.root(), {});
  std::sort(out.begin(), out.end(), [](const Verdict& p, const Verdict& q) { return p.code < q.code; });
  return out;
}

}  // namespace depyf
