// SPDX-License-Identifier: MIT
// Names values after their paths; see value_paths.h.
#include "idiom/value_paths.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ast/constants.h"
#include "support/unicode.h"

namespace depyf::idiom {

namespace {

using ast::ExprId;

constexpr std::size_t kMaxSteps = 64;  // steps of a path, including steps from a variable to its value

// Returns whether this is a dict of torch.nn.Module in which `module.name` is looked up.
bool is_registry(std::string_view name) { return name == "_modules" || name == "_parameters" || name == "_buffers"; }

// Returns whether this is a dict or a module that Dynamo installs in the globals. It is left out of names.
bool is_installed(std::string_view name) {
  return name.starts_with("__builtins_dict__") || name.starts_with("__import_");
}

// Returns the text with other characters than letters and digits as underscores, and none at its ends: `defaults` for
// `__defaults__`.
std::string as_word(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(),
      [](unsigned char c) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return !is_letter && !(c >= '0' && c <= '9') && c < 0x80;
      },
      '_');
  const auto first = out.find_first_not_of('_');
  return first == std::string::npos ? "" : out.substr(first, out.find_last_not_of('_') + 1 - first);
}

bool begins_with_digit(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

class Path {
 public:
  Path(const CodeTree& code, const ast::Tree& tree, const SoleValue& value) : code_(code), tree_(tree), value_(value) {}

  std::string name(ExprId e) {
    if (std::holds_alternative<ast::Name>(tree_.exprs[e].node) || !follow(e)) return "";
    std::reverse(words_.begin(), words_.end());
    if (!root_.empty() && (root_ != "self" || words_.empty() || begins_with_digit(words_[0])))
      words_.insert(words_.begin(), root_);
    std::string out;
    for (const auto& word : words_) {
      if (!out.empty()) out += '_';
      out += word;
    }
    if (begins_with_digit(out)) out.insert(0, "item_");
    if (!is_plain_identifier(out)) out += '_';  // a keyword
    return is_plain_identifier(out) && !words_.empty() ? out : "";
  }

 private:
  // Follows the path from the value back to its first variable. Returns false if it is no path.
  bool follow(ExprId e) {
    for (std::size_t steps = 0; steps < kMaxSteps; ++steps) {
      const auto& node = tree_.exprs[e].node;
      if (const auto* a = std::get_if<ast::Attribute>(&node)) {
        const auto attribute = tree_.text(a->attr);
        if (attribute == "__self__") return !words_.empty();  // the module of a bound method
        if (!is_registry(attribute) || words_.empty()) add(attribute);
        e = a->value;
      } else if (const auto* s = std::get_if<ast::Subscript>(&node)) {
        const auto key = key_of(s->slice);
        if (key.empty()) return false;
        add(key);
        e = s->value;
      } else if (const auto* n = std::get_if<ast::Name>(&node)) {
        if (const ExprId assigned = value_(n->id); assigned.valid()) {
          e = assigned;
          continue;
        }
        const auto root = tree_.text(n->id);
        if (!is_installed(root)) root_ = as_word(root);
        return true;
      } else {
        return false;
      }
    }
    return false;
  }

  void add(std::string_view text) {
    if (auto word = as_word(text); !word.empty()) words_.push_back(std::move(word));
  }

  [[nodiscard]] std::string key_of(ExprId e) const {
    const auto* text = ast::constant_of<ConstStr>(tree_, code_, e);
    return text != nullptr ? text->text : small_int_text(code_, tree_, e);
  }

  const CodeTree& code_;
  const ast::Tree& tree_;
  const SoleValue& value_;
  std::vector<std::string> words_;  // of the steps, the last one first
  std::string root_;
};

}  // namespace

std::string small_int_text(const CodeTree& code, const ast::Tree& tree, ExprId e) {
  if (const auto* i = std::get_if<ast::IntLiteral>(&tree.exprs[e].node)) return std::to_string(i->value);
  const auto* i = ast::constant_of<ConstInt>(tree, code, e);
  if (i == nullptr || i->negative || i->digits.size() > 1) return "";
  return std::to_string(i->digits.empty() ? 0 : i->digits[0]);
}

std::string path_name(const CodeTree& code, const ast::Tree& tree, ExprId e, const SoleValue& value) {
  return Path(code, tree, value).name(e);
}

}  // namespace depyf::idiom
