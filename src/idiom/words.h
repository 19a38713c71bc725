// SPDX-License-Identifier: MIT
// Restores bodies that are one word in the source: `pass`, `...` or `continue` (3.11+).
//
// Such a statement compiles to a NOP or a jump, whose position has the length of the word. A word belongs to an empty
// block if it is between the line before the block and the line after it.
//
// Invariant: only a body that does nothing changes, and the new one ends in the same way.
#pragma once

#include <initializer_list>
#include <vector>

#include "ast/ast.h"
#include "idiom/columns.h"
#include "idiom/exits.h"

namespace depyf::idiom {

class Words {
 public:
  Words(ast::Tree& tree, SourcePositions& positions, const Columns& columns, const Exits& exits)
      : tree_(tree), positions_(positions), columns_(columns), exits_(exits) {}

  // Replaces each block that does nothing by its word in the source. `end`: what the end of the body does. If the body
  // is empty, the word is what follows a docstring.
  void restore_single_words(ast::Block& body, End end);

  // Inserts each `pass` that is in a block with other statements.
  void restore_passes(ast::Block& body);

  [[nodiscard]] bool has_any() { return !source_words().empty(); }

  // Returns the last line between two lines that is `pass` or `...`, -1 if there is none.
  [[nodiscard]] std::int32_t line_of_placeholder(Lines between);

  // Returns the length of the word at this position, 0 if there is none.
  [[nodiscard]] std::int32_t length_at(std::int32_t line, Column column);

  // Returns the last line between two lines that is `continue`, -1 if there is none.
  [[nodiscard]] std::int32_t line_of_continue(Lines between);

 private:
  struct EmptyBlock {  // the n-th block of a statement, or the body
    ast::StmtId owner;
    std::size_t number = 0;
    End end = End::kOther;
    Lines between{0, 0};  // the last line before it and the first line after it
  };
  // An item of a traversal in source order: lines of code, a statement, or a block.
  struct Step {
    Lines lines;
    ast::StmtId statement;
    EmptyBlock block;
  };

  struct InnerBlock {  // the n-th block of a statement, or the body
    ast::StmtId owner;
    std::size_t number = 0, parent = 0;  // parent: index of the block that contains the owner
    bool is_pass = false;                // its only statement is `pass`, or an exit that may be one in the source
    std::optional<Column> column;        // once computed by column_of()
  };
  // Returns whether a block is the body of an `if` and consists of one `if`. A `pass` before the inner `if` may belong
  // to an arm of either, with negated tests.
  [[nodiscard]] bool is_nested_test(ast::Block& body, const InnerBlock& inner) const;

  // A place between statements: before statement `before` of a block of `size` statements.
  struct Gap {
    std::size_t block = 0, before = 0, size = 0;
    bool is_at_exit = false;  // after an exit, or before an exit that may be the word itself
    Lines between;
  };
  Column column_of(ast::Block& body, std::vector<InnerBlock>& blocks, std::size_t block) const;
  [[nodiscard]] bool can_contain(ast::Block& body, std::vector<InnerBlock>& blocks, const Gap& gap,
                                 const SourcePosition& word) const;
  // An item of a traversal in source order: lines of code, a statement, or a gap.
  struct Event {
    Lines lines;
    ast::StmtId statement;
    Gap gap;
  };
  // Returns all gaps in source order, and appends the blocks, outer blocks first.
  std::vector<Gap> gaps(ast::Block& body, std::vector<InnerBlock>& blocks) const;
  void push_block(const InnerBlock& inner, const ast::Block& block, std::vector<InnerBlock>& blocks,
                  std::vector<Event>& todo) const;

  // Returns whether a statement at the end of a block does nothing that the end does not do.
  [[nodiscard]] bool is_word(ast::StmtId s, End end) const;
  // Collects the empty blocks. `with_lines`: computes the lines around them; most bodies have no empty block.
  void find_empty_blocks(ast::Block& body, End end, bool with_lines);
  void push_children(const Step& step, bool with_lines, std::vector<Step>& todo) const;
  // Returns the length of the words between two lines, 0 if there are none or of several lengths.
  [[nodiscard]] std::int32_t length_between(Lines lines) const;
  // Returns the last line between two lines that is a word of one of these lengths, -1 if there is none.
  [[nodiscard]] std::int32_t last_between(Lines lines, std::initializer_list<std::int32_t> lengths);
  // Returns the positions of the words in the source, by line.
  const std::vector<SourcePosition>& source_words();

  ast::Tree& tree_;
  SourcePositions& positions_;
  const Columns& columns_;
  const Exits& exits_;
  std::vector<EmptyBlock> empty_blocks_;
  std::vector<SourcePosition> source_words_;
  bool is_read_ = false;  // source_words_ is
};

}  // namespace depyf::idiom
