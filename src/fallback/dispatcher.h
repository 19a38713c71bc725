// SPDX-License-Identifier: MIT
// What one dispatch loop is made of: arms and where they lead (dispatch.cpp), with statements (with.cpp), and the
// loops and tests around them (loops.cpp); see dispatch.h.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fallback/families.h"

namespace depyf::fallback {

inline constexpr std::uint32_t kNoArm = 0xFFFFFFFF;
inline constexpr std::uint32_t kMaxInline = 4;  // arms written inside the branch that leads to them
inline constexpr std::uint32_t kMaxLevel = 5;   // a clause takes three of the 20 blocks that may nest

struct Handling {  // where an exception raised in an arm goes
  std::uint32_t arm = kNoArm;
  std::uint32_t level = 0;  // of the except clause that takes it
  friend bool operator==(const Handling&, const Handling&) = default;
};

struct ArmInfo {
  Arm arm;
  std::optional<State> entry;
  Translated code;
  std::vector<std::uint32_t> targets;  // of code.edges
  Handling handling;
  std::uint32_t preds = 0;
  bool by_exception = false;
  bool outside = false;      // what it raises passes by the __exit__ of the with statement around it
  std::vector<NameId> held;  // variables that are live on entry
};

struct RealHandler {  // of a with statement
  BlockId block;      // where it continues when __exit__ swallows the exception
  std::size_t next = 0;
  std::uint32_t exit = 0;  // where __exit__ lies
  bool is_async = false;
  Handler outer;  // takes what __exit__ raises, and what it does not take
};

struct RealWith {            // one that is written as such, by the arm its body begins with
  std::uint32_t target = 0;  // the slot of what __enter__ returned
  Handler outer;
  Handling handling;
  BlockId handler;
  std::uint32_t swallow_target = kNoArm;  // when __exit__ takes an exception
  std::vector<NameId> held;               // variables that are live somewhere in it
};

struct Scope {  // the states of one except clause or with statement
  std::uint32_t parent = 0, level = 0;
  std::uint32_t with = kNoArm;  // the arm that its body begins with
  std::vector<std::uint32_t> inner, heads;
  std::uint32_t first = 0;  // of the states in it and its inner ones
};

struct Head {                   // a state of its own
  std::uint32_t arm = kNoArm;   // kNoArm: raises what was carried out of an inner clause, for `handling`,
  std::uint32_t with = kNoArm;  // or is a with statement
  std::uint32_t scope = 0;
  Handling handling;
  Block body;
  std::uint32_t number = 0;
};

struct Dispatcher : Names {
  Dispatcher(lift::Unit& of, CodeId id, const Cfg& graph, Shared& all)
      : Names(of, id, all), cfg(graph), machine(of, id, all) {}

  // Nothing: some with statement cannot be written as such.
  Result<std::optional<Block>> run();

  const Cfg& cfg;
  Machine machine;
  std::vector<ArmInfo> arms;
  std::vector<std::uint32_t> first_arm;  // by block
  std::vector<std::uint32_t> work;
  std::vector<Head> heads;
  std::map<std::uint32_t, std::uint32_t> head_by_arm, head_by_with;
  std::map<std::uint32_t, RealWith> withs;
  std::map<std::pair<std::uint32_t, std::uint32_t>, RealHandler> real_handlers;  // by block and depth
  std::vector<Scope> scopes{1};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scope_by_place;  // by parent and `with`
  bool refused = false;
  std::vector<std::pair<ExprId, std::uint32_t>> numbers;  // literals to fill in: heads
};

// ---- dispatch.cpp
void flow_into(Dispatcher& d, std::uint32_t arm, State state);

// ---- with.cpp
[[nodiscard]] Handler taken_by(const Dispatcher& d, BlockId block);
[[nodiscard]] std::optional<RealHandler> real_handler(const Dispatcher& d, const Handler& handler);
void split_at(Dispatcher& d, std::uint32_t arm, std::size_t end);
bool raises_within(Dispatcher& d, std::uint32_t arm, const Handler& handler);
void enter_with(Dispatcher& d, std::uint32_t arm, Edge& edge);
[[nodiscard]] bool is_harmless(const Dispatcher& d, const Block& block);
[[nodiscard]] bool with_is_whole(const Dispatcher& d);
Block with_statement(Dispatcher& d, std::uint32_t head, const Block& loop);

// ---- loops.cpp
std::uint32_t head_of(Dispatcher& d, std::uint32_t arm);
std::uint32_t landing_for(Dispatcher& d, const Handling& handling);
Block arm_code(Dispatcher& d, std::uint32_t arm, std::uint32_t depth);
StmtId go_to(Dispatcher& d, std::uint32_t arm);
void number_heads(Dispatcher& d);
Block clear_all(Dispatcher& d, const std::vector<NameId>& held, const std::vector<NameId>& kept);
Block loops(Dispatcher& d);

// ---- scope.cpp
// What is to be known of names before the arms are translated.
void learn_names(Dispatcher& d);
void surround(Dispatcher& d, Block& block);

}  // namespace depyf::fallback
