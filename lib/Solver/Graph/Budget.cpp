//===- Budget.cpp - a budget as users write it ----------------------------===//

#include "pebble/Solver/Graph/Budget.h"
#include "pebble/Solver/Graph/Limits.h"

using namespace pebble::graph;

const char *const pebble::graph::kBudgetForms =
    "a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or not, a "
    "percentage as 50%, or min";
const char *const pebble::graph::kPercentForms =
    "a percentage with at most three decimal places, as 50 or 12.5%";

int64_t Budget::of(int64_t givenPeak) const {
  if (kind != Kind::Percent)
    return amount;
  const __int128 bytes = static_cast<__int128>(givenPeak) * amount / 100000;
  return bytes > INT64_MAX ? INT64_MAX : static_cast<int64_t>(bytes);
}

std::optional<Budget> pebble::graph::parsePercent(const std::string &text) {
  std::string number = text;
  if (!number.empty() && number.back() == '%')
    number.pop_back();
  const size_t dot = number.find('.');
  const std::string whole = number.substr(0, dot);
  std::string places = dot == std::string::npos ? "" : number.substr(dot + 1);
  const bool isCutOff = dot != std::string::npos && places.empty();
  if (whole.empty() || whole.size() > 9 || places.size() > 3 || isCutOff)
    return std::nullopt;
  places.resize(3, '0');
  int64_t amount = 0;
  for (char c : whole + places) {
    if (c < '0' || c > '9')
      return std::nullopt;
    amount = amount * 10 + (c - '0');
  }
  return Budget{Budget::Kind::Percent, amount};
}

std::optional<Budget> pebble::graph::parseBudget(const std::string &text) {
  if (text == "min")
    return Budget{Budget::Kind::Least, 0};
  if (!text.empty() && text.back() == '%')
    return parsePercent(text);
  const std::optional<uint64_t> units = parseBytes(text);
  if (!units)
    return std::nullopt;
  return Budget{Budget::Kind::Units, static_cast<int64_t>(*units)};
}
