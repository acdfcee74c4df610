//===- ReversalDriver.cpp - the code that reverses a loop -----------------===//
//
// The slots are a stack. On top of it lies the latest kept state that is not
// past the step to be reversed next, and the driver goes on from there: a sweep
// steps forward and keeps further states in the slots that are free, as far
// apart as the binomial schedule says, which is worked out from the number of
// steps and of slots where it is needed. So the driver holds no table, and is
// the same for every number of steps.
//
// What happens under a condition is the body of a loop of one step or none:
// what a loop carries stays in its buffer, while a branch would hand out a
// copy.
//
//===----------------------------------------------------------------------===//

#include "ReversalDriver.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace pebble {

bool isSlotType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && !tensor.getEncoding() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  return type.isIntOrIndexOrFloat();
}

namespace {

using Values = SmallVector<Value>;

Values join(std::initializer_list<ValueRange> lists) {
  Values all;
  for (ValueRange list : lists)
    llvm::append_range(all, list);
  return all;
}

/// Takes the first `count` values off `rest`.
Values take(ValueRange &rest, size_t count) {
  Values taken = llvm::to_vector(rest.take_front(count));
  rest = rest.drop_front(count);
  return taken;
}

/// Arithmetic on indices, and loops.
class Writer {
public:
  Writer(OpBuilder builder, Location loc) : b(loc, builder) {}

