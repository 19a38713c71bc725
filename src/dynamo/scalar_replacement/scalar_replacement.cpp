// SPDX-License-Identifier: MIT
// Repeats the evaluation until an attempt adds no demand; see scalar_replacement.h.
#include "dynamo/scalar_replacement/scalar_replacement.h"

#include "dynamo/scalar_replacement/values.h"

namespace depyf::dynamo {

std::optional<Evaluated> replace_scalars(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg,
                                         Containers containers) {
  constexpr std::size_t kAttempts = 400;
  constexpr std::size_t kBudget = 40'000'000;  // instructions times locals, summed over all attempts
  std::size_t size = cfg.blocks.size();
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) size += cfg.blocks[BlockId{b}].code.size();
  const auto& co = tree.codes[code];
  const std::size_t cost = size * (1 + co.varnames.size() / 16);
  Demands demands;
  for (std::size_t attempt = 0; attempt < kAttempts && attempt * cost < kBudget; ++attempt) {
    Form form;
    Evaluated out;
    auto outcome = interpret(tree, code, dialect, cfg, containers, demands, form);
    if (outcome == Outcome::kDone) outcome = regenerate(cfg, form, demands, out);
    if (outcome == Outcome::kDone) return out;
    if (outcome == Outcome::kGiveUp) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace depyf::dynamo
