// SPDX-License-Identifier: MIT
// The translation validator: does the second code object do the same as the first, as far as anybody can observe?
//
// Both are executed symbolically in lockstep: every effect of the one must be met by the same effect of the other, with the
// same operands, in the same order, on every path, exceptional ones included. Sound before complete: "no" means that it
// could not be shown. What is taken for granted, besides the meanings of operations: names that neither tree binds and
// that translations use (Trust) are the builtins; Dynamo hands over what it says (dynamo/resume_arguments.h), and means what
// cfg/lenient.h tells where the first's exception table contradicts itself in a function that resumes another (the proof
// says so); an exception's __traceback__, a code object's name, whether equal texts that are made are one object, variables
// that only a frame shows (unless the code itself loads what shows them: reads_locals() in graph.h) and the lifetime of
// objects are not observed.
// Nested code objects are compared by the caller.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/effects.h"
#include "verify/merge.h"

namespace depyf::proof {

struct Failure {
  std::uint32_t offset = 0xFFFFFFFF;  // in the first
  std::string reason;
};
struct Proof {
  std::optional<Failure> failure;  // none: proved, if all of `codes` are
  std::optional<Failure> kept;     // a call during which the second holds an object that the first has dropped
  std::optional<Failure>
      constant;  // what gets a tuple or slice that is made at each run of one and a constant of the other
  std::optional<Failure> lenient;  // what contradicts itself in the first's exception table, which is taken as meant
  CodePairs codes;                 // code objects that correspond to each other in functions
};

// Proofs about two trees of one version; both must outlive it.
class Validator {
 public:
  Validator(const CodeTree& a, const CodeTree& b, Keys& keys, ConstantKeys& first, ConstantKeys& second,
            const Limits& limits);
  // The two units that correspond to each other: names below theirs are compared without theirs.
  void set_roots(CodeId x, CodeId y) { roots_[0] = x, roots_[1] = y; }
  // `loose`: the two are units taken out of their modules; names and nesting are not compared. `cells_by_name`: the free
  // variables of one name hold one cell; else those in one place do.
  [[nodiscard]] Result<Proof> prove(CodeId x, CodeId y, bool loose, bool cells_by_name);

 private:
  [[nodiscard]] Status find_trusted();

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
