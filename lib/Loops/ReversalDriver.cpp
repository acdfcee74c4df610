//===- ReversalDriver.cpp - the code that reverses a loop -----------------===//
//
// The slots are a stack. On top of it lies the latest kept state that is not
// past the step to be reversed next, and the driver goes on from there: a sweep
// steps forward and keeps further states in the slots that are free, as far
// apart as the binomial schedule says, which is worked out from the number of
// steps and of slots where it is needed. So the driver holds no table, and is
// the same for every number of steps.
//
//===----------------------------------------------------------------------===//

#include "Loops/ReversalDriver.h"

#include "Loops/LoopReverser.h"
#include "Loops/ReversalSlots.h"
#include "Loops/TableDriver.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace pebble {

namespace {

class ReversalWriter : public LoopReverser {
public:
  using LoopReverser::LoopReverser;

  void write(DictionaryAttr note) {
    if (!op.getConstantSteps())
      cf::AssertOp::create(
          b, compare(arith::CmpIPredicate::sge, steps, constant(0)),
          "the trip count of the loop is negative");
    auto forwardSteps = note.getAs<IntegerAttr>("forward_steps");
    countRuns(forwardSteps ? Runs(forwardSteps.getInt()) : std::nullopt);
    Operation *before = op->getPrevNode();
    Values results = writeDriver();
    // Whoever counts what a driver moves or runs must find where it begins.
    Operation *each = before ? before->getNextNode() : &op->getBlock()->front();
    for (; each != op; each = each->getNextNode())
      if (isa<scf::ForOp>(each) && !each->hasAttr(attr::kReversal) &&
          each->walk([&](Operation *nested) {
                return isa<SaveOp, RestoreOp>(nested) ||
                               nested->hasAttr(attr::kRuns)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        each->setAttr(attr::kReversal, b.getDictionaryAttr({}));
    results.back().getDefiningOp()->setAttr(attr::kReversal, note);
    op->replaceAllUsesWith(results);
    op->erase();
  }

private:
  Values writeDriver() {
    switch (plan.keeps) {
    case ReversalPlan::Binomial:
      return writeSlots();
    case ReversalPlan::Tiers:
      return writeTable(*this);
    case ReversalPlan::All:
      return writeTape();
    }
    llvm_unreachable("covered switch");
  }
  std::optional<chain::SlowAccesses>
  countAccesses(std::optional<int64_t> steps) const {
    if (!steps || plan.slowSlots == 0)
      return std::nullopt;
    return chain::countSlowAccesses(*steps, plan.slots, plan.slowSlots);
  }
  Values writeTape();
  Values writeSlots();

  /// What a sweep changes.
  struct Stack {
    /// The state that the driver works on.
    Values state;
    /// What the slots hold.
    Values kept;
    /// The slot on top.
    Value top;
  };
  Stack start(Slots &slots, Value low);
  Stack sweep(Slots &slots, Value target, const Stack &stack, bool isFirst);
  Values sweepBack(Slots &slots, Value low, Value high, Stack stack,
                   ValueRange carried);
};

} // namespace

/// Every state goes on a tape on the way forward.
Values ReversalWriter::writeTape() {
  std::optional<int64_t> fixed = op.getConstantSteps();
  SmallVector<StateArray> tape;
  Values arrays;
  Values states = llvm::to_vector(ValueRange(op.getStates()));
  for (Value state : states) {
    tape.emplace_back(*this, state.getType());
    arrays.push_back(tape.back().make(
        fixed ? OpFoldResult(b.getIndexAttr(*fixed)) : OpFoldResult(steps)));
  }
  Values forward =
      loop(constant(0), steps, join({states, arrays}),
           [&](Value i, ValueRange carried) {
             Values state = take(carried, states.size()), saved;
             for (auto [array, kept, value] : llvm::zip(tape, carried, state))
               saved.push_back(array.save(kept, value, i));
             return join({step(i, state, once), saved});
           });
  ValueRange rest = forward;
  Values finals = take(rest, states.size());
  Value last = sub(steps, constant(1));
  Values back =
      loop(constant(0), steps, turn(finals), [&](Value i, ValueRange carried) {
        Value k = sub(last, i);
        Values state;
        for (auto [array, kept] : llvm::zip(tape, rest))
          state.push_back(array.view(kept, k));
        return stepBack(k, state, carried);
      });
  return join({finals, back});
}

ReversalWriter::Stack ReversalWriter::start(Slots &slots, Value low) {
  Stack stack;
  stack.state = slots.getFirst();
  stack.kept = slots.make(low);
  stack.top = constant(0);
  return stack;
}

/// Steps from the state on top of the stack, which `stack.state` is, to that
/// before step `target`, and keeps states on the way.
ReversalWriter::Stack ReversalWriter::sweep(Slots &slots, Value target,
                                            const Stack &stack, bool isFirst) {
  Value zero = constant(0), one = constant(1);
  Value start = slots.getPosition(stack.kept, stack.top);
  Runs runs = isFirst ? first : again;
  if (plan.slots == 1)
    return {stepAll(start, target, stack.state, runs), stack.kept, stack.top};
  // The state before the target is not kept: it is about to be used.
  Value length = add(sub(target, start), one);
  Value free = sub(constant(plan.slots - 1), stack.top);
  Value count = min(free, max(sub(length, constant(2)), zero));
  Values inits = join({start, stack.state, stack.kept});
  Values swept =
      loop(zero, add(count, one), inits, [&](Value i, ValueRange carried) {
        Value at = take(carried, 1)[0];
        Values state = take(carried, stack.state.size());
        Value isLast = compare(arith::CmpIPredicate::eq, i, count);
        Value left = add(sub(target, at), one);
        Value kept =
            distance(select(isLast, one, left), add(sub(free, i), one));
        Value end = select(isLast, target, add(at, kept));
        state = stepAll(at, end, state, runs);
        Value goesOn = compare(arith::CmpIPredicate::ne, i, count);
        Value slot = add(add(stack.top, i), one);
        Values saved = slots.save(carried, slot, end, state, goesOn, isFirst);
        return join({end, state, saved});
      });
  ValueRange rest = ValueRange(swept).drop_front();
  Stack result;
  result.state = take(rest, stack.state.size());
  result.kept = llvm::to_vector(rest);
  result.top = add(stack.top, count);
  return result;
}

/// Reverses the steps from `high` - 1 down to `low`, where the state of `stack`
/// is the one before the first of them.
Values ReversalWriter::sweepBack(Slots &slots, Value low, Value high,
                                 Stack stack, ValueRange carried) {
  Value zero = constant(0), one = constant(1);
  size_t width = stack.state.size(), depth = stack.kept.size();
  Value last = sub(high, one);
  Values inits = join({stack.top, stack.state, stack.kept, carried});
  Values back =
      loop(zero, sub(high, low), inits, [&](Value i, ValueRange inside) {
        Stack now;
        now.top = take(inside, 1)[0];
        now.state = take(inside, width);
        now.kept = take(inside, depth);
        Value k = sub(last, i);
        Values adjoints = stepBack(k, now.state, inside);
        if (plan.slots > 1) {
          Value isUsed = compare(arith::CmpIPredicate::eq,
                                 slots.getPosition(now.kept, now.top), k);
          now.top = select(isUsed, sub(now.top, one), now.top);
        }
        Value goesOn = compare(arith::CmpIPredicate::sgt, k, low);
        Values next =
            onlyIf(goesOn, join({now.top, now.state, now.kept}),
                   [&](ValueRange values) {
                     Stack then;
                     then.top = take(values, 1)[0];
                     then.state = take(values, width);
                     then.kept = llvm::to_vector(values);
                     then.state =
                         slots.restore(then.kept, then.top, then.state);
                     then = sweep(slots, sub(k, one), then, /*isFirst=*/false);
                     return join({then.top, then.state, then.kept});
                   });
        return join({next, adjoints});
      });
  return llvm::to_vector(ValueRange(back).drop_front(1 + width + depth));
}

Values ReversalWriter::writeSlots() {
  Slots slots(*this, op.getStates(), plan, getSlotRanges(plan),
              b.getIndexAttr(plan.slots), countAccesses(op.getConstantSteps()));
  Value zero = constant(0);
  Value last = sub(steps, constant(1));
  Stack stack = sweep(slots, last, start(slots, zero), /*isFirst=*/true);
  Values finals = finish(stack.state);
  return join({finals, sweepBack(slots, zero, steps, stack, turn(finals))});
}

void writeReversal(AdjointLoopOp loop, const ReversalPlan &plan,
                   DictionaryAttr note) {
  ReversalWriter(loop, plan).write(note);
}

} // namespace pebble
