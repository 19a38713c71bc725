// SPDX-License-Identifier: MIT
// The translation validator: tries to prove that the second code object behaves as the first, as far as a program can
// observe.
//
// Both are executed symbolically in lockstep: every effect of one must be matched by the same effect of the other, with
// equal operands, in the same order, on every path, exceptional paths included. The validator is sound but not
// complete: a failure means that no proof was found. Besides the meanings of operations it assumes that
//  - names that neither tree binds and that translations use (Trust) refer to the builtins;
//  - Dynamo calls resume functions with the arguments that dynamo/resume_arguments.h infers, and an inconsistent
//    exception table of such a function means what cfg/lenient.h defines (the proof reports it);
//  - nobody gives an exception another __class__ after it is raised (3.8–3.10 keep the class with the exception);
//  - nobody observes an exception's __traceback__, a code object's name, the identity of strings that are computed,
//    local variables through a frame (unless the code loads a reader of them: find_locals_reader() in graph.h) and the
//    lifetimes of objects. The caller compares nested code objects.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/effects.h"
#include "verify/merge.h"

namespace depyf::proof {

struct Failure {
  std::uint32_t offset = 0xFFFFFFFF;  // in bytes, in the first code object; 0xFFFFFFFF: unknown
  std::string reason;
};
struct Proof {
  std::optional<Failure> failure;  // nullopt: proved, provided that all pairs of `codes` are
  // Notes on a proof: differences that it does not exclude.
  std::optional<Failure> lifetime;  // a call during which the second holds an object that the first has released
  std::optional<Failure>
      constant_identity;                 // an effect on a tuple or slice that only one of the two builds at each run
  std::optional<Failure> lenient_table;  // the inconsistency in the first's exception table (cfg/lenient.h)
  CodePairs codes;                       // the code objects of functions that correspond to each other
};

// Proves code objects of two trees of one version, which must outlive it.
class Validator {
 public:
  Validator(const CodeTree& a, const CodeTree& b, Keys& keys, ConstantKeys& first, ConstantKeys& second,
            const Limits& limits);
  // Sets the roots of the comparison. Qualified names below them are compared without the root's prefix.
  void set_roots(CodeId x, CodeId y) { roots_[0] = x, roots_[1] = y; }
  // Compares x of the first tree with y of the second. `loose`: both were compiled outside of their modules; names and
  // nesting are not compared. `cells_by_name`: free variables of the same name hold the same cell; otherwise those at
  // the same position do.
  [[nodiscard]] Result<Proof> prove(CodeId x, CodeId y, bool loose, bool cells_by_name);

 private:
  [[nodiscard]] Status collect_trusted_names();

  const CodeTree& a_;
  const CodeTree& b_;
  Keys& keys_;
  ConstantKeys& first_;
  ConstantKeys& second_;
  Limits limits_;
  Trust trust_;
  bool has_trust_ = false;
  CodeId roots_[2] = {CodeId{0}, CodeId{0}};
};

}  // namespace depyf::proof
