// SPDX-License-Identifier: MIT
// Reads the leaves of the marshal format, as in r_object of Python/marshal.c; see scalar.h.
#include "pyc/scalar.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <string>

#include "code/utf8.h"

namespace depyf {
namespace {

ConstInt int_from(std::int64_t value) {
  ConstInt out;
  out.negative = value < 0;
  auto magnitude = static_cast<std::uint64_t>(value);
  if (out.negative) magnitude = ~magnitude + 1;
  for (; magnitude != 0; magnitude >>= 32U) out.digits.push_back(static_cast<std::uint32_t>(magnitude));
  return out;
}

// TYPE_LONG: a signed count of 15-bit digits, least significant first.
Status read_long_int(ByteSource& in, Constant& value) {
  constexpr unsigned kShift = 15;
  const std::size_t at = in.at();
  DEPYF_TRY(count, in.take_long("the digit count of an integer"));
  const std::int64_t wide = count;
  const auto n = static_cast<std::size_t>(wide < 0 ? -wide : wide);
  DEPYF_TRY(bytes, in.take(2 * n, "the digits of an integer"));
  ConstInt out;
  out.negative = count < 0;
  std::uint64_t pending = 0;
  unsigned pending_bits = 0;
  std::uint32_t digit = 0;
  for (std::size_t i = 0; i < n; ++i) {
    digit = static_cast<std::uint8_t>(bytes[2 * i]) | std::uint32_t{static_cast<std::uint8_t>(bytes[2 * i + 1])} << 8U;
    if (digit >> kShift != 0)
      return Error{Errc::kMalformed, at, "wanted integer digits of 15 bits, found a larger one"};
    pending |= std::uint64_t{digit} << pending_bits;
    pending_bits += kShift;
    if (pending_bits >= 32) {
      out.digits.push_back(static_cast<std::uint32_t>(pending));
      pending >>= 32U;
      pending_bits -= 32;
    }
  }
  if (n != 0 && digit == 0) return Error{Errc::kMalformed, at, "wanted an integer without a leading zero digit"};
  if (pending != 0) out.digits.push_back(static_cast<std::uint32_t>(pending));
  while (!out.digits.empty() && out.digits.back() == 0) out.digits.pop_back();
  value = std::move(out);
  return Unit{};
}

Result<double> read_binary_float(ByteSource& in) {
  static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == sizeof(std::uint64_t));
  DEPYF_TRY(bits, in.take_unsigned(8, "a float"));
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// TYPE_FLOAT: the result of repr(), at most 255 characters (marshal versions 0 and 1).
Result<double> read_text_float(ByteSource& in) {
  const std::size_t at = in.at();
  DEPYF_TRY(n, in.take_unsigned(1, "the length of a float in text"));
  DEPYF_TRY(whole, in.take(static_cast<std::size_t>(n), "a float in text"));
  std::string_view text = whole;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range) {
    return Error{Errc::kMalformed, at, "wanted a float in text within range"};
  }
  if (code != std::errc{} || end != text.data() + text.size() || text.starts_with("-+")) {
    return Error{Errc::kMalformed, at, "wanted a float in text"};
  }
  return value;
}

Status read_complex(ByteSource& in, Result<double> (*read_part)(ByteSource&), Constant& value) {
  DEPYF_TRY(real, read_part(in));
  DEPYF_TRY(imag, read_part(in));
  value = ConstComplex{real, imag};
  return Unit{};
}

// TYPE_ASCII and similar types. CPython takes each byte as one character, so bytes over 0x7F are Latin-1.
Status read_ascii(ByteSource& in, bool short_length, Constant& value) {
  std::size_t n = 0;
  if (short_length) {
    DEPYF_TRY(claimed, in.take_unsigned(1, "the length of a string"));
    n = static_cast<std::size_t>(claimed);
  } else {
    DEPYF_TRY(claimed, read_size(in, "a string"));
    n = claimed;
  }
  DEPYF_TRY(bytes, in.take(n, "a string"));
  value.emplace<ConstStr>().text = latin1_to_text(bytes);
  return Unit{};
}

Status read_unicode(ByteSource& in, Constant& value) {
  const std::size_t at = in.at();
  DEPYF_TRY(n, read_size(in, "a string"));
  DEPYF_TRY(bytes, in.take(n, "a string"));
  if (!is_text(bytes)) return Error{Errc::kMalformed, at, "wanted a string in UTF-8, found other bytes"};
  value.emplace<ConstStr>().text = bytes;
  return Unit{};
}

Status read_bytes(ByteSource& in, Constant& value) {
  DEPYF_TRY(n, read_size(in, "a bytes object"));
  DEPYF_TRY(bytes, in.take(n, "a bytes object"));
  value.emplace<ConstBytes>().data = bytes;
  return Unit{};
}

Status read_number(ByteSource& in, char type, Constant& value) {
  switch (type) {
    case 'i': {
      DEPYF_TRY(number, in.take_long("an integer"));
      value = int_from(number);
      return Unit{};
    }
    case 'I': {
      DEPYF_TRY(number, in.take_unsigned(8, "a 64-bit integer"));
      value = int_from(static_cast<std::int64_t>(number));
      return Unit{};
    }
    case 'l': return read_long_int(in, value);
    case 'x': return read_complex(in, read_text_float, value);
    case 'y': return read_complex(in, read_binary_float, value);
    default: {
      DEPYF_TRY(number, type == 'f' ? read_text_float(in) : read_binary_float(in));
      value = ConstFloat{number};
      return Unit{};
    }
  }
}

}  // namespace

Result<std::size_t> read_size(ByteSource& in, std::string_view of_what) {
  const std::size_t at = in.at();
  const auto what = [&] { return "the length of " + std::string(of_what); };
  if (in.left() < sizeof(std::int32_t)) return in.take_long(what()).error();
  DEPYF_TRY(n, in.take_long(of_what));
  if (n < 0) {
    return Error{Errc::kMalformed, at, "wanted " + what() + ", found " + std::to_string(n)};
  }
  if (static_cast<std::size_t>(n) > in.left()) {
    return Error{Errc::kTruncated, at,
                 "wanted " + std::string(of_what) + " of length " + std::to_string(n) + ", found " +
                     std::to_string(in.left()) + " bytes before the end of the file"};
  }
  return static_cast<std::size_t>(n);
}

Status read_scalar(ByteSource& in, char type, Constant& value) {
  switch (type) {
    case 'z':
    case 'Z': return read_ascii(in, true, value);
    case 'a':
    case 'A': return read_ascii(in, false, value);
    case 't':
    case 'u': return read_unicode(in, value);
    case 's': return read_bytes(in, value);
    default: return read_number(in, type, value);
  }
}

}  // namespace depyf
