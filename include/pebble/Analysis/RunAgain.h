//===- RunAgain.h - what may run a second time ------------------*- C++ -*-===//
//
// Says whether a region, or a step of a block, can run again and do what it did
// the first time: what it is given is the same, and nothing that it did the
// first time is to be seen twice. Whoever runs something again asks here:
// passes that run a region or a function again, the one that lets a program go
// on from a snapshot, and the planner of blocks for each of its steps.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_RUNAGAIN_H
#define PEBBLE_ANALYSIS_RUNAGAIN_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Analysis/Storage.h"

#include <string>
#include <vector>

namespace pebble {

/// Memory that the second run finds from outside of what runs again: buffers,
/// and globals that are not constant. Tensors are values and always stay.
enum class OuterMemory {
  Changes, ///< somebody may have written it since
  Stays,   ///< nobody has
  /// A snapshot brings back what it held, so that the second run may write it.
  Restored
};

/// Why something must run once.
struct RunOnceReason {
  /// The innermost op that is to blame; null: it may run again.
  mlir::Operation *op = nullptr;
  /// "'mpi.send' has effects that are not known", as part of a sentence.
  std::string text;
  /// What would help, as a sentence of its own; empty: nothing is known to.
  std::string way;
  /// `op` opens, or closes, what is closed, or was opened, outside.
  bool isOpen = false;
  explicit operator bool() const { return op != nullptr; }
};

/// Of all ops in `region`, callees included. What lives only inside of the
/// region (allocations that end there) may be written and read. `mayAssert`:
/// nobody minds an assertion that is asked twice.
RunOnceReason getRunOnceReason(mlir::Region &region, OuterMemory outer,
                               ProgramContext &context, bool mayAssert = false);

/// The same where a program was killed and goes on from a snapshot: memory is
/// what it was, what all ranks do together they repeat together, and
/// assertions that held hold again. Of all ops in `region`, the body of a loop
/// that goes on with its next iteration.
RunOnceReason getGoOnReason(mlir::Region &region, ProgramContext &context);
/// Of `op`, which runs again with all that stands before it in its region.
RunOnceReason getGoOnReason(mlir::Operation *op, ProgramContext &context);

/// For each step of the block, why it cannot run a second time; empty if it
/// can. Storages say what memory holds by then. Updating in place is no reason
/// here: a unit of steps may do what its members may not
/// (Solver/Portfolio/StepUnits.h). Time linear in operations, uses and
/// accesses.
std::vector<std::string> getRunOnceReasons(const StorageAnalysis &storage);

/// Whether `op`, with what it calls, may have no effect but to end the program
/// where an assertion does not hold. One that held holds again.
bool hasOnlyAssertions(mlir::Operation *op, ProgramContext &context);

/// True for a global whose contents are as the program came.
bool isConstantGlobal(mlir::Operation *from, mlir::StringAttr symbol,
                      ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_RUNAGAIN_H
