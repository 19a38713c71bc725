// SPDX-License-Identifier: MIT
// Names for objects that source cannot spell; see naming.h.
//
// Invariant: Python errors raised by the search are cleared; a candidate name is only used if following it from
// sys.modules leads to the same object.
#include "naming.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

namespace depyf::bind {
namespace {

// Returns an attribute, or an invalid object: errors of properties and of lazy modules are ignored.
nb::object quiet_attribute(nb::handle object, const char* name) {
  nb::object value = nb::steal(PyObject_GetAttrString(object.ptr(), name));
  if (!value.is_valid()) PyErr_Clear();
  return value;
}

std::string quiet_text(nb::handle object, const char* name) {
  nb::object value = quiet_attribute(object, name);
  if (!value.is_valid() || Py_TYPE(value.ptr()) != &PyUnicode_Type) return {};
  return text_of(value);
}

std::vector<std::string> split(const std::string& dotted) {
  std::vector<std::string> parts(1);
  for (char c : dotted) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

bool is_name(const std::string& part) {
  nb::object str = str_of(part);
  if (PyUnicode_IsIdentifier(str.ptr()) != 1) return false;
  return !nb::cast<bool>(nb::module_::import_("keyword").attr("iskeyword")(str));
}

// Returns whether following the dotted name from sys.modules, without importing anything, leads to the object.
bool leads_to(const std::string& dotted, nb::handle wanted) {
  const std::vector<std::string> parts = split(dotted);
  for (const std::string& part : parts) {
    if (!is_name(part)) return false;
  }
  nb::object at = nb::steal(PyImport_GetModule(str_of(parts[0]).ptr()));
  for (std::size_t i = 1; i < parts.size() && at.is_valid(); ++i) at = quiet_attribute(at, parts[i].c_str());
  PyErr_Clear();
  return at.is_valid() && at.is(wanted);
}

std::string type_name(nb::handle object, const char* which) {
  return quiet_text(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))), which);
}

bool is_enum_member(nb::handle object) {
  nb::object module = nb::steal(PyImport_GetModule(nb::str("enum").ptr()));
  if (!module.is_valid()) {
    PyErr_Clear();
    return false;
  }
  nb::object base = quiet_attribute(module, "Enum");
  const int answer = base.is_valid() ? PyObject_IsInstance(object.ptr(), base.ptr()) : 0;
  if (answer < 0) PyErr_Clear();
  return answer == 1;
}

// Returns the name that the object claims to have, or "". leads_to() must confirm it before it is used.
std::string claimed_name(nb::handle object) {
  PyObject* o = object.ptr();
  if (o == Py_NotImplemented) return "builtins.NotImplemented";
  if (PyModule_Check(o)) return quiet_text(object, "__name__");
  const std::string kind = type_name(object, "__name__");
  const std::string home = type_name(object, "__module__");
  if (is_function(object) || PyType_Check(o) || PyCFunction_Check(o)) {
    const std::string module = quiet_text(object, "__module__");
    const std::string dotted = module + "." + quiet_text(object, "__qualname__");
    // The qualified name of a builtin can be that of a hidden class (torch.sin: _VariableFunctionsClass.sin).
    return leads_to(dotted, object) ? dotted
                                    : (module.empty() ? "torch" : module) + "." + quiet_text(object, "__name__");
  }
  if (kind == "method_descriptor" || kind == "wrapper_descriptor" || kind == "getset_descriptor") {
    nb::object owner = quiet_attribute(object, "__objclass__");
    return owner.is_valid() ? quiet_text(owner, "__module__") + "." + quiet_text(object, "__qualname__") : "";
  }
  if (is_enum_member(object)) return home + "." + type_name(object, "__qualname__") + "." + quiet_text(object, "name");
  // Value types of PyTorch's C++ side have their name as repr: torch.float32, torch.strided, torch.channels_last.
  if (home == "torch" && (kind == "dtype" || kind == "layout" || kind == "memory_format" || kind == "qscheme")) {
    nb::object repr = nb::steal(PyObject_Repr(o));
    if (repr.is_valid()) return text_of(repr);
    PyErr_Clear();
  }
  if (kind == "OpOverload") {  // aten.add.Tensor: the namespace is the last part of its module
    const std::string module = quiet_text(object, "__module__");
    return "torch.ops." + module.substr(module.rfind('.') + 1) + "." + quiet_text(object, "__name__");
  }
  return {};
}

