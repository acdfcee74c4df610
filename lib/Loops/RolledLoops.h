//===- RolledLoops.h - unrolled steps as loops ------------------*- C++ -*-===//
//
// Writes the steps of an unrolled pair as two loops with tapes between them, so
// that they can be raised like loops that were never unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_ROLLEDLOOPS_H
#define PEBBLE_LIB_LOOPS_ROLLEDLOOPS_H

#include "pebble/Analysis/UnrolledLoops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pebble {

/// The pair as two loops with tapes between them, which stand beside the steps
/// and are used in their place.
class RolledPair {
public:
  explicit RolledPair(UnrolledPair &pair) : pair(pair) {}

  /// Why it cannot be written as loops, before anything has changed.
  std::optional<std::string> check();
  void write();
  /// Once they have been raised: the steps are no longer needed.
  void eraseSteps();
  /// Otherwise: the loops go again.
  void undo();

  mlir::Operation *forward = nullptr;
  mlir::Operation *backward = nullptr;

private:
  struct Tape {
    StepOperand::Kind kind;
    unsigned position;
    unsigned result;
    mlir::Value init;
    mlir::Type type;
  };
  /// The numbers that both loops count with.
  struct Bounds {
    mlir::Value zero, one, trips, last;
  };
  mlir::Value keep(mlir::Operation *op);
  mlir::Value getFinal(mlir::Value value);
  void writeForward(mlir::ImplicitLocOpBuilder &b, const Bounds &bounds);
  void writeBackward(mlir::ImplicitLocOpBuilder &b, const Bounds &bounds);
  void listTapes();
  size_t findTape(size_t position, size_t operand) const;
  void cloneSteps(UnrolledSide &side, mlir::OpBuilder &b, mlir::Value step,
                  mlir::ValueRange carried, mlir::ValueRange tapes,
                  std::vector<mlir::Operation *> &clones);
  mlir::Operation *setOffsets(UnrolledSide &side, size_t position,
                              mlir::Operation *clone, mlir::OpBuilder &b,
                              mlir::Value step);
  void replaceResults(UnrolledSide &side, mlir::Operation *loop);

  UnrolledPair &pair;
  std::vector<Tape> tapes;
  std::vector<mlir::Operation *> made;      ///< in order
  std::vector<mlir::Operation *> constants; ///< of those, the numbers
  std::vector<std::pair<mlir::OpOperand *, mlir::Value>> replaced;
};

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_ROLLEDLOOPS_H
