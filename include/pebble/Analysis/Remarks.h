//===- Remarks.h - what passes say of nothing -------------------*- C++ -*-===//
//
// A pass that finds nothing to do leaves the program as it is. Without a word
// that looks like a success, so it says what it looked for.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_REMARKS_H
#define PEBBLE_ANALYSIS_REMARKS_H

#include "mlir/IR/Operation.h"

namespace pebble {

/// Says in a remark `nothing` of pass `pass` that it found nothing to do in
/// `root`: `why` names what it looked for.
void remarkOnNothing(mlir::Operation *root, llvm::StringRef pass,
                     const llvm::Twine &why);

/// True if `root` holds a function with a body; if not, the pass says so.
bool hasFunctions(mlir::Operation *root, llvm::StringRef pass);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_REMARKS_H
