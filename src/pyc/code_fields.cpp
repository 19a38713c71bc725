// SPDX-License-Identifier: MIT
// Checks and stores the fields of a marshalled code object (TYPE_CODE in r_object of Python/marshal.c). 3.8-3.10 have a
// tuple of names per kind, 3.11+ co_localsplusnames and co_localspluskinds.
//
// Invariant: a field is stored only if it has the right type; copied bytes are charged to the reader's budget. This
// file has the members of MarshalReader for code objects; marshal_reader.cpp has those for containers.
#include "pyc/code_fields.h"

#include <string>
#include <utility>

namespace depyf {
namespace {

using enum CodeField;
constexpr CodeField kOldFields[] = {kCode,     kConsts,   kNames, kVarnames,  kFreevars,
                                    kCellvars, kFilename, kName,  kFirstLine, kLineTable};
constexpr CodeField kNewFields[] = {kCode, kConsts,   kNames,     kLocalsplus, kKinds,         kFilename,
                                    kName, kQualname, kFirstLine, kLineTable,  kExceptionTable};

Error wrong_type(std::string_view wanted, CodeField field, const Constant& found, std::size_t at) {
  return Error{Errc::kMalformed, at,
               "wanted " + std::string(wanted) + " for " + std::string(field_name(field)) + ", found " +
                   std::string(type_name(found))};
}

}  // namespace

std::span<const CodeField> fields_of(Version version) {
  return has_localsplus(version) ? std::span<const CodeField>(kNewFields) : std::span<const CodeField>(kOldFields);
}

std::string_view field_name(CodeField field) {
  switch (field) {
    case kCode: return "co_code";
    case kConsts: return "co_consts";
    case kNames: return "co_names";
    case kVarnames: return "co_varnames";
    case kFreevars: return "co_freevars";
    case kCellvars: return "co_cellvars";
    case kLocalsplus: return "co_localsplusnames";
    case kKinds: return "co_localspluskinds";
    case kFilename: return "co_filename";
    case kName: return "co_name";
    case kQualname: return "co_qualname";
    case kFirstLine: return "co_firstlineno";
    case kLineTable: return "co_linetable";
    case kExceptionTable: return "co_exceptiontable";
  }
  return "a field";
}

std::string_view type_name(const Constant& value) {
  return match(
      value, [](const ConstNone&) -> std::string_view { return "None"; },
      [](const ConstEllipsis&) -> std::string_view { return "Ellipsis"; },
      [](const ConstBool&) -> std::string_view { return "a bool"; },
      [](const ConstInt&) -> std::string_view { return "an integer"; },
      [](const ConstFloat&) -> std::string_view { return "a float"; },
      [](const ConstComplex&) -> std::string_view { return "a complex number"; },
      [](const ConstStr&) -> std::string_view { return "a string"; },
      [](const ConstBytes&) -> std::string_view { return "a bytes object"; },
      [](const ConstTuple&) -> std::string_view { return "a tuple"; },
      [](const ConstFrozenSet&) -> std::string_view { return "a frozenset"; },
      [](const ConstSlice&) -> std::string_view { return "a slice"; },
      [](const ConstCode&) -> std::string_view { return "a code object"; },
      [](const ConstOpaque& opaque) -> std::string_view { return opaque.display; });
}

Status MarshalReader::set_field(CodeObject& code, CodeField field, ConstId value, std::size_t at, bool is_shared) {
  switch (field) {
    case kCode: return set_bytes(code.code, field, value, at, is_shared);
    case kConsts: return set_consts(code, value, at, is_shared);
    case kNames: return set_names(code.names, field, value, at);
    case kVarnames: return set_names(code.varnames, field, value, at);
    case kFreevars: return set_names(code.freevars, field, value, at);
    case kCellvars: return set_names(code.cellvars, field, value, at);
    case kLocalsplus: return set_names(code.localsplus, field, value, at);
    case kKinds: {
      std::string kinds;
      DEPYF_CHECK(set_bytes(kinds, field, value, at, is_shared));
      code.localspluskinds.assign(kinds.begin(), kinds.end());
      return Unit{};
    }
    case kFilename: return set_text(code.filename, field, value, at);
    case kName: return set_text(code.name, field, value, at);
    case kQualname: return set_text(code.qualname, field, value, at);
    case kLineTable: return set_bytes(code.linetable, field, value, at, is_shared);
    case kExceptionTable: return set_bytes(code.exceptiontable, field, value, at, is_shared);
    case kFirstLine: break;
  }
  return Error{Errc::kInternal, at, "wanted a field that holds an object"};
}

Status MarshalReader::charge_copy(std::size_t bytes, std::size_t at) {
  copied_ += bytes;
  if (copied_ <= copy_budget_) return Unit{};
  return Error{
      Errc::kLimitExceeded, at,
      "wanted at most " + std::to_string(copy_budget_) + " bytes of names and tables, shared ones counted each time"};
}

Status MarshalReader::set_bytes(std::string& out, CodeField field, ConstId value, std::size_t at, bool is_shared) {
  auto* bytes = std::get_if<ConstBytes>(&tree_.consts[value]);
  if (bytes == nullptr) return wrong_type("a bytes object", field, tree_.consts[value], at);
  DEPYF_CHECK(charge_copy(bytes->data.size(), at));
  if (is_shared) {
    out = bytes->data;
  } else {
    out = std::move(bytes->data);
  }
  return Unit{};
}

Status MarshalReader::set_text(std::string& out, CodeField field, ConstId value, std::size_t at) {
  const auto* text = std::get_if<ConstStr>(&tree_.consts[value]);
  if (text == nullptr) return wrong_type("a string", field, tree_.consts[value], at);
  DEPYF_CHECK(charge_copy(text->text.size(), at));
  out = text->text;
  return Unit{};
}

Status MarshalReader::set_names(std::vector<std::string>& out, CodeField field, ConstId value, std::size_t at) {
  const auto* tuple = std::get_if<ConstTuple>(&tree_.consts[value]);
  if (tuple == nullptr) return wrong_type("a tuple of strings", field, tree_.consts[value], at);
  out.reserve(tuple->items.size());
  for (const ConstId item : tuple->items) {
    const auto* text = std::get_if<ConstStr>(&tree_.consts[item]);
    if (text == nullptr) return wrong_type("strings only", field, tree_.consts[item], at);
    DEPYF_CHECK(charge_copy(text->text.size() + sizeof(std::string), at));
    out.push_back(text->text);
  }
  return Unit{};
}

Status MarshalReader::set_consts(CodeObject& code, ConstId value, std::size_t at, bool is_shared) {
  auto* tuple = std::get_if<ConstTuple>(&tree_.consts[value]);
  if (tuple == nullptr) return wrong_type("a tuple", kConsts, tree_.consts[value], at);
  // Each stage walks the constants of every code object, shared or not, so their sum bounds the work.
  total_weight_ += measures_[value.n].weight;
  if (total_weight_ > limits_.max_items) {
    return Error{Errc::kLimitExceeded, at,
                 "wanted at most " + std::to_string(limits_.max_items) + " constants, shared ones counted each time"};
  }
  if (is_shared) {
    code.consts = tuple->items;
  } else {
    code.consts = std::move(tuple->items);
  }
  return Unit{};
}

Status MarshalReader::close_code(const Frame& frame) {
  open_codes_.pop_back();
  CodeObject& code = tree_.codes[frame.code];
  if (has_localsplus(tree_.version)) {
    derive_local_names(code);
  } else if (frame.remaining != code.varnames.size()) {
    return Error{Errc::kMalformed, frame.at,
                 "wanted " + std::to_string(frame.remaining) + " names in co_varnames (co_nlocals), found " +
                     std::to_string(code.varnames.size())};
  }
  if (std::string fault = code_fault(code, tree_.version); !fault.empty()) {
    return Error{Errc::kMalformed, frame.at, std::move(fault)};
  }
  if (code.code.size() / 2 > limits_.max_instructions) {
    return Error{Errc::kLimitExceeded, frame.at,
                 "wanted at most " + std::to_string(limits_.max_instructions) + " instructions, found " +
                     std::to_string(code.code.size() / 2)};
  }
  const ConstId id = add(ConstCode{frame.code}, {});
  if (frame.ref) refs_[*frame.ref].value = id;
  return deliver(id, frame.at, frame.ref.has_value());
}

}  // namespace depyf
