//===- CallSnapshots.h - arguments for a second run (private) ---*- C++ -*-===//
//
// Writes what a function that runs again before its adjoint is given in the
// place of arguments that somebody overwrites: a snapshot, which is taken
// before the first call, or a buffer that may hold anything.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_CALLSNAPSHOTS_H
#define PEBBLE_LIB_PLANNING_CALLSNAPSHOTS_H

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pebble {

class CallSnapshots {
public:
  /// Of a call that runs at `forward` and again at `backward`. `tier`: where
  /// snapshots are (null: the compute tier).
  CallSnapshots(mlir::func::CallOp forward, mlir::func::CallOp backward,
                AtAttr tier, DimBounds bounds)
      : forward(forward), backward(backward), tier(tier), bounds(bounds) {}

  /// What stands for `value`, an argument, in the second run.
  mlir::Value keep(mlir::Value value);
  /// A buffer of the type of `value`.
  mlir::Value replace(mlir::Value value);
  /// Ends what was made, behind `last`, which used it.
  void finish(mlir::Operation *last);

  /// Snapshots that were written, and what they hold together.
  unsigned count = 0;
  int64_t bytes = 0;

private:
  mlir::Value keepBuffer(mlir::Value value);
  mlir::Value keepTensor(mlir::Value value);

  mlir::func::CallOp forward, backward;
  AtAttr tier;
  DimBounds bounds;
  llvm::SmallVector<mlir::Value> made;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLSNAPSHOTS_H
