//===- TableDriver.cpp - loops reversed as a table says -------------------===//
//
// The slots are two stacks, one in each tier, and the first state lies under
// both. Where the stack in the compute tier is empty, the driver goes on from
// the latest state in the slower tier: it reads in the table how far, which
// states it stores on the way, and how many steps are left to the binomial
// schedule in the compute tier. Where it is not, the driver goes on from there.
// So there is one sweep for both, a loop with a step of the table or of the
// binomial schedule in each iteration.
//
//===----------------------------------------------------------------------===//

#include "Loops/TableDriver.h"

#include "Loops/ReversalSlots.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pebble {

namespace {

using Predicate = arith::CmpIPredicate;

class TableWriter {
public:
  explicit TableWriter(LoopReverser &loop)
      : w(loop), index(loop, loop.b.getIndexType()) {}

  Values write();

private:
  /// Where the driver is between two steps back.
  struct Stack {
    /// States in use of the compute tier, and of the slower tier; -1 there when
    /// the first state has been read for the last time.
    Value fast, slow;
    /// The row of the next run of each state in the slower tier, under its
    /// number; of the first state under 0.
    Value runs;
    Values state, kept;
  };

  Values pack(const Stack &stack) {
    return join(
        {{stack.fast, stack.slow, stack.runs}, stack.state, stack.kept});
  }
  Stack unpack(ValueRange &values) {
    Stack stack;
    stack.fast = take(values, 1)[0];
    stack.slow = take(values, 1)[0];
    stack.runs = take(values, 1)[0];
    stack.state = take(values, w.op.getStates().size());
    stack.kept = take(values, depth);
    return stack;
  }

  void writeKnown();
  void writeSegments();
  Value makeTable(ArrayRef<chain::TierTable::Row> rows);
  Value read(Value row, int64_t column) {
    return tensor::ExtractOp::create(w.b, table,
                                     ValueRange{row, w.constant(column)});
  }
  /// What the table says of a sweep: the row of its first store, the steps up
  /// to that, how many states go to the slower tier, and how many steps are
  /// left behind the last of them.
  struct Orders {
    Value push, lead, stored, rest;
  };
  Orders takeOrders(Stack &stack, Value isFast, Value number, Value length);
  Stack sweep(Slots &slots, Value target, Stack stack, bool isFirst);
  Values sweepBack(Slots &slots, Stack stack, ValueRange carried);

  LoopReverser &w;
  StateArray index;
  /// The rows, the first run of the first state, and how many slots of the
  /// slower tier there are.
  Value table, start;
  OpFoldResult slowCount;
  std::optional<chain::SlowAccesses> accesses;
  /// Slots of the compute tier beside the first state's.
  int64_t fastCount = 0;
  /// Values that say what the slots hold.
  size_t depth = 0;
};

} // namespace

Value TableWriter::makeTable(ArrayRef<chain::TierTable::Row> rows) {
  auto type = RankedTensorType::get({static_cast<int64_t>(rows.size()), 3},
                                    w.b.getIndexType());
  SmallVector<Attribute> numbers;
  for (const chain::TierTable::Row &row : rows)
    for (int64_t number : row)
      numbers.push_back(w.b.getIndexAttr(number));
  return arith::ConstantOp::create(w.b, type,
                                   DenseElementsAttr::get(type, numbers));
}

void TableWriter::writeKnown() {
  const chain::TierTable &known = *w.plan.table;
  table = makeTable(known.rows);
  start = w.constant(known.start);
  slowCount = w.b.getIndexAttr(known.slowSlots);
  if (known.slowSlots > 0)
    accesses = chain::SlowAccesses{known.counts.storesFirst,
                                   known.counts.stores, known.counts.loads};
}

