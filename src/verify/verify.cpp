// SPDX-License-Identifier: MIT
// Verdicts of two whole trees: which code object of the second matches which of the first, and whether they agree.
//
// Invariant: what the first tree's reachable instructions load gets one verdict each, kExact only if every code object
// in its place agrees, kProved if each is either. The children that a comparison did not meet are paired by
// name, looks and order, so that one difference is blamed once. It compares no instructions itself (compare.cpp).
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

// Whether a verdict promises less than another of the same code object.
bool is_weaker(const Verdict& one, const Verdict& other) {
  const auto rank = [](const Verdict& v) {
    return (v.kind == VerdictKind::kUnproved ? 4 : v.kind == VerdictKind::kProved ? 2 : 0) + (v.reason.empty() ? 0 : 1);
  };
  return rank(one) > rank(other);
}

}  // namespace

// Looks alike: what the compiler gives to the same text, whatever its nested code objects are; or no more than what
// whoever makes the function and calls it sees.
Result<std::vector<Key>> Comparer::signature(Side& side, CodeId code, bool whole) {
  const CodeObject& object = side.tree.codes[code];
  const auto& locals = object.varnames;
  std::vector<Key> out{object.argcount, object.posonlyargcount, object.kwonlyargcount, object.flags};
  const auto add = [&](const auto& names, std::size_t count) {
    out.push_back(static_cast<Key>(count));
    for (std::size_t i = 0; i < count; ++i) out.push_back(keys_.name(names[i]));
  };
  add(locals, whole ? locals.size() : std::min<std::size_t>(parameter_count(object), locals.size()));
  add(object.freevars, object.freevars.size());
  if (!whole) return out;
  add(object.names, object.names.size());
  for (const ConstId id : object.consts) {
    DEPYF_TRY(key, side.constants.key(id));
    out.push_back(key);
  }
  return out;
}

// Pairs those that look alike, in their order, and takes them off both lists.
Status Comparer::pair_alike(std::vector<CodeId>& mine, std::vector<CodeId>& theirs, bool whole, CodePairs& out) {
  std::map<std::vector<Key>, std::vector<CodeId>> alike;  // those of the second, last one first
  for (std::size_t i = theirs.size(); i-- > 0;) {
    DEPYF_TRY(key, signature(b_, theirs[i], whole));
    alike[std::move(key)].push_back(theirs[i]);
  }
  std::vector<CodeId> left;
  std::unordered_set<CodeId> taken;
  for (const CodeId code : mine) {
    DEPYF_TRY(key, signature(a_, code, whole));
    const auto hit = alike.find(key);
    if (hit == alike.end() || hit->second.empty()) {
      left.push_back(code);
    } else {
      out.emplace_back(code, hit->second.back());
      taken.insert(hit->second.back());
      hit->second.pop_back();
    }
  }
  std::erase_if(theirs, [&](CodeId code) { return taken.contains(code); });
  mine = std::move(left);
  return Unit{};
}

// The children of two code objects that differ: of the same name, first those that look alike, for a text may make them
// in another order; the rest by their place among their namesakes. Others, whose names the text does not say, by their
// places. No proof rests on it: what loads these children is unproved, or nothing that is reached does.
Result<CodePairs> Comparer::pair_children(CodeId x, CodeId y) {
  CodePairs out;
  DEPYF_TRY(first, graph(a_, x, false));
  DEPYF_TRY(second, graph(b_, y, false));
  const auto others = by_name(b_.tree, second->children);
  for (const auto& [name, group] : by_name(a_.tree, first->children)) {
    const auto found = others.find(name);
    if (found == others.end()) continue;
    std::vector<CodeId> mine = group, theirs = found->second;
    for (const bool whole : {true, false}) DEPYF_CHECK(pair_alike(mine, theirs, whole, out));
    for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) out.emplace_back(mine[i], theirs[i]);
  }
  std::unordered_set<CodeId> mine, theirs;  // those that have names of the other side
  for (const auto& [inner, other] : out) {
    mine.insert(inner);
    theirs.insert(other);
  }
  std::vector<CodeId> left = first->children, right = second->children;
  std::erase_if(left, [&](CodeId code) { return mine.contains(code); });
  std::erase_if(right, [&](CodeId code) { return theirs.contains(code); });
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
    for (const auto* note : {&proof->lenient, &proof->constant, &proof->kept}) {  // what the proof does not cover
      if (!*note) continue;
      if (verdict.reason.empty()) verdict.offset = (*note)->offset;
      verdict.reason += (verdict.reason.empty() ? "" : "; ") + (*note)->reason;
    }
    nested = proof->codes;
  }
}

