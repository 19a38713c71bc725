// SPDX-License-Identifier: MIT
// The Python module depyf._core: from live code objects or .pyc files to text, source map, verdicts and context.
//
// Invariant: the core runs detached from the interpreter (GIL released). Python is used only to convert, to compile
// (Recompiler) and to build results. Every error of the core becomes depyf.DecompilationError. There is no decompiler
// logic here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "convert.h"
#include "depyf/decompile.h"
#include "depyf/mode.h"
#include "depyf/stack.h"
#include "describe.h"
#include "naming.h"

namespace depyf::bind {
namespace {

using namespace nb::literals;

// The result of decompile() as Python objects. It has only objects, so that the garbage collector sees all references.
struct PyResult {
  nb::object text, source_map, codes, verdicts;
  nb::object free_variables, class_name, imports, future_flags, opaque;
};

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  PyResult* result = nb::inst_ptr<PyResult>(self);
  Py_VISIT(result->codes.ptr());
  Py_VISIT(result->opaque.ptr());
  return 0;
}

int clear(PyObject* self) {
  PyResult* result = nb::inst_ptr<PyResult>(self);
  result->codes.reset();
  result->opaque.reset();
  return 0;
}

PyType_Slot kResultSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

[[noreturn]] void raise(const Error& error, nb::handle code) {
  nb::object type = nb::module_::import_("depyf.decompilation.errors").attr("DecompilationError");
  nb::object offset = error.at == kNowhere ? nb::none() : nb::object(nb::int_(error.at));
  nb::object exception = type(code, offset, str_of(error.what));
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw nb::python_error();
}

std::string message_of(nb::python_error& error) {
  nb::object type_name = error.type().attr("__name__");
  nb::object shown = nb::steal(PyObject_Str(error.value().ptr()));
  if (!shown.is_valid()) {
    PyErr_Clear();
    return text_of(type_name);
  }
  return text_of(type_name) + ": " + text_of(shown);
}

template <class T>
T value_or_raise(Result<T> result, nb::handle code) {
  if (!result.ok()) raise(result.error(), code);
  return std::move(result).value();
}

const char* spelling(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kExact: return "exact";
    case VerdictKind::kProved: return "proved";
    case VerdictKind::kUnproved: return "unproved";
    case VerdictKind::kUnchecked: return "unchecked";
  }
  return "unchecked";
}

nb::object verdict_rows(const std::vector<Verdict>& verdicts) {
  nb::list rows;
  for (const Verdict& v : verdicts) {
    nb::object offset = v.offset == 0xFFFFFFFF ? nb::none() : nb::object(nb::int_(v.offset));
    rows.append(nb::make_tuple(v.code.n, spelling(v.kind), str_of(v.reason), offset));
  }
  return rows;
}

nb::object map_rows(const std::vector<MapEntry>& map) {
  nb::list rows;
  for (const MapEntry& entry : map) {
    const SourceRange& r = entry.range;
    rows.append(nb::make_tuple(entry.code.n, entry.offset, r.line, r.column, r.end_line, r.end_column));
  }
  return rows;
}

nb::tuple strings(const std::vector<std::string>& texts) {
  nb::list out;
  for (const std::string& text : texts) out.append(str_of(text));
  return nb::tuple(out);
}

// Returns (display, object, is_expression) for each opaque constant, by handle, and for each code object but the root.
nb::list bindings_of(const OpaqueTable& opaque, const std::vector<nb::object>& codes,
                     const std::vector<std::string>& code_names) {
  nb::list out;
  for (const OpaqueTable::Row& row : opaque.rows)
    out.append(nb::make_tuple(str_of(row.display), row.object, row.is_expression));
  for (std::size_t i = 1; i < codes.size(); ++i) out.append(nb::make_tuple(str_of(code_names[i]), codes[i], false));
  return out;
}

nb::dict opaque_objects(const RecompileContext& context, const OpaqueTable& opaque,
                        const std::vector<nb::object>& codes) {
  nb::dict out;
  for (const OpaqueTable::Row& row : opaque.rows) out[str_of(row.display)] = row.object;
  for (const OpaqueBinding& binding : context.opaque) {
    if (binding.code.valid()) {
      if (binding.code.n < codes.size()) out[str_of(binding.name)] = codes[binding.code.n];
      continue;
    }
    if (binding.handle < opaque.rows.size()) out[str_of(binding.name)] = opaque.rows[binding.handle].object;
  }
  return out;
}

