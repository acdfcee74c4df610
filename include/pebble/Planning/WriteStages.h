//===- WriteStages.h - the tasks of a pipeline as programs ------*- C++ -*-===//
//
// Writes a step with stages (Analysis/StagedStep.h) for all micro-batches: as
// one program in the order of a schedule (Solver/Pipeline), and what each rank
// has of it, with messages in between. The program of all ranks can be compared
// with the plain one, where a micro-batch begins when the one before has ended.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_WRITESTAGES_H
#define PEBBLE_PLANNING_WRITESTAGES_H

#include "pebble/Analysis/StagedStep.h"
#include "pebble/Planning/BuildCallTree.h"
#include "pebble/Planning/WriteCalls.h"
#include "pebble/Solver/Pipeline/Pipeline.h"

namespace pebble {

/// What messages cost, in units of the objective.
struct LinkPrices {
  int64_t latency = 0;
  /// Bytes for each unit; 0: they cost nothing.
  double bandwidth = 0;
};

class StageWriter {
public:
  /// Writes functions into the module that `step` stands in. Tapes that move
  /// away go to `slowTier` (null: none does).
  StageWriter(StagedStep &step, AdjointCalls &calls,
              const AnalysisOptions &options, unsigned ranks,
              unsigned microBatches, AtAttr slowTier = {});
  ~StageWriter();

  /// Makes gradients of weights, which nobody waits for, tasks of their own
  /// (TaskKind::Weight) in all stages whose backward function has such a part.
  /// The others stay as they are. Emits an error that says why, and fails, if
  /// there is none that could be split.
  llvm::LogicalResult splitWeights();

  /// What the stages take. Bytes are an estimate: the peak of each rank follows
  /// from its program. Emits errors and fails where prices are not known.
  llvm::FailureOr<pipeline::Pipeline>
  buildPipeline(const CallTreePrices &prices, const LinkPrices &link);

  /// The step for all micro-batches on one device, in the order in which the
  /// tasks begin. `times` are those of play(). An argument of each micro-batch
  /// becomes a tensor with one more dimension in front; so does a result.
  /// Other results are added up, in the order of micro-batches.
  mlir::func::FuncOp writeWhole(llvm::StringRef name,
                                const pipeline::Tasks &tasks,
                                const pipeline::Timing &timing);

  /// What `rank` has of the last whole, with messages from and to the others.
  /// Its arguments are those that it needs, its results those that it has.
  /// With `ahead` a message comes in beside the task before the one that reads
  /// it, and takes its bytes for that long. Emits an error and fails if there
  /// are too many messages.
  llvm::FailureOr<mlir::func::FuncOp> writeRank(llvm::StringRef name,
                                                unsigned rank, bool ahead);

private:
  class Whole;
  class Rank;
  struct Split;
  void addMessages(pipeline::Pipeline &result);
  llvm::LogicalResult addWeights(pipeline::Stage &stage, unsigned index,
                                 ProgramContext &context,
                                 const CallTreePrices &prices);

  mlir::ModuleOp module;
  StagedStep &step;
  CallWriter calls;
  const AnalysisOptions &options;
  const unsigned ranks, microBatches;
  const AtAttr slowTier;
  /// By stage; null: its backward task has all.
  std::vector<std::unique_ptr<Split>> splits;
  /// Of the last whole: the rank of each op. Those that are not listed run
  /// wherever their results are needed.
  mlir::func::FuncOp whole;
  llvm::DenseMap<mlir::Operation *, unsigned> rankOf;
  /// Of its plan; ranks compare it when they start.
  int64_t fingerprint = 0;
  /// Of the last whole: the rank that has each result.
  llvm::SmallVector<unsigned> resultRanks;
};

} // namespace pebble

#endif // PEBBLE_PLANNING_WRITESTAGES_H
