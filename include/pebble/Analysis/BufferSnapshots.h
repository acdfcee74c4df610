//===- BufferSnapshots.h - what a segment finds again -----------*- C++ -*-===//
//
// A segment of a block may run a second time, after what stands behind it, if
// the buffers hold what they held when it ran first. Says which buffers must be
// kept for that: those that the segment reads before it has written what it
// reads, as far as somebody overwrites that. By effects, through views, into
// regions and callees, element by element where types and constants tell.
//
// Dauvergne and Hascoet, "The data-flow equations of checkpointing in reverse
// automatic differentiation", 2006: of C; D with adjoints C' and D', what C'
// uses (running C again with a tape is part of it), and what C or D' writes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_BUFFERSNAPSHOTS_H
#define PEBBLE_ANALYSIS_BUFFERSNAPSHOTS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace pebble {

struct BufferSnapshots {
  /// The buffers that must be kept before the segment, in the order in which
  /// the block makes them or is given them: use(C') and out(C). Whoever takes
  /// no more leaves what `behind` holds to the adjoint of what stands behind:
  /// it restores what it overwrites.
  llvm::SmallVector<mlir::Value> own;
  /// use(C') and out(D'), beside those: with them the segment may run again
  /// after all that stands behind, whatever that leaves.
  llvm::SmallVector<mlir::Value> behind;
  /// Beside those, what the segment writes. Where others must not see that it
  /// runs again, the second run needs another buffer in the place of each:
  /// anything may be in one of `replaced`, all of which is overwritten first,
  /// and what was there must be in one of `changed`.
  llvm::SmallVector<mlir::Value> replaced, changed;
  /// Two buffers that the segment works on, and writes one of, and that may be
  /// the same: a copy of the one is then none of the other.
  std::optional<std::pair<mlir::Value, mlir::Value>> overlapping;
  /// Why nothing is known; null: it is. The op that is to blame.
  mlir::Operation *unknown = nullptr;
  /// As part of a sentence.
  std::string reason;
};

/// Of the segment from `begin` to `middle`, which is to run again before `end`.
/// `saved`: results of `*begin` that go to `*end` alone, its adjoint. Where a
/// second run would hand on something else there, nothing is known. Time linear
/// in operations, those of callees once for each call.
BufferSnapshots findBufferSnapshots(mlir::Block::iterator begin,
                                    mlir::Block::iterator middle,
                                    mlir::Block::iterator end,
                                    llvm::ArrayRef<mlir::Value> saved = {});

} // namespace pebble

#endif // PEBBLE_ANALYSIS_BUFFERSNAPSHOTS_H