// Compiles texts with the compiler of the running interpreter, and attaches to the interpreter for that. A Python error
// becomes an Error; an interrupt (KeyboardInterrupt and the like) is kept for rethrow_interrupt().
class HostCompiler {
 public:
  HostCompiler(nb::object compile, nb::list bindings, OpaqueTable& opaque, const Limits& limits)
      : compile_(std::move(compile)), bindings_(std::move(bindings)), opaque_(opaque), limits_(limits) {}

  Result<CodeTree> operator()(std::string_view text) {
    nb::gil_scoped_acquire attached;
    try {
      nb::object code = compile_text(text);
      DEPYF_TRY(converted, convert_code(code, limits_, opaque_));
      return std::move(converted.tree);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_Exception)) {
        interrupt_ = std::current_exception();
        return Error{Errc::kMalformed, kNowhere, "interrupted"};
      }
      return Error{Errc::kMalformed, kNowhere, message_of(error)};
    } catch (const std::exception& error) {
      return Error{Errc::kInternal, kNowhere, error.what()};
    }
  }

  void rethrow_interrupt() {
    if (interrupt_) std::rethrow_exception(std::exchange(interrupt_, nullptr));
  }

 private:
  nb::object compile_text(std::string_view text) {
    if (!compile_.is_none()) return compile_(str_of(text), bindings_);
    nb::object compile = nb::module_::import_("builtins").attr("compile");
    // optimize=0 whatever the host's -O: text from optimized code has no asserts and docstrings to lose.
    return compile(str_of(text), "<depyf>", str_of(compile_mode(text)), 0, true, 0);
  }

  nb::object compile_;
  nb::list bindings_;
  OpaqueTable& opaque_;
  const Limits& limits_;
  std::exception_ptr interrupt_;
};

// Handles signals while the core runs detached. If a handler raises, the core is asked to stop.
class SignalWatch {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_ || now - last_ < kPause) return raised_ != nullptr;
    last_ = now;
    nb::gil_scoped_acquire attached;
    if (PyErr_CheckSignals() == 0) return false;
    try {
      throw nb::python_error();
    } catch (nb::python_error&) {
      raised_ = std::current_exception();
    }
    return true;
  }

  void rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  static constexpr std::chrono::milliseconds kPause{100};
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr raised_;
};

DecompileOptions options_from(bool readable, std::vector<std::string> skip, std::uint32_t indent,
                              std::string temp_prefix, std::string function_name) {
  DecompileOptions options;
  options.readable = readable;
  if (const Status known = check_pass_names(skip); !known.ok()) throw nb::value_error(known.error().what.c_str());
  options.skip = std::move(skip);
  options.indent = indent;
  options.temp_prefix = std::move(temp_prefix);
  options.function_name = std::move(function_name);
  return options;
}

std::string host_name() {
  nb::object name = nb::module_::import_("platform").attr("python_version")();
  return "CPython " + text_of(name);
}

PyResult run(const CodeTree& tree, const std::vector<nb::object>& codes, DecompileOptions options, bool recompile,
             nb::object compile, OpaqueTable& opaque, nb::handle place) {
  options.recompiler_surrounds = !compile.is_none();
  const UsedNames used = used_names(tree);
  options.temp_prefix = unused_prefix(std::move(options.temp_prefix), used);
  options.code_names = code_placeholders(tree, opaque, used);
  HostCompiler compiler(std::move(compile), bindings_of(opaque, codes, options.code_names), opaque, options.limits);
  const std::size_t own_rows = opaque.rows.size();
  if (recompile && tree.version == host_version()) {
    options.recompiler = [&compiler](std::string_view text) { return compiler(text); };
    options.compiler = host_name();
  }
  SignalWatch signals;
  options.interrupted = [&signals] { return signals(); };
  std::optional<Result<Decompiled>> outcome;
  {
    nb::gil_scoped_release detached;
    outcome.emplace(decompile(tree, options));
  }
  signals.rethrow();
  compiler.rethrow_interrupt();
  opaque.rows.resize(own_rows);  // objects that only a recompiled text has are not bound in the result
  const Decompiled decompiled = value_or_raise(std::move(*outcome), place);
  for (const Failure& failure : decompiled.failures)
    if (failure.code == tree.root()) raise(failure.error, place);
  PyResult out;
  out.text = str_of(decompiled.text);
  out.source_map = map_rows(decompiled.map);
  nb::list live;
  for (const nb::object& code : codes) live.append(code);
  out.codes = live;
  out.verdicts = verdict_rows(decompiled.verdicts);
  out.free_variables = strings(decompiled.context.free_variables);
  out.class_name = str_of(decompiled.context.class_name);
  out.imports = strings(decompiled.context.imports);
  out.future_flags = nb::int_(decompiled.context.future_flags);
  out.opaque = opaque_objects(decompiled.context, opaque, codes);
  return out;
}

