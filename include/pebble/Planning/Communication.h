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

#include <map>

namespace pebble {

/// Of one rank: nanoseconds until it is done, and its share of the energy.
struct CommunicationCost {
  int64_t nanoseconds = 0;
  int64_t femtojoules = 0;
  /// What all ranks together send over the links of each group of the topology;
  /// empty for nothing.
  std::vector<int64_t> bytes;
};

/// What all ranks do together, in groups.
struct TogetherShape {
  CollectiveKind kind = CollectiveKind::AllReduce;
  int64_t group = 1, stride = 1;
  /// Of a broadcast: the number in its group of who sends.
  int64_t root = 0;
  /// The value as a whole, of which ranks have or get parts.
  int64_t bytes = 0;
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

/// The same of what is said in numbers; nothing where ranks of a group have no
/// route, of which the first is then in `lost`.
std::optional<CommunicationCost>
getTogetherCost(const TogetherShape &what, const ranks::Topology &topology,
                int64_t *lost = nullptr);

/// Which group of `topology` the messages of `op`, a collective, its start or
/// another operation that sends, go through, where 0 is the smallest; the
/// widest one if they go through several, or nobody knows.
size_t getWidestGroup(mlir::Operation *op, const ranks::Topology &topology);
size_t getWidestGroup(int64_t group, int64_t stride,
                      const ranks::Topology &topology);

/// Nanoseconds that each step of the block spends on messages, where
/// `hierarchy` has a topology; none without one, and none where `pebble.cost`
/// says what the step takes. Fails as getCommunicationCost() does.
llvm::FailureOr<std::vector<int64_t>>
getMessageTimes(const StorageAnalysis &storage, HierarchyAttr hierarchy);

/// All messages of the block, one after the other; nothing without a topology.
llvm::FailureOr<std::optional<CommunicationCost>>
getMessageTotal(const StorageAnalysis &storage, HierarchyAttr hierarchy);

/// What a rank hands to sends and collectives.
struct SentBytes {
  int64_t bytes = 0;
  /// A run may send less: branches that send different amounts.
  bool isBound = false;
  /// By group of a topology whose links they go over, where all are known.
  std::map<size_t, int64_t> byLink;
  bool hasLinks = true;
};

/// What `rank` sends when it runs `function`; nothing if only the run can tell.
/// Over which links is said where there is a topology.
std::optional<SentBytes>
getSentBytes(mlir::FunctionOpInterface function, int64_t rank,
             const ranks::Topology *topology = nullptr);

/// What one rank does, and the operations that say so.
struct RankEvents {
  std::vector<ranks::Event> events;
  std::vector<mlir::Operation *> ops;
};

/// Hands to `judge` what each rank does: rank r runs `functions[r]` of
/// `module`. Where values decide that are the same on all ranks, but not known,
/// it does so for each way that all of them may take together: both sides of a
/// branch, and none, one and two rounds of a loop. Emits an error and fails
/// where only the run can tell whether, or with whom, one of several ranks
/// communicates, and where `judge` fails.
llvm::LogicalResult playRanks(
    mlir::ModuleOp module, llvm::ArrayRef<mlir::func::FuncOp> functions,
    llvm::function_ref<llvm::LogicalResult(const std::vector<RankEvents> &)>
        judge);

} // namespace pebble

#endif // PEBBLE_PLANNING_COMMUNICATION_H
