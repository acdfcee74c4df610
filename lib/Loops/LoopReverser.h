//===- LoopReverser.h - what all drivers of a loop are made of --*- C++ -*-===//
//
// The three regions of a pebble.adjoint_loop as code, and the distance of the
// binomial schedule: what every driver of such a loop is made of.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_LOOPREVERSER_H
#define PEBBLE_LIB_LOOPS_LOOPREVERSER_H

#include "Loops/LoopWriter.h"
#include "Loops/ReversalDriver.h"

namespace pebble {

class LoopReverser : public LoopWriter {
public:
  LoopReverser(AdjointLoopOp op, const ReversalPlan &plan)
      : LoopWriter(mlir::OpBuilder(op), op.getLoc()), op(op), plan(plan),
        steps(op.getSteps()) {}

  /// How often one piece of code runs in all, if that is known.
  using Runs = std::optional<int64_t>;

  /// Finds out how often each piece of a driver runs that runs `forwardSteps`
  /// steps forward: what a step itself saves and restores, its inputs in a
  /// slower tier for example, then says how often it does.
  void countRuns(Runs forwardSteps);

  /// The state after step `number`, in code that runs `runs` times.
  Values step(mlir::Value number, mlir::ValueRange state, Runs runs);
  /// The state before step `high`, out of that before step `low`, in code that
  /// runs `runs` steps in all.
  Values stepAll(mlir::Value low, mlir::Value high, mlir::ValueRange state,
                 Runs runs);
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
  /// Each step once; what a first sweep to the last step steps, what all those
  /// after it do, and the last step for the final states.
  Runs once, first, again, closing;

private:
  Values inlineStep(mlir::Region &region, mlir::ValueRange arguments,
                    Runs runs);
};

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_LOOPREVERSER_H
