//===- Together.h - whether all ranks come to a collective ------*- C++ -*-===//

#ifndef PEBBLE_LIB_ANALYSIS_TOGETHER_H
#define PEBBLE_LIB_ANALYSIS_TOGETHER_H

#include "pebble/Dialect/PebbleStarts.h"

namespace pebble {

/// Whether all ranks that run this plan run `op`, and as often: no branch is
/// around it, nor around a call that leads to it, and no loop whose rounds are
/// not known. Elsewhere a rank may be in another branch, with collectives of
/// its own, that meet those of this one.
bool isRunByAllRanks(mlir::Operation *op);

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_TOGETHER_H
