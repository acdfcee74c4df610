//===- HiddenEffects.h - what an op does besides its effects ----*- C++ -*-===//
//
// Ops that are declared pure, or declare no effect that orders them, and still
// are not free to run twice, in any order, or where the program would not have
// run them. Looked for in nested regions and in callees.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_HIDDENEFFECTS_H
#define PEBBLE_ANALYSIS_HIDDENEFFECTS_H

#include "pebble/Analysis/ProgramContext.h"

namespace pebble {

struct HiddenEffects {
  /// The first op that communicates or draws random numbers, and so runs as
  /// often as it did (isNeverRecomputable, Effects.h); null if there is none.
  mlir::Operation *runsOnce = nullptr;
  /// The first of them that is no collective of all ranks. Null: ranks that do
  /// all of it again together get what they got.
  mlir::Operation *runsOnceForAll = nullptr;
  /// Moves a state that no value shows (a generator, a channel): keeps its
  /// place among those that do.
  bool movesState = false;
  /// Has no meaning for some operands (a division, an access at an index that
  /// is no constant). An effect before it, an assertion say, may be what keeps
  /// it from running there, so it must not run earlier.
  bool mayFail = false;
  /// Holds a loop that is not known to end. Such a loop may move and run again,
  /// but not run where the program has none like it.
  bool mayNotEnd = false;
};

HiddenEffects collectHiddenEffects(mlir::Operation *op,
                                   ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_HIDDENEFFECTS_H
