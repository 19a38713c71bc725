// SPDX-License-Identifier: MIT
// Interning of names and constants as tagged byte strings.
//
// Invariant: a payload starts with a tag of its own type and holds everything that distinguishes the constant; a
// container's payload holds its items' keys, so equal payloads mean equal constants at any depth. It shows constants
// for messages only: the text is cut and is not meant to be read back.
#include "verify/keys.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "bytecode/contract.h"

namespace depyf::equivalence {
namespace {

constexpr std::size_t kShown = 80;

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
  std::memcpy(bytes, &d, sizeof d);  // by bits: 0.0 and -0.0, and every nan, stay apart
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
  for (std::size_t i = count; i-- > 0 && out.size() < kShown;) {
    char part[16];
    std::snprintf(part, sizeof part, i + 1 == count ? "%x" : "%08x", get(digits, i));
    out += part;
  }
  return out;
}

std::string show_text(std::string_view text, const char* prefix) {
  std::string out = std::string(prefix) + "'";
  for (const char c : text) {
    if (out.size() > kShown) return out + "...'";
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

// What has no items; containers are the caller's affair.
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
Key Keys::marker(std::string_view what) { return raw("m" + std::string(what)); }

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
  // Containers are walked with a stack of closing marks and items; the length bound ends the walk, not the depth.
  struct Piece {
    Key key;
    const char* text;
  };
  std::string out;
  std::vector<Piece> todo{{key, nullptr}};
  while (!todo.empty() && out.size() < kShown) {
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
    for (std::size_t i = std::min<std::size_t>(count, kShown); i-- > 0;) {
      if (i + 1 < count || (count == 1 && payload[0] == 't')) todo.push_back({kNoKey, i + 1 < count ? ", " : ","});
      todo.push_back({get(items, i), nullptr});
    }
  }
  return out.size() > kShown ? out.substr(0, kShown) + "..." : out;
}

Result<Key> ConstantKeys::key(ConstId id) {
  constexpr Key kOpen = kNoKey - 1;
  if (done_[id.n] == kOpen) return Error{Errc::kMalformed, kNowhere, "a constant contains itself"};
  std::vector<ConstId> todo{id};
  while (!todo.empty()) {
    const ConstId at = todo.back();
    Key& mine = done_[at.n];
    if (mine != kNoKey && mine != kOpen) {
      todo.pop_back();
      continue;
    }
    const Constant& constant = tree_.consts[at];
    const auto* slice = std::get_if<ConstSlice>(&constant);
    const ConstId parts[3] = {slice ? slice->start : at, slice ? slice->stop : at, slice ? slice->step : at};
    const std::span<const ConstId> items = slice ? std::span<const ConstId>(parts) : items_of(constant);
    if (mine == kNoKey && !items.empty()) {
      mine = kOpen;
      for (const ConstId item : items) {
        if (done_[item.n] == kOpen) return Error{Errc::kMalformed, kNowhere, "a constant contains itself"};
        todo.push_back(item);
      }
      continue;
    }
    todo.pop_back();
    const bool tuple = std::holds_alternative<ConstTuple>(constant);
    if (slice || tuple || std::holds_alternative<ConstFrozenSet>(constant)) {
      std::vector<Key> keys;
      for (const ConstId item : items) keys.push_back(done_[item.n]);
      const bool ordered = std::ranges::all_of(items, [&](ConstId item) { return equal_hashes_[item.n]; });
      equal_hashes_[at.n] = !slice && ordered;
      mine = keys_.group(slice ? 'l' : tuple ? 't' : ordered ? 'Z' : 'z', std::move(keys));
    } else {
      std::string payload = scalar_payload(tree_, constant);
      equal_hashes_[at.n] = equal_scalar_hashes(payload);
      mine = keys_.raw(std::move(payload));
      if (!items.empty()) {  // a container that is itself and has these items
        std::vector<Key> keys{mine};
        for (const ConstId item : items) keys.push_back(done_[item.n]);
        mine = keys_.group('l', std::move(keys));
      }
    }
  }
  return done_[id.n];
}

Result<Key> ConstantKeys::unordered(ConstId id) {
  DEPYF_TRY(whole, key(id));
  const bool set = std::holds_alternative<ConstFrozenSet>(tree_.consts[id]);
  if (!set && !std::holds_alternative<ConstTuple>(tree_.consts[id])) return whole;
  std::vector<Key> items;
  for (const ConstId item : items_of(tree_.consts[id])) items.push_back(done_[item.n]);
  std::sort(items.begin(), items.end());
  return keys_.group(set ? 'z' : 't', std::move(items));
}

// Whether a constant's hash is the same in each process, so that a set of such has an order that a program can rely on:
// numbers, and containers of them. Texts are hashed with a random key, None (up to 3.11), ... and nan by where they lie.
bool ConstantKeys::equal_scalar_hashes(std::string_view payload) const {
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
