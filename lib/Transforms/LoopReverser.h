//===- LoopReverser.h - what all drivers of a loop are made of --*- C++ -*-===//
//
// The three regions of a pebble.adjoint_loop as code, and the distance of the
// binomial schedule: what every driver of such a loop is made of.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_LOOPREVERSER_H
#define PEBBLE_LIB_TRANSFORMS_LOOPREVERSER_H

#include "LoopWriter.h"
#include "ReversalDriver.h"

namespace pebble {

class LoopReverser : public LoopWriter {
public:
  LoopReverser(AdjointLoopOp op, const ReversalPlan &plan)
      : LoopWriter(mlir::OpBuilder(op), op.getLoc()), op(op), plan(plan),
        steps(op.getSteps()) {}

  /// The state after step `number`.
  Values step(mlir::Value number, mlir::ValueRange state);
  /// The state before step `high`, out of that before step `low`.
  Values stepAll(mlir::Value low, mlir::Value high, mlir::ValueRange state);
  /// Adjoints and gradients at the end of the loop.
  Values turn(mlir::ValueRange finals);
  Values stepBack(mlir::Value number, mlir::ValueRange state,
                  mlir::ValueRange carried);
  /// The final state out of that before the last step, if anybody needs it.
  Values finish(mlir::ValueRange state);
  /// A buffer like that of `value`; of a number, the number.
  mlir::Value makeBuffer(mlir::Value value);

  /// The steps to go before the next state is kept, where `length` steps are to
  /// be reversed and `free` slots can be filled, that of the state itself among
  /// them: the least distance that is optimal.
  mlir::Value distance(mlir::Value length, mlir::Value free);

  AdjointLoopOp op;
  const ReversalPlan &plan;
  mlir::Value steps;
};

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_LOOPREVERSER_H
