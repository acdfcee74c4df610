//===- UnrolledLoops.h - loops that were unrolled ---------------*- C++ -*-===//
//
// Finds, in straight-line code, a step that stands many times one after the
// other, each time with what the one before made, and another one that stands
// as many times and reads what the first ones made in reverse. The two can be
// written as loops, and raised like loops that were never unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_UNROLLEDLOOPS_H
#define PEBBLE_ANALYSIS_UNROLLEDLOOPS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace pebble {

/// What an operand of a step's op is, as seen from the step that it is in.
struct StepOperand {
  enum Kind {
    Outside,     ///< made by none of the steps
    Own,         ///< made by the same step
    Before,      ///< made by the step before
    Mirror,      ///< made by the step that this one is the adjoint of
    MirrorBefore ///< made by the step before that one
  };
  Kind kind = Outside;
  mlir::Value value;
  /// Of the op that makes it in its step, and of the result.
  unsigned position = 0;
  unsigned result = 0;
  /// Outside: what it is, if it is an integer constant. (An offset of a slice
  /// that is written as a number is an operand here, and has no value.)
  std::optional<int64_t> constant;

  bool isSamePlace(const StepOperand &other) const {
    return kind == other.kind && position == other.position &&
           result == other.result;
  }
};

/// A part of a block in which the ops repeat with a period.
struct PeriodicRun {
  size_t start = 0;
  size_t length = 0;
  size_t period = 1;
};

/// The ops of a block as a text, whose letters are what the ops do.
class StepText {
public:
  explicit StepText(mlir::Block &block);

  /// Parts of at least `least` periods, the longest first, and none within
  /// another one.
  std::vector<PeriodicRun> findRuns(size_t least) const;
  mlir::Operation *getOp(size_t place) const { return ops[place]; }
  std::optional<size_t> getPlace(mlir::Operation *op) const;
  /// One value for all that are made of nothing in the same way.
  mlir::Value getSame(mlir::Value value) const;
  /// Whether `op` makes the same value wherever it stands, and so belongs to no
  /// step: a constant, an empty tensor, a filled one.
  static bool isMadeOfNothing(mlir::Operation *op);

private:
  std::vector<mlir::Operation *> ops;
  std::vector<unsigned> letters;
  llvm::DenseMap<mlir::Operation *, size_t> places;
  llvm::DenseMap<mlir::Value, mlir::Value> same;
};

/// The steps of a run: `count` groups of `period` ops, from `start` on.
struct StepRepeats {
  const StepText *text = nullptr;
  size_t start = 0;
  size_t period = 1;
  size_t count = 0;

  mlir::Operation *getOp(size_t group, size_t position) const {
    return text->getOp(start + group * period + position);
  }
  /// The group and the position in it of what makes `value`.
  std::optional<std::pair<size_t, size_t>> find(mlir::Value value) const;
  std::optional<std::pair<size_t, size_t>> find(mlir::Operation *op) const;
};

/// A value that steps hand on: what makes it in each, and what the first one
/// is given.
struct HandedOn {
  unsigned position;
  unsigned result;
  mlir::Value init;
  bool operator==(const HandedOn &other) const {
    return position == other.position && result == other.result &&
           init == other.init;
  }
};

/// One of the two sides of an unrolled pair.
struct UnrolledSide {
  StepRepeats groups;
  /// By group, position and number of the operand.
  std::vector<std::vector<std::vector<StepOperand>>> operands;
  size_t first = 0; ///< the groups [first, last) are steps of the loop
  size_t last = 0;
  std::vector<HandedOn> handedOn;

  size_t getCount() const { return last - first; }
  mlir::Operation *getOp(size_t group, size_t position) const {
    return groups.getOp(group, position);
  }
  mlir::Value getResult(size_t group, const HandedOn &each) const {
    return getOp(group, each.position)->getResult(each.result);
  }
  /// Whether the operand is handed on from step to step.
  bool isHandedOn(size_t position, size_t operand) const {
    return operands[first + 1][position][operand].kind == StepOperand::Before;
  }
  bool isWithin(mlir::Operation *op) const {
    auto place = groups.find(op);
    return place && place->first >= first && place->first < last;
  }
  /// The entry of `handedOn` for a place and an initial value, or its size.
  size_t findHandedOn(unsigned position, unsigned result,
                      mlir::Value init) const;
};

/// Steps and their adjoints: those of the group `mirror` - j of `forward` are
/// in the group j of `backward`.
struct UnrolledPair {
  UnrolledSide forward;
  UnrolledSide backward;
  size_t mirror = 0;
};

/// The operands of an op from outside of it, those of its regions among them,
/// in order; those that are written as numbers have no value.
std::vector<mlir::OpOperand *> getOutsideOperands(mlir::Operation *op);

/// The offsets of a slice, dynamic ones among them; none of another op.
llvm::ArrayRef<int64_t> getWrittenOffsets(mlir::Operation *op);

/// The steps of `forward` and those of `backward` as a pair of at least `least`
/// steps, or why there is none. Nothing at all (an empty reason) if the second
/// reads nothing of the first, or the first hands nothing on.
std::optional<std::string> findUnrolledPair(const StepText &text,
                                            const PeriodicRun &forward,
                                            const PeriodicRun &backward,
                                            size_t least, UnrolledPair &pair);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_UNROLLEDLOOPS_H
