// SPDX-License-Identifier: MIT
// The lifted graph, on which structuring works.
//
// A node is a straight line that has been lifted, together with the recipe (pieces) for lifting it again after another
// line. Invariant: replaying node.pieces on node.entry gives node.state. Folding (structure/expr) merges nodes;
// structuring (structure/region, structure/emit) reads the rest.
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

// A `case` whose tests have been replaced by one block of the graph.
struct CasePattern {
  ast::PatternId pattern;
  bool keeps_subject = false;  // the subject stays on the stack for the next case
};
using CasePatterns = std::map<std::uint32_t, CasePattern>;  // by block

[[nodiscard]] inline bool leaves_construct(LKind k) {
  return k == LKind::kPopExcept || k == LKind::kWithExit || k == LKind::kFinallyExit || k == LKind::kLoopExit;
}
// Returns the `return` statement that `s` is, or null.
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
    kCase,   // `case pattern`: pops the subject unless keeps_subject
  } kind = Kind::kCode;
  bool is_value = false;  // kBool, kIf, kChain: the result is a value, not a test
  std::uint32_t block = 0, first = 0, last = 0;
  ExprId a{}, b{};
  ast::BoolOperator op = ast::BoolOperator::kAnd;
  bool negate = false;
  bool keep_true = false, keep_false = false;
  bool is_threaded = false;          // kBool: jump threading went through the test
  bool joins_first_operand = false;  // kBool: the test joins the first operand of `a`: `(test or b) or c`
  bool has_source_return = false;    // kCode: the `return` at its end is a statement of the source
  bool is_one_operand = false;       // kBool: the test is one operand of the result, even if it is the same operation
  CasePattern test{};
};

using Pieces = SmallVector<Piece, 1>;

// The last of the lines that were merged into a node.
struct Tail {
  std::uint32_t order = 0;
  bool is_empty = true;  // it has no statement
};

struct Node {
  Node() {}                 // NOLINT: not `= default`, as State's
  std::uint32_t t = kNone;  // true edge, fall-through, loop body
  std::uint32_t f = kNone;  // false edge, loop exit
  Handler handler;
  std::uint32_t order = 0;  // position in code order, in quarters of an instruction
  std::uint32_t preds = 0;  // number of incoming normal edges
  bool alive = false;
  bool is_handler = false;
  JumpInversion inverted = JumpInversion::kUnknown;  // of its last test
  bool falls_true = false;                           // control falls through if the test is true
  bool is_threaded = false;                          // jump threading went through the test
  bool jumps_past_next_test = false;  // jumps of its value were threaded through the test in the next node
  bool has_phantom = false;           // 3.8: it reraises, and `phantom` follows the statement;
  std::uint32_t phantom = kNone;      // kNone: that is unreachable
  Tail tail;
  State state;
  Entries entry;
  Pieces pieces;

  void reset_tail() { tail = {order, state.stmts.empty()}; }
};

struct Graph {
  std::vector<Node> nodes;
  SmallVector<std::uint32_t, 16> of_block;  // by block: the node that starts there
  SmallVector<Line, 16> code;               // by block: its instructions, without a POP_TOP that the edges absorbed
};

// Replaces the tests of each case of a match statement by one block without instructions. It falls through to the code
// after a match and, if the pattern is refutable, jumps to the next case or to the code after the statement.
CasePatterns collapse_patterns(lift::Unit& unit, CodeId code, Cfg& cfg);
// Lifts every block once. The instructions stay in `cfg`, which must outlive the graph. Returns an error if the code
// cannot be expressed line by line; then the caller uses the fallback.
[[nodiscard]] Result<Graph> build_graph(lift::Unit& unit, lift::Lifter& lifter, const Cfg& cfg,
                                        const CasePatterns& cases, const deopt::OwnReturns& has_source_return);

// Replays pieces on a state that already contains the lines before them.
[[nodiscard]] Status replay(lift::Unit& unit, lift::Lifter& lifter, const Graph& graph, const Pieces& pieces,
                            State& state);

// Returns whether the test of n, which jumps back to x, is followed by a `continue` in the source. The jump of a
// condition alone is inverted, which can be seen if both are in one protected range.
[[nodiscard]] inline bool has_own_continue(const Dialect& dialect, const Node& n, const Node& x) {
  return dialect.inverted_jumps_unprotected && n.inverted == JumpInversion::kNo && x.order <= n.order &&
         n.handler == x.handler;
}

// Changes the order of nodes to that of the source: puts handlers after the ranges that they protect.
void place_handlers(Graph& graph);
// The same for code that only a `break` in a handler leads to: puts it after the loop.
void place_handler_exits(const lift::Unit& unit, Graph& graph);
// Counts the predecessors of each node, and marks the reachable ones as alive.
void count_preds(Graph& graph);
enum class Nodes : bool { kAll, kAlive };
using NodeIds = SmallVector<std::uint32_t, 32>;
[[nodiscard]] NodeIds in_code_order(const Graph& graph, Nodes which);
// Folds values across nodes to a fixpoint: `and`/`or`, conditional expressions, chained comparisons, straight lines.
[[nodiscard]] Status fold_expressions(lift::Unit& unit, lift::Lifter& lifter, Graph& graph);
// Returns an error if a line cannot be expressed by statements: it was refused, or a value without a variable is left
// on the stack.
[[nodiscard]] Status check_lines(const lift::Unit& unit, const Graph& graph);
// Stores values that still cross an edge on the stack to the variables of their stack slots. Returns an error for a
// value that no expression represents.
[[nodiscard]] Status store_slots(lift::Unit& unit, lift::Lifter& lifter, Graph& graph);
// Redirects edges past nodes that do nothing.
void thread_empty(Graph& graph);
// Which equal exits become one: ends of the code and code before its final `return`; also exits of statements that
// continue at the same place; all but `return` statements; none.
enum class Exits : std::uint8_t { kMerged, kMergedCleanups, kMergedRaises, kKept };
void merge_exits(lift::Unit& unit, Graph& graph, Exits exits);

// Which code with several predecessors may be written once for each of them (tail duplication). The text may grow to
// twice its size.
enum class TailDuplication : bool { kShortExits, kAll };
// Which loops may be written: those with a back edge, or also ones without, to give exits of a statement a form.
enum class Loops : bool { kWithBackEdge, kAny };
// Which arms that leave come first as guard clauses, instead of the other arm around all that follows.
enum class Guards : bool { kOfJumps, kEverywhere };

// Returns the statements of the whole code object, or nullopt if no rule gives the control flow a structured form.
[[nodiscard]] std::optional<ast::Block> structure_statements(lift::Unit& unit, lift::Lifter& lifter, Graph& graph,
                                                             TailDuplication duplication, Loops loops, Guards guards);

}  // namespace depyf::structure
