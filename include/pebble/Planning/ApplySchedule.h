//===- ApplySchedule.h - rewrite a block as a schedule says -----*- C++ -*-===//
//
// The way down from the solvers: makes the operations of a block run as a
// schedule says, clones what it runs again, and moves values between tiers.
// Decides nothing: what is no step of the schedule (constants, destinations,
// allocations, views) has a place that follows from the steps.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_APPLYSCHEDULE_H
#define PEBBLE_PLANNING_APPLYSCHEDULE_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Solver/Game/Schedule.h"

namespace pebble {

/// One thing that a block does.
struct BlockAction {
  enum Kind {
    Run,   ///< the step `index`
    Store, ///< start a copy of `content` from the compute tier to `tier`
    Load,  ///< start a copy of `content` from `tier` to the compute tier
    Wait   ///< until transfer `index`, in the order of starts, has ended
  };
  Kind kind = Run;
  unsigned index = 0;
  /// What names the content in the block as it came in: an argument, or the
  /// result of the step that writes it.
  mlir::Value content;
  /// Name of a slower explicit tier. Outlives the block.
  llvm::StringRef tier;
};

/// Moves the operations of the block so that its steps stand in `order`, a
/// permutation of the steps of `storage` that breaks no dependence.
///
/// An op that is no step stands right before the first step that needs its
/// result, after the ops that it needs itself, in the order of operands; what
/// no step needs stands at the end, in the order that came in. A deallocation
/// or drop stands right after the last step that touches the storage (or may
/// touch it under another name). A buffer that an op with unknown effects has
/// seen is not freed before any such op that came before its deallocation. A
/// tensor that a fold may turn others into is deallocated at the end.
///
/// The same order gives the same block however often it is applied. Time linear
/// in operations and operands. The op pointers of `storage` stay valid.
void applyOrder(const StorageAnalysis &storage, llvm::ArrayRef<unsigned> order);

/// The same for actions, in which a step may stand more than once and contents
/// may be moved between tiers.
///
/// The first run of a step is its op. Each later one is a clone with
/// destinations of its own, which takes every operand through `pebble.opaque`
/// (or, without operands, hands its results through it) and has the location of
/// the original. What runs after it uses its results. A view of what was made
/// again is made again too; scalars are not, for they cost nothing to keep.
///
/// A store makes a copy of the content in its tier (`pebble.store`), a load
/// (`pebble.load`) brings it back as a new tensor, which names the content from
/// the wait on. Both, and the wait, have the location of what they move.
///
/// `pebble.drop` of tensors is written anew: one right after the last use of
/// each storage that ends in the block, in each tier, unless an op with regions
/// or a call made it, whose owner only bufferization knows, or an op touches it
/// that may turn out to be the identity: two storages would then be one. Where
/// the program deallocates a tensor, each of its lives ends once: by such a
/// drop, which takes the deallocation's place, or by a deallocation at the end.
///
/// `actions` are what game::verify() or timeline::replay() has judged; every
/// step that stands more than once has no reason in getRunOnceReasons(), every
/// content that moves none in getMoveRefusal(). Time linear in the operations
/// of all runs, and in the views that each of them looks through.
void applyActions(const StorageAnalysis &storage,
                  llvm::ArrayRef<BlockAction> actions);

/// The same for runs alone.
void applyRuns(const StorageAnalysis &storage, llvm::ArrayRef<unsigned> runs);

/// Takes the drops of tensors out of a block that is to be planned anew.
void eraseTensorDrops(mlir::Block &block);

/// The steps that the moves of `schedule` run. Stores and loads are failures.
llvm::FailureOr<std::vector<unsigned>>
getRuns(const std::vector<game::Move> &moves);

} // namespace pebble

#endif // PEBBLE_PLANNING_APPLYSCHEDULE_H
