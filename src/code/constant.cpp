// SPDX-License-Identifier: MIT
// same_constant() and listed() of depyf/code.h.
//
// Constants are equal as CPython's compiler sees it (_PyCode_ConstantKey in Objects/codeobject.c). Invariant: floats
// are compared by their bits, so 0.0 and -0.0 differ and a NaN equals itself; frozensets are compared as sets. Nested
// constants are processed with an explicit stack.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "depyf/code.h"

namespace depyf {
namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class T>
void append_raw(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

void append_sized(std::string& out, const std::string& text) {
  append_raw(out, std::uint64_t{text.size()});
  out += text;
}

// Builds a key that two constants share exactly if they are the same: a type letter, then the value; for containers,
// the number of items and their keys. Keys are built bottom-up: `done_` is a stack of finished keys.
class KeyBuilder {
 public:
  explicit KeyBuilder(const CodeTree& tree) : tree_(tree) {}

  std::string key(ConstId root) {
    pending_.push_back({root, false});
    while (!pending_.empty()) {
      const auto [id, expanded] = pending_.back();
      pending_.pop_back();
      const std::vector<ConstId> items = items_of(tree_.consts[id]);
      if (items.empty() || expanded) {
        finish(tree_.consts[id], items.size());
        continue;
      }
      pending_.push_back({id, true});
      for (std::size_t i = items.size(); i-- > 0;) pending_.push_back({items[i], false});
    }
    return std::move(done_.back());
  }

 private:
  static std::vector<ConstId> items_of(const Constant& value) {
    if (const auto* tuple = std::get_if<ConstTuple>(&value)) return tuple->items;
    if (const auto* set = std::get_if<ConstFrozenSet>(&value)) return set->items;
    if (const auto* opaque = std::get_if<ConstOpaque>(&value); opaque != nullptr && opaque->items.valid())
      return {opaque->items};
    if (const auto* slice = std::get_if<ConstSlice>(&value)) return {slice->start, slice->stop, slice->step};
    return {};
  }

  // Replaces the keys of the last `count` finished constants by the key of `value`, which contains them.
  void finish(const Constant& value, std::size_t count) {
    std::string out;
    match(
        value, [&](const ConstNone&) { out = "N"; }, [&](const ConstEllipsis&) { out = "."; },
        [&](const ConstBool& boolean) { out = boolean.value ? "T" : "F"; },
        [&](const ConstInt& integer) {
          out = integer.negative ? "i-" : "i+";
          append_raw(out, std::uint64_t{integer.digits.size()});
          for (const std::uint32_t digit : integer.digits) append_raw(out, digit);
        },
        [&](const ConstFloat& number) { append_raw(out = "f", bits_of(number.value)); },
        [&](const ConstComplex& number) {
          append_raw(out = "c", bits_of(number.real));
          append_raw(out, bits_of(number.imag));
        },
        [&](const ConstStr& text) { append_sized(out = "s", text.text); },
        [&](const ConstBytes& bytes) { append_sized(out = "b", bytes.data); },
        [&](const ConstTuple&) { join(out = "(", count, false); },
        [&](const ConstFrozenSet&) { join(out = "<", count, true); },
        [&](const ConstSlice&) { join(out = ":", count, false); },
        [&](const ConstCode& code) { append_raw(out = "C", code.code.n); },
        [&](const ConstOpaque& opaque) {
          append_raw(out = "o", opaque.handle);
          append_sized(out, opaque.display);
          join(out, count, false);
        });
    done_.resize(done_.size() - count);
    done_.push_back(std::move(out));
  }

  void join(std::string& out, std::size_t count, bool as_set) {
    const auto first = done_.end() - static_cast<std::ptrdiff_t>(count);
    auto last = done_.end();
    if (as_set) {
      std::sort(first, last);
      last = std::unique(first, last);
    }
    append_raw(out, static_cast<std::uint64_t>(last - first));
    for (auto it = first; it != last; ++it) out += *it;
  }

  const CodeTree& tree_;
  std::vector<std::pair<ConstId, bool>> pending_;
  std::vector<std::string> done_;
};

// The hash table of a set of integers that fit a machine word (set_add_entry() and set_table_resize() in
// Objects/setobject.c, 3.8-3.10).
class HashTable {
 public:
  void add(std::int64_t number, ConstId item) {
    put({hash_of(number), item});
    if (++used_ * 5 < (slots_.size() - 1) * 3) return;
    std::size_t size = 8;
    while (size <= (used_ > 50000 ? used_ * 2 : used_ * 4)) size *= 2;
    const auto old = std::exchange(slots_, std::vector<Slot>(size));
    for (const Slot& slot : old)
      if (slot.item.valid()) put(slot);
  }
  [[nodiscard]] std::vector<ConstId> items() const {
    std::vector<ConstId> all;
    for (const Slot& slot : slots_)
      if (slot.item.valid()) all.push_back(slot.item);
    return all;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    ConstId item;
  };

  static std::uint64_t hash_of(std::int64_t number) { return static_cast<std::uint64_t>(number == -1 ? -2 : number); }

  void put(const Slot& slot) {
    constexpr std::size_t kProbes = 9;
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t perturb = slot.hash;
    for (std::size_t i = slot.hash & mask;;) {
      const std::size_t last = i + kProbes <= mask ? i + kProbes : i;
      for (std::size_t at = i; at <= last; ++at)
        if (!slots_[at].item.valid()) {
          slots_[at] = slot;
          return;
        }
      perturb >>= 5;
      i = (i * 5 + 1 + perturb) & mask;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(8);
  std::size_t used_ = 0;
};

// Returns the iteration order of a set after the insertions; empty if the hash of an item is not modelled.
std::vector<ConstId> iteration_order(const CodeTree& tree, const std::vector<ConstId>& insertions) {
  HashTable table;
  for (const ConstId id : insertions) {
    const auto& number = std::get<ConstInt>(tree.consts[id]);
    std::uint64_t magnitude = 0;
    for (std::size_t i = number.digits.size(); i-- > 0;) magnitude = magnitude << 32U | number.digits[i];
    if (number.digits.size() > 2 || magnitude >= (std::uint64_t{1} << 61U) - 1) return {};
    const auto value = static_cast<std::int64_t>(magnitude);
    table.add(number.negative ? -value : value, id);
  }
  return table.items();
}

// Returns whether a display in the first order becomes a set that iterates in the second order. The compiler folds the
// display, then builds a set again from the folded one (merge_consts_recursive() in Python/compile.c).
bool display_iterates_as(const CodeTree& tree, const std::vector<ConstId>& display, const std::vector<ConstId>& order) {
  return iteration_order(tree, iteration_order(tree, display)) == order;
}

// Returns an order of items whose display gives a set that iterates in `order`: sorted if that does, else `order`
// itself, else, for few items, any other permutation that does. Falls back to sorted.
std::vector<ConstId> display_order(const CodeTree& tree, std::vector<ConstId> sorted,
                                   const std::vector<ConstId>& order) {
  constexpr std::size_t kFew = 6;
  if (display_iterates_as(tree, sorted, order)) return sorted;
  if (display_iterates_as(tree, order, order)) return order;
  if (sorted.size() > kFew) return sorted;
  std::vector<std::size_t> at(sorted.size());
  std::iota(at.begin(), at.end(), 0U);
  while (std::next_permutation(at.begin(), at.end())) {
    std::vector<ConstId> other;
    for (const std::size_t i : at) other.push_back(sorted[i]);
    if (display_iterates_as(tree, other, order)) return other;
  }
  return sorted;
}

}  // namespace

std::vector<ConstId> listed(const CodeTree& tree, const ConstFrozenSet& set) {
  std::vector<ConstId> items = set.items;
  const auto all = [&]<class T>(const T*) {
    return std::all_of(items.begin(), items.end(),
                       [&](ConstId i) { return std::holds_alternative<T>(tree.consts[i]); });
  };
  if (all(static_cast<const ConstStr*>(nullptr))) {
    std::sort(items.begin(), items.end(), [&](ConstId a, ConstId b) {
      return std::get<ConstStr>(tree.consts[a]).text < std::get<ConstStr>(tree.consts[b]).text;
    });
  } else if (all(static_cast<const ConstInt*>(nullptr))) {
    const auto less = [](const ConstInt& a, const ConstInt& b) {  // compares magnitudes
      if (a.digits.size() != b.digits.size()) return a.digits.size() < b.digits.size();
      return std::lexicographical_compare(a.digits.rbegin(), a.digits.rend(), b.digits.rbegin(), b.digits.rend());
    };
    std::sort(items.begin(), items.end(), [&](ConstId x, ConstId y) {
      const auto &a = std::get<ConstInt>(tree.consts[x]), &b = std::get<ConstInt>(tree.consts[y]);
      if (a.negative != b.negative) return a.negative;
      return a.negative ? less(b, a) : less(a, b);
    });
    constexpr Version kFirstSorting{3, 11};  // from 3.11 on marshal sorts the items of a set
    if (tree.version < kFirstSorting) return display_order(tree, std::move(items), set.items);
  }
  return items;
}

bool same_constant(const CodeTree& a, ConstId x, const CodeTree& b, ConstId y) {
  if (&a == &b && x == y) return true;
  if (a.consts[x].index() != b.consts[y].index()) return false;
  const auto* text = std::get_if<ConstStr>(&a.consts[x]);
  if (text != nullptr) return text->text == std::get_if<ConstStr>(&b.consts[y])->text;  // by far the most frequent case
  return KeyBuilder(a).key(x) == KeyBuilder(b).key(y);
}

}  // namespace depyf