Converted converted_or_raise(nb::handle code, const Limits& limits, OpaqueTable& opaque) {
  if (!is_code(code)) throw nb::type_error("a code object is required");
  try {
    return value_or_raise(convert_code(code, limits, opaque), code);
  } catch (nb::python_error& error) {  // reading a constant's attributes may raise anything
    nb::object ours = nb::module_::import_("depyf.decompilation.errors").attr("DecompilationError");
    if (!error.matches(PyExc_Exception) || error.matches(ours)) throw;
    raise({Errc::kMalformed, kNowhere, "a constant cannot be read: " + message_of(error)}, code);
  }
}

using HeaderlessOf = std::optional<std::pair<std::uint8_t, std::uint8_t>>;  // of code without a header

CodeTree pyc_or_raise(nb::bytes data, HeaderlessOf version, const Limits& limits) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data.c_str()), data.size());
  std::optional<Result<CodeTree>> tree;
  {
    nb::gil_scoped_release detached;
    tree.emplace(version ? read_marshal(bytes, {version->first, version->second}, limits) : read_pyc(bytes, limits));
  }
  return value_or_raise(std::move(*tree), nb::none());
}

PyResult decompile_code(nb::object code, bool readable, std::vector<std::string> skip, bool recompile,
                        std::uint32_t indent, std::string temp_prefix, std::string function_name,
                        std::vector<std::string> hidden_builtins, nb::object compile) {
  DecompileOptions options =
      options_from(readable, std::move(skip), indent, std::move(temp_prefix), std::move(function_name));
  OpaqueTable opaque;
  Converted converted = converted_or_raise(code, options.limits, opaque);
  converted.tree.hidden_builtins = std::move(hidden_builtins);
  return run(converted.tree, converted.codes, std::move(options), recompile, std::move(compile), opaque, code);
}

PyResult decompile_pyc(nb::bytes data, HeaderlessOf version, bool readable, std::vector<std::string> skip,
                       bool recompile, std::uint32_t indent, std::string temp_prefix, nb::object compile) {
  DecompileOptions options = options_from(readable, std::move(skip), indent, std::move(temp_prefix), {});
  OpaqueTable opaque;
  const CodeTree tree = pyc_or_raise(std::move(data), version, options.limits);
  return run(tree, {}, std::move(options), recompile, std::move(compile), opaque, nb::none());
}

nb::object verify_codes(nb::object a, nb::object b, std::vector<std::string> hidden_builtins) {
  const Limits limits;
  OpaqueTable opaque;
  Converted left = converted_or_raise(a, limits, opaque);
  left.tree.hidden_builtins = std::move(hidden_builtins);
  const Converted right = converted_or_raise(b, limits, opaque);
  std::optional<Result<std::vector<Verdict>>> outcome;
  {
    nb::gil_scoped_release detached;
    outcome.emplace(verify(left.tree, right.tree, limits));
  }
  return verdict_rows(value_or_raise(std::move(*outcome), a));
}

nb::object dump(nb::object code, const std::string& stage, bool readable, std::vector<std::string> skip) {
  const DecompileOptions options = options_from(readable, std::move(skip), 4, "tmp_", {});
  OpaqueTable opaque;
  const Converted converted = converted_or_raise(code, options.limits, opaque);
  std::optional<Result<std::string>> outcome;
  {
    nb::gil_scoped_release detached;
    outcome.emplace(dump_stage(converted.tree, stage, options));
  }
  return str_of(value_or_raise(std::move(*outcome), code));
}

