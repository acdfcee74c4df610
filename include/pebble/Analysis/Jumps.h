//===- Jumps.h - what jumps hand to the blocks behind them ------*- C++ -*-===//
//
// The analysis that counts what is live in several blocks and the pass that
// frees it ask the same questions here.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_JUMPS_H
#define PEBBLE_ANALYSIS_JUMPS_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace pebble {

/// Calls `visit` with each operand that `jump` hands to one of its successors,
/// and the argument that takes it.
void forEachPassed(
    mlir::BranchOpInterface jump,
    llvm::function_ref<void(mlir::OpOperand &, mlir::BlockArgument)> visit);

/// True if `argument`, into which the buffer that `root` names flows, must own
/// what it is given. It may name a buffer from outside, or one that the first
/// block makes: these exist on every way to the argument's block. A buffer that
/// another block, `maker`, makes may not exist there.
bool mustOwn(mlir::BlockArgument argument, mlir::Value root,
             mlir::Block *maker);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_JUMPS_H