// Returns the placeholder without its number: "tensor", "resume_fn".
std::string stem_of(nb::handle object) {
  const bool names_itself = PyModule_Check(object.ptr()) || is_function(object) || PyType_Check(object.ptr()) ||
                            PyCFunction_Check(object.ptr());
  std::string name = names_itself ? quiet_text(object, "__name__") : type_name(object, "__name__");
  std::string stem;
  for (char c : name) {
    const auto u = static_cast<unsigned char>(c);
    stem.push_back(std::isalnum(u) != 0 && u < 0x80 ? static_cast<char>(std::tolower(u)) : '_');
  }
  while (!stem.empty() && stem.front() == '_') stem.erase(stem.begin());
  if (stem.empty() || std::isdigit(static_cast<unsigned char>(stem.front())) != 0) stem.insert(0, "object_");
  while (stem.back() == '_') stem.pop_back();
  return stem;
}

// Returns whether the text cannot contain the same dotted name for another reason: its first part is no variable, and
// the code does not use all of its parts as names.
bool is_unambiguous(const std::string& dotted, const UsedNames& used) {
  bool all_used = true;
  const std::vector<std::string> parts = split(dotted);
  for (const std::string& part : parts) all_used = all_used && used.global.contains(part);
  return !all_used && !used.local.contains(parts[0]);
}

}  // namespace

UsedNames used_names(const CodeTree& tree) {
  UsedNames used;
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const CodeObject& code = tree.codes[CodeId{i}];
    for (const auto* names : {&code.varnames, &code.cellvars, &code.freevars})
      used.local.insert(names->begin(), names->end());
    used.global.insert(code.names.begin(), code.names.end());
    used.global.insert(code.name);
  }
  return used;
}

std::string unused_prefix(std::string prefix, const UsedNames& used) {
  const auto claimed = [&](const std::unordered_set<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(prefix); });
  };
  while (claimed(used.local) || claimed(used.global)) prefix.insert(0, "_");
  return prefix;
}

void name_opaque(OpaqueTable& table, std::size_t first, const UsedNames& used) {
  std::unordered_set<std::string> taken_names;
  std::unordered_map<std::string, std::size_t> numbers;  // by stem: the next number to try
  for (std::size_t i = 0; i < first; ++i) taken_names.insert(table.rows[i].display);
  for (std::size_t i = first; i < table.rows.size(); ++i) {
    OpaqueTable::Row& row = table.rows[i];
    row.display = claimed_name(row.object);
    row.is_expression = !row.display.empty() && leads_to(row.display, row.object) && is_unambiguous(row.display, used);
    if (row.is_expression) continue;
    const std::string stem = stem_of(row.object);
    for (std::size_t& n = numbers[stem];;) {
      row.display = stem + "_" + std::to_string(n++);
      if (!used.local.contains(row.display) && !used.global.contains(row.display) &&
          taken_names.insert(row.display).second)
        break;
    }
  }
}

std::vector<std::string> code_placeholders(const CodeTree& tree, const OpaqueTable& table, const UsedNames& used) {
  std::unordered_set<std::string> taken_names;
  for (const OpaqueTable::Row& row : table.rows) taken_names.insert(row.display);
  std::unordered_map<std::string, std::size_t> numbers;  // by stem: the last number tried
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    std::string stem = "code_";
    for (char c : tree.codes[CodeId{i}].name) {
      const auto u = static_cast<unsigned char>(c);
      if (c != '<' && c != '>') stem.push_back(std::isalnum(u) != 0 && u < 0x80 ? c : '_');
    }
    std::string name = stem;
    std::size_t& n = numbers[stem];
    while (used.local.contains(name) || used.global.contains(name) || !taken_names.insert(name).second)
      name = stem + "_" + std::to_string(++n);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace depyf::bind
