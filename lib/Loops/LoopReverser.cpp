//===- LoopReverser.cpp - what all drivers of a loop are made of ----------===//

#include "Loops/LoopReverser.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace pebble {

/// Notes on each op inside of `op` that moves one place of an array how often
/// it does, if `op` runs as often as `runs` says. Inner drivers have said so of
/// theirs, for each time that they run.
static void noteRuns(Operation *op, LoopReverser::Runs runs) {
  if (op->hasAttr(attr::kReversal))
    return;
  if (isa<SaveOp, RestoreOp>(op)) {
    if (runs)
      op->setAttr("times", Builder(op).getI64IntegerAttr(*runs));
    else
      op->removeAttr("times");
    return;
  }
  if (runs && op->getNumRegions()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::nullopt;
    int64_t all;
    if (trips && trips->getActiveBits() < 63 &&
        !llvm::MulOverflow(*runs, trips->getSExtValue(), all))
      runs = all;
    else
      runs = std::nullopt;
  }
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      noteRuns(&nested, runs);
}

void LoopReverser::countRuns(Runs forwardSteps) {
  once = op.getConstantSteps();
  if (!once)
    return;
  closing = *once > 0 && op.needsFinalStates();
  // The last step is not run before it is reversed.
  first = std::max<int64_t>(*once - 1, 0);
  if (forwardSteps)
    again = *forwardSteps - *first - *closing;
}

Values LoopReverser::inlineStep(Region &region, ValueRange arguments,
                                Runs runs) {
  Block *block = b.getInsertionBlock();
  Operation *before = b.getInsertionPoint() == block->begin()
                          ? nullptr
                          : &*std::prev(b.getInsertionPoint());
  Values results = inlineRegion(region, arguments);
  Block::iterator each =
      before ? std::next(before->getIterator()) : block->begin();
  for (; each != b.getInsertionPoint(); ++each)
    noteRuns(&*each, runs);
  return results;
}

Values LoopReverser::step(Value number, ValueRange state, Runs runs) {
  return inlineStep(op.getPrimal(), join({number, state}), runs);
}

Values LoopReverser::stepAll(Value low, Value high, ValueRange state,
                             Runs runs) {
  Values end = loop(low, high, state,
                    [&](Value i, ValueRange s) { return step(i, s, runs); });
  if (runs && !end.empty())
    end.front().getDefiningOp()->setAttr(attr::kRuns,
                                         b.getI64IntegerAttr(*runs));
  return end;
}

Values LoopReverser::turn(ValueRange finals) {
  Values inits = join({op.getAdjoints(), op.getGradients()});
  if (op.getTurn().empty())
    return inits;
  return inlineRegion(op.getTurn(), join({finals, inits}));
}

Values LoopReverser::stepBack(Value number, ValueRange state,
                              ValueRange carried) {
  return inlineStep(op.getAdjoint(), join({number, state, carried}), once);
}

Values LoopReverser::finish(ValueRange state) {
  if (!op.needsFinalStates())
    return llvm::to_vector(state);
  Value zero = constant(0);
  return stepAll(max(sub(steps, constant(1)), zero), steps, state, closing);
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
