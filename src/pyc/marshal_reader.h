// SPDX-License-Identifier: MIT
// Reads one marshalled code object, with everything in it, into a CodeTree.
//
// Invariant: the work stack is explicit, memory is linear in the input (a length is a claim; text copied out of shared
// objects is budgeted; nested sharing is bounded by its expanded size), and what is returned passes validate().
// It resolves nothing inside co_code.
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

// What the reader knows of a constant besides its value.
struct ConstMeasure {
  std::uint32_t height = 1;  // nesting of containers, a scalar is 1
  std::uint64_t weight = 1;  // items when every shared part is counted each time it appears
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
    std::size_t at = 0;         // of its type byte
    std::size_t remaining = 0;  // parts still to come; dicts end with a NULL object instead
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
  // What is not shared has no other use, so that a field of a code object may take its contents.
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
  std::span<const CodeField> fields_;   // of a code object of this version
  std::vector<ConstMeasure> measures_;  // parallel to tree_.consts
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
