//===- Communication.h - what messages between ranks cost -------*- C++ -*-===//
//
// Reads the operations that talk to other ranks, the topology of a hierarchy,
// and what all ranks do together, for Solver/Ranks to judge.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_COMMUNICATION_H
#define PEBBLE_PLANNING_COMMUNICATION_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Solver/Ranks/Meetings.h"
#include "pebble/Solver/Ranks/Topology.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pebble {

/// Of one rank: nanoseconds until it is done, and its share of the energy.
struct CommunicationCost {
  int64_t nanoseconds = 0;
  int64_t femtojoules = 0;
};

/// The topology of `hierarchy`; nothing if it has none.
std::optional<ranks::Topology> getTopology(HierarchyAttr hierarchy);

/// What `op`, or what it holds, costs in `topology`, in the slowest group of
/// ranks. A message between two ranks that are not known, and what is done by a
/// group that was split off at run time, is taken to go through the widest
/// group. What is started is free, and paid for where it is waited for. Emits
/// an error and fails where the operation is for another number of ranks.
llvm::FailureOr<CommunicationCost>
getCommunicationCost(mlir::Operation *op, const ranks::Topology &topology);

/// Which group of `topology` the messages of `op` go through, where 0 is the
/// smallest; the widest one if they go through several.
size_t getWidestGroup(CollectiveOp op, const ranks::Topology &topology);

/// Nanoseconds that each step of the block spends on messages, where
/// `hierarchy` has a topology; none without one, and none where `pebble.cost`
/// says what the step takes. Fails as getCommunicationCost() does.
llvm::FailureOr<std::vector<int64_t>>
getMessageTimes(const StorageAnalysis &storage, HierarchyAttr hierarchy);

/// The sum of them; nothing without a topology.
llvm::FailureOr<std::optional<int64_t>>
getMessageTime(const StorageAnalysis &storage, HierarchyAttr hierarchy);

/// What a rank hands to sends and collectives.
struct SentBytes {
  int64_t bytes = 0;
  /// A run may send less: branches that send different amounts.
  bool isBound = false;
};

/// What `rank` sends when it runs `function`; nothing if only the run can tell.
std::optional<SentBytes> getSentBytes(mlir::FunctionOpInterface function,
                                      int64_t rank);

/// What one rank does, and the operations that say so.
struct RankEvents {
  std::vector<ranks::Event> events;
  std::vector<mlir::Operation *> ops;
};

/// What each rank does: rank r runs `functions[r]`. Emits an error and fails
/// where only the run can tell whether, or with whom, a rank communicates.
llvm::FailureOr<std::vector<RankEvents>>
collectRankEvents(llvm::ArrayRef<mlir::func::FuncOp> functions);

} // namespace pebble

#endif // PEBBLE_PLANNING_COMMUNICATION_H
