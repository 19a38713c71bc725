// SPDX-License-Identifier: MIT
// read_pyc() and read_marshal() of depyf/decompile.h: the header of a .pyc file, then the marshalled code object.
//
// Invariant: the header is checked as in importlib (_classify_pyc in Lib/importlib/_bootstrap_external.py). Bytes after
// the code object are ignored, as in marshal.loads(). The source's time, size and hash are not compared.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "code/check.h"
#include "depyf/decompile.h"
#include "pyc/byte_source.h"
#include "pyc/magic.h"
#include "pyc/marshal_reader.h"

namespace depyf {
namespace {

// PEP 552: bit 0: validated by the source's hash, not by time and size; bit 1: whether the source is checked at all.
constexpr std::uint32_t kKnownHeaderFlags = 3;
constexpr std::size_t kHeaderSize = 16;

Status check_size(std::span<const std::byte> bytes, const Limits& limits) {
  if (bytes.size() <= limits.max_bytes) return Unit{};
  return Error{Errc::kLimitExceeded, 0,
               "wanted at most " + std::to_string(limits.max_bytes) + " bytes, found " + std::to_string(bytes.size())};
}

// Returns the error for a file with a wrong line end after its magic number. It may tell what the file is instead.
Error not_a_pyc(std::span<const std::byte> bytes) {
  constexpr std::byte kZip[] = {std::byte{'P'}, std::byte{'K'}, std::byte{3}, std::byte{4}};
  if (std::ranges::equal(bytes.first(std::size(kZip)), kZip))
    return {Errc::kBadMagic, 0, "wanted a .pyc file, found a zip archive, which has to be unpacked"};
  // TYPE_CODE of Python/marshal.c, with or without FLAG_REF, then the number of arguments, which is small.
  const bool is_code = (bytes[0] & std::byte{0x7f}) == std::byte{'c'} && bytes.size() > 4;
  if (is_code && bytes[2] == std::byte{} && bytes[3] == std::byte{} && bytes[4] == std::byte{})
    return {Errc::kBadMagic, 0, "wanted a .pyc file, found marshalled code without the header that names its version"};
  return {Errc::kBadMagic, 2, "wanted a .pyc file, whose magic number ends in a carriage return and a line feed"};
}

}  // namespace

Result<CodeTree> read_pyc(std::span<const std::byte> bytes, const Limits& limits) {
  DEPYF_CHECK(check_size(bytes, limits));
  ByteSource header(bytes, 0);
  DEPYF_TRY(number, header.take_unsigned(2, "the magic number of a .pyc file"));
  DEPYF_TRY(line_end, header.take(2, "the line end after the magic number"));
  if (line_end != "\r\n") return not_a_pyc(bytes);
  DEPYF_TRY(version, version_of_magic(static_cast<std::uint16_t>(number)));
  DEPYF_TRY(flags, header.take_unsigned(4, "the flags of the .pyc header"));
  if ((flags & ~std::uint64_t{kKnownHeaderFlags}) != 0) {
    return Error{Errc::kMalformed, 4, "wanted header flags 0 to 3, found " + std::to_string(flags)};
  }
  DEPYF_CHECK(header.take(8, "the time and size, or the hash, of the source"));
  return MarshalReader(ByteSource(bytes.subspan(kHeaderSize), kHeaderSize), version, limits).read();
}

Result<CodeTree> read_marshal(std::span<const std::byte> bytes, Version version, const Limits& limits) {
  DEPYF_CHECK(check_size(bytes, limits));
  if (!is_supported(version)) {
    return Error{
        Errc::kMalformed, kNowhere,
        "wanted CPython 3.8 to 3.15, found " + std::to_string(version.major) + "." + std::to_string(version.minor)};
  }
  return MarshalReader(ByteSource(bytes, 0), version, limits).read();
}

}  // namespace depyf
