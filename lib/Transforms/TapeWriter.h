//===- TapeWriter.h - writes loops with other tapes between them *- C++ -*-===//
//
// Given which values of a step are kept, gives a pair of StableHLO loops the
// tapes for these, and has the second loop make again what it read from others.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_TAPEWRITER_H
#define PEBBLE_LIB_TRANSFORMS_TAPEWRITER_H

#include "pebble/Analysis/LoopPairs.h"

namespace pebble {

/// Why the loops of `pair` cannot be given other tapes; nothing if they can.
std::optional<std::string> whyTapesStay(const LoopPair &pair,
                                        RecurrenceAnalysis &analysis);

/// Writes the loops of `pair` anew. All that the reads of tapes are made of is
/// kept, or made of what is kept by operations that may run again. The loops of
/// `pair` are gone then.
void writeTapes(const LoopPair &pair, RecurrenceAnalysis &analysis,
                const ProgramContext &context,
                llvm::function_ref<bool(mlir::Value)> isKept);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_TAPEWRITER_H
