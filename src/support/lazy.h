// SPDX-License-Identifier: MIT
// A value that is allocated on the first mutable access, so that objects that rarely need it stay small.
#pragma once

#include <memory>
#include <utility>

namespace depyf {

template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Lazy(Lazy&&) noexcept = default;
  Lazy& operator=(const Lazy& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Lazy& operator=(Lazy&&) noexcept = default;
  ~Lazy() = default;

  T* operator->() {
    if (!value_) value_ = std::make_unique<T>();
    return value_.get();
  }
  const T* operator->() const {
    static const T empty{};
    return value_ ? value_.get() : &empty;
  }
  void reset() { value_.reset(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace depyf
