//===- LoopReverser.cpp - what all drivers of a loop are made of ----------===//

#include "LoopReverser.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace pebble {

bool isSlotType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && !tensor.getEncoding() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  return type.isIntOrIndexOrFloat();
}

Values LoopReverser::step(Value number, ValueRange state) {
  return inlineRegion(op.getPrimal(), join({number, state}));
}

Values LoopReverser::stepAll(Value low, Value high, ValueRange state) {
  return loop(low, high, state,
              [&](Value i, ValueRange s) { return step(i, s); });
}

Values LoopReverser::turn(ValueRange finals) {
  Values inits = join({op.getAdjoints(), op.getGradients()});
  if (op.getTurn().empty())
    return inits;
  return inlineRegion(op.getTurn(), join({finals, inits}));
}

Values LoopReverser::stepBack(Value number, ValueRange state,
                              ValueRange carried) {
  return inlineRegion(op.getAdjoint(), join({number, state, carried}));
}

Values LoopReverser::finish(ValueRange state) {
  if (!op.needsFinalStates())
    return llvm::to_vector(state);
  Value zero = constant(0);
  return stepAll(max(sub(steps, constant(1)), zero), steps, state);
}

Value LoopReverser::makeBuffer(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  return bufferization::AllocTensorOp::create(b, type, ValueRange());
}

// With b(s, r) = binomial(s + r, s), which is how many steps s slots reverse
// without running any more than r times, and the least r with
// b(free, r) >= length, the distance is
// max(b(free, r - 2), length - b(free - 1, r)). The search for r takes r steps,
// and the distance is no less than r - 1, so that it costs no more than the
// steps that follow. Products stay below length * (free + r).
Value LoopReverser::distance(Value length, Value free) {
  Value zero = constant(0), one = constant(1);
  // r, b(free, r), b(free, r - 1), b(free, r - 2).
  Values inits = {zero, one, zero, zero};
  auto search = scf::WhileOp::create(
      b, ValueRange(inits).getTypes(), inits,
      [&](OpBuilder &nested, Location at, ValueRange values) {
        Value more = arith::CmpIOp::create(
            nested, at, arith::CmpIPredicate::slt, values[1], length);
        scf::ConditionOp::create(nested, at, more, values);
      },
      [&](OpBuilder &nested, Location at, ValueRange values) {
        Value r = arith::AddIOp::create(nested, at, values[0], one);
        Value factor = arith::AddIOp::create(nested, at, free, r);
        Value product = arith::MulIOp::create(nested, at, values[1], factor);
        Value next = arith::DivSIOp::create(nested, at, product, r);
        scf::YieldOp::create(nested, at,
                             ValueRange{r, next, values[1], values[2]});
      });
  Value within = search.getResult(1), before = search.getResult(2),
        earlier = search.getResult(3);
  Value fewer = sub(within, before); // b(free - 1, r)
  return max(one, max(earlier, sub(length, fewer)));
}

} // namespace pebble
