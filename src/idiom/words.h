// SPDX-License-Identifier: MIT
// Bodies that are one word, `pass`, `...` or `continue`, as the source has it (3.11+): its place is as wide as the word.
//
// Invariant: only a body that does nothing changes, to one that ends as it did.
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

  // Those of a body whose end does that; of one that is a docstring alone, what follows it.
  void write(ast::Block& body, End end);

  // `pass` beside other statements, where the block stands.
  void write_passes(ast::Block& body);

  // Whether there is any.
  [[nodiscard]] bool has_any() { return !written().empty(); }

  // The last line between lines on which a word that does nothing stands, `pass` or `...`; -1: there is none.
  [[nodiscard]] std::int32_t line_of_empty_arm(Lines between);

  // How long the word is that begins there; 0: there is none.
  [[nodiscard]] std::int32_t length_at(std::int32_t line, Column column);

  // The last line between lines on which `continue` stands; -1: there is none.
  [[nodiscard]] std::int32_t line_of_continue(Lines between);

 private:
  struct Part {  // the n-th block of a statement, or the body; what its end does
    ast::StmtId owner;
    std::size_t number = 0;
    End end = End::kOther;
    Lines between{0, 0};  // of what precedes it, of what follows
  };
  // What comes in the order of the text: lines of something, a statement, a block.
  struct Step {
    Lines lines;
    ast::StmtId statement;
    Part part;
  };

  struct InnerBlock {  // the n-th block of a statement, or the body
    ast::StmtId owner;
    std::size_t number = 0, around = 0;  // the block that it is within
    bool is_pass = false;                // that is all, or an exit in its place
  };
  // Whether it is an `if` alone in the arm of another: a word above it may be an arm of either that the tests now deny.
  [[nodiscard]] bool is_arm_of_one_test(ast::Block& body, const InnerBlock& inner) const;

  // A place between statements of a block, before the one that is counted there.
  struct Gap {
    std::size_t block = 0, before = 0, size = 0;  // of the block
    bool is_at_exit = false;                      // after one, or before one that may itself be the word
    Lines between;
  };
  // What comes in the order of the text: lines of something, a statement, a gap.
  struct Event {
    Lines lines;
    ast::StmtId statement;
    Gap gap;
  };
  // In the order of the text; blocks come before those within them.
  std::vector<Gap> gaps(ast::Block& body, std::vector<InnerBlock>& blocks) const;
  void list_block(const InnerBlock& inner, const ast::Block& block, std::vector<InnerBlock>& blocks,
                  std::vector<Event>& todo) const;

  // Whether a statement, before an end that does that, does no more than it.
  [[nodiscard]] bool is_word(ast::StmtId s, End end) const;
  // Most bodies have none, which is told without looking at lines.
  void find(ast::Block& body, End end, bool sees_lines);
  void list_parts(const Step& step, bool sees_lines, std::vector<Step>& todo) const;
  // How long the word is that stands between lines; 0 if there are several, or none.
  [[nodiscard]] std::int32_t length_between(Lines lines) const;
  // The last line between lines on which a word of one of these lengths stands; -1: there is none.
  [[nodiscard]] std::int32_t last_between(Lines lines, std::initializer_list<std::int32_t> lengths);
  // The words of the source, by line.
  const std::vector<SourcePosition>& written();

  ast::Tree& tree_;
  SourcePositions& positions_;
  const Columns& columns_;
  const Exits& exits_;
  std::vector<Part> parts_;  // that are a word
  std::vector<SourcePosition> written_;
  bool is_read_ = false;
};

}  // namespace depyf::idiom
