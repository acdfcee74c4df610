//===- RunTrace.h - the timeline of a run, as a picture ---------*- C++ -*-===//
//
// In the Chrome trace format, which Perfetto and chrome://tracing show.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_RUNTRACE_H
#define PEBBLE_TOOLS_PEBBLE_RUN_RUNTRACE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace pebble {

/// The names of the operations of `module`, by number: pebble-trace-operations
/// has run on it, and nothing after.
std::vector<std::string> getOperationNames(mlir::ModuleOp module);

/// The timeline of --trace: one counter per tier, a bar per transfer from its
/// start to its wait, and, on lines of their own, the operations, when bytes
/// moved, when messages were under way, and when the program stood still. With
/// several ranks the rank is the process. `operations`: their names, by number.
/// Ends the recording. Returns how many events came after the limit and are
/// missing; the trace says so at its end.
int64_t writeRunTrace(llvm::raw_ostream &os,
                      const std::vector<std::string> &operations);

/// The traces of several ranks as one.
void joinTraces(llvm::raw_ostream &os, llvm::ArrayRef<std::string> traces);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_RUNTRACE_H
