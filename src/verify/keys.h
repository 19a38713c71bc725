// SPDX-License-Identifier: MIT
// Interned values: one number for each name and for each constant, shared by the two trees that are compared.
//
// Invariant: two constants get the same number exactly when CPython's compiler tells them apart by neither type nor
// value (0.0/-0.0, 1/True/1.0 differ; frozensets of what hashes alike in each process in their order, others as sets;
// code objects by name alone: their insides are compared separately). Numbers mean nothing outside the Keys that gave them. This file compares no code.
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
  // The key of the variable that is the `nth` (from 0) of its name in its code object: slots may share a name.
  Key variable(std::string_view text, std::size_t nth);
  Key text(std::string_view value);  // the key of a str constant
  Key integer(std::uint32_t value);  // the key of a small int constant
  Key none();
  Key boolean(bool value);
  Key minus_one();
  Key marker(std::string_view what);  // equal to no name and no constant
  // `items` are keys of constants; `tag` one of the tags of the implementation: 't' tuple, 'z' frozenset in any order,
  // 'Z' in its own.
  Key group(char tag, std::vector<Key> items);
  Key raw(std::string bytes);  // a tagged payload; used by ConstantKeys
  [[nodiscard]] const std::string& payload(Key key) const { return *texts_[key]; }
  // A short readable form for messages, at most about 80 characters.
  [[nodiscard]] std::string show(Key key) const;

 private:
  std::unordered_map<std::string, Key> ids_;
  std::vector<const std::string*> texts_;  // the map's own keys, by number: unordered_map never moves its nodes
};

// The keys of one tree's constants, computed when first asked for.
class ConstantKeys {
 public:
  ConstantKeys(const CodeTree& tree, Keys& keys)
      : tree_(tree), keys_(keys), done_(tree.consts.size(), kNoKey), equal_hashes_(tree.consts.size(), false) {}
  // Fails on a constant that contains itself.
  [[nodiscard]] Result<Key> key(ConstId id);
  // The items of a tuple or frozenset in any order; any other constant as itself.
  [[nodiscard]] Result<Key> unordered(ConstId id);

 private:
  [[nodiscard]] bool equal_scalar_hashes(std::string_view payload) const;

  const CodeTree& tree_;
  Keys& keys_;
  std::vector<Key> done_;
  std::vector<bool> equal_hashes_;  // in each process; of what is done
};

}  // namespace depyf::equivalence
