//===- Trips.cpp - how often loops run ------------------------------------===//

#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using llvm::APInt;

namespace pebble {

std::optional<APInt> getStaticTrips(Operation *op) {
  // Upstream's interface leaves this one out.
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
    return trips ? std::optional(APInt(64, *trips)) : std::nullopt;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || isa<scf::WhileOp>(op))
    return std::nullopt;
  return loop.getStaticTripCount();
}

bool surelyRuns(Operation *op) {
  std::optional<APInt> trips = getStaticTrips(op);
  return trips && !trips->isZero();
}

} // namespace pebble
