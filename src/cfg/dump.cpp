// SPDX-License-Identifier: MIT
// The graph's text form: blocks in order, each with its depth, handler and successors.
#include "cfg/dump.h"

namespace depyf {

namespace {

void append_block(std::string& out, const Cfg& cfg, BlockId id) {
  const BasicBlock& b = cfg.blocks[id];
  const auto ref = [](BlockId to) { return "B" + std::to_string(to.n); };
  out += ref(id) + ": depth " + std::to_string(b.entry_depth);
  if (b.is_handler) out += ", handler";
  if (b.handler.block) {
    out += ", raises to " + ref(b.handler.block) + " [" + std::to_string(b.handler.depth) + "]";
    if (b.handler.lasti) out += " lasti";
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

}  // namespace

std::string dump(const Cfg& cfg) {
  std::string out;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) append_block(out, cfg, BlockId{b});
  return out;
}

}  // namespace depyf
