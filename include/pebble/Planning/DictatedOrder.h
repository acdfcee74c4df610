//===- DictatedOrder.h - the order that a user asks for ---------*- C++ -*-===//
//
// Reads `pebble.order` off the ops of a block, checks it against the
// dependences, and says what it means for a planner.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_DICTATEDORDER_H
#define PEBBLE_PLANNING_DICTATEDORDER_H

#include "pebble/Analysis/DependenceGraph.h"

namespace pebble {

/// Ops with `pebble.order` run in the order of its values; the others stand
/// where a planner puts them.
struct DictatedOrder {
  /// Consecutive pairs (before, after) of the dictated steps.
  std::vector<std::pair<unsigned, unsigned>> pairs;
  /// A legal order that does what is dictated, as near to the order that came
  /// in as that allows.
  std::vector<unsigned> order;
};

/// Nothing if no op of the block has `pebble.order`. Emits an error and fails
/// if two ops claim one place, or if what is dictated breaks a dependence: the
/// error names the two ops, the storage and the kind of hazard.
llvm::FailureOr<std::optional<DictatedOrder>>
readDictatedOrder(const DependenceGraph &dependences);

/// A block as planners take it.
struct AnalysedBlock {
  std::unique_ptr<StorageAnalysis> storage;
  std::unique_ptr<DependenceGraph> dependences;
  /// Pairs (before, after) of consecutive dictated steps.
  std::vector<std::pair<unsigned, unsigned>> dictated;
};

/// Moves the ops of `block` into the order that is dictated, if one is, and
/// analyses it again: its steps are then numbered by their new places. `block`
/// comes with its storage; the rest is filled in. Emits an error and fails as
/// readDictatedOrder() does.
llvm::LogicalResult applyDictatedOrder(AnalysedBlock &block,
                                       ProgramContext &context);

/// "the anti-dependence on W2: 'bwd_dh' must read W2 before 'upd_W2' overwrites
/// it".
std::string describe(const Dependence &dependence,
                     const StorageAnalysis &storage);

/// The same where an order is dictated, and proves that the block computes what
/// it did.
llvm::LogicalResult takeDictatedOrder(AnalysedBlock &block,
                                      ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_PLANNING_DICTATEDORDER_H
