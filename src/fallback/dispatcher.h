// SPDX-License-Identifier: MIT
// The data from which one dispatch loop is built: arms and the edges between them (dispatch.cpp), `with` statements
// (with.cpp), and the loops and tests around the arms (loops.cpp); see dispatch.h.
//
// An arm that is reached through the dispatch is a head and has a state number; other arms are written inline after the
// only edge to them. Heads are grouped by scope: the dispatch loop itself, an except clause within it, or a `with`
// statement. Each scope has a loop of its own; its level is its nesting depth.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fallback/families.h"

namespace depyf::fallback {

inline constexpr std::uint32_t kNoArm = 0xFFFFFFFF;
inline constexpr std::uint32_t kMaxInline = 4;  // how deep arms are inlined in the branches that lead to them
inline constexpr std::uint32_t kMaxLevel = 5;   // CPython allows 20 nested blocks, and a level takes three of them

struct Handling {              // where an exception raised in an arm is handled
  std::uint32_t arm = kNoArm;  // the handler's first arm; kNoArm: the exception leaves the code object
  std::uint32_t level = 0;     // of the except clause that catches it
  friend bool operator==(const Handling&, const Handling&) = default;
};

struct ArmInfo {
  Arm arm;
  std::optional<State> entry;  // the join of the states on all edges to it; nullopt: not reached
  Translated code;
  std::vector<std::uint32_t> targets;  // arms, one for each of code.edges
  Handling handling;
  std::uint32_t preds = 0;     // number of edges to it, exception edges not counted
  bool by_exception = false;   // an exception edge leads to it
  bool bypasses_exit = false;  // in the bytecode, its exceptions skip the __exit__ of the `with` statement around it
  std::vector<NameId> live;    // variables that are live on entry
};

struct RealHandler {       // a handler that does what a `with` statement's own handler does
  BlockId block;           // where control continues if __exit__ swallows the exception: the block,
  std::size_t next = 0;    // and the index of the instruction in it
  std::uint32_t exit = 0;  // stack depth of __exit__
  bool is_async = false;
  Handler outer;  // handles what __exit__ raises or does not swallow
};

struct RealWith {            // a `with` statement that is written as such
  std::uint32_t target = 0;  // stack depth of the result of __enter__
  Handler outer;             // handles exceptions that leave the statement
  Handling handling;
  BlockId handler;                        // the statement's own handler
  std::uint32_t swallow_target = kNoArm;  // the arm where control continues if __exit__ swallows an exception
  std::vector<NameId> live;               // variables that are live somewhere in its body
};

struct Scope {  // the states of one except clause or `with` statement; scope 0: the others
  std::uint32_t parent = 0, level = 0;
  std::uint32_t with = kNoArm;              // the first arm of the `with` body; kNoArm: an except clause
  std::vector<std::uint32_t> inner, heads;  // indices of scopes directly within it, and of its heads
  std::uint32_t first = 0;                  // the least state number in it and its inner scopes
};

// A state of the dispatch: an arm, a whole `with` statement, or a landing. A landing raises an exception that was saved
// in a variable, so that the except clause for `handling` catches it.
struct Head {
  std::uint32_t arm = kNoArm;   // the arm, if it is one
  std::uint32_t with = kNoArm;  // the first arm of the body, if it is a `with` statement
  std::uint32_t scope = 0;
  Handling handling;
  Block body;
  std::uint32_t number = 0;  // the value of `pc`
};

struct Dispatcher : Names {
  Dispatcher(lift::Unit& of, CodeId id, const Cfg& graph, Shared& all)
      : Names(of, id, all), cfg(graph), machine(of, id, all) {}

  // Returns nullopt if some `with` statement cannot be written as one, or except clauses nest too deep.
  Result<std::optional<Block>> run();

  const Cfg& cfg;
  Machine machine;
  std::vector<ArmInfo> arms;
  std::vector<std::uint32_t> first_arm;    // by block id
  std::vector<std::uint32_t> handler_arm;  // by block id: the arm that exceptions enter, see make_handler_entries()
  std::vector<std::uint32_t> work;         // a worklist: of arms to translate, later of heads to write
  std::vector<Head> heads;
  std::map<std::uint32_t, std::uint32_t> head_by_arm, head_by_with;
  std::map<std::uint32_t, RealWith> withs;                                       // by the first arm of the body
  std::map<std::pair<std::uint32_t, std::uint32_t>, RealHandler> real_handlers;  // by block and depth
  std::vector<Scope> scopes{1};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scope_by_place;  // by parent and `with`
  bool refused = false;                                   // some `with` statement cannot be written as one
  std::vector<std::pair<ExprId, std::uint32_t>> numbers;  // literals that get the number of a head in the end
};

// ---- dispatch.cpp
void flow_into(Dispatcher& d, std::uint32_t arm, State state);

// ---- with.cpp
[[nodiscard]] Handler effective_handler(const Dispatcher& d, BlockId block);
[[nodiscard]] std::optional<RealHandler> real_handler(const Dispatcher& d, const Handler& handler);
void split_at(Dispatcher& d, std::uint32_t arm, std::size_t end);
bool is_handled_within(Dispatcher& d, std::uint32_t arm, const Handler& handler);
void enter_with(Dispatcher& d, std::uint32_t arm, Edge& edge);
[[nodiscard]] bool cannot_raise(const Dispatcher& d, const Block& block);
[[nodiscard]] bool can_write_withs(const Dispatcher& d);
Block with_statement(Dispatcher& d, std::uint32_t head, const Block& loop);

// ---- loops.cpp
std::uint32_t head_of(Dispatcher& d, std::uint32_t arm);
std::uint32_t landing_for(Dispatcher& d, const Handling& handling);
Block arm_code(Dispatcher& d, std::uint32_t arm, std::uint32_t depth);
StmtId set_state(Dispatcher& d, std::uint32_t arm);
void number_heads(Dispatcher& d);
Block clear_dead(Dispatcher& d, const std::vector<NameId>& live, const std::vector<NameId>& still_live);
Block dispatch_loops(Dispatcher& d);

// ---- scope.cpp
// Collects facts about names before the arms are translated.
void collect_names(Dispatcher& d);
void add_prologue(Dispatcher& d, Block& block);

}  // namespace depyf::fallback
