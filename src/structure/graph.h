// SPDX-License-Identifier: MIT
// The lifted graph: what structuring works on.
//
// A node is a straight line that has been lifted, with the recipe (pieces) that lifts it again on top of another line.
// Invariant: node.state is what replaying node.pieces on node.entry gives. Folding (structure/expr) merges nodes;
// structuring (structure/region, structure/emit) reads what is left.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cfg/cfg.h"
#include "deopt/deopt.h"
#include "lift/lift.h"

namespace depyf::structure {

using ast::ExprId;
using ast::ExprIds;
using lift::EndKind;
using lift::Entries;
using lift::has_role;
using lift::Line;
using lift::LKind;
using lift::LStmt;
using lift::State;
using lift::Stmts;
using lift::Value;
using lift::ValueKind;

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A `case` that represents a block of the graph.
struct CasePattern {
  ast::PatternId pattern;
  bool keeps_subject = false;  // it stays on the stack for the next case
};
using CasePatterns = std::map<std::uint32_t, CasePattern>;  // by block

[[nodiscard]] inline bool leaves_construct(LKind k) {
  return k == LKind::kPopExcept || k == LKind::kWithExit || k == LKind::kFinallyExit || k == LKind::kLoopExit;
}
// The `return` that a statement of a node is; null: it is none.
[[nodiscard]] inline const ast::Return* return_of(const lift::Unit& unit, const LStmt& s) {
  return s.kind == LKind::kStmt ? std::get_if<ast::Return>(&unit.ast.stmts[s.stmt].node) : nullptr;
}

// One step of a node's recipe.
struct Piece {
  enum class Kind : std::uint8_t {
    kCode,   // instructions [first, last) of block `block`
    kBool,   // `test and/or a` (negate: `not test and/or a`)
    kIf,     // `a if test else b` (negate: `a if not test else b`)
    kChain,  // the comparison continues with the operators and operands of `a` (a Compare)
    kValue,  // a loop that was a comprehension: pops `first` entries, pushes `a`
    kCase,   // `case pattern`: takes the subject off the stack, unless keeps_subject
  } kind = Kind::kCode;
  bool is_value = false;  // kBool, kIf, kChain: a value is made, no test
  std::uint32_t block = 0, first = 0, last = 0;
  ExprId a{}, b{};
  ast::BoolOperator op = ast::BoolOperator::kAnd;
  bool negate = false;
  bool keep_true = false, keep_false = false;
  bool is_threaded = false;  // kBool: a jump was threaded through the test
  bool groups = false;       // kBool: with the first operand of `a`, in parentheses
  bool returns = false;      // kCode: the `return` it ends with is the source's own
  bool apart = false;        // kBool: the test is of a value that has been made, which stays one operand
  CasePattern test{};
};

using Pieces = SmallVector<Piece, 2>;

// The last of the lines that a node's line was merged from.
struct Tail {
  std::uint32_t order = 0;
  bool is_silent = true;  // it makes no statement
};

struct Node {
  Node() {}                 // NOLINT: not `= default`, as State's
  std::uint32_t t = kNone;  // true edge, fall-through, loop body
  std::uint32_t f = kNone;  // false edge, loop exit
  Handler handler;
  std::uint32_t order = 0;  // position in code order
  std::uint32_t preds = 0;  // normal edges in
  bool alive = false;
  bool is_handler = false;
  JumpInversion inverted = JumpInversion::kUnknown;  // its last test
  bool falls_true = false;                           // where that is true, control falls through
  bool is_threaded = false;                          // a jump was threaded through it
  bool awaits_test = false;                          // jumps of the value it leaves were threaded through the next test
  bool has_phantom = false;       // 3.8: it raises again, and the next field is what follows the statement:
  std::uint32_t phantom = kNone;  // kNone: nothing that is reached
  Tail tail;
  State state;
  Entries entry;
  Pieces pieces;

  void ends_as_lifted() { tail = {order, state.stmts.empty()}; }
};

struct Graph {
  std::vector<Node> nodes;
  SmallVector<std::uint32_t, 16> of_block;  // node that starts at a block
  SmallVector<Line, 16> code;               // by block: its instructions (a POP_TOP that an edge absorbed is gone)
};

// Makes each case of a match statement one block without instructions: it falls through to what follows a match and, if
// the pattern can fail, jumps to the next case or to what follows the statement.
CasePatterns collapse_patterns(lift::Unit& unit, CodeId code, Cfg& cfg);
// Lifts every block once; the lines stay the Cfg's, which must outlive them. Errors: what no line-wise reading can express (the caller falls back).
[[nodiscard]] Result<Graph> build_graph(lift::Unit& unit, lift::Lifter& lifter, const Cfg& cfg,
                                        const CasePatterns& cases, const deopt::OwnReturns& returns);

// Replays pieces on a state that already holds the line before.
[[nodiscard]] Status replay(lift::Unit& unit, lift::Lifter& lifter, const Graph& graph, const Pieces& pieces,
                            State& state);

// The test of node n, which leads back to x, has a `continue` of its own: a condition that leads back has none, and is
// turned where that can be seen. What leaves a protected range on its way is no jump back of the test itself.
[[nodiscard]] inline bool continues(const Dialect& dialect, const Node& n, const Node& x) {
  return dialect.inverted_jumps_unprotected && n.inverted == JumpInversion::kNo && x.order <= n.order &&
         n.handler == x.handler;
}

// Code order as in the source: handlers after what they protect.
void place_handlers(Graph& graph);
void place_handler_exits(const lift::Unit& unit, Graph& graph);
void count_preds(Graph& graph);
enum class Nodes : bool { kAll, kAlive };
using NodeIds = SmallVector<std::uint32_t, 32>;
[[nodiscard]] NodeIds in_code_order(const Graph& graph, Nodes which);
// Folds values across nodes to a fixpoint: and/or, conditional expressions, chained comparisons, straight lines.
[[nodiscard]] Status fold_expressions(lift::Unit& unit, lift::Lifter& lifter, Graph& graph);
// Whether statements can say what the lines do: nothing was refused, and what stays on the stack has a variable.
[[nodiscard]] Status check_lines(const lift::Unit& unit, const Graph& graph);
// Values that still cross an edge on the stack are stored to the variable of their slot. Errors: a value that no
// expression represents.
[[nodiscard]] Status store_slots(lift::Unit& unit, lift::Lifter& lifter, Graph& graph);
// Edges lead past nodes that do nothing.
void thread_empty(Graph& graph);
// `ways`: those too that leave a statement and continue at the same place.
void merge_exits(lift::Unit& unit, Graph& graph, bool cleanups);

// Whether code with several predecessors may be written once for each of them (node splitting). The text grows to twice
// its size at most.
enum class TailDuplication : bool { kShortExits, kAll };
// Which may be written: those that something leads back to, or any that give exits of a statement a form.
enum class Loops : bool { kThatComeRound, kAny };
// Where an arm that leaves comes first, instead of the other one around all that follows.
enum class Guards : bool { kOfJumps, kEverywhere };

// Statements for the whole code object; nothing if the flow has no structured form that these rules know.
[[nodiscard]] std::optional<ast::Block> structure_statements(lift::Unit& unit, lift::Lifter& lifter, Graph& graph,
                                                             TailDuplication duplication, Loops loops, Guards guards);

}  // namespace depyf::structure
