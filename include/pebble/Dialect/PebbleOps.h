//===- PebbleOps.h - moves, drops, and the opaque identity ------*- C++ -*-===//
//
// The ops of the dialect, and the resources that their effects are on.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEOPS_H
#define PEBBLE_DIALECT_PEBBLEOPS_H

#include "pebble/Dialect/PebbleDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace pebble {

/// What starting and awaiting transfers writes: keeps them where they stand,
/// in their order, and says nothing about the program's memory.
struct TransferResource
    : public mlir::SideEffects::Resource::Base<TransferResource> {
  llvm::StringRef getName() override { return "PebbleTransfer"; }
};

/// What `pebble.opaque` writes: makes each one unlike every other. No other op
/// has an effect on it, so it orders nothing but opaque ops among themselves,
/// and Pebble's own analyses ignore it.
struct RecomputeResource
    : public mlir::SideEffects::Resource::Base<RecomputeResource> {
  llvm::StringRef getName() override { return "PebbleRecompute"; }
};

/// The journal of a run: keeps what reads and writes it in order, and says
/// nothing about the program's memory.
struct JournalResource
    : public mlir::SideEffects::Resource::Base<JournalResource> {
  llvm::StringRef getName() override { return "PebbleJournal"; }
};

/// The other ranks: what talks to them keeps its place once it is on buffers.
struct RanksResource : public mlir::SideEffects::Resource::Base<RanksResource> {
  llvm::StringRef getName() override { return "PebbleRanks"; }
};

} // namespace pebble

#define GET_OP_CLASSES
#include "pebble/Dialect/PebbleOps.h.inc"

namespace pebble {

/// True for the ops of this dialect that move data or mark a place: all but
/// pebble.step and pebble.collective, which compute.
bool isMoveOrMark(mlir::Operation *op);

/// The transfer (StoreOp or LoadOp) that made `token`; null if its op is
/// neither.
mlir::Operation *getTransfer(mlir::Value token);

/// Of a pebble.store or pebble.load, what is in the slower tier: the copy or
/// destination of the one, the source of the other.
mlir::Value getSlowSide(mlir::Operation *transfer);

/// The wait that ends a transfer; null while the IR is being built.
WaitOp getWait(mlir::Operation *transfer);

/// Adds the pattern that folds `pebble.opaque` into its operand. For use after
/// bufferization only, when no pass that merges equal tensor ops will run: an
/// opaque value that an op on tensors still uses is left alone.
void populateFoldIdentityPatterns(mlir::RewritePatternSet &patterns);

} // namespace pebble

#endif // PEBBLE_DIALECT_PEBBLEOPS_H
