// SPDX-License-Identifier: MIT
// Prints what is between the brackets of definitions, lambdas and calls: parameters, keywords, type parameters.
#include "print/nodes.h"

namespace depyf {

using namespace ast;

void print_arguments(Parts& parts, const Arguments& args) {
  bool first = true;
  const auto parameter = [&](const Parameter& param, std::string_view stars = "") {
    parts.comma(first);
    if (!stars.empty()) parts.text(stars);
    parts.name(param.name);
    if (param.annotation.valid()) parts.text(": ").expr(param.annotation, Level::kTest);
    if (param.default_.valid()) parts.text(param.annotation.valid() ? " = " : "=").expr(param.default_, Level::kTest);
  };
  for (const Parameter& param : args.posonly) parameter(param);
  if (!args.posonly.empty()) parts.comma(first).text("/");
  for (const Parameter& param : args.args) parameter(param);
  if (args.vararg) {
    parameter(*args.vararg, "*");
  } else if (!args.kwonly.empty()) {
    parts.comma(first).text("*");
  }
  for (const Parameter& param : args.kwonly) parameter(param);
  if (args.kwarg) parameter(*args.kwarg, "**");
}

void print_keywords(Parts& parts, const Keywords& keywords, bool first) {
  for (const Keyword& k : keywords) {
    parts.comma(first);
    if (k.name.valid()) {
      parts.name(k.name).text("=").expr(k.value, Level::kTest);
    } else {
      parts.text("**").expr(k.value, Level::kBitOr);
    }
  }
}

void print_type_params(Printer& p, Parts& parts, const std::vector<TypeParam>& params) {
  if (params.empty()) return;
  p.out.require(p.in.dialect.type_parameters, "a type parameter");
  parts.open("[");
  for (std::size_t i = 0; i < params.size(); ++i) {
    const TypeParam& param = params[i];
    if (i != 0) parts.text(", ");
    if (param.kind == TypeParam::Kind::kParamSpec) parts.text("**");
    if (param.kind == TypeParam::Kind::kTypeVarTuple) parts.text("*");
    parts.name(param.name);
    if (param.bound.valid()) parts.text(": ").expr(param.bound, Level::kTest);
    if (!param.default_.valid()) continue;
    p.out.require(p.in.dialect.type_parameter_defaults, "a type parameter's default");
    parts.text(" = ").expr(param.default_, Level::kTest);
  }
  parts.close("]");
}

}  // namespace depyf
