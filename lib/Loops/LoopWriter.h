//===- LoopWriter.h - writes loops over states ------------------*- C++ -*-===//
//
// What the drivers of reversed loops are made of: arithmetic on indices, loops
// that carry states, and arrays of states in a tier.
//
// What happens under a condition is the body of a loop of one step or none:
// what a loop carries stays in its buffer, while a branch would hand out a
// copy.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_LOOPWRITER_H
#define PEBBLE_LIB_LOOPS_LOOPWRITER_H

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pebble {

using Values = llvm::SmallVector<mlir::Value>;

/// All of the lists, one after the other.
Values join(std::initializer_list<mlir::ValueRange> lists);

/// Takes the first `count` values off `rest`.
Values take(mlir::ValueRange &rest, size_t count);

class LoopWriter {
public:
  LoopWriter(mlir::OpBuilder builder, mlir::Location loc) : b(loc, builder) {}

  mlir::ImplicitLocOpBuilder b;

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(b, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(b, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulIOp::create(b, x, y);
  }
  mlir::Value max(mlir::Value x, mlir::Value y) {
    return mlir::arith::MaxSIOp::create(b, x, y);
  }
  mlir::Value min(mlir::Value x, mlir::Value y) {
    return mlir::arith::MinSIOp::create(b, x, y);
  }
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, x, y);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate how, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpIOp::create(b, how, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, condition, x, y);
  }

  using Body = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;

  /// for (i = low; i < high; ++i) carried = body(i, carried)
  Values loop(mlir::Value low, mlir::Value high, mlir::ValueRange carried,
              Body body);

  /// if (condition) carried = body(carried)
  Values onlyIf(mlir::Value condition, mlir::ValueRange carried,
                llvm::function_ref<Values(mlir::ValueRange)> body);

  /// What `region`, of one block, yields for `arguments`: its ops are cloned.
  Values inlineRegion(mlir::Region &region, mlir::ValueRange arguments);

  /// A copy of `source` in the buffer of `target`; a number needs none.
  mlir::Value copyInto(mlir::Value target, mlir::Value source);
};

/// Values of one type, each under its number, in a tier: one tensor with a
/// dimension more than the type has.
class StateArray {
public:
  /// `at`: the tier; null for the compute tier, where alone numbers can be.
  StateArray(LoopWriter &w, mlir::Type type, AtAttr at = {})
      : w(&w), type(type), at(at) {}

  /// A fresh one, for `count` values.
  mlir::Value make(mlir::OpFoldResult count);
  /// `array` with `value` under `number`; how often that happens while the loop
  /// runs, if that is known, is noted down for a slower tier.
  mlir::Value save(mlir::Value array, mlir::Value value, mlir::Value number,
                   std::optional<int64_t> times = std::nullopt);
  /// What stands under `number`, in the buffer of `into`.
  mlir::Value restore(mlir::Value array, mlir::Value number, mlir::Value into,
                      std::optional<int64_t> times = std::nullopt);
  /// The same as a view, in the compute tier.
  mlir::Value view(mlir::Value array, mlir::Value number);

private:
  mlir::SmallVector<mlir::OpFoldResult> getOffsets(mlir::Value number);
  mlir::SmallVector<mlir::OpFoldResult> getSizes();
  mlir::SmallVector<mlir::OpFoldResult> getStrides();

  LoopWriter *w;
  mlir::Type type;
  AtAttr at;
};

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_LOOPWRITER_H
