//===- Limits.cpp - when a search has to give up --------------------------===//

#include "pebble/Solver/Graph/Limits.h"

#include <array>
#include <utility>

using namespace pebble::graph;

std::optional<uint64_t> pebble::graph::parseBytes(const std::string &text) {
  uint64_t number = 0;
  size_t at = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    const auto digit = static_cast<uint64_t>(text[at] - '0');
    if (number > ((UINT64_MAX >> 1) - digit) / 10)
      return std::nullopt;
    number = number * 10 + digit;
  }
  if (at == 0)
    return std::nullopt;
  constexpr std::array<std::pair<const char *, uint64_t>, 8> kUnits = {
      {{"", 1},
       {"B", 1},
       {"KB", 1000},
       {"MB", 1000000},
       {"GB", 1000000000},
       {"KiB", uint64_t(1) << 10},
       {"MiB", uint64_t(1) << 20},
       {"GiB", uint64_t(1) << 30}}};
  for (auto [name, unit] : kUnits)
    if (text.compare(at, std::string::npos, name) == 0) {
      if (number > (UINT64_MAX >> 1) / unit)
        return std::nullopt;
      return number * unit;
    }
  return std::nullopt;
}
