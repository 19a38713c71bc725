// SPDX-License-Identifier: MIT
// Result<T>: a value, or an Error with a position. The core reports every failure through it.
//
// Invariant: an Error tells what was expected, and where (a byte offset, or kNowhere). Result allocates memory only for
// errors and never throws by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace depyf {

enum class Errc : std::uint8_t {
  kBadMagic,       // the file's magic number is that of no supported CPython
  kTruncated,      // the input ends within an object
  kMalformed,      // the input contradicts itself or CPython's format
  kLimitExceeded,  // a value in Limits was exceeded
  kInternal,       // an invariant of depyf is broken: always a bug
  kInterrupted,    // the caller asked to stop (DecompileOptions::interrupted)
};

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct Error {
  Errc code = Errc::kInternal;
  std::size_t at = kNowhere;  // byte offset in the file, or bytecode offset in the code object
  std::string what;
};

struct Unit {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  [[nodiscard]] bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] T& value() & { return value_; }
  [[nodiscard]] const T& value() const& { return value_; }
  [[nodiscard]] T&& value() && { return std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  [[nodiscard]] Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  [[nodiscard]] Error&& error() && { return std::move(*error_); }

 private:
  [[no_unique_address]] T value_{};  // meaningless if there is an error
  std::unique_ptr<Error> error_;     // on the heap, to make success cheap: it is checked for each instruction
};

using Status = Result<Unit>;

#define DEPYF_CONCAT_(a, b) a##b
#define DEPYF_CONCAT(a, b) DEPYF_CONCAT_(a, b)
// Defines `name` from a Result expression, or returns its error from the enclosing function.
#define DEPYF_TRY(name, expr) DEPYF_TRY_IMPL_(name, expr, DEPYF_CONCAT(depyf_try_, __LINE__))
#define DEPYF_TRY_IMPL_(name, expr, tmp)        \
  auto tmp = (expr);                            \
  if (!tmp.ok()) return std::move(tmp).error(); \
  auto name = std::move(tmp).value()
// The same for a Status, or any result whose value is not needed.
#define DEPYF_CHECK(expr)                                                                       \
  do {                                                                                          \
    if (auto depyf_check_ = (expr); !depyf_check_.ok()) return std::move(depyf_check_).error(); \
  } while (false)

}  // namespace depyf
