//===- DriverCost.h - what the driver of a loop computes --------*- C++ -*-===//
//
// A driver that is written as StableHLO has no place for what it costs but an
// attribute: this counts it, while the loops still say how often they run.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_CONVERSION_DRIVERCOST_H
#define PEBBLE_LIB_CONVERSION_DRIVERCOST_H

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Trips.h"
#include "pebble/Target/OpCost.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pebble {

/// Counts what the loops of a driver compute each time that it runs. XLA's text
/// has no place for that: the trips of the loops inside depend on numbers.
class DriverCost {
public:
  explicit DriverCost(OpCostModel &model) : model(model) {}

  int64_t get(mlir::scf::ForOp loop) {
    total = 0;
    addLoop(loop, 1, 1);
    return total;
  }

private:
  /// `times`: how often `loop` is reached; `driver`: how often the driver runs
  /// that it belongs to.
  void addLoop(mlir::scf::ForOp loop, int64_t times, int64_t driver) {
    if (loop->hasAttr(attr::kReversal))
      driver = times;
    std::optional<llvm::APInt> trips = getStaticTrips(loop);
    int64_t runs = times;
    if (auto known = loop->getAttrOfType<mlir::IntegerAttr>(attr::kRuns))
      runs = multiplyCounts(driver, known.getInt());
    else if (auto note =
                 loop->getAttrOfType<mlir::DictionaryAttr>(attr::kReversal);
             note && note.getAs<mlir::IntegerAttr>("backward_steps"))
      runs = multiplyCounts(
          times, note.getAs<mlir::IntegerAttr>("backward_steps").getInt());
    else if (trips && trips->getActiveBits() < 63)
      runs = multiplyCounts(times, trips->getSExtValue());
    for (mlir::Operation &op : loop.getBody()->without_terminator())
      if (auto inner = llvm::dyn_cast<mlir::scf::ForOp>(op))
        addLoop(inner, runs, driver);
      else if (hlo::isOfTable(&op) || llvm::isa<mlir::func::CallOp>(op))
        total = addCounts(total,
                          multiplyCounts(runs, model.estimate(&op).getWork()));
  }

  OpCostModel &model;
  int64_t total = 0;
};

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_DRIVERCOST_H
