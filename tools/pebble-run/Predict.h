//===- Predict.h - what the meter will read ---------------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H
#define PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>
#include <optional>
#include <string>

namespace pebble {

/// What a run writes to its journal.
struct PredictedSnapshots {
  int64_t count = 0;
  int64_t bytes = 0; ///< of the values in them
  /// False if a loop runs as often as its data says, or a size is not known.
  bool isKnown = true;
};

struct Prediction {
  /// Peak bytes by tier and bytes moved by "from->to"; zeros are left out.
  std::map<std::string, int64_t> peak;
  std::map<std::string, int64_t> moved;
  /// Where addresses are planned: the end of the highest buffer, by tier.
  std::map<std::string, int64_t> extent;
  /// Of the run, and those of them for which it stands still for transfers;
  /// nothing without measured costs.
  std::optional<double> seconds, stallSeconds;
  /// Of all messages, one after the other; nothing without a topology.
  std::optional<double> messageSeconds;
  /// Of a program whose loops take snapshots, if the run has a journal.
  std::optional<PredictedSnapshots> snapshots;
  /// Handed to messages by this rank; nothing if only the run can tell.
  std::optional<int64_t> sent;
  /// By the group of the topology whose links they go over; nothing without a
  /// topology, or if only the run can tell.
  std::optional<std::map<std::string, int64_t>> sentByGroup;
  /// A run may take less: a branch may not be taken, a loop may not run.
  bool isBound = false;
  /// False if nobody can tell: recursion (then there are no peaks), or moves in
  /// a loop that runs as often as its data says (which are left out).
  bool isKnown = true;
};

/// What `bytes`, one of the above, has for `name`.
int64_t getBytesOf(const std::map<std::string, int64_t> &bytes,
                   const std::string &name);

/// Asks the analyses what running `entry` will take, in the order in which its
/// operations stand. With measured costs in `options` it also says how long:
/// transfers run beside operations, one after the other (docs/Runtime.md), or,
/// without `overlap`, where they start. Fails, with an error at the op, if the
/// analyses cannot tell.
mlir::FailureOr<Prediction> predict(mlir::FunctionOpInterface entry,
                                    const AnalysisOptions &options,
                                    bool overlap);

/// Name of the compute tier of `op`'s hierarchy, "default" without one.
std::string getComputeTierName(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_PREDICT_H
