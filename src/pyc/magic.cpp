// SPDX-License-Identifier: MIT
// Magic numbers; see magic.h. They come from Include/internal/pycore_magic_number.h (before 3.14:
// Lib/importlib/_bootstrap_external.py).
#include "pyc/magic.h"

#include <string>

namespace depyf {
namespace {

struct MagicRange {
  Version version;
  std::uint16_t first_of_series;  // of the first alpha
  std::uint16_t first, last;      // of release candidates and releases
};

constexpr MagicRange kRanges[] = {
    {{3, 8}, 3400, 3413, 3413},  {{3, 9}, 3420, 3425, 3425},  {{3, 10}, 3430, 3439, 3439}, {{3, 11}, 3450, 3495, 3495},
    {{3, 12}, 3500, 3531, 3531}, {{3, 13}, 3550, 3571, 3571}, {{3, 14}, 3600, 3625, 3627}, {{3, 15}, 3650, 3666, 3666},
};
constexpr std::uint16_t kFirstUnknown = 3700;  // the series of 3.16: 2900 + 50 * 16

std::string name_of(Version v) { return std::to_string(v.major) + "." + std::to_string(v.minor); }

}  // namespace

Result<Version> version_of_magic(std::uint16_t number) {
  std::string found = "magic number " + std::to_string(number);
  for (const MagicRange& range : kRanges) {
    if (number >= range.first && number <= range.last) return range.version;
    if (number >= range.first_of_series && number < range.first) {
      found += " of an alpha or beta of CPython " + name_of(range.version);
    }
  }
  if (number >= kFirstUnknown && number < 4000) found += " of a CPython newer than " + name_of(kLastVersion);
  if (number >= 3000 && number < kRanges[0].first_of_series)
    found += " of a CPython older than " + name_of(kFirstVersion);
  return Error{Errc::kBadMagic, 0,
               "wanted the magic number of CPython " + name_of(kFirstVersion) + " to " + name_of(kLastVersion) +
                   ", found " + found};
}

}  // namespace depyf
