// SPDX-License-Identifier: MIT
// Prints the text form of a graph: blocks by id, each with its depth, handler and successors; with Detail::kAll also
// the other fields that passes read, and at the end the order of blocks. tests/cpp/cfg_text.h parses it.
#include "cfg/dump.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace depyf {

namespace {

void append_block(std::string& out, const Cfg& cfg, BlockId id, Detail detail) {
  const BasicBlock& b = cfg.blocks[id];
  const auto ref = [](BlockId to) { return "B" + std::to_string(to.n); };
  out += ref(id) + ": depth " + std::to_string(b.entry_depth);
  if (b.is_handler) out += ", handler";
  if (b.handler.block) {
    out += ", raises to " + ref(b.handler.block) + " [" + std::to_string(b.handler.depth) + "]";
    if (b.handler.lasti) out += " lasti";
  }
  if (detail == Detail::kAll) {
    if (b.inverted != JumpInversion::kUnknown)
      out += b.inverted == JumpInversion::kYes ? ", inverted" : ", not inverted";
    if (b.entered != 0) out += ", entered " + std::to_string(b.entered);
    if (b.has_phantom) out += ", phantom " + (b.phantom ? ref(b.phantom) : "none");
  }
  out += '\n';
  for (const Instruction& insn : b.code) {
    std::string offset = std::to_string(insn.offset);
    offset.insert(0, offset.size() < 7 ? 7 - offset.size() : 0, ' ');
    out += offset + "  ";
    out += op_name(insn.op);
    if (insn.arg != 0) out += ' ' + std::to_string(insn.arg);
    if (insn.flags != 0) out += " flags " + std::to_string(insn.flags);
    out += '\n';
  }
  if (b.jump) out += "         jump " + ref(b.jump) + '\n';
  if (b.fall) out += "         fall " + ref(b.fall) + '\n';
}

// Appends "order: B0 B2 B1" if code order differs from the order of ids.
void append_order(std::string& out, const Cfg& cfg) {
  std::vector<std::uint32_t> order(cfg.blocks.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return cfg.blocks[BlockId{a}].first_index < cfg.blocks[BlockId{b}].first_index;
  };
  if (order.empty() || std::is_sorted(order.begin(), order.end(), before)) return;
  std::stable_sort(order.begin(), order.end(), before);
  out += "order:";
  for (const std::uint32_t b : order) out += " B" + std::to_string(b);
  out += '\n';
}

}  // namespace

std::string dump(const Cfg& cfg, Detail detail) {
  std::string out;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) append_block(out, cfg, BlockId{b}, detail);
  if (detail == Detail::kAll) append_order(out, cfg);
  return out;
}

}  // namespace depyf
