// SPDX-License-Identifier: MIT
// Attempts at evaluating fresh containers, each with what the ones before it found must be so; see fresh.h.
#include "lift/fresh/fresh.h"

#include "lift/fresh/values.h"

namespace depyf::lift {

namespace {

// Containers that are built, and operations on items that could be carried out on them: without these there is nothing to
// evaluate in code of a person's.
bool may_evaluate(const Cfg& cfg) {
  std::size_t built = 0, items = 0;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& insn : cfg.blocks[BlockId{b}].code) switch (insn.op) {
        case Op::BUILD_LIST:
        case Op::BUILD_TUPLE:
        case Op::BUILD_SLICE: ++built; break;
        case Op::BINARY_SUBSCR:
        case Op::STORE_SUBSCR:
        case Op::DELETE_SUBSCR:
        case Op::BINARY_SLICE:
        case Op::STORE_SLICE: ++items; break;
        default: break;
      }
  return built >= 1 && items >= fresh::kLeastEvaluated;
}

}  // namespace

std::optional<Evaluated> evaluate_fresh(const Unit& unit, CodeId code, const Cfg& cfg, Containers containers,
                                        Need need) {
  if (need == Need::kSeveral && !made_by_dynamo(unit.code.codes[code]) && !may_evaluate(cfg)) return std::nullopt;
  constexpr std::size_t kAttempts = 400;
  constexpr std::size_t kBudget = 40'000'000;  // instructions times locals, over all attempts
  std::size_t size = cfg.blocks.size();
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) size += cfg.blocks[BlockId{b}].code.size();
  const auto& co = unit.code.codes[code];
  const std::size_t cost = size * (1 + co.varnames.size() / 16);
  fresh::Demands demands;
  for (std::size_t attempt = 0; attempt < kAttempts && attempt * cost < kBudget; ++attempt) {
    fresh::Form form;
    Evaluated out;
    auto outcome = fresh::interpret(unit, code, cfg, containers, need, demands, form);
    if (outcome == fresh::Outcome::kDone) outcome = fresh::regenerate(unit, cfg, form, demands, out);
    if (outcome == fresh::Outcome::kDone) return out;
    if (outcome == fresh::Outcome::kGiveUp) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace depyf::lift
