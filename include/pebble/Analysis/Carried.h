//===- Carried.h - what loops carry -----------------------------*- C++ -*-===//
//
// A loop that carries a tensor from iteration to iteration keeps it in the
// buffer that it began with. This says which buffer that is: of a result, and
// of what a terminator hands on. One statement for the analysis that counts
// such buffers and the pass that writes the decision down.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_CARRIED_H
#define PEBBLE_ANALYSIS_CARRIED_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace pebble {

/// The operand of the loop in whose buffer `result` comes out; null if `result`
/// is of no loop, or is not carried in place. The results of an scf.while are
/// what its condition forwards. They are carried in place if it forwards the
/// tensors that the loop carries, or updates of them, each once and in any
/// order, and if its body yields updates of them as well. Otherwise the loop
/// owns what it carries.
mlir::OpOperand *getCarriedInit(mlir::OpResult result);

/// Whether `result` is of a loop of stablehlo whose every iteration hands on
/// what it is given there: it is the operand of its number under another name.
bool isCarriedUnchanged(mlir::OpResult result);

/// The arguments in the regions of the loop that name that buffer; none if
/// `result` is not carried in place.
llvm::SmallVector<mlir::BlockArgument, 2>
getCarriedArguments(mlir::OpResult result);

/// True if `loop` is an scf.while that owns the tensors that it carries: what
/// it forwards is not what it began with.
bool ownsWhatItCarries(mlir::Operation *loop);

/// The tensors that `terminator`, of a block of a loop, hands on in place: the
/// operand, and the argument of its block that names the buffer.
llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::BlockArgument>>
getCarriedTargets(mlir::Operation *terminator);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_CARRIED_H
