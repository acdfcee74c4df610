//===- ResidualChoice.h - what a step leaves for its adjoint ----*- C++ -*-===//
//
// The adjoint of a step of a loop wants some of the values that the step made
// (its residuals). Each of them is kept, which takes bytes in every iteration,
// or made again by running steps again whose inputs are kept or made again in
// turn. Any value may be kept, also one that the adjoint does not read itself.
// Chosen is what costs least within a budget of bytes.
//
// Without the budget this is a minimum cut (project selection), at any price
// per byte. The best price gives a bound (Lagrangian relaxation of the budget),
// and branching on the steps at which the choices on its two sides differ
// closes what is left. Optimal unless `effort` ends it; the bound says how far
// it is from that. Time: some tens of cuts for each node of the search.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_RESIDUALCHOICE_H
#define PEBBLE_SOLVER_REMAT_RESIDUALCHOICE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace pebble::graph {

/// Values and the steps that make them. Sums of costs and of bytes are below
/// kLargestSum.
struct ResidualProblem {
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr int64_t kLargestSum = int64_t(1) << 50;
  struct Value {
    /// What keeping it takes.
    int64_t bytes = 0;
    /// The step that makes it again; kNone if none can.
    uint32_t maker = kNone;
    bool canKeep = true;
    /// The adjoint reads it.
    bool isWanted = false;
  };
  struct Step {
    int64_t cost = 0;
    std::vector<uint32_t> reads;
  };
  std::vector<Value> values;
  std::vector<Step> steps;
};

struct ResidualChoice {
  /// By value, and by step.
  std::vector<bool> isKept, runsAgain;
  int64_t bytes = 0;
  int64_t cost = 0;
  /// No choice within the budget costs less.
  int64_t bound = 0;
  bool isOptimal() const { return cost == bound; }
};

/// The least bytes with which all that is wanted is there; nothing if there is
/// no way to have it.
std::optional<int64_t> getLeastResidualBytes(const ResidualProblem &problem);

/// The cheapest choice within `budget` bytes; nothing if there is none.
/// `effort` are edges of networks that are looked at.
std::optional<ResidualChoice> chooseResiduals(const ResidualProblem &problem,
                                              int64_t budget,
                                              uint64_t effort = 200'000'000);

/// Whether `choice` is one of `problem`: what is wanted is kept or made, and so
/// is what the steps that run again read; its bytes and its cost are as it
/// says. Knows no solver.
bool isChoiceOf(const ResidualProblem &problem, const ResidualChoice &choice);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_RESIDUALCHOICE_H
