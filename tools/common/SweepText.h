//===- SweepText.h - a curve of cost over budget, for people ----*- C++ -*-===//
//
// As a table, as JSON, and as a picture (SVG). Shared by the tools that sweep;
// sees no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_SWEEPTEXT_H
#define PEBBLE_TOOLS_COMMON_SWEEPTEXT_H

#include "pebble/Solver/Portfolio/Sweep.h"

#include <functional>
#include <string>

namespace pebble::tool {

struct SweepText {
  std::string title;
  /// How costs are written, as JSON numbers.
  std::function<std::string(int64_t)> writeCost = [](int64_t cost) {
    return std::to_string(cost);
  };
  double seconds = 0;
};

/// One line for each budget; that of the knee says so.
std::string writeSweepTable(const graph::Sweep &sweep, const SweepText &text);

/// One object: {"given_peak", "once", "least_budget", "least_is_proven",
/// "knee_budget" (null: no knee), "limited", "seconds", "points": [{"budget",
/// "status", "cost", "bound", "peak", "solver"}]}.
std::string writeSweepJson(const graph::Sweep &sweep, const SweepText &text);

/// Overhead over every step once, in percent, by budget in percent of the given
/// order's peak: what was found as steps, with the bound below, and a mark at
/// the knee.
std::string writeSweepPicture(const graph::Sweep &sweep, const SweepText &text);

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_SWEEPTEXT_H
