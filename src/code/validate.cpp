// SPDX-License-Identifier: MIT
// validate() of depyf/code.h: checks the invariants of a CodeTree, which a producer may have violated.
//
// Invariant: in a tree that passes, all ids are in range, constants have no cycles, and each code object has one
// parent. Instructions, and the size and depth of the tree, are not checked.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "code/check.h"
#include "code/utf8.h"
#include "depyf/code.h"

namespace depyf {
namespace {

Error fault(std::string what) { return Error{Errc::kMalformed, kNowhere, std::move(what)}; }

std::string name_of(const CodeTree& tree, std::uint32_t c) {
  return "code object " + std::to_string(c) + " (" + tree.codes[CodeId{c}].name + "): ";
}

class TreeCheck {
 public:
  explicit TreeCheck(const CodeTree& tree) : tree_(tree), visited_by_(tree.consts.size(), kNever) {}

  Status run() {
    if (!is_supported(tree_.version)) return fault("wanted CPython 3.8 to 3.15");
    if (tree_.codes.size() == 0) return fault("wanted a code object, found none");
    if (tree_.codes[tree_.root()].parent) return fault("wanted a root without a parent");
    DEPYF_CHECK(check_ranges());
    DEPYF_CHECK(check_acyclic());
    has_parent_.assign(tree_.codes.size(), false);
    has_parent_[0] = true;
    for (std::uint32_t c = 0; c < tree_.codes.size(); ++c) {
      DEPYF_CHECK(check_code(c));
      DEPYF_CHECK(walk_constants(c));
    }
    for (std::uint32_t c = 0; c < tree_.codes.size(); ++c) {
      if (!has_parent_[c]) return fault(name_of(tree_, c) + "wanted a parent that holds it as a constant");
    }
    return check_rooted();
  }

 private:
  static constexpr std::uint32_t kNever = 0xFFFFFFFF;

  // Returns the items of a constant. `slice` provides the storage for those of a slice.
  using SliceItems = std::array<ConstId, 3>;
  std::span<const ConstId> items_of(ConstId id, SliceItems& slice) const {
    const Constant& value = tree_.consts[id];
    if (const auto* tuple = std::get_if<ConstTuple>(&value)) return tuple->items;
    if (const auto* set = std::get_if<ConstFrozenSet>(&value)) return set->items;
    if (const auto* opaque = std::get_if<ConstOpaque>(&value); opaque != nullptr && opaque->items.valid())
      return {&opaque->items, 1};
    if (const auto* parts = std::get_if<ConstSlice>(&value)) return slice = {parts->start, parts->stop, parts->step};
    return {};
  }

  Status check_ranges() const {
    SliceItems slice;
    for (std::uint32_t i = 0; i < tree_.consts.size(); ++i) {
      const Constant& value = tree_.consts[ConstId{i}];
      for (const ConstId item : items_of(ConstId{i}, slice)) {
        if (item.n >= tree_.consts.size())
          return fault("constant " + std::to_string(i) + ": wanted items of the same tree");
      }
      if (const auto* code = std::get_if<ConstCode>(&value); code != nullptr && code->code.n >= tree_.codes.size()) {
        return fault("constant " + std::to_string(i) + ": wanted a code object of the same tree");
      }
      if (const auto* text = std::get_if<ConstStr>(&value); text != nullptr && !is_text(text->text)) {
        return fault("constant " + std::to_string(i) + ": wanted text in UTF-8");
      }
      if (const auto* integer = std::get_if<ConstInt>(&value);
          integer != nullptr && (integer->digits.empty() ? integer->negative : integer->digits.back() == 0)) {
        return fault("constant " + std::to_string(i) + ": wanted a normal integer");
      }
    }
    return Unit{};
  }

  // Depth-first search with an explicit stack: reaching an open item means that it contains itself.
  Status check_acyclic() const {
    enum State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<std::uint8_t> state(tree_.consts.size(), kNew);
    std::vector<ConstId> stack;
    SliceItems slice;
    for (std::uint32_t i = 0; i < tree_.consts.size(); ++i) {
      stack.push_back(ConstId{i});
      while (!stack.empty()) {
        const ConstId id = stack.back();
        if (state[id.n] != kNew) {
          if (state[id.n] == kOpen) state[id.n] = kDone;
          stack.pop_back();
          continue;
        }
        state[id.n] = kOpen;
        for (const ConstId item : items_of(id, slice)) {
          if (state[item.n] == kOpen)
            return fault("constant " + std::to_string(item.n) + ": wanted one that does not hold itself");
          if (state[item.n] == kNew) stack.push_back(item);
        }
      }
    }
    return Unit{};
  }

  Status check_code(std::uint32_t c) const {
    const CodeObject& code = tree_.codes[CodeId{c}];
    if (std::string what = code_fault(code, tree_.version); !what.empty()) return fault(name_of(tree_, c) + what);
    if (c != 0 && code.parent.n >= tree_.codes.size())
      return fault(name_of(tree_, c) + "wanted a parent of the same tree");
    for (const ConstId id : code.consts) {
      if (id.n >= tree_.consts.size()) return fault(name_of(tree_, c) + "wanted constants of the same tree");
    }
    for (const auto* names : {&code.names, &code.varnames, &code.cellvars, &code.freevars, &code.localsplus}) {
      for (const std::string& name : *names) {
        if (!is_text(name)) return fault(name_of(tree_, c) + "wanted names in UTF-8");
      }
    }
    if (!is_text(code.name) || !is_text(code.qualname) || !is_text(code.filename)) {
      return fault(name_of(tree_, c) + "wanted names in UTF-8");
    }
    return Unit{};
  }

  // Marks the code objects whose parent is `c` and which are constants of `c`.
  Status walk_constants(std::uint32_t c) {
    std::vector<ConstId>& stack = stack_;
    stack.assign(tree_.codes[CodeId{c}].consts.begin(), tree_.codes[CodeId{c}].consts.end());
    SliceItems slice;
    while (!stack.empty()) {
      const ConstId id = stack.back();
      stack.pop_back();
      if (std::exchange(visited_by_[id.n], c) == c) continue;
      for (const ConstId item : items_of(id, slice)) stack.push_back(item);
      const auto* child = std::get_if<ConstCode>(&tree_.consts[id]);
      if (child == nullptr) continue;
      if (child->code == tree_.root()) return fault(name_of(tree_, c) + "wanted constants other than the root itself");
      if (tree_.codes[child->code].parent == CodeId{c}) has_parent_[child->code.n] = true;
    }
    return Unit{};
  }

  // Checks that all parents lead to the root, so that no two code objects are parents of each other.
  Status check_rooted() const {
    std::vector<bool> rooted(tree_.codes.size(), false);
    rooted[0] = true;
    std::vector<std::uint32_t> path;
    for (std::uint32_t c = 0; c < tree_.codes.size(); ++c) {
      path.clear();
      std::uint32_t at = c;
      while (!rooted[at]) {
        if (path.size() > tree_.codes.size()) return fault(name_of(tree_, c) + "wanted parents that lead to the root");
        path.push_back(at);
        at = tree_.codes[CodeId{at}].parent.n;
      }
      for (const std::uint32_t step : path) rooted[step] = true;
    }
    return Unit{};
  }

  const CodeTree& tree_;
  std::vector<std::uint32_t> visited_by_;
  std::vector<bool> has_parent_;
  std::vector<ConstId> stack_;
};

}  // namespace

Status validate(const CodeTree& tree) { return TreeCheck(tree).run(); }

}  // namespace depyf