nb::object origins_at(nb::object code, std::uint32_t offset, bool has_begun) {
  const Limits limits;
  OpaqueTable opaque;
  const Converted converted = converted_or_raise(code, limits, opaque);
  std::optional<Result<StackOrigins>> outcome;
  {
    nb::gil_scoped_release detached;
    const Moment moment = has_begun ? Moment::kDuring : Moment::kBefore;
    outcome.emplace(stack_origins(converted.tree, converted.tree.root(), offset, moment, limits));
  }
  const StackOrigins origins = value_or_raise(std::move(*outcome), code);
  std::vector<nb::object> rows;
  for (const StackOrigins::Origin& o : origins.origins) rows.push_back(nb::make_tuple(o.offset, str_of(o.operation)));
  const auto row = [&rows](std::uint32_t i) { return i == StackOrigins::kUnknown ? nb::none() : rows[i]; };
  const auto all = [&row](const std::vector<std::uint32_t>& indices) {
    nb::list out;
    for (const std::uint32_t i : indices) out.append(row(i));
    return out;
  };
  nb::dict lists, variables;
  for (const StackOrigins::List& list : origins.lists) lists[row(list.list)] = all(list.items);
  for (const StackOrigins::Variable& v : origins.variables) variables[str_of(v.name)] = row(v.value);
  return nb::make_tuple(all(origins.stack), lists, variables);
}

nb::object describe_code(nb::object code) {
  OpaqueTable opaque;
  return str_of(describe(converted_or_raise(code, Limits{}, opaque).tree));
}

nb::object describe_pyc(nb::bytes data) { return str_of(describe(pyc_or_raise(std::move(data), {}, Limits{}))); }

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The decompiler's core, for live code objects and .pyc files.";
  // User programs may exit with modules and constants alive (the garbage collector does not track code objects). That
  // should not be reported on their standard error; tests switch the report on.
  nb::set_leak_warnings(false);
  m.def("set_leak_warnings", &nb::set_leak_warnings, "enabled"_a, "Report objects of this module alive at exit.");
  nb::class_<PyResult>(m, "Result", nb::type_slots(kResultSlots), "The outcome of one decompilation.")
      .def_prop_ro("text", [](const PyResult& r) { return r.text; })
      .def_prop_ro("source_map", [](const PyResult& r) { return r.source_map; })
      .def_prop_ro("codes", [](const PyResult& r) { return r.codes; })
      .def_prop_ro("verdicts", [](const PyResult& r) { return r.verdicts; })
      .def_prop_ro("free_variables", [](const PyResult& r) { return r.free_variables; })
      .def_prop_ro("class_name", [](const PyResult& r) { return r.class_name; })
      .def_prop_ro("imports", [](const PyResult& r) { return r.imports; })
      .def_prop_ro("future_flags", [](const PyResult& r) { return r.future_flags; })
      .def_prop_ro("opaque", [](const PyResult& r) { return r.opaque; });
  m.def("decompile", &decompile_code, "code"_a, nb::kw_only(), "readable"_a = true,
        "skip"_a = std::vector<std::string>{}, "recompile"_a = true, "indent"_a = 4U, "temp_prefix"_a = "tmp_",
        "function_name"_a = "", "hidden_builtins"_a = std::vector<std::string>{}, "compile"_a = nb::none(),
        "Decompiles a code object. `compile(text, bindings)` stands in for the host's compiler when given.");
  m.def("decompile_pyc", &decompile_pyc, "data"_a, nb::kw_only(), "version"_a = nb::none(), "readable"_a = true,
        "skip"_a = std::vector<std::string>{}, "recompile"_a = true, "indent"_a = 4U, "temp_prefix"_a = "tmp_",
        "compile"_a = nb::none(), "Decompiles the contents of a .pyc file of any supported CPython.");
  m.def("verify", &verify_codes, "a"_a, "b"_a, nb::kw_only(), "hidden_builtins"_a = std::vector<std::string>{},
        "Compares two code objects of this interpreter, one verdict a code object.");
  m.def("dump_stage", &dump, "code"_a, "stage"_a, nb::kw_only(), "readable"_a = true,
        "skip"_a = std::vector<std::string>{}, "One stage's result as text.");
  m.def("stack_origins", &origins_at, "code"_a, "offset"_a, nb::kw_only(), "begun"_a,
        "Which instructions left what lies on the stack at one: (stack, items of lists, variables), each value as "
        "(offset, operation) or None. `begun`: without what the instruction takes.");
  m.def("describe", &describe_code, "code"_a, "The code model of a live code object as text, for tests.");
  m.def("describe_pyc", &describe_pyc, "data"_a, "The code model of a .pyc file as text, for tests.");
}

}  // namespace depyf::bind
