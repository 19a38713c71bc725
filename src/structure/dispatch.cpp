// SPDX-License-Identifier: MIT
#include "structure/dispatch.h"

namespace depyf::structure {

Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg&) {
  ast::Block out;
  const auto name = unit.ast.expr(ast::Name{unit.ast.intern("NotImplementedError")}, {code, 0});
  out.push_back(unit.ast.stmt(ast::Raise{name, {}}, {code, 0}));
  return out;
}

}  // namespace depyf::structure
