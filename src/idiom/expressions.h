// SPDX-License-Identifier: MIT
// Expressions in the form in which a person writes them, where the compiler makes one code of several (3.11+):
// `'%s' % (a,)` for `f'{a!s}'` (optimize_format of Python/ast_opt.c), and on all versions `'-' * 70` for what that is, and
// `not` among `and` and `or` (bool_operators.h). How strings and tuples are spelled is found out beside (spellings.h).
//
// Invariant: the same bytecode.
#pragma once

#include <cstdint>
#include <vector>

#include "ast/ast.h"
#include "ast/spelling.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "idiom/bool_operators.h"

namespace depyf::idiom {

// The code objects of a tree one after the other, nested ones first. What of an f-string's fields only `%` can have been
// is told by its conversions, else by positions.
class ExpressionWriter {
 public:
  ExpressionWriter(const CodeTree& code, ast::Tree& tree, const Dialect& dialect)
      : code_(code), tree_(tree), dialect_(dialect), in_question_(code.codes.size()) {}

  void write(const ast::Block& body, CodeId own, SourcePositions& positions);

  [[nodiscard]] const ast::Spellings& spellings() const { return spellings_; }

 private:
  [[nodiscard]] bool may_change(ast::ExprId e, const BoolOperators& operators) const;

  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  ast::Spellings spellings_;
  std::uint32_t looked_at_ = 0;    // of the tree's expressions: so many
  std::vector<bool> in_question_;  // by CodeId: whether something in it may have another form; few have to be walked
};

}  // namespace depyf::idiom
