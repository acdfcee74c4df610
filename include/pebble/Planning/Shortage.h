//===- Shortage.h - the error of a budget that is not met -------*- C++ -*-===//
//
// What such errors have in common: the figures in percent, and a mark by which
// a pass that takes an error off its way knows what it is about.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_SHORTAGE_H
#define PEBBLE_PLANNING_SHORTAGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace pebble {

/// A function that does not fit its budget.
struct Shortage {
  /// What it is called in its program (ProgramNames.h).
  mlir::StringAttr function;
  /// Bytes, and what the function took as it came in.
  int64_t budget = 0, inputPeak = 0;
  /// A budget that would do; none: nobody knows one.
  std::optional<int64_t> needed;
};

/// Says in `error` what shares of the input peak the budget is, and the one
/// that would do. Marks the error.
void describeShortage(mlir::Diagnostic &error, const Shortage &shortage);

/// What an error was marked with; nothing if it is about something else.
std::optional<Shortage> getShortage(mlir::Diagnostic &error);

/// `bytes` of `all` as `12.5%`, rounded up, so that the share does for them.
std::string writeShareUp(int64_t bytes, int64_t all);

} // namespace pebble

#endif // PEBBLE_PLANNING_SHORTAGE_H
