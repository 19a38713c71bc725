// SPDX-License-Identifier: MIT
// Attempts at evaluating fresh containers, each with what the ones before it found must be so; see fresh.h.
#include "lift/fresh/fresh.h"

#include "lift/fresh/values.h"

namespace depyf::lift {

std::optional<Evaluated> replace_scalars(const Unit& unit, CodeId code, const Cfg& cfg, Containers containers) {
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
    auto outcome = fresh::interpret(unit, code, cfg, containers, demands, form);
    if (outcome == fresh::Outcome::kDone) outcome = fresh::regenerate(unit, cfg, form, demands, out);
    if (outcome == fresh::Outcome::kDone) return out;
    if (outcome == fresh::Outcome::kGiveUp) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace depyf::lift
