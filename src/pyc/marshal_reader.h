// SPDX-License-Identifier: MIT
// Reads a marshalled code object, with everything in it, into a CodeTree.
//
// Invariant: the work stack is explicit, and memory is linear in the input: a length is checked before it is used,
// there is a budget for text copied from shared objects, and the expanded size of nested sharing is limited. The result
// passes validate(). The contents of co_code are not examined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "pyc/byte_source.h"

namespace depyf {

// Properties of a constant that bound the work on it.
struct ConstMeasure {
  std::uint32_t height = 1;  // depth of nested containers; 1 for a scalar
  std::uint64_t weight = 1;  // number of items, with shared parts counted each time
};

// The parts of a marshalled code object, in the order of the format.
enum class CodeField : std::uint8_t {
  kCode,
  kConsts,
  kNames,
  kVarnames,
  kFreevars,
  kCellvars,
  kLocalsplus,
  kKinds,
  kFilename,
  kName,
  kQualname,
  kFirstLine,
  kLineTable,
  kExceptionTable,
};

class MarshalReader {
 public:
  MarshalReader(ByteSource in, Version version, const Limits& limits);
  [[nodiscard]] Result<CodeTree> read();

 private:
  enum class Kind : std::uint8_t { kTuple, kFrozenSet, kList, kSet, kDict, kFrozenDict, kSlice, kCode };
  // An object whose parts are being read.
  struct Frame {
    Kind kind = Kind::kTuple;
    std::size_t at = 0;         // offset of the type byte
    std::size_t remaining = 0;  // number of parts to read; dicts end with a NULL object instead
    std::optional<std::size_t> ref;
    std::vector<ConstId> items;  // not for code
    CodeId code;                 // for code only
    std::size_t next_field = 0;  // for code only
  };
  struct Ref {
    ConstId value;  // invalid while the object is being read
  };

  [[nodiscard]] Status step();
  [[nodiscard]] Status read_object();
  [[nodiscard]] Status open_container(char type, std::size_t at, std::optional<std::size_t> ref);
  [[nodiscard]] Status open_frame(Frame&& frame);
  [[nodiscard]] Status open_code(std::size_t at, std::optional<std::size_t> ref);
  [[nodiscard]] Status end_dict(std::size_t at);
  [[nodiscard]] Result<ConstId> resolve_ref();
  // An object that is not shared has no other user, so a field of a code object may take its contents.
  [[nodiscard]] Status deliver(ConstId value, std::size_t at, bool is_shared = true);
  [[nodiscard]] Status set_field(CodeObject& code, CodeField field, ConstId value, std::size_t at, bool is_shared);
  [[nodiscard]] Status set_bytes(std::string& out, CodeField field, ConstId value, std::size_t at, bool is_shared);
  [[nodiscard]] Status set_text(std::string& out, CodeField field, ConstId value, std::size_t at);
  [[nodiscard]] Status set_names(std::vector<std::string>& out, CodeField field, ConstId value, std::size_t at);
  [[nodiscard]] Status set_consts(CodeObject& code, ConstId value, std::size_t at, bool is_shared);
  [[nodiscard]] Status charge_copy(std::size_t bytes, std::size_t at);
  [[nodiscard]] Status close(Frame& frame);
  [[nodiscard]] Status close_code(const Frame& frame);
  [[nodiscard]] Result<Constant> make_container(Frame& frame, ConstMeasure measured);
  [[nodiscard]] Result<ConstMeasure> measure(const Frame& frame) const;
  [[nodiscard]] ConstId add(Constant&& value, ConstMeasure measure);
  [[nodiscard]] ConstId singleton(char type);
  [[nodiscard]] bool is_complete(const Frame& frame) const;
  [[nodiscard]] std::string_view wanted() const;

  ByteSource in_;
  Limits limits_;
  CodeTree tree_;
  std::span<const CodeField> fields_;   // of code objects of this version
  std::vector<ConstMeasure> measures_;  // by ConstId
  std::vector<Ref> refs_;
  std::vector<Frame> stack_;
  std::vector<CodeId> open_codes_;
  ConstId root_;
  ConstId none_, true_, false_, ellipsis_;
  std::uint32_t opaque_count_ = 0;
  std::uint64_t item_count_ = 0;
  std::uint64_t total_weight_ = 0;  // of the constants of all code objects
  std::uint64_t copied_ = 0;        // bytes of text copied into code objects
  std::uint64_t copy_budget_ = 0;
};

}  // namespace depyf
