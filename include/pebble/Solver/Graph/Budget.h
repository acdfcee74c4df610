//===- Budget.h - a budget as users write it --------------------*- C++ -*-===//
//
// `1000` or `7MiB` is a number of bytes (or of whatever units sizes have),
// `50%` or `12.5%` a share of what the given order takes at its peak, and `min`
// the least for which a schedule is found.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GRAPH_BUDGET_H
#define PEBBLE_SOLVER_GRAPH_BUDGET_H

#include <cstdint>
#include <optional>
#include <string>

namespace pebble::graph {

struct Budget {
  enum class Kind { Units, Percent, Least };
  Kind kind = Kind::Units;
  /// Thousandths of a percent, where it is one.
  int64_t amount = 0;

  bool isLeast() const { return kind == Kind::Least; }
  /// In units, rounded down; for one that is not the least.
  int64_t of(int64_t givenPeak) const;
};

/// Any of the forms above; nothing if `text` has none of them.
std::optional<Budget> parseBudget(const std::string &text);

/// `50`, `50%` or `12.5`: a share; nothing if `text` is none.
std::optional<Budget> parsePercent(const std::string &text);

/// What parseBudget takes, for an error.
extern const char *const kBudgetForms;
/// What parsePercent takes.
extern const char *const kPercentForms;

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_GRAPH_BUDGET_H
