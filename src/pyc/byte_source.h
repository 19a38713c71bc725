// SPDX-License-Identifier: MIT
// A cursor over untrusted bytes.
//
// Invariant: it never reads beyond the end; a given length is compared with the number of bytes left before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "depyf/result.h"

namespace depyf {

class ByteSource {
 public:
  // `base` is the file offset of bytes[0], for errors.
  ByteSource(std::span<const std::byte> bytes, std::size_t base)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), base_(base) {}

  [[nodiscard]] std::size_t at() const { return base_ + position_; }
  [[nodiscard]] std::size_t left() const { return text_.size() - position_; }

  // Returns the next n bytes. `wanted` completes "wanted ..." in the error.
  Result<std::string_view> take(std::size_t n, std::string_view wanted) {
    if (n > left()) return too_short(n, wanted);
    const std::string_view out = text_.substr(position_, n);
    position_ += n;
    return out;
  }

  // Returns an unsigned little-endian integer of n bytes, 1 to 8.
  Result<std::uint64_t> take_unsigned(std::size_t n, std::string_view wanted) {
    if (n > left()) return too_short(n, wanted);
    std::uint64_t value = 0;
    for (std::size_t i = n; i-- > 0;) value = value << 8U | static_cast<std::uint8_t>(text_[position_ + i]);
    position_ += n;
    return value;
  }

  Result<std::int32_t> take_long(std::string_view wanted) {
    if (left() < sizeof(std::int32_t)) return too_short(sizeof(std::int32_t), wanted);
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<std::uint8_t>(text_[position_ + i])}; };
    const std::uint32_t value = byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;  // compiled to one load
    position_ += sizeof value;
    return static_cast<std::int32_t>(value);
  }

 private:
  [[nodiscard]] Error too_short(std::size_t n, std::string_view wanted) const {
    return {Errc::kTruncated, at(),
            "wanted " + std::string(wanted) + " (" + std::to_string(n) + " bytes), found " + std::to_string(left()) +
                " before the end of the file"};
  }

  std::string_view text_;
  std::size_t base_;
  std::size_t position_ = 0;
};

}  // namespace depyf