// Whether the functions made of two code objects have one name and, below the roots, one qualified name.
bool Comparer::same_names(CodeId x, CodeId y) const {
  const auto inner = [](const CodeTree& tree, CodeId root, CodeId code) {
    std::string_view name = tree.codes[code].qualname;
    const std::string prefix = tree.codes[root].qualname + ".";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  };
  const std::string& name = a_.tree.codes[x].name;
  if (name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>")
    return true;  // called at once, seen by nobody
  return name == b_.tree.codes[y].name && inner(a_.tree, roots_.first, x) == inner(b_.tree, roots_.second, y);
}

Verdict Comparer::judge(const Task& task, const CompareOptions& options, std::vector<Task>& todo) {
  const auto mine = graph(a_, task.x, task.loose);
  if (!mine.ok()) return failed(task.x, mine.error(), "");
  std::unordered_map<CodeId, std::vector<CodeId>> counterparts;
  const auto pair_up = [&](CodeId x, CodeId y) {
    std::vector<CodeId>& known = counterparts[x];
    if (std::find(known.begin(), known.end(), y) == known.end()) known.push_back(y);
  };
  Verdict verdict{task.x, VerdictKind::kExact, "", 0xFFFFFFFF};
  if (task.others.empty() && task.is_unreached)
    verdict.kind = VerdictKind::kProved;
  else if (task.others.empty())
    verdict = unproved(task.x, 0xFFFFFFFF, "the other code has nothing in its place");
  for (const CodeId y : task.others) {
    auto result = compare(task.x, y, task.loose);
    Verdict one{task.x, VerdictKind::kExact, "", 0xFFFFFFFF};
    CodePairs nested;
    if (!result.ok()) {
      one = failed(task.x, result.error(), "recompiled code: ");
    } else if (result->difference) {
      const Difference& d = *result->difference;
      const bool header = d.kind.starts_with("head:");
      one = unproved(task.x, d.offset, header ? d.kind.substr(5) + ": " + d.detail : d.detail);
    } else if (result->retested) {
      one.reason = result->retested->reason;
      one.offset = result->retested->offset;
    }
    if (result.ok()) nested = std::move(result->nested);
    const bool differs = result.ok() && result->difference;
    const bool named = task.loose || task.equal_names || same_names(task.x, y);
    if (result.ok() && named && (options.prove_all || (options.prove && differs))) prove(task, y, one, nested);
    if (is_weaker(one, verdict)) verdict = std::move(one);
    for (const auto& [inner, other] : nested) pair_up(inner, other);
  }
  const std::vector<CodeId>& children = (*mine)->children;
  // What the comparison did not meet, because it ended or because no path that can be taken leads there, is paired by
  // its looks.
  if (verdict.kind == VerdictKind::kUnproved) counterparts.clear();
  const bool met = std::all_of(children.begin(), children.end(), [&](CodeId c) { return counterparts.contains(c); });
  if (!met && !task.others.empty()) {
    if (const auto guess = pair_children(task.x, task.others.front()); guess.ok()) {
      const auto known = counterparts;
      for (const auto& [inner, other] : *guess) {
        if (!known.contains(inner)) pair_up(inner, other);
      }
    }
  }
  for (std::size_t i = children.size(); i-- > 0;) {
    const bool proved = verdict.kind == VerdictKind::kProved;
    const bool compared = verdict.kind == VerdictKind::kExact || proved;
    todo.push_back({children[i], std::move(counterparts[children[i]]), false, proved, compared, proved});
  }
  return verdict;
}

std::vector<Verdict> Comparer::compare_trees(CodeId x, CodeId y, const CompareOptions& options) {
  std::vector<Verdict> out;
  std::unordered_map<CodeId, std::size_t> place;  // of a code object that several others hold: all must agree
  std::vector<Task> todo{{x, {y}, options.loose_root, false, false, true}};
  validator_.set_roots(x, y);
  roots_ = {x, y};
  while (!todo.empty()) {
    const Task task = std::move(todo.back());
    todo.pop_back();
    Verdict verdict = judge(task, options, todo);
    const auto [it, fresh] = place.try_emplace(task.x, out.size());
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