/// What depends on a number of steps that is known at run time alone is put
/// into the table there.
void TableWriter::writeSegments() {
  const chain::TierSegments &segments = *w.plan.segments;
  chain::SegmentRows where;
  std::optional<chain::TierTable> any =
      chain::makeSegmentTable(segments, segments.mostRest, &where);
  Value one = w.constant(1), length = w.constant(segments.length);
  Value most = w.constant(segments.mostRest);
  Value isLong = w.compare(Predicate::sgt, w.steps, most);
  Value needed = arith::CeilDivSIOp::create(w.b, w.sub(w.steps, most), length);
  Value stored = w.sub(w.select(isLong, needed, one), one);
  Value above = w.sub(w.steps, length);
  Value rows = makeTable(any->rows);
  table =
      w.copyInto(bufferization::AllocTensorOp::create(
                     w.b, cast<RankedTensorType>(rows.getType()), ValueRange()),
                 rows);
  auto put = [&](Value number, int64_t row, int64_t column) {
    table = tensor::InsertOp::create(
        w.b, number, table, ValueRange{w.constant(row), w.constant(column)});
  };
  put(stored, where.plan, 1);
  put(w.sub(above, w.mul(stored, length)), where.plan, 2);
  put(stored, where.push, 2);
  put(above, where.first, 0);
  put(w.steps, where.shortRun, 0);
  put(w.steps, where.shortPlan, 2);
  start = w.select(isLong, w.constant(where.first), w.constant(where.shortRun));
  slowCount = w.add(stored, w.constant(segments.slowSlots));
}

Values TableWriter::write() {
  fastCount = w.plan.slots - 1;
  if (w.plan.table)
    writeKnown();
  else
    writeSegments();
  int64_t others = 1 + fastCount;
  OpFoldResult count;
  std::optional<int64_t> slow = getConstantIntValue(slowCount);
  if (slow)
    count = w.b.getIndexAttr(others + *slow);
  else
    count = w.add(cast<Value>(slowCount), w.constant(others));
  OpFoldResult runCount;
  if (slow)
    runCount = w.b.getIndexAttr(*slow + 1);
  else
    runCount = w.add(cast<Value>(slowCount), w.constant(1));

  Slots slots(w, w.op.getStates(), w.plan,
              {{others, std::nullopt}, {1, others}}, count, accesses);
  Value zero = w.constant(0);
  Stack stack;
  stack.fast = stack.slow = zero;
  stack.runs = index.save(index.make(runCount), start, zero);
  stack.state = slots.getFirst();
  stack.kept = slots.make(zero);
  depth = stack.kept.size();
  stack = sweep(slots, w.sub(w.steps, w.constant(1)), stack, /*isFirst=*/true);
  Values finals = w.finish(stack.state);
  return join({finals, sweepBack(slots, stack, w.turn(finals))});
}

/// The orders for a sweep of `length` steps from state `number` of the slower
/// tier, which the stack then has behind it. They are empty where the sweep
/// starts in the compute tier.
TableWriter::Orders TableWriter::takeOrders(Stack &stack, Value isFast,
                                            Value number, Value length) {
  Value zero = w.constant(0), one = w.constant(1);
  Value isSlow = w.compare(Predicate::eq, stack.fast, zero);
  Value run = index.view(stack.runs, number);
  Value left = read(run, 2), plan = read(run, 1);
  Orders orders;
  orders.lead = w.select(isFast, zero, w.sub(length, read(run, 0)));
  Value isDone = w.both(isSlow, w.compare(Predicate::eq, orders.lead, left));
  stack.runs =
      index.save(stack.runs, w.select(isDone, w.add(run, one), run), number);
  Value isOver = w.both(isSlow, w.compare(Predicate::eq, left, zero));
  stack.slow = w.select(isOver, w.sub(stack.slow, one), stack.slow);
  orders.stored = w.select(isFast, zero, read(plan, 1));
  orders.rest = read(plan, 2);
  orders.push = read(plan, 0);
  return orders;
}

