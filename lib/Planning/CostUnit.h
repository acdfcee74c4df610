//===- CostUnit.h - costs that solvers can add up ---------------*- C++ -*-===//
//
// Femtojoules of a large program come near 2^63. Solvers add costs up, of
// schedules much dearer than the answer too, so they are given multiples of a
// power of two, rounded down: a bound in that unit is one in femtojoules.
// Private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_COSTUNIT_H
#define PEBBLE_LIB_PLANNING_COSTUNIT_H

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include "mlir/Support/LLVM.h"

namespace pebble {

class CostUnit {
public:
  CostUnit() = default;
  /// The smallest unit in which all steps and transfers together cost at most
  /// 2^50. `moves` may be empty.
  CostUnit(llvm::ArrayRef<int64_t> steps, const graph::MoveCosts &moves) {
    int64_t sum = 0;
    for (int64_t cost : steps)
      sum = addCounts(sum, cost);
    for (const auto *table : {&moves.stores, &moves.loads})
      for (const std::vector<int64_t> &tier : *table)
        for (int64_t cost : tier)
          sum = addCounts(sum, cost);
    while ((sum >> shift) > (int64_t(1) << 50))
      ++shift;
  }

  bool isOne() const { return shift == 0; }
  int64_t down(int64_t cost) const { return cost >> shift; }
  int64_t up(int64_t cost) const {
    return multiplyCounts(cost, int64_t(1) << shift);
  }
  graph::MoveCosts down(graph::MoveCosts costs) const {
    for (auto *table : {&costs.stores, &costs.loads})
      for (std::vector<int64_t> &tier : *table)
        for (int64_t &cost : tier)
          cost = down(cost);
    return costs;
  }

private:
  unsigned shift = 0;
};

/// Says in the unit of the objective what solvers say in theirs.
class CostReporter : public graph::Observer {
public:
  CostReporter(const CostUnit &unit, const graph::Limits &limits)
      : unit(unit), limits(limits) {}
  void onProgress(std::optional<int64_t> cost, int64_t bound) override {
    if (cost)
      cost = unit.up(*cost);
    limits.report(cost, unit.up(bound));
  }

private:
  CostUnit unit;
  graph::Limits limits;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_COSTUNIT_H
