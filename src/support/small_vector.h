// SPDX-License-Identifier: MIT
// A vector with inline storage for N elements. Most lists for a line of code are that short and need no allocation.
//
// Invariant: elements are trivially copyable. Moving the vector invalidates references to its elements, unlike in
// std::vector; otherwise it is used like one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace depyf {

// Where the elements are. The compact form, for nodes of trees, stores the pointer in the space of the elements.
template <class T, std::uint32_t N, bool kCompact = (N * sizeof(T) <= sizeof(T*))>
class SmallStorage {
 public:
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] bool owns() const { return data_ != inline_data(); }
  void set(T* data, std::uint32_t capacity) {
    data_ = data;
    capacity_ = capacity;
  }
  void reset() { set(inline_data(), N); }

 private:
  [[nodiscard]] T* inline_data() const { return reinterpret_cast<T*>(const_cast<std::byte*>(inline_)); }
  T* data_ = inline_data();

 protected:
  std::uint32_t size_ = 0, capacity_ = N;

 private:
  alignas(T) std::byte inline_[N * sizeof(T)];  // inline storage
};
template <class T, std::uint32_t N>
class SmallStorage<T, N, true> {
 public:
  [[nodiscard]] T* data() const { return owns() ? data_ : reinterpret_cast<T*>(const_cast<std::byte*>(inline_)); }
  [[nodiscard]] bool owns() const { return capacity_ != N; }
  void set(T* data, std::uint32_t capacity) {
    data_ = data;
    capacity_ = capacity;
  }
  void reset() { capacity_ = N; }

 protected:
  std::uint32_t size_ = 0, capacity_ = N;

 private:
  union {
    T* data_;
    alignas(T) std::byte inline_[N * sizeof(T)];
  };
};

template <class T, std::uint32_t N>
class SmallVector : private SmallStorage<T, N> {
  using Storage = SmallStorage<T, N>;
  using Storage::capacity_;
  using Storage::data;
  using Storage::owns;
  using Storage::size_;

  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() {}
  explicit SmallVector(std::size_t n, const T& item = T()) { assign(n, item); }
  SmallVector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  template <std::forward_iterator From>
  SmallVector(From first, From last) {
    assign(first, last);
  }
  SmallVector(const SmallVector& other) : Storage() { assign(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept : Storage() { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~SmallVector() { release(); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  iterator begin() { return data(); }
  iterator end() { return data() + size_; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size_; }
  [[nodiscard]] auto rbegin() const { return std::reverse_iterator(end()); }
  [[nodiscard]] auto rend() const { return std::reverse_iterator(begin()); }

  void clear() { size_ = 0; }
  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  void resize(std::size_t n) {
    reserve(n);
    for (std::size_t i = size_; i < n; ++i) std::construct_at(data() + i);
    size_ = static_cast<std::uint32_t>(n);
  }
  void push_back(const T& item) {
    const T copy = item;  // it may be an element of this vector
    if (size_ == capacity_) grow(2 * std::size_t{capacity_});
    std::construct_at(data() + size_++, copy);
  }
  void pop_back() { --size_; }
  void assign(std::size_t n, const T& item) {
    size_ = 0;
    reserve(n);
    std::uninitialized_fill_n(data(), n, item);
    size_ = static_cast<std::uint32_t>(n);
  }
  template <std::forward_iterator From>
  void assign(From first, From last) {
    const auto n = static_cast<std::size_t>(std::distance(first, last));
    size_ = 0;
    reserve(n);
    std::uninitialized_copy(first, last, data());
    size_ = static_cast<std::uint32_t>(n);
  }
  // The inserted elements must not be in this vector.
  template <std::forward_iterator From>
  void insert(const_iterator at, From first, From last) {
    const auto place = static_cast<std::size_t>(at - data());
    const auto more = static_cast<std::size_t>(std::distance(first, last));
    if (size_ + more > capacity_) grow(std::max(size_ + more, 2 * std::size_t{capacity_}));
    std::memmove(data() + place + more, data() + place, (size_ - place) * sizeof(T));
    std::uninitialized_copy(first, last, data() + place);
    size_ += static_cast<std::uint32_t>(more);
  }
  void insert(const_iterator at, const T& item) {
    const T copy = item;
    insert(at, &copy, &copy + 1);
  }
  void erase(const_iterator at) {
    T* place = data() + (at - data());
    std::memmove(place, place + 1, static_cast<std::size_t>(end() - place - 1) * sizeof(T));
    --size_;
  }

 private:
  void grow(std::size_t capacity) {
    T* larger = std::allocator<T>{}.allocate(capacity);
    std::memcpy(larger, data(), size_ * sizeof(T));
    release();
    Storage::set(larger, static_cast<std::uint32_t>(capacity));
  }
  void release() {
    if (owns()) std::allocator<T>{}.deallocate(data(), capacity_);
  }
  // Moves the elements of `other` here, which leaves it empty. This vector must own no memory.
  void take(SmallVector& other) {
    if (other.owns()) {
      Storage::set(other.data(), other.capacity_);
      other.reset();
    } else {
      Storage::reset();
      std::memcpy(data(), other.data(), std::min(other.size_, N) * sizeof(T));  // inline storage has no more
    }
    size_ = std::exchange(other.size_, 0);
  }
};

}  // namespace depyf
