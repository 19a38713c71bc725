// SPDX-License-Identifier: MIT
// Converts live code objects, with explicit stacks for nested code objects and nested constants; see convert.h.
//
// Invariant: code ids are in pre-order, as in the .pyc reader. Only objects of exact builtin types become plain
// constants: a subclass of int would lose its type. Depth, items and bytes are bounded by Limits.
#include "convert.h"

#include <algorithm>
#include <string>
#include <utility>

#include "naming.h"

namespace depyf::bind {

namespace {

bool is_of_type(nb::handle object, const char* name_in_types) {
  return Py_TYPE(object.ptr()) ==
         reinterpret_cast<PyTypeObject*>(nb::module_::import_("types").attr(name_in_types).ptr());
}

}  // namespace

// The running interpreter may be newer than the one that the module was compiled for, since the stable ABI allows that.
Version host_version() {
#if PY_VERSION_HEX >= 0x030B0000
  const unsigned long version = Py_Version;
#else
  const unsigned long version = PY_VERSION_HEX;
#endif
  return Version{static_cast<std::uint8_t>(version >> 24), static_cast<std::uint8_t>(version >> 16 & 0xFF)};
}

bool is_code(nb::handle object) { return is_of_type(object, "CodeType"); }

bool is_function(nb::handle object) { return is_of_type(object, "FunctionType"); }

std::string text_of(nb::handle str) {
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  return std::string(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
}

nb::object str_of(std::string_view text) {
  nb::object str = nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
  if (!str.is_valid()) throw nb::python_error();
  return str;
}

namespace {

constexpr std::uint8_t kFastArgPositional = 0x02;
constexpr std::uint8_t kFastArgKeyword = 0x04;
constexpr std::uint8_t kFastArgVariable = 0x08;
constexpr std::uint8_t kFastHidden = 0x10;
constexpr std::uint8_t kFastLocal = 0x20;
constexpr std::uint8_t kFastCell = 0x40;
constexpr std::uint8_t kFastFree = 0x80;

bool is_exactly(nb::handle object, PyTypeObject& type) { return Py_TYPE(object.ptr()) == &type; }

std::string bytes_of(nb::handle bytes) {
  return std::string(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
}

std::vector<std::string> names_of(nb::handle tuple) {
  std::vector<std::string> names;
  for (nb::handle name : nb::borrow<nb::tuple>(tuple)) names.push_back(text_of(name));
  return names;
}

long long integer_attribute(nb::handle object, const char* name) {
  nb::object value = object.attr(name);
  const long long n = PyLong_AsLongLong(value.ptr());
  if (n == -1 && PyErr_Occurred()) throw nb::python_error();
  return n;
}

ConstInt int_of(nb::handle value) {
  ConstInt out;
  nb::object magnitude = nb::steal(PyNumber_Absolute(value.ptr()));
  if (!magnitude.is_valid()) throw nb::python_error();
  out.negative = !magnitude.equal(value);
  const auto bits = static_cast<std::size_t>(nb::cast<Py_ssize_t>(magnitude.attr("bit_length")()));
  out.digits.assign((bits + 31) / 32, 0);
  const std::string bytes = bytes_of(magnitude.attr("to_bytes")(out.digits.size() * 4, "little"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out.digits[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * (i % 4));
  }
  return out;
}

// Returns the items of a frozenset in the order in which marshal writes them, so that the text of a live code object is
// that of its .pyc: since 3.11 sorted by their marshalled form, before in the set's order. Marshal version 2 has no
// references, so an item's sort key does not depend on other references to it.
nb::object ordered_items(nb::handle frozenset) {
  nb::list items(nb::borrow(frozenset));
  if (host_version() < Version{3, 11}) return nb::steal(PySequence_Tuple(items.ptr()));
  nb::object dumps = nb::module_::import_("marshal").attr("dumps");
  std::vector<std::pair<std::string, nb::object>> keyed;
  for (nb::handle item : items) {
    nb::object key = nb::steal(PyObject_CallFunction(dumps.ptr(), "Oi", item.ptr(), 2));
    if (!key.is_valid()) {  // an opaque item: keep the set's order
      PyErr_Clear();
      return nb::steal(PySequence_Tuple(items.ptr()));
    }
    keyed.emplace_back(bytes_of(key), nb::borrow(item));
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  nb::list sorted;
  for (const auto& [key, item] : keyed) sorted.append(item);
  return nb::steal(PySequence_Tuple(sorted.ptr()));
}

class Converter {
 public:
  Converter(const Limits& limits, OpaqueTable& opaque) : limits_(limits), opaque_(opaque) {}

  Result<Converted> run(nb::handle root) {
    const std::size_t first_new = opaque_.rows.size();
    pending_.push_back(PendingCode{nb::borrow(root), CodeId{}, ConstId{}, 0});
    while (!pending_.empty()) {
      PendingCode next = std::move(pending_.back());
      pending_.pop_back();
      DEPYF_CHECK(convert_one(next));
    }
    const UsedNames used = used_names(out_.tree);
    name_opaque(opaque_, first_new, used);
    fill_displays();
    return std::move(out_);
  }

 private:
  struct PendingCode {
    nb::object code;
    CodeId parent;
    ConstId constant;  // the ConstCode that gets the id; invalid for the root
    std::uint32_t depth;
  };
  // A container whose items are being converted.
  struct OpenContainer {
    nb::object items;  // a tuple
    bool is_set = false;
    bool is_slice = false;
    std::vector<ConstId> done;
  };

  Status charge(std::size_t bytes) {
    bytes_ += bytes;
    if (++items_ > limits_.max_items || bytes_ > limits_.max_bytes) {
      return Error{Errc::kLimitExceeded, kNowhere, "too many constants or code objects"};
    }
    return Unit{};
  }

  Status convert_one(const PendingCode& next) {
    if (next.depth > limits_.max_depth) {
      return Error{Errc::kLimitExceeded, kNowhere,
                   "code objects nested deeper than " + std::to_string(limits_.max_depth)};
    }
    CodeObject object = attributes_of(next.code);
    object.parent = next.parent;
    DEPYF_CHECK(charge(sizeof(CodeObject) + object.code.size() + object.linetable.size()));
    const CodeId id = out_.tree.codes.add(std::move(object));
    out_.tree.version = host_version();
    out_.codes.push_back(next.code);
    if (next.constant.valid()) out_.tree.consts[next.constant] = ConstCode{id};
    return convert_constants(next, id);
  }

  Status convert_constants(const PendingCode& owner, CodeId id) {
    owner_ = &owner;
    children_.clear();
    code_constants_.clear();
    std::vector<ConstId> consts;
    nb::object tuple = owner.code.attr("co_consts");
    for (nb::handle value : nb::borrow<nb::tuple>(tuple)) {
      DEPYF_TRY(constant, convert_constant(value));
      consts.push_back(constant);
    }
    out_.tree.codes[id].consts = std::move(consts);
    for (auto it = children_.rbegin(); it != children_.rend(); ++it) {
      it->parent = id;
      pending_.push_back(std::move(*it));
    }
    return Unit{};
  }

  // Converts one constant depth-first with an explicit stack: constants may be nested Limits::max_depth deep.
  Result<ConstId> convert_constant(nb::handle root) {
    std::vector<OpenContainer> open;
    nb::object value = nb::borrow(root);
    for (;;) {
      DEPYF_CHECK(charge(sizeof(Constant)));
      ConstId id;
      if (OpenContainer container; open_container(value, container)) {
        if (open.size() >= limits_.max_depth) {
          return Error{Errc::kLimitExceeded, kNowhere,
                       "constants nested deeper than " + std::to_string(limits_.max_depth)};
        }
        open.push_back(std::move(container));
      } else {
        DEPYF_TRY(leaf, convert_leaf(value));
        id = leaf;
        if (open.empty()) return id;
        open.back().done.push_back(id);
      }
      while (open.back().done.size() == nb::len(open.back().items)) {
        id = close_container(open.back());
        open.pop_back();
        if (open.empty()) return id;
        open.back().done.push_back(id);
      }
      value = open.back().items[open.back().done.size()];
    }
  }

  static bool open_container(nb::handle value, OpenContainer& container) {
    if (is_exactly(value, PyTuple_Type)) {
      container.items = nb::borrow(value);
      return true;
    }
    if (is_exactly(value, PyFrozenSet_Type)) {
      container.items = ordered_items(value);
      container.is_set = true;
      return true;
    }
    // Marshal supports slices as constants from 3.14 on; before, a slice in co_consts is an opaque object.
    if (host_version() >= Version{3, 14} && is_exactly(value, PySlice_Type)) {
      container.items = nb::make_tuple(value.attr("start"), value.attr("stop"), value.attr("step"));
      container.is_slice = true;
      return true;
    }
    return false;
  }

  ConstId close_container(OpenContainer& container) {
    if (container.is_slice) {
      return add(ConstSlice{container.done[0], container.done[1], container.done[2]});
    }
    if (container.is_set) return add(ConstFrozenSet{std::move(container.done)});
    return add(ConstTuple{std::move(container.done)});
  }

  Result<ConstId> convert_leaf(nb::handle value) {
    if (value.is_none()) return add(ConstNone{});
    if (value.ptr() == Py_Ellipsis) return add(ConstEllipsis{});
    if (value.ptr() == Py_True || value.ptr() == Py_False) return add(ConstBool{value.ptr() == Py_True});
    if (is_exactly(value, PyLong_Type)) return add(int_of(value));
    if (is_exactly(value, PyFloat_Type)) return add(ConstFloat{PyFloat_AsDouble(value.ptr())});
    if (is_exactly(value, PyComplex_Type)) {
      return add(ConstComplex{PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr())});
    }
    if (is_exactly(value, PyUnicode_Type)) {
      ConstStr text{text_of(value)};
      DEPYF_CHECK(charge(text.text.size()));
      return add(std::move(text));
    }
    if (is_exactly(value, PyBytes_Type)) {
      ConstBytes data{bytes_of(value)};
      DEPYF_CHECK(charge(data.data.size()));
      return add(std::move(data));
    }
    if (is_code(value)) return code_constant(value);
    return add(ConstOpaque{handle_of(value), {}, false});
  }

  // The same code object is one child within a parent; with several parents, each gets its own copy.
  ConstId code_constant(nb::handle code) {
    if (auto it = code_constants_.find(code.ptr()); it != code_constants_.end()) return it->second;
    const ConstId id = add(ConstCode{});
    code_constants_.emplace(code.ptr(), id);
    children_.push_back(PendingCode{nb::borrow(code), CodeId{}, id, owner_->depth + 1});
    return id;
  }

  std::uint32_t handle_of(nb::handle value) {
    const auto next = static_cast<std::uint32_t>(opaque_.rows.size());
    const auto [it, is_new] = opaque_.by_identity.try_emplace(value.ptr(), next);
    if (is_new) opaque_.rows.push_back(OpaqueTable::Row{nb::borrow(value), {}, false});
    return it->second;
  }

  void fill_displays() {
    for (std::uint32_t i = 0; i < out_.tree.consts.size(); ++i) {
      if (auto* opaque = std::get_if<ConstOpaque>(&out_.tree.consts[ConstId{i}])) {
        const OpaqueTable::Row& row = opaque_.rows[opaque->handle];
        opaque->display = row.display;
        opaque->is_expression = row.is_expression;
      }
    }
  }

  static CodeObject attributes_of(nb::handle code) {
    const auto count = [&](const char* name) { return static_cast<std::uint32_t>(integer_attribute(code, name)); };
    CodeObject out;
    out.name = text_of(code.attr("co_name"));
    out.filename = text_of(code.attr("co_filename"));
    out.argcount = count("co_argcount");
    out.posonlyargcount = count("co_posonlyargcount");
    out.kwonlyargcount = count("co_kwonlyargcount");
    out.stacksize = count("co_stacksize");
    out.flags = count("co_flags");
    out.firstlineno = static_cast<std::int32_t>(integer_attribute(code, "co_firstlineno"));
    out.code = bytes_of(code.attr("co_code"));
    out.names = names_of(code.attr("co_names"));
    out.varnames = names_of(code.attr("co_varnames"));
    out.cellvars = names_of(code.attr("co_cellvars"));
    out.freevars = names_of(code.attr("co_freevars"));
    out.linetable = bytes_of(code.attr("co_linetable"));
    if (host_version() >= Version{3, 11}) {
      out.qualname = text_of(code.attr("co_qualname"));
      out.exceptiontable = bytes_of(code.attr("co_exceptiontable"));
      fill_localsplus(code, out);
    }
    return out;
  }

  // Objects/codeobject.c: co_varnames, co_cellvars and co_freevars are the names of localsplus with that kind bit, in
  // the array's order; a cell that is also a local (a captured parameter) is one entry with both bits.
  static void fill_localsplus(nb::handle code, CodeObject& out) {
    const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::size_t shared = 0;
    for (const std::string& name : out.cellvars) shared += contains(out.varnames, name) ? 1U : 0U;
    const std::size_t locals = out.varnames.size();
    const std::size_t first_free = locals + out.cellvars.size() - shared;
    // Without fast locals (module, class) there are only those of comprehensions inlined into the body (3.12+).
    const bool hidden = host_version() >= Version{3, 12} && (out.flags & kCoOptimized) == 0;
    nb::object name_of = code.attr("_varname_from_oparg");
    for (std::size_t i = 0; i < first_free + out.freevars.size(); ++i) {
      std::string name = text_of(name_of(i));
      std::uint8_t kind = kFastFree;
      if (i < locals) {
        kind = static_cast<std::uint8_t>(kFastLocal | (contains(out.cellvars, name) ? kFastCell : 0) |
                                         (hidden ? kFastHidden : 0) | parameter_kind(out, i));
      } else if (i < first_free) {
        kind = kFastCell;
      }
      out.localsplus.push_back(std::move(name));
      out.localspluskinds.push_back(kind);
    }
  }

  // Since 3.14 the kind includes how a parameter is passed (CO_FAST_ARG_* in Include/internal/pycore_code.h).
  static std::uint8_t parameter_kind(const CodeObject& code, std::size_t index) {
    if (host_version() < Version{3, 14}) return 0;
    std::size_t end = code.posonlyargcount;
    if (index < end) return kFastArgPositional;
    if (index < (end = code.argcount)) return kFastArgPositional | kFastArgKeyword;
    if (index < (end += code.kwonlyargcount)) return kFastArgKeyword;
    if ((code.flags & kCoVarArgs) != 0 && index == end++) return kFastArgVariable | kFastArgPositional;
    if ((code.flags & kCoVarKeywords) != 0 && index == end) return kFastArgVariable | kFastArgKeyword;
    return 0;
  }

  ConstId add(Constant constant) { return out_.tree.consts.add(std::move(constant)); }

  const Limits& limits_;
  OpaqueTable& opaque_;
  Converted out_;
  std::vector<PendingCode> pending_;
  std::vector<PendingCode> children_;  // children of the current code object, in order
  std::unordered_map<PyObject*, ConstId> code_constants_;
  const PendingCode* owner_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t items_ = 0;
};

}  // namespace

Result<Converted> convert_code(nb::handle code, const Limits& limits, OpaqueTable& opaque) {
  return Converter(limits, opaque).run(code);
}

}  // namespace depyf::bind
