//===- Effects.h - what an op does to memory --------------------*- C++ -*-===//
//
// Reads an operation's effects, nested regions and callees included, in a form
// that Storage can map to buffers. Looks only at declared effects, at the
// summaries of callees, and at what the user declared pure; whatever is not
// known is a barrier, with the reason in words.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_EFFECTS_H
#define PEBBLE_ANALYSIS_EFFECTS_H

#include "pebble/Analysis/ProgramContext.h"

#include <string>

namespace pebble {

/// A read or write of the buffer that `value` (a memref) or `symbol` (a global)
/// names. Tensor operands are not listed: reading them is no effect.
struct MemoryAccess {
  mlir::Value value;
  mlir::StringAttr symbol;
  bool isWrite = false;
  /// Bytes of one element or vector where the op accesses no more than that;
  /// nothing for the whole of `value`.
  std::optional<int64_t> bytes;
};

struct OpEffects {
  /// In the order in which the op names them, reads of an operand before its
  /// writes.
  llvm::SmallVector<MemoryAccess> accesses;
  /// Why the op is a barrier; empty if it is none.
  std::string barrier;
  /// A token orders it, and nothing else makes it a barrier.
  bool isOnlyToken = false;
  /// The op itself declares nothing: it may write any operand, tensors too.
  bool isUnknown = false;
};

/// The effects of `op` and everything nested in it.
OpEffects collectEffects(mlir::Operation *op, ProgramContext &context);

/// Whether neither `op` nor anything nested in it has an effect. An op that is
/// declared pure may have a body that reads memory (tensor.pad), and upstream's
/// isMemoryEffectFree does not look there.
bool isFreeOfEffects(mlir::Operation *op);

/// True if `type` is a token or request that an asynchronous op hands to the op
/// that waits for it.
bool isTokenType(mlir::Type type);

/// True if operations of this kind communicate or draw random numbers, so that
/// running one twice is not the same as running it once, although it may be
/// declared pure (collectives, rng). Judged by the table of StableHLO's ops,
/// and elsewhere by the name's last part.
bool isNeverRecomputable(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_EFFECTS_H
