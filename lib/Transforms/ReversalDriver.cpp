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

#include "ReversalDriver.h"

#include "LoopWriter.h"
#include "ReversalSlots.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace pebble {

bool isSlotType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && !tensor.getEncoding() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  return type.isIntOrIndexOrFloat();
}

namespace {

class ReversalWriter : public LoopWriter {
public:
  ReversalWriter(AdjointLoopOp op, const ReversalPlan &plan)
      : LoopWriter(OpBuilder(op), op.getLoc()), op(op), plan(plan) {}

  void write(DictionaryAttr note) {
    steps = op.getSteps();
    if (!op.getConstantSteps())
      cf::AssertOp::create(
          b, compare(arith::CmpIPredicate::sge, steps, constant(0)),
          "the trip count of the loop is negative");
    Operation *before = op->getPrevNode();
    Values results = plan.keeps == ReversalPlan::All        ? writeTape()
                     : plan.keeps == ReversalPlan::Periodic ? writePeriods()
                                                            : writeSlots();
    // Whoever counts what a driver moves must find where it begins.
    Operation *each = before ? before->getNextNode() : &op->getBlock()->front();
    for (; each != op; each = each->getNextNode())
      if (isa<scf::ForOp>(each) && !each->hasAttr(attr::kReversal) &&
          each->walk([](Operation *nested) {
                return isa<SaveOp, RestoreOp>(nested) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
              })
              .wasInterrupted())
        each->setAttr(attr::kReversal, b.getDictionaryAttr({}));
    results.back().getDefiningOp()->setAttr(attr::kReversal, note);
    op->replaceAllUsesWith(results);
    op->erase();
  }

private:
  Values step(Value number, ValueRange state) {
    return inlineRegion(op.getPrimal(), join({number, state}));
  }
  Values stepAll(Value low, Value high, ValueRange state) {
    return loop(low, high, state,
                [&](Value i, ValueRange s) { return step(i, s); });
  }

  /// Adjoints and gradients at the end of the loop.
  Values turn(ValueRange finals) {
    Values inits = join({op.getAdjoints(), op.getGradients()});
    if (op.getTurn().empty())
      return inits;
    return inlineRegion(op.getTurn(), join({finals, inits}));
  }

  Values stepBack(Value number, ValueRange state, ValueRange carried) {
    return inlineRegion(op.getAdjoint(), join({number, state, carried}));
  }

  /// A buffer like that of `value`; of a number, the number.
  Value makeBuffer(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return value;
    return bufferization::AllocTensorOp::create(b, type, ValueRange());
  }

  Values writeTape();
  Values writeSlots();
  Values writePeriods();

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
  Value distance(Value length, Value free);
  Values sweepBack(Slots &slots, Value low, Value high, Stack stack,
                   ValueRange carried);

  AdjointLoopOp op;
  const ReversalPlan &plan;
  Value steps;
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
             return join({step(i, state), saved});
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

/// The steps to go before the next state is kept, where `length` steps are to
/// be reversed and `free` slots can be filled, that of the state itself among
/// them: the least distance that is optimal. With
/// b(s, r) = binomial(s + r, s), which is how many steps s slots reverse
/// without running any more than r times, and the least r with
/// b(free, r) >= length, it is max(b(free, r - 2), length - b(free - 1, r)).
/// The search for r takes r steps, and the distance is no less than r - 1, so
/// that it costs no more than the steps that follow. Products stay below
/// length * (free + r).
Value ReversalWriter::distance(Value length, Value free) {
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
  if (slots.getCount() == 1)
    return {stepAll(start, target, stack.state), stack.kept, stack.top};
  // The state before the target is not kept: it is about to be used.
  Value length = add(sub(target, start), one);
  Value free = sub(constant(slots.getCount() - 1), stack.top);
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
        state = stepAll(at, end, state);
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
        if (slots.getCount() > 1) {
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
  Slots slots(*this, op.getStates(), plan, op.getConstantSteps());
  Value zero = constant(0);
  Value last = sub(steps, constant(1));
  Stack stack = sweep(slots, last, start(slots, zero), /*isFirst=*/true);
  Values finals = stack.state;
  if (op.needsFinalStates())
    finals = stepAll(max(last, zero), steps, stack.state);
  return join({finals, sweepBack(slots, zero, steps, stack, turn(finals))});
}

/// Every `plan.period` steps a state goes to the slower tier; the steps between
/// two of them are reversed in slots of their own.
Values ReversalWriter::writePeriods() {
  Value zero = constant(0), period = constant(plan.period);
  std::optional<int64_t> fixed = op.getConstantSteps();
  std::optional<int64_t> number;
  if (fixed)
    number = llvm::divideCeil(*fixed, plan.period);
  Value periods =
      number ? constant(*number) : arith::CeilDivSIOp::create(b, steps, period);
  Values states = llvm::to_vector(ValueRange(op.getStates()));
  SmallVector<StateArray> tape;
  Values arrays;
  for (auto [index, state] : llvm::enumerate(states)) {
    tape.emplace_back(*this, state.getType(),
                      isa<RankedTensorType>(state.getType())
                          ? plan.getSlowPlace(index)
                          : AtAttr());
    arrays.push_back(
        tape.back().make(number ? OpFoldResult(b.getIndexAttr(*number))
                                : OpFoldResult(periods)));
  }
  auto getEnd = [&](Value low) { return min(add(low, period), steps); };
  Values forward = loop(
      zero, periods, join({states, arrays}), [&](Value i, ValueRange carried) {
        Values state = take(carried, states.size()), saved;
        for (auto [array, kept, value] : llvm::zip(tape, carried, state))
          saved.push_back(array.save(kept, value, i, number));
        Value low = mul(i, period);
        return join({stepAll(low, getEnd(low), state), saved});
      });
  ValueRange rest = forward;
  Values finals = take(rest, states.size());
  Value last = sub(periods, constant(1));
  Values back =
      loop(zero, periods, turn(finals), [&](Value i, ValueRange carried) {
        Value p = sub(last, i), low = mul(p, period);
        Values first;
        for (auto [array, kept, state] : llvm::zip(tape, rest, states))
          first.push_back(array.restore(kept, p, makeBuffer(state), number));
        Slots slots(*this, first, plan, plan.period);
        Value high = getEnd(low);
        Stack stack = sweep(slots, sub(high, constant(1)), start(slots, low),
                            /*isFirst=*/true);
        return sweepBack(slots, low, high, stack, carried);
      });
  return join({finals, back});
}

void writeReversal(AdjointLoopOp loop, const ReversalPlan &plan,
                   DictionaryAttr note) {
  ReversalWriter(loop, plan).write(note);
}

} // namespace pebble