/// Steps from the latest kept state, which `stack.state` is or, after the first
/// sweep, becomes, to that before step `target`, and keeps states on the way.
TableWriter::Stack TableWriter::sweep(Slots &slots, Value target, Stack stack,
                                      bool isFirst) {
  Value zero = w.constant(0), one = w.constant(1);
  Value fastSlots = w.constant(fastCount);
  Value isFast = w.compare(Predicate::sgt, stack.fast, zero);
  Value number = w.max(stack.slow, zero);
  Value isInSlow = w.compare(Predicate::sgt, number, zero);
  Value slot = w.select(isFast, stack.fast,
                        w.select(isInSlow, w.add(number, fastSlots), zero));
  Value from = slots.getPosition(stack.kept, slot);
  if (!isFirst)
    stack.state = slots.restore(stack.kept, slot, stack.state);
  Value length = w.add(w.sub(target, from), one);

  const Orders orders = takeOrders(stack, isFast, number, length);
  Value stored = orders.stored;

  // Iterations before `binomial` are the table's. In those from there on, the
  // state to go on from is the one in slot `base` of the compute tier or above.
  Value binomial = w.select(isFast, zero, w.add(stored, one));
  Value base = w.select(isFast, stack.fast, one);
  Value more = w.max(w.sub(length, w.constant(2)), zero);
  Value fresh = w.max(w.sub(orders.rest, one), zero);
  Value count = w.select(isFast, w.min(w.sub(fastSlots, stack.fast), more),
                         w.add(stored, w.min(fastSlots, fresh)));
  Value slowBase = w.add(stack.slow, one);
  Values inits = join(
      {{from, orders.push, orders.lead, stack.runs}, stack.state, stack.kept});
  Values swept =
      w.loop(zero, w.add(count, one), inits, [&](Value i, ValueRange carried) {
        Value at = take(carried, 1)[0], push = take(carried, 1)[0];
        Value ahead = take(carried, 1)[0], runs = take(carried, 1)[0];
        Values state = take(carried, stack.state.size());
        Value goesOn = w.compare(Predicate::ne, i, count);
        Value isBinomial = w.compare(Predicate::sge, i, binomial);
        Value beyond = w.sub(i, binomial);
        Value free = w.add(w.sub(w.sub(fastSlots, base), beyond), one);
        Value searched = w.select(w.both(isBinomial, goesOn),
                                  w.add(w.sub(target, at), one), one);
        Value far = w.distance(searched, w.max(free, one));
        Value end = w.select(
            goesOn, w.add(at, w.select(isBinomial, far, ahead)), target);
        state = w.stepAll(at, end, state, isFirst ? w.first : w.again);
        Value isPush = w.compare(Predicate::slt, i, stored);
        Value next = w.add(slowBase, i);
        Value slot = w.select(isPush, w.add(next, fastSlots),
                              w.add(w.add(base, beyond), one));
        Values kept = slots.save(carried, slot, end, state, goesOn, isFirst);
        runs = w.onlyIf(isPush, runs, [&](ValueRange inside) {
          return Values{index.save(inside[0], read(push, 1), next)};
        })[0];
        ahead = read(push, 0);
        Value isLast = w.compare(Predicate::eq, read(push, 2), w.add(i, one));
        push = w.select(w.both(isPush, isLast), w.add(push, one), push);
        return join({{end, push, ahead, runs}, state, kept});
      });
  ValueRange values = ValueRange(swept).drop_front(3);
  stack.runs = take(values, 1)[0];
  stack.state = take(values, stack.state.size());
  stack.kept = llvm::to_vector(values);
  stack.fast = w.select(isFast, w.add(stack.fast, count), w.sub(count, stored));
  stack.slow = w.add(stack.slow, stored);
  return stack;
}

Values TableWriter::sweepBack(Slots &slots, Stack stack, ValueRange carried) {
  Value zero = w.constant(0), one = w.constant(1);
  Value last = w.sub(w.steps, one);
  Values inits = join({pack(stack), carried});
  Values back = w.loop(zero, w.steps, inits, [&](Value i, ValueRange inside) {
    Stack now = unpack(inside);
    Value k = w.sub(last, i);
    Values adjoints = w.stepBack(k, now.state, inside);
    Value isUsed =
        w.compare(Predicate::eq, slots.getPosition(now.kept, now.fast), k);
    isUsed = w.both(isUsed, w.compare(Predicate::sgt, now.fast, zero));
    now.fast = w.select(isUsed, w.sub(now.fast, one), now.fast);
    Value goesOn = w.compare(Predicate::sgt, k, zero);
    Values next = w.onlyIf(goesOn, pack(now), [&](ValueRange values) {
      return pack(sweep(slots, w.sub(k, one), unpack(values),
                        /*isFirst=*/false));
    });
    return join({next, adjoints});
  });
  return llvm::to_vector(
      ValueRange(back).drop_front(inits.size() - carried.size()));
}

Values writeTable(LoopReverser &loop) { return TableWriter(loop).write(); }

} // namespace pebble
