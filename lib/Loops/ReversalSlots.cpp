//===- ReversalSlots.cpp - where a reversed loop keeps its states ---------===//

#include "Loops/ReversalSlots.h"

using namespace mlir;

namespace pebble {

SlotRanges getSlotRanges(const ReversalPlan &plan) {
  int64_t slow = 1 + plan.slowSlots;
  return {{1, slow}, {slow, std::nullopt}};
}

Slots::Slots(LoopWriter &w, ValueRange first, const ReversalPlan &plan,
             const SlotRanges &ranges, OpFoldResult count,
             std::optional<chain::SlowAccesses> accesses)
    : w(w), first(llvm::to_vector(first)), count(count),
      positions(w, w.b.getIndexType()), accesses(accesses) {
  addGroup({}, /*numbers=*/true);
  addGroup(ranges.slow, /*numbers=*/false, &plan);
  addGroup(ranges.fast, /*numbers=*/false);
}

void Slots::addGroup(const SlotRange &range, bool numbers,
                     const ReversalPlan *slow) {
  std::optional<int64_t> high =
      range.high ? range.high : getConstantIntValue(count);
  if (high && *high <= range.low)
    return;
  Group group{range, {}, {}, slow != nullptr};
  for (auto [index, value] : llvm::enumerate(first))
    if (isa<RankedTensorType>(value.getType()) != numbers) {
      group.values.push_back(index);
      group.arrays.emplace_back(w, value.getType(),
                                slow ? slow->getSlowPlace(index) : AtAttr());
    }
  if (!group.values.empty())
    groups.push_back(std::move(group));
}

Values Slots::make(Value low) {
  Value array = positions.make(count);
  Values kept = {positions.save(array, low, w.constant(0))};
  for (Group &group : groups) {
    OpFoldResult size;
    std::optional<int64_t> high =
        group.range.high ? group.range.high : getConstantIntValue(count);
    if (high)
      size = w.b.getIndexAttr(*high - group.range.low);
    else
      size = w.sub(cast<Value>(count), w.constant(group.range.low));
    for (StateArray &each : group.arrays)
      kept.push_back(each.make(size));
  }
  return kept;
}

Value Slots::getPosition(ValueRange kept, Value slot) {
  return positions.view(kept.front(), slot);
}

/// Null where all slots but slot 0 are in the group.
Value Slots::isIn(const Group &group, Value slot) {
  Value isIn;
  if (group.range.low > 1)
    isIn =
        w.compare(arith::CmpIPredicate::sge, slot, w.constant(group.range.low));
  if (group.range.high && group.range.high != getConstantIntValue(count))
    isIn = w.compare(arith::CmpIPredicate::slt, slot,
                     w.constant(*group.range.high));
  return isIn;
}

Values Slots::save(ValueRange kept, Value slot, Value position,
                   ValueRange state, Value condition, bool isFirstSweep) {
  std::optional<int64_t> times;
  if (accesses)
    times = isFirstSweep ? accesses->savedFirst
                         : accesses->saved - accesses->savedFirst;
  Values saved = w.onlyIf(condition, kept.take_front(), [&](ValueRange array) {
    return Values{positions.save(array.front(), position, slot)};
  });
  ValueRange rest = kept.drop_front();
  for (Group &group : groups) {
    Values arrays = take(rest, group.arrays.size());
    Value when = condition;
    if (Value isHere = isIn(group, slot))
      when = w.both(when, isHere);
    llvm::append_range(saved, w.onlyIf(when, arrays, [&](ValueRange inside) {
      Value number = w.sub(slot, w.constant(group.range.low));
      Values after;
      for (auto [each, array, value] :
           llvm::zip(group.arrays, inside, group.values))
        after.push_back(each.save(array, state[value], number,
                                  group.isSlow ? times : std::nullopt));
      return after;
    }));
  }
  return saved;
}

Values Slots::restore(ValueRange kept, Value slot, ValueRange into) {
  Values state = llvm::to_vector(into);
  if (getConstantIntValue(count) == 1) {
    for (auto [target, source] : llvm::zip(state, first))
      target = w.copyInto(target, source);
    return state;
  }
  Value isFirst = w.compare(arith::CmpIPredicate::eq, slot, w.constant(0));
  state = w.onlyIf(isFirst, state, [&](ValueRange targets) {
    Values copies;
    for (auto [target, source] : llvm::zip(targets, first))
      copies.push_back(w.copyInto(target, source));
    return copies;
  });
  Value isKept = w.compare(arith::CmpIPredicate::ne, slot, w.constant(0));
  std::optional<int64_t> times;
  if (accesses)
    times = accesses->restored;
  ValueRange rest = kept.drop_front();
  for (Group &group : groups) {
    Values arrays = take(rest, group.arrays.size()), targets;
    for (unsigned value : group.values)
      targets.push_back(state[value]);
    Value when = isKept;
    if (Value isHere = isIn(group, slot))
      when = w.both(when, isHere);
    Values restored = w.onlyIf(when, targets, [&](ValueRange inside) {
      Value number = w.sub(slot, w.constant(group.range.low));
      Values after;
      for (auto [each, array, target] : llvm::zip(group.arrays, arrays, inside))
        after.push_back(each.restore(array, number, target,
                                     group.isSlow ? times : std::nullopt));
      return after;
    });
    for (auto [value, after] : llvm::zip(group.values, restored))
      state[value] = after;
  }
  return state;
}

} // namespace pebble
