// SPDX-License-Identifier: MIT
// Typed indices into arenas, and helpers for closed variants.
//
// An Id<Tag> is an index into one arena; ids of different arenas have different types. Arenas own their nodes, and
// nodes refer to each other by id only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace depyf {

template <class Tag>
struct Id {
  std::uint32_t n = 0xFFFFFFFF;
  friend bool operator==(Id, Id) = default;
  friend auto operator<=>(Id, Id) = default;
  [[nodiscard]] bool valid() const { return n != 0xFFFFFFFF; }
  explicit operator bool() const { return valid(); }
};

// A growing array, indexed by Id<Tag>. add() invalidates references but not ids.
template <class Tag, class T>
class Arena {
 public:
  template <class... Parts>
  Id<Tag> add(Parts&&... parts) {
    nodes_.emplace_back(std::forward<Parts>(parts)...);
    return Id<Tag>{static_cast<std::uint32_t>(nodes_.size() - 1)};
  }
  T& operator[](Id<Tag> id) { return nodes_[id.n]; }
  const T& operator[](Id<Tag> id) const { return nodes_[id.n]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  void reserve(std::size_t n) { nodes_.reserve(n); }

 private:
  std::vector<T> nodes_;
};

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// match(variant, handlers...): calls the handler of the active alternative. There is no catch-all, so a new node type
// breaks the build wherever it is not handled.
template <class Variant, class... Fs>
decltype(auto) match(Variant&& v, Fs&&... fs) {
  return std::visit(Overloaded{std::forward<Fs>(fs)...}, std::forward<Variant>(v));
}

}  // namespace depyf

template <class Tag>
struct std::hash<depyf::Id<Tag>> {
  std::size_t operator()(depyf::Id<Tag> id) const noexcept { return id.n; }
};
