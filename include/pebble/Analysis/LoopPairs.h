//===- LoopPairs.h - a loop that writes a tape, one that reads it -*- C++ -*-=//
//
// Finds out whether of two loops in one block the second is the adjoint of the
// first: whether all that it reads of the first one's steps went over tapes,
// and in reverse. A tape is a tensor that the first loop carries and fills
// slice by slice, a cache that it pushes on (`enzyme.push`), or a buffer that
// it writes part by part. What the first loop writes slice by slice and others
// read is an output of its steps: with outputs, the first loop stays for them,
// and its steps run again where the second one stands.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_LOOPPAIRS_H
#define PEBBLE_ANALYSIS_LOOPPAIRS_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Analysis/Recurrence.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// Part of a tensor that one op writes or reads.
struct SliceAccess {
  mlir::Operation *op;
  mlir::Value container; ///< what is written into, or read from
  mlir::Value value;     ///< what is written or read
  std::vector<LinearForm> offsets;
  llvm::SmallVector<int64_t> sizes;

  static std::optional<SliceAccess> getWrite(mlir::Operation *op,
                                             RecurrenceAnalysis &analysis);
  static std::optional<SliceAccess> getRead(mlir::Operation *op,
                                            RecurrenceAnalysis &analysis);
};

struct LoopPair {
  const Recurrence *forward = nullptr;
  const Recurrence *backward = nullptr;
  /// What each read of a tape gives: a value of the forward loop's step.
  llvm::MapVector<mlir::Operation *, mlir::Value> reads;
  /// Writes of tapes, which the pair no longer needs.
  llvm::SmallVector<mlir::Operation *> pushes;
  llvm::SmallVector<mlir::Operation *> caches;
  /// Of the forward loop: what it carries besides invariants, counters, tapes,
  /// outputs.
  llvm::SmallVector<const CarriedValue *> states;
  /// Of the forward loop: tensors that it fills slice by slice, and that others
  /// read than the backward loop as a tape.
  llvm::SmallVector<const CarriedValue *> outputs;
  /// Of the backward loop: besides invariants and counters.
  llvm::SmallVector<const CarriedValue *> adjoints;
  /// Ops between the loops that the backward loop needs, and which do not need
  /// the forward one; and those that need both, for its initial values and for
  /// `ends`.
  llvm::SetVector<mlir::Operation *> before;
  llvm::SetVector<mlir::Operation *> turn;
  /// What is made of the final state, or is it, and is read in each step of the
  /// backward loop.
  llvm::SetVector<mlir::Value> ends;
};

/// Whether `loop` can be written again without some of what it carries.
bool canDropCarried(mlir::Operation *loop);

/// Writes `loop` again without what it carries at the places `dead`, which it
/// only writes to and whose results nobody reads, and without what nobody needs
/// then. Erases the old one, and returns the new one.
mlir::Operation *dropCarried(mlir::Operation *loop, const llvm::BitVector &dead,
                             const ProgramContext &context);

/// Whether there are tapes between the two loops at all.
bool shareTape(mlir::Operation *forward, mlir::Operation *backward);

/// The pair of the two loops, or why they are none.
std::optional<std::string> findPair(mlir::Operation *forward,
                                    mlir::Operation *backward,
                                    RecurrenceAnalysis &analysis,
                                    ProgramContext &context, LoopPair &pair);

/// The tensors that are tapes between the two loops, whether or not they are a
/// pair: `reads` and `pushes` of `pair`, or why there are none.
std::optional<std::string> findTapes(mlir::Operation *forward,
                                     mlir::Operation *backward,
                                     RecurrenceAnalysis &analysis,
                                     ProgramContext &context, LoopPair &pair);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_LOOPPAIRS_H
