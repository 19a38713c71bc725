// SPDX-License-Identifier: MIT
// Interned names and constants: both trees of a comparison share one Keys, so equal keys mean equal names or constants.
//
// Invariant: two constants get the same key if and only if they have the same type and value in the sense of CPython's
// compiler: 0.0 and -0.0 differ, and so do 1, True and 1.0. Frozensets whose items have the same hash in each process
// are compared in their order, others as sets. Code objects are compared by name only; the caller compares their
// contents. Keys of different Keys objects are unrelated.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "depyf/code.h"

namespace depyf::equivalence {

using Key = std::uint32_t;
inline constexpr Key kNoKey = 0xFFFFFFFF;

class Keys {
 public:
  Key name(std::string_view text);
  // Returns the key of the `nth` variable (from 0) of this name in its code object, since slots may share a name.
  Key variable(std::string_view text, std::size_t nth);
  Key text(std::string_view value);  // the key of a str constant
  Key integer(std::uint32_t value);  // the key of a small int constant
  Key none();
  Key boolean(bool value);
  Key minus_one();
  Key marker(std::string_view label);  // differs from the keys of all names and constants
  // Returns the key of a container of constants with these keys. Tags: 't' tuple, 'z' frozenset in any order, 'Z'
  // frozenset in its own order, 'l' slice or opaque container.
  Key group(char tag, std::vector<Key> items);
  Key raw(std::string bytes);  // the key of a tagged payload (keys.cpp); for ConstantKeys
  [[nodiscard]] const std::string& payload(Key key) const { return *texts_[key]; }
  // Returns a readable form for messages, cut at about 80 characters.
  [[nodiscard]] std::string show(Key key) const;

 private:
  std::unordered_map<std::string, Key> ids_;
  std::vector<const std::string*> texts_;  // the payloads by Key; they point into ids_, whose nodes never move
};

// The keys of one tree's constants, computed on first use.
class ConstantKeys {
 public:
  ConstantKeys(const CodeTree& tree, Keys& keys)
      : tree_(tree), keys_(keys), computed_(tree.consts.size(), kNoKey), has_stable_hash_(tree.consts.size(), false) {}
  // Returns the key of a constant. Fails if it contains itself.
  [[nodiscard]] Result<Key> key(ConstId id);
  // Returns a key that ignores the order of items if the constant is a tuple or frozenset; otherwise the same as key().
  [[nodiscard]] Result<Key> unordered(ConstId id);

 private:
  [[nodiscard]] bool has_stable_hash(std::string_view payload) const;

  const CodeTree& tree_;
  Keys& keys_;
  std::vector<Key> computed_;
  std::vector<bool> has_stable_hash_;  // by ConstId, where computed_ is set: the hash is the same in each process
};

}  // namespace depyf::equivalence
