//===- InnerMemory.h - what the blocks inside of an op take -----*- C++ -*-===//
//
// A block counts an op with regions by the peak of what these make. Who asks
// for it at each depth of a nest would look at the innermost block as often as
// there are blocks around it; so what was found is kept, for as long as the op
// is what it was then.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_INNERMEMORY_H
#define PEBBLE_ANALYSIS_INNERMEMORY_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/IR/Location.h"

#include <string>

namespace pebble {

/// Bytes at the peak of an op's blocks.
struct InnerMemory {
  int64_t peak = 0;
  /// The same of the other tiers, by their names.
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>, 0> slowPeaks;
  /// Where a size is missing, and why.
  llvm::SmallVector<std::pair<mlir::Location, std::string>, 0> errors;
};

/// What the blocks inside of `op` take: what they make, or, where the op counts
/// what it carries, what they own. Of one that has several blocks in a region
/// it is a bound: no block is live twice, so that all of them together is the
/// most.
InnerMemory getInnerMemory(mlir::Operation *op, ProgramContext &context);

/// Peaks that were found, by op. One table serves the contexts that come one
/// after the other in a pass.
class InnerMemoryTable {
public:
  /// Null if nothing is known of `op` as it is now.
  const InnerMemory *find(mlir::Operation *op,
                          const mlir::OperationFingerPrint &print) const;
  void keep(mlir::Operation *op, const mlir::OperationFingerPrint &print,
            const InnerMemory &memory);

private:
  struct Entry {
    mlir::OperationFingerPrint print;
    InnerMemory memory;
  };
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Entry>> entries;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_INNERMEMORY_H
