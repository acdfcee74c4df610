//===- CallDoing.h - what an op of a program that runs does (private) -----===//

#ifndef PEBBLE_LIB_PLANNING_CALLDOING_H
#define PEBBLE_LIB_PLANNING_CALLDOING_H

#include "CallMemory.h"

#include "pebble/Analysis/Effects.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pebble {

/// What an op may do to memory.
struct CallDoing {
  OpEffects effects;
  bool isBarrier = false;
  /// It may end the program, and has no other effect.
  bool isAssertion = false;
  /// It may end the program in a way that is no effect.
  bool mayFail = false;
  /// It holds a loop that is not known to end.
  bool mayNotEnd = false;
  /// It may write memory.
  bool isWriter = false;
  /// The effects are those of what stands in its regions.
  bool isRecursive = false;
  /// A task beside the rest, or the wait for one: it is as good as one that
  /// runs at once, as long as it keeps its hands off memory.
  bool isTask = false;
  llvm::DenseMap<unsigned, unsigned> which;
  /// How many operands lie in a buffer.
  llvm::DenseMap<unsigned, unsigned> timesNamed;
  /// Buffers of operands that others name.
  llvm::DenseSet<unsigned> named;
  CallMemory::Frame frame;
  /// Of buffers that are handed on: what tells them apart, by operand.
  llvm::DenseMap<unsigned, CallMemory::Id> identities;

  bool reads(mlir::Value value) const {
    return isBarrier || accesses(value, /*wanted=*/false);
  }
  bool writes(mlir::Value value) const {
    return isBarrier || accesses(value, /*wanted=*/true);
  }

  /// Whether it matters which buffers `op` is handed, beside what they hold:
  /// its results and the arguments of its regions may be these, and what it
  /// makes or writes may be their addresses.
  bool handsOn(mlir::Operation &op) const {
    auto isBuffer = [](mlir::Value value) {
      return mlir::isa<mlir::BaseMemRefType>(value.getType());
    };
    if (op.getNumRegions() ? !mlir::isa<mlir::linalg::LinalgOp>(op)
                           : llvm::any_of(op.getResults(), isBuffer))
      return true;
    return !mlir::isa<mlir::memref::DimOp, mlir::memref::RankOp>(op) &&
           llvm::any_of(op.getOperands(), [&](mlir::Value operand) {
             return isBuffer(operand) && !reads(operand) && !writes(operand);
           });
  }

private:
  bool accesses(mlir::Value value, bool wanted) const {
    return llvm::any_of(effects.accesses, [&](const MemoryAccess &access) {
      return access.value == value && access.isWrite == wanted;
    });
  }
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLDOING_H
