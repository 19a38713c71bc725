// SPDX-License-Identifier: MIT
// Interns names and constants as tagged byte strings, called payloads.
//
// Invariant: a payload starts with a tag for its type and contains everything that distinguishes the constant. A
// container's payload contains the keys of its items, so equal payloads mean equal constants at any depth. show() is
// for messages only: it cuts long texts, and its result cannot be parsed.
#include "verify/keys.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "bytecode/contract.h"

namespace depyf::equivalence {
namespace {

constexpr std::size_t kMaxShown = 80;

void put(std::string& out, std::uint32_t n) {
  char bytes[sizeof n];
  std::memcpy(bytes, &n, sizeof n);
  out.append(bytes, sizeof n);
}

std::uint32_t get(std::string_view bytes, std::size_t index) {
  std::uint32_t n = 0;
  std::memcpy(&n, bytes.data() + index * sizeof n, sizeof n);
  return n;
}

void put(std::string& out, double d) {
  char bytes[sizeof d];
  std::memcpy(bytes, &d, sizeof d);  // bits distinguish 0.0 from -0.0 and one NaN from another
  out.append(bytes, sizeof d);
}

double get_double(std::string_view bytes, std::size_t index) {
  double d = 0;
  std::memcpy(&d, bytes.data() + index * sizeof d, sizeof d);
  return d;
}

std::string integer_payload(bool negative, std::span<const std::uint32_t> digits) {
  std::string out = negative ? "i-" : "i+";
  for (const std::uint32_t digit : digits) put(out, digit);
  return out;
}

std::string show_integer(std::string_view payload) {
  std::string out = payload[1] == '-' ? "-" : "";
  const std::string_view digits = payload.substr(2);
  const std::size_t count = digits.size() / sizeof(std::uint32_t);
  if (count == 0) return "0";
  if (count == 1) return out + std::to_string(get(digits, 0));
  out += "0x";
  for (std::size_t i = count; i-- > 0 && out.size() < kMaxShown;) {
    char part[16];
    std::snprintf(part, sizeof part, i + 1 == count ? "%x" : "%08x", get(digits, i));
    out += part;
  }
  return out;
}

std::string show_text(std::string_view text, const char* prefix) {
  std::string out = std::string(prefix) + "'";
  for (const char c : text) {
    if (out.size() > kMaxShown) return out + "...'";
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && c != '\'' && c != '\\' && (u < 0x7F || *prefix == 0)) {
      out += c;
    } else {
      char part[8];
      std::snprintf(part, sizeof part, "\\x%02x", u);
      out += part;
    }
  }
  return out + "'";
}

std::string show_double(double d) {
  char part[40];
  std::snprintf(part, sizeof part, "%.17g", d);
  std::string out = part;
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

// Shows a payload that is not a container's.
std::string show_scalar(std::string_view payload) {
  const std::string_view rest = payload.substr(1);
  switch (payload[0]) {
    case 'n': return std::string(rest);
    case 'm': return std::string(rest);
    case 'v': return std::string(rest.substr(rest.find(':') + 1)) + " (one of several of that name)";
    case 'i': return show_integer(payload);
    case 's': return show_text(rest, "");
    case 'y': return show_text(rest, "b");
    case 'f': return show_double(get_double(rest, 0));
    case 'c': return "complex(" + show_double(get_double(rest, 0)) + ", " + show_double(get_double(rest, 1)) + ")";
    case 'k': return "<code " + std::string(rest) + ">";
    case 'N': return "None";
    case 'E': return "...";
    case 'T': return "True";
    case 'F': return "False";
    case 'o': return "<" + std::string(rest.substr(sizeof(std::uint32_t))) + ">";
    default: return "?";
  }
}

bool is_container(char tag) { return tag == 't' || tag == 'z' || tag == 'Z' || tag == 'l'; }

std::span<const ConstId> items_of(const Constant& constant) {
  if (const auto* tuple = std::get_if<ConstTuple>(&constant)) return tuple->items;
  if (const auto* set = std::get_if<ConstFrozenSet>(&constant)) return set->items;
  if (const auto* opaque = std::get_if<ConstOpaque>(&constant); opaque != nullptr && opaque->items.valid())
    return {&opaque->items, 1};
  return {};
}

std::string scalar_payload(const CodeTree& tree, const Constant& constant) {
  return match(
      constant, [](const ConstNone&) { return std::string("N"); },
      [](const ConstEllipsis&) { return std::string("E"); },
      [](const ConstBool& b) { return std::string(b.value ? "T" : "F"); },
      [](const ConstInt& i) { return integer_payload(i.negative, i.digits); },
      [](const ConstFloat& f) {
        std::string out = "f";
        put(out, f.value);
        return out;
      },
      [](const ConstComplex& c) {
        std::string out = "c";
        put(out, c.real);
        put(out, c.imag);
        return out;
      },
      [](const ConstStr& s) { return "s" + s.text; }, [](const ConstBytes& b) { return "y" + b.data; },
      [](const ConstTuple&) { return std::string(); }, [](const ConstFrozenSet&) { return std::string(); },
      [](const ConstSlice&) { return std::string(); },
      [&](const ConstCode& c) { return "k" + tree.codes[c.code].name; },
      [](const ConstOpaque& o) {
        std::string out = "o";
        put(out, o.handle);
        return out + o.display;
      });
}

}  // namespace

Key Keys::raw(std::string bytes) {
  const auto [it, fresh] = ids_.try_emplace(std::move(bytes), static_cast<Key>(texts_.size()));
  if (fresh) texts_.push_back(&it->first);
  return it->second;
}

Key Keys::name(std::string_view text) { return raw("n" + std::string(text)); }
Key Keys::variable(std::string_view text, std::size_t nth) {
  return nth == 0 ? name(text) : raw("v" + std::to_string(nth) + ":" + std::string(text));
}
Key Keys::text(std::string_view value) { return raw("s" + std::string(value)); }
Key Keys::none() { return raw("N"); }
Key Keys::boolean(bool value) { return raw(value ? "T" : "F"); }
Key Keys::marker(std::string_view label) { return raw("m" + std::string(label)); }

Key Keys::integer(std::uint32_t value) {
  if (value == 0) return raw("i+");
  return raw(integer_payload(false, std::span(&value, 1)));
}

Key Keys::minus_one() {
  const std::uint32_t one = 1;
  return raw(integer_payload(true, std::span(&one, 1)));
}

Key Keys::group(char tag, std::vector<Key> items) {
  if (tag == 'z') std::sort(items.begin(), items.end());
  std::string out(1, tag);
  for (const Key item : items) put(out, item);
  return raw(std::move(out));
}

std::string Keys::show(Key key) const {
  // A worklist of items and punctuation replaces recursion; the bound on the output's length ends the walk at any
  // depth.
  struct Piece {
    Key key;
    const char* text;
  };
  std::string out;
  std::vector<Piece> todo{{key, nullptr}};
  while (!todo.empty() && out.size() < kMaxShown) {
    const Piece piece = todo.back();
    todo.pop_back();
    if (piece.text != nullptr) {
      out += piece.text;
      continue;
    }
    const std::string& payload = *texts_[piece.key];
    if (!is_container(payload[0])) {
      out += show_scalar(payload);
      continue;
    }
    const std::string_view items = std::string_view(payload).substr(1);
    const std::size_t count = items.size() / sizeof(Key);
    out += payload[0] == 't' ? "(" : payload[0] == 'z' || payload[0] == 'Z' ? "frozenset(" : "slice(";
    todo.push_back({kNoKey, ")"});
    for (std::size_t i = std::min<std::size_t>(count, kMaxShown); i-- > 0;) {
      if (i + 1 < count || (count == 1 && payload[0] == 't')) todo.push_back({kNoKey, i + 1 < count ? ", " : ","});
      todo.push_back({get(items, i), nullptr});
    }
  }
  return out.size() > kMaxShown ? out.substr(0, kMaxShown) + "..." : out;
}

Result<Key> ConstantKeys::key(ConstId id) {
  constexpr Key kInProgress = kNoKey - 1;
  if (computed_[id.n] == kInProgress) return Error{Errc::kMalformed, kNowhere, "a constant contains itself"};
  std::vector<ConstId> todo{id};
  while (!todo.empty()) {
    const ConstId at = todo.back();
    Key& entry = computed_[at.n];
    if (entry != kNoKey && entry != kInProgress) {
      todo.pop_back();
      continue;
    }
    const Constant& constant = tree_.consts[at];
    const auto* slice = std::get_if<ConstSlice>(&constant);
    const ConstId parts[3] = {slice ? slice->start : at, slice ? slice->stop : at, slice ? slice->step : at};
    const std::span<const ConstId> items = slice ? std::span<const ConstId>(parts) : items_of(constant);
    if (entry == kNoKey && !items.empty()) {
      entry = kInProgress;
      for (const ConstId item : items) {
        if (computed_[item.n] == kInProgress) return Error{Errc::kMalformed, kNowhere, "a constant contains itself"};
        todo.push_back(item);
      }
      continue;
    }
    todo.pop_back();
    const bool tuple = std::holds_alternative<ConstTuple>(constant);
    if (slice || tuple || std::holds_alternative<ConstFrozenSet>(constant)) {
      std::vector<Key> keys;
      for (const ConstId item : items) keys.push_back(computed_[item.n]);
      const bool ordered = std::ranges::all_of(items, [&](ConstId item) { return has_stable_hash_[item.n]; });
      has_stable_hash_[at.n] = !slice && ordered;
      entry = keys_.group(slice ? 'l' : tuple ? 't' : ordered ? 'Z' : 'z', std::move(keys));
    } else {
      std::string payload = scalar_payload(tree_, constant);
      has_stable_hash_[at.n] = has_stable_hash(payload);
      entry = keys_.raw(std::move(payload));
      if (!items.empty()) {  // an opaque container: its identity, then its items
        std::vector<Key> keys{entry};
        for (const ConstId item : items) keys.push_back(computed_[item.n]);
        entry = keys_.group('l', std::move(keys));
      }
    }
  }
  return computed_[id.n];
}

Result<Key> ConstantKeys::unordered(ConstId id) {
  DEPYF_TRY(ordered, key(id));
  const bool set = std::holds_alternative<ConstFrozenSet>(tree_.consts[id]);
  if (!set && !std::holds_alternative<ConstTuple>(tree_.consts[id])) return ordered;
  std::vector<Key> items;
  for (const ConstId item : items_of(tree_.consts[id])) items.push_back(computed_[item.n]);
  std::sort(items.begin(), items.end());
  return keys_.group(set ? 'z' : 't', std::move(items));
}

// Returns whether a scalar's hash is the same in each process, so that programs can rely on the order of a set of such.
// Hashes of strings depend on a random key; those of None (up to 3.11), Ellipsis and NaN depend on the object's
// address.
bool ConstantKeys::has_stable_hash(std::string_view payload) const {
  const std::string_view rest = payload.substr(1);
  const auto is_nan = [&](std::size_t nth) { return get_double(rest, nth) != get_double(rest, nth); };
  switch (payload[0]) {
    case 'i':
    case 'T':
    case 'F': return true;
    case 'N': return !none_hashes_by_address(tree_.version);
    case 'c': return !is_nan(0) && !is_nan(1);
    case 'f': return !is_nan(0);
    default: return false;
  }
}

}  // namespace depyf::equivalence