  ImplicitLocOpBuilder b;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value max(Value x, Value y) { return arith::MaxSIOp::create(b, x, y); }
  Value min(Value x, Value y) { return arith::MinSIOp::create(b, x, y); }
  Value compare(arith::CmpIPredicate how, Value x, Value y) {
    return arith::CmpIOp::create(b, how, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

  using Body = llvm::function_ref<Values(Value, ValueRange)>;

  /// for (i = low; i < high; ++i) carried = body(i, carried)
  Values loop(Value low, Value high, ValueRange carried, Body body) {
    auto loop = scf::ForOp::create(b, low, high, constant(1), carried);
    OpBuilder::InsertionGuard guard(b);
    if (carried.empty())
      b.setInsertionPoint(loop.getBody()->getTerminator());
    else
      b.setInsertionPointToEnd(loop.getBody());
    Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(b, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  /// if (condition) carried = body(carried)
  Values onlyIf(Value condition, ValueRange carried,
                llvm::function_ref<Values(ValueRange)> body) {
    Value times = arith::IndexCastUIOp::create(b, b.getIndexType(), condition);
    return loop(constant(0), times, carried,
                [&](Value, ValueRange inside) { return body(inside); });
  }

  /// What `region` yields for `arguments`.
  Values inlineRegion(Region &region, ValueRange arguments) {
    IRMapping mapping;
    mapping.map(region.getArguments(), arguments);
    for (Operation &op : region.front().without_terminator())
      b.clone(op, mapping);
    return llvm::map_to_vector(
        region.front().getTerminator()->getOperands(),
        [&](Value value) { return mapping.lookupOrDefault(value); });
  }
};

/// States one after the other, each under its number: a tensor with one more
/// dimension for each tensor or number of a state.
class StateArray {
public:
  /// `at`: the tier; null for the compute tier.
  StateArray(Writer &w, TypeRange types, AtAttr at = {})
      : w(w), types(types), at(at) {}

  /// Fresh ones, for `count` states.
  Values make(OpFoldResult count) {
    std::optional<int64_t> fixed = getConstantIntValue(count);
    return llvm::map_to_vector(types, [&](Type type) -> Value {
      SmallVector<int64_t> shape = {fixed.value_or(ShapedType::kDynamic)};
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor)
        llvm::append_range(shape, tensor.getShape());
      auto array = RankedTensorType::get(
          shape, tensor ? tensor.getElementType() : type, at);
      Values sizes;
      if (!fixed)
        sizes.push_back(cast<Value>(count));
      return bufferization::AllocTensorOp::create(w.b, array, sizes);
    });
  }

  Values save(ValueRange arrays, ValueRange state, Value number) {
    Values saved;
    for (auto [array, value] : llvm::zip(arrays, state)) {
      if (!isa<RankedTensorType>(value.getType()))
        saved.push_back(tensor::InsertOp::create(w.b, value, array, number));
      else
        saved.push_back(tensor::InsertSliceOp::create(
            w.b, value, array, getOffsets(value.getType(), number),
            getSizes(value.getType()), getStrides(value.getType())));
    }
    return saved;
  }

  /// The state of that number, as views.
  Values view(ValueRange arrays, Value number) {
    Values views;
    for (auto [array, type] : llvm::zip(arrays, types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        views.push_back(tensor::ExtractOp::create(w.b, array, number));
      else
        views.push_back(tensor::ExtractSliceOp::create(
            w.b, tensor, array, getOffsets(type, number), getSizes(type),
            getStrides(type)));
    }
    return views;
  }

private:
  SmallVector<OpFoldResult> getOffsets(Type type, Value number) {
    SmallVector<OpFoldResult> offsets = {number};
    offsets.append(cast<ShapedType>(type).getRank(), w.b.getIndexAttr(0));
    return offsets;
  }
  SmallVector<OpFoldResult> getSizes(Type type) {
    SmallVector<OpFoldResult> sizes = {w.b.getIndexAttr(1)};
    for (int64_t size : cast<ShapedType>(type).getShape())
      sizes.push_back(w.b.getIndexAttr(size));
    return sizes;
  }
  SmallVector<OpFoldResult> getStrides(Type type) {
    return SmallVector<OpFoldResult>(cast<ShapedType>(type).getRank() + 1,
                                     w.b.getIndexAttr(1));
  }

  Writer &w;
  SmallVector<Type> types;
  AtAttr at;
};

class ReversalWriter : Writer {
public:
  ReversalWriter(AdjointLoopOp op, const ReversalPlan &plan)
      : Writer(OpBuilder(op), op.getLoc()), op(op), plan(plan),
        slots(*this, op.getStates().getTypes()) {}

  Operation *write() {
    steps = op.getSteps();
    if (!op.getConstantSteps())
      cf::AssertOp::create(
          b, compare(arith::CmpIPredicate::sge, steps, constant(0)),
          "the trip count of the loop is negative");
    Values results = plan.keepsAll ? writeTape() : writeSlots();
    op->replaceAllUsesWith(results);
    op->erase();
    return results.back().getDefiningOp();
  }

private:
  Values step(Value number, ValueRange state) {
    return inlineRegion(op.getPrimal(), join({number, state}));
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

  Values writeTape();
  Values writeSlots();

  /// What a sweep changes. Slot 0 is the loop's own initial state, which stays
  /// where it is, so that slot s is entry s - 1 of the arrays.
  struct Stack {
    /// The state that the driver works on.
    Values state;
    /// Of each slot, the number of the step before which its state is; and the
    /// arrays of states.
    Values kept;
    /// The slot on top.
    Value top;
  };
  Stack sweep(Value target, const Stack &stack);
  Value distance(Value length, Value free);
  Value getPosition(const Stack &stack);
  Values restore(const Stack &stack);

  AdjointLoopOp op;
  const ReversalPlan &plan;
  StateArray slots;
  Value steps;
};

} // namespace

/// Every state goes on a tape on the way forward.
Values ReversalWriter::writeTape() {
  std::optional<int64_t> fixed = op.getConstantSteps();
  StateArray tape(*this, op.getStates().getTypes());
  Values states = llvm::to_vector(ValueRange(op.getStates()));
  Values arrays = tape.make(fixed ? OpFoldResult(b.getIndexAttr(*fixed))
                                  : OpFoldResult(steps));
  Values forward = loop(constant(0), steps, join({states, arrays}),
                        [&](Value i, ValueRange carried) {
                          Values state = take(carried, states.size());
                          Values saved = tape.save(carried, state, i);
                          return join({step(i, state), saved});
                        });
  ValueRange rest = forward;
  Values finals = take(rest, states.size());
  Values kept = llvm::to_vector(rest);
  Value last = sub(steps, constant(1));
  Values back =
      loop(constant(0), steps, turn(finals), [&](Value i, ValueRange carried) {
        Value k = sub(last, i);
        return stepBack(k, tape.view(kept, k), carried);
      });
  return join({finals, back});
}

/// The steps to go before the next state is kept, where `length` steps are to
/// be reversed and `free` slots can be filled, that of the state itself among
/// them: the least distance that is optimal. With
/// b(s, r) = binomial(s + r, s), which is how many steps s slots reverse
/// without running any more than r times, and the least r with b(free, r) >=
/// length, it is max(b(free, r - 2), length - b(free - 1, r)). The search for r
/// takes r steps, and the distance is no less than r - 1, so that it costs no
/// more than the steps that follow. Products stay below length * (free + r).
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

Value ReversalWriter::getPosition(const Stack &stack) {
  return tensor::ExtractOp::create(b, stack.kept.front(), stack.top);
}

/// Steps from the state on top of the stack, which `stack.state` is, to that
/// before step `target`, and keeps states on the way.
ReversalWriter::Stack ReversalWriter::sweep(Value target, const Stack &stack) {
  Value zero = constant(0), one = constant(1);
  Value start = plan.slots == 1 ? zero : getPosition(stack);
  if (plan.slots == 1) {
    Values state = loop(start, target, stack.state,
                        [&](Value i, ValueRange s) { return step(i, s); });
    return {state, stack.kept, stack.top};
  }
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
        state = loop(at, end, state,
                     [&](Value j, ValueRange s) { return step(j, s); });
        Value goesOn = compare(arith::CmpIPredicate::ne, i, count);
        Value entry = add(stack.top, i);
        Values saved = onlyIf(goesOn, carried, [&](ValueRange kept) {
          Value positions =
              tensor::InsertOp::create(b, end, kept.front(), add(entry, one));
          return join({positions, slots.save(kept.drop_front(), state, entry)});
        });
        return join({end, state, saved});
      });
  ValueRange rest = ValueRange(swept).drop_front();
  Stack result;
  result.state = take(rest, stack.state.size());
  result.kept = llvm::to_vector(rest);
  result.top = add(stack.top, count);
  return result;
}

/// The state on top of the stack, in the buffers of `stack.state`.
Values ReversalWriter::restore(const Stack &stack) {
  auto copyInto = [&](ValueRange targets, ValueRange sources) {
    Values copies;
    for (auto [target, source] : llvm::zip(targets, sources))
      copies.push_back(
          isa<RankedTensorType>(target.getType())
              ? linalg::CopyOp::create(b, source, target).getResult(0)
              : source);
    return copies;
  };
  if (plan.slots == 1)
    return copyInto(stack.state, op.getStates());
  Value zero = constant(0);
  Values state = onlyIf(
      compare(arith::CmpIPredicate::eq, stack.top, zero), stack.state,
      [&](ValueRange targets) { return copyInto(targets, op.getStates()); });
  return onlyIf(compare(arith::CmpIPredicate::ne, stack.top, zero), state,
                [&](ValueRange targets) {
                  return copyInto(
                      targets, slots.view(ValueRange(stack.kept).drop_front(),
                                          sub(stack.top, constant(1))));
                });
}

Values ReversalWriter::writeSlots() {
  Value zero = constant(0), one = constant(1);
  Stack stack;
  stack.state = llvm::to_vector(ValueRange(op.getStates()));
  stack.top = zero;
  if (plan.slots > 1) {
    Value positions = bufferization::AllocTensorOp::create(
        b, RankedTensorType::get({plan.slots}, b.getIndexType()), ValueRange());
    positions = tensor::InsertOp::create(b, zero, positions, zero);
    stack.kept = join({positions, slots.make(b.getIndexAttr(plan.slots - 1))});
  }
  size_t width = stack.state.size(), depth = stack.kept.size();

  Value last = sub(steps, one);
  stack = sweep(last, stack);
  Values finals = stack.state;
  if (op.needsFinalStates())
    finals = loop(max(last, zero), steps, stack.state,
                  [&](Value i, ValueRange state) { return step(i, state); });

  Values inits = join({stack.top, stack.state, stack.kept, turn(finals)});
  Values back = loop(zero, steps, inits, [&](Value i, ValueRange carried) {
    Stack now;
    now.top = take(carried, 1)[0];
    now.state = take(carried, width);
    now.kept = take(carried, depth);
    Value k = sub(last, i);
    Values adjoints = stepBack(k, now.state, carried);
    if (plan.slots > 1) {
      Value isUsed = compare(arith::CmpIPredicate::eq, getPosition(now), k);
      now.top = select(isUsed, sub(now.top, one), now.top);
    }
    Value goesOn = compare(arith::CmpIPredicate::sgt, k, zero);
    Values next = onlyIf(goesOn, join({now.top, now.state, now.kept}),
                         [&](ValueRange inside) {
                           Stack then;
                           then.top = take(inside, 1)[0];
                           then.state = take(inside, width);
                           then.kept = llvm::to_vector(inside);
                           then.state = restore(then);
                           then = sweep(sub(k, one), then);
                           return join({then.top, then.state, then.kept});
                         });
    return join({next, adjoints});
  });
  return join({finals, ValueRange(back).drop_front(1 + width + depth)});
}

Operation *writeReversal(AdjointLoopOp loop, const ReversalPlan &plan) {
  return ReversalWriter(loop, plan).write();
}

} // namespace pebble
