//===- DivideBudget.h - how much memory each callee gets --------*- C++ -*-===//
//
// A caller within a budget calls functions, each of which can be had in several
// versions: the more memory, the less cost. What the caller costs beside a
// choice of versions is known only once it is planned with them, which takes
// time. So the choices are tried one after the other: all of them where they
// are few, and otherwise those that are near the best known one.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CALLS_DIVIDEBUDGET_H
#define PEBBLE_SOLVER_CALLS_DIVIDEBUDGET_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pebble::calls {

/// By call, the number of its version, by rising memory.
using Versions = std::vector<unsigned>;

struct DivisionTask {
  /// By call: what is called. Calls of one function have equally many versions.
  std::vector<unsigned> callees;
  /// By call: how many versions there are, at least one.
  std::vector<unsigned> counts;
  /// Plans with this choice: what the whole costs; nothing: it does not fit.
  std::function<std::optional<int64_t>(const Versions &)> price;
  /// No more choices are tried.
  size_t mostTrials = 64;
  /// What nothing costs less than: the search ends there.
  int64_t bound = 0;
};

struct Division {
  Versions versions;
  int64_t cost = 0;
  size_t trials = 0;
  /// No choice costs less.
  bool isExact = false;
};

/// The cheapest choice that was tried; of equal ones, the first. Nothing: none
/// fits. The leanest versions are tried first.
std::optional<Division> divideBudget(const DivisionTask &task);

} // namespace pebble::calls

#endif // PEBBLE_SOLVER_CALLS_DIVIDEBUDGET_H
