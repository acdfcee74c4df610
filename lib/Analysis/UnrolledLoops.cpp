//===- UnrolledLoops.cpp - finds loops that were unrolled -----------------===//

#include "pebble/Analysis/UnrolledLoops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace pebble {

std::optional<std::pair<size_t, size_t>>
StepRepeats::find(Operation *op) const {
  std::optional<size_t> place = op ? text->getPlace(op) : std::nullopt;
  if (!place || *place < start || *place >= start + count * period)
    return std::nullopt;
  return std::pair((*place - start) / period, (*place - start) % period);
}

std::optional<std::pair<size_t, size_t>> StepRepeats::find(Value value) const {
  return find(value.getDefiningOp());
}

size_t UnrolledSide::findHandedOn(unsigned position, unsigned result,
                                  Value init) const {
  HandedOn wanted{position, result, init};
  return llvm::find(handedOn, wanted) - handedOn.begin();
}

//===----------------------------------------------------------------------===//
// Steps that are alike
//===----------------------------------------------------------------------===//

namespace {
class UnrolledFinder {
public:
  UnrolledFinder(const StepText &text, size_t least, UnrolledPair &pair)
      : text(text), least(least), pair(pair) {}

  /// Tries all places at which the steps may begin.
  std::optional<std::string> run(const PeriodicRun &forward,
                                 const PeriodicRun &backward);

private:
  UnrolledSide makeSide(const PeriodicRun &run, size_t phase) const;
  void describe(UnrolledSide &side, const UnrolledSide *forward,
                size_t mirror) const;
  StepOperand describe(const StepRepeats &groups, size_t group, Value value,
                       const StepRepeats *forward, size_t mirror) const;
  void findRange(UnrolledSide &side);
  bool isAlike(const UnrolledSide &side, size_t group, bool isFirst);
  bool areAlike(const StepOperand &one, const StepOperand &next, bool isFirst,
                std::optional<int64_t> &stride);
  bool isInitOfState(const StepOperand &state, Value value, size_t group) const;
  bool readsForward(const UnrolledSide &side, size_t &mirror) const;
  std::vector<UnrolledSide> listFronts(const PeriodicRun &forwardRun);
  bool settle();
  bool listHandedOn(UnrolledSide &side) const;
  bool shrinkForEscapes();
  std::optional<size_t> findEscape(const UnrolledSide &side) const;
  bool isOutsideOf(Operation *user) const;

  const StepText &text;
  size_t least;
  UnrolledPair &pair;
  UnrolledSide forward; // while its steps are looked for
  size_t mirror = 0;
  std::vector<std::vector<std::optional<int64_t>>> strides;
  std::string why;
};
} // namespace

UnrolledSide UnrolledFinder::makeSide(const PeriodicRun &run,
                                      size_t phase) const {
  UnrolledSide side;
  side.groups = {&text, run.start + phase, run.period,
                 (run.length - phase) / run.period};
  return side;
}

StepOperand UnrolledFinder::describe(const StepRepeats &groups, size_t group,
                                     Value value, const StepRepeats *forward,
                                     size_t mirror) const {
  StepOperand operand;
  operand.value = value;
  auto place = groups.find(value);
  auto take = [&](StepOperand::Kind kind) {
    operand.kind = kind;
    operand.position = place->second;
    operand.result = cast<OpResult>(value).getResultNumber();
  };
  if (place && place->first == group)
    take(StepOperand::Own);
  else if (place && place->first + 1 == group)
    take(StepOperand::Before);
  if (place || !forward)
    return operand;
  place = forward->find(value);
  if (place && place->first + group == mirror)
    take(StepOperand::Mirror);
  else if (place && place->first + group + 1 == mirror)
    take(StepOperand::MirrorBefore);
  return operand;
}

void UnrolledFinder::describe(UnrolledSide &side, const UnrolledSide *forward,
                              size_t mirror) const {
  const StepRepeats &groups = side.groups;
  side.operands.assign(groups.count, {});
  for (size_t group = 0; group < groups.count; ++group)
    for (size_t position = 0; position < groups.period; ++position) {
      Operation *op = groups.getOp(group, position);
      std::vector<StepOperand> &list = side.operands[group].emplace_back();
      for (OpOperand *operand : getOutsideOperands(op)) {
        list.push_back(describe(groups, group, operand->get(),
                                forward ? &forward->groups : nullptr, mirror));
        APInt number;
        if (list.back().kind == StepOperand::Outside &&
            matchPattern(operand->get(), m_ConstantInt(&number)))
          list.back().constant = number.getSExtValue();
      }
      for (int64_t offset : getWrittenOffsets(op))
        if (!ShapedType::isDynamic(offset)) {
          list.emplace_back();
          list.back().constant = offset;
        }
    }
}

/// Whether `value` is what the forward step `group` is given in the place of
/// `state`, which the steps after it are handed on.
bool UnrolledFinder::isInitOfState(const StepOperand &state, Value value,
                                   size_t group) const {
  if (group + 1 >= forward.operands.size())
    return false;
  for (auto [ones, nexts] :
       llvm::zip(forward.operands[group], forward.operands[group + 1]))
    for (auto [one, next] : llvm::zip(ones, nexts))
      if (next.kind == StepOperand::Before && next.position == state.position &&
          next.result == state.result && one.value == value)
        return true;
  return false;
}

bool UnrolledFinder::areAlike(const StepOperand &one, const StepOperand &next,
                              bool isFirst, std::optional<int64_t> &stride) {
  if (next.kind == StepOperand::Before)
    return isFirst ? one.kind != StepOperand::Own : one.isSamePlace(next);
  if (next.kind != StepOperand::Outside || one.kind != StepOperand::Outside)
    return one.isSamePlace(next);
  if (one.constant && next.constant) {
    int64_t difference = *next.constant - *one.constant;
    if (!stride)
      stride = difference;
    return *stride == difference;
  }
  return one.value && next.value &&
         text.getSame(one.value) == text.getSame(next.value);
}

/// Whether the step after `group` does what `group` does, with what is handed
/// on to it.
bool UnrolledFinder::isAlike(const UnrolledSide &side, size_t group,
                             bool isFirst) {
  for (size_t position = 0; position < side.groups.period; ++position) {
    const auto &ones = side.operands[group][position];
    const auto &nexts = side.operands[group + 1][position];
    strides[position].resize(ones.size());
    for (size_t k = 0; k < ones.size(); ++k) {
      if (areAlike(ones[k], nexts[k], isFirst, strides[position][k]))
        continue;
      // The adjoint of the first step reads the initial state.
      if (ones[k].kind == StepOperand::MirrorBefore &&
          nexts[k].kind == StepOperand::Outside && mirror >= group + 1 &&
          isInitOfState(ones[k], nexts[k].value, mirror - group - 1))
        continue;
      why = "operand #" + std::to_string(k) + " of a '" +
            side.getOp(group, position)->getName().getStringRef().str() +
            "' is neither the same in all steps nor handed on from one to the "
            "next";
      return false;
    }
  }
  return true;
}

/// The longest row of steps that are alike.
void UnrolledFinder::findRange(UnrolledSide &side) {
  size_t first = 0;
  side.first = side.last = 0;
  for (size_t group = 0; group < side.groups.count; ++group) {
    if (group + 1 - first > side.getCount()) {
      side.first = first;
      side.last = group + 1;
    }
    if (group + 1 == side.groups.count)
      break;
    bool isFirst = group == first;
    if (isFirst)
      strides.assign(side.groups.period, {});
    if (isAlike(side, group, isFirst))
      continue;
    if (isFirst) {
      first = group + 1;
      continue;
    }
    first = group--; // once more, as the first of a row
  }
}

//===----------------------------------------------------------------------===//
// The two sides
//===----------------------------------------------------------------------===//

/// Lists what is handed on; false if nothing is.
bool UnrolledFinder::listHandedOn(UnrolledSide &side) const {
  side.handedOn.clear();
  for (size_t position = 0; position < side.groups.period; ++position)
    for (auto [one, next] : llvm::zip(side.operands[side.first][position],
                                      side.operands[side.first + 1][position]))
      if (next.kind == StepOperand::Before) {
        HandedOn each{next.position, next.result, one.value};
        if (!llvm::is_contained(side.handedOn, each))
          side.handedOn.push_back(each);
      }
  return !side.handedOn.empty();
}

/// Which forward step the first backward one may be the adjoint of, by what
/// they read of them.
bool UnrolledFinder::readsForward(const UnrolledSide &side,
                                  size_t &mirror) const {
  size_t group = side.groups.count / 2;
  bool reads = false;
  for (size_t position = 0; position < side.groups.period; ++position)
    for (OpOperand *operand : getOutsideOperands(side.getOp(group, position)))
      if (auto place = forward.groups.find(operand->get())) {
        mirror = std::max(reads ? mirror : 0, place->first + group);
        reads = true;
      }
  return reads;
}

bool UnrolledFinder::isOutsideOf(Operation *user) const {
  return !pair.forward.isWithin(user) && !pair.backward.isWithin(user);
}

/// A step of which something is used that no loop would return.
std::optional<size_t>
UnrolledFinder::findEscape(const UnrolledSide &side) const {
  Block *block = side.getOp(0, 0)->getBlock();
  for (size_t group = side.first; group < side.last; ++group)
    for (size_t position = 0; position < side.groups.period; ++position)
      for (OpResult result : side.getOp(group, position)->getResults()) {
        bool isReturned =
            group + 1 == side.last &&
            llvm::any_of(side.handedOn, [&](const HandedOn &each) {
              return side.getResult(group, each) == result;
            });
        if (!isReturned && llvm::any_of(result.getUsers(), [&](auto *user) {
              return isOutsideOf(block->findAncestorOpInBlock(*user));
            }))
          return group;
      }
  return std::nullopt;
}

/// Leaves steps out at the ends until nothing else of them is used than what
/// loops would return. False if none are left.
bool UnrolledFinder::shrinkForEscapes() {
  UnrolledSide &front = pair.forward, &back = pair.backward;
  auto meet = [&] {
    back.first = pair.mirror + 1 - front.last;
    back.last = pair.mirror + 1 - front.first;
  };
  while (front.getCount() >= least) {
    meet();
    if (!listHandedOn(front) || !listHandedOn(back))
      return false;
    // What the steps of the adjoint read of the forward ones besides tapes.
    std::optional<size_t> escape = findEscape(front);
    for (size_t group = back.first; !escape && group < back.last; ++group)
      for (size_t position = 0; position < back.groups.period; ++position)
        for (size_t k = 0; k < back.operands[group][position].size(); ++k) {
          const StepOperand &each = back.operands[group][position][k];
          bool isInit = group == back.first && back.isHandedOn(position, k);
          if (!each.value || (each.kind != StepOperand::Outside && !isInit))
            continue;
          auto place = front.groups.find(each.value);
          if (!place || place->first < front.first ||
              place->first >= front.last)
            continue;
          bool isFinal =
              place->first + 1 == front.last &&
              llvm::any_of(front.handedOn, [&](const auto &state) {
                return front.getResult(place->first, state) == each.value;
              });
          if (!isFinal)
            escape = place->first;
        }
    if (escape) {
      why = "a value of one of its steps is used elsewhere too";
      bool isEarly = *escape < (front.first + front.last) / 2;
      if (isEarly)
        front.first = *escape + 1;
      else
        front.last = *escape + 1 == front.last ? *escape : *escape + 1;
      continue;
    }
    escape = findEscape(back);
    if (!escape)
      return true;
    why = "a value of one of the steps of its adjoint is used elsewhere too";
    bool isEarly = *escape < (back.first + back.last) / 2;
    if (isEarly)
      front.last = pair.mirror - *escape;
    else
      front.first =
          pair.mirror + 1 - (*escape + 1 == back.last ? *escape : *escape + 1);
  }
  return false;
}

/// The steps that are alike on both sides.
bool UnrolledFinder::settle() {
  UnrolledSide &front = pair.forward, &back = pair.backward;
  // The group j of the adjoint belongs to the group mirror - j.
  if (pair.mirror + 1 < back.last)
    back.last = pair.mirror + 1;
  if (back.first >= back.last)
    return false;
  front.first = std::max(front.first, pair.mirror + 1 - back.last);
  front.last = std::min(front.last, pair.mirror + 1 - back.first);
  if (front.first >= front.last)
    return false;
  return shrinkForEscapes();
}

/// Bytes, to compare with; tensors of unknown shape are large.
static uint64_t getSizeOf(const UnrolledSide &side) {
  uint64_t bits = 0;
  for (const HandedOn &each : side.handedOn) {
    auto shaped = dyn_cast<ShapedType>(each.init.getType());
    if (!shaped)
      bits += 64;
    else if (shaped.hasStaticShape() && shaped.getElementType().isIntOrFloat())
      bits +=
          uint64_t(shaped.getNumElements()) * shaped.getElementTypeBitWidth();
    else
      bits += uint64_t(1) << 40;
  }
  return bits;
}

/// The ways to read the forward run as steps that hand values on, those that
/// hand on least first: where a step begins is not written anywhere.
std::vector<UnrolledSide>
UnrolledFinder::listFronts(const PeriodicRun &forwardRun) {
  std::vector<UnrolledSide> fronts;
  for (size_t phase = 0; phase < forwardRun.period; ++phase) {
    UnrolledSide side = makeSide(forwardRun, phase);
    if (side.groups.count < least)
      break;
    describe(side, nullptr, 0);
    findRange(side);
    if (side.getCount() < 2 || !listHandedOn(side))
      continue;
    fronts.push_back(std::move(side));
  }
  llvm::sort(fronts, [](const UnrolledSide &a, const UnrolledSide &b) {
    return std::pair(getSizeOf(a), a.groups.start) <
           std::pair(getSizeOf(b), b.groups.start);
  });
  // The others only hand on more.
  constexpr size_t kFronts = 8;
  if (fronts.size() > kFronts)
    fronts.erase(fronts.begin() + kFronts, fronts.end());
  return fronts;
}

std::optional<std::string> UnrolledFinder::run(const PeriodicRun &forwardRun,
                                               const PeriodicRun &backwardRun) {
  std::vector<UnrolledSide> fronts = listFronts(forwardRun);
  if (fronts.empty()) {
    // No chain; worth a word if it is read like one.
    forward = makeSide(forwardRun, 0);
    return readsForward(makeSide(backwardRun, 0), mirror) ? why : "";
  }
  bool isRead = false;
  std::string reason = why;
  for (UnrolledSide &front : fronts) {
    forward = front;
    std::optional<UnrolledPair> best;
    for (size_t phase = 0; phase < backwardRun.period; ++phase) {
      UnrolledSide side = makeSide(backwardRun, phase);
      size_t least = 0;
      if (side.groups.count < this->least || !readsForward(side, least))
        continue;
      isRead = true;
      // What is read may be a state before a step or what the step makes.
      for (mirror = least; mirror <= least + 1; ++mirror) {
        describe(side, &forward, mirror);
        findRange(side);
        if (!why.empty())
          reason = why;
        if (side.getCount() < 2)
          continue;
        pair = {front, side, mirror};
        if (!settle())
          continue;
        size_t steps = pair.forward.getCount();
        size_t known = best ? best->forward.getCount() : 0;
        if (!best || steps > known ||
            (steps == known &&
             getSizeOf(pair.backward) < getSizeOf(best->backward)))
          best = pair;
      }
    }
    if (best) {
      pair = *best;
      return std::nullopt;
    }
    if (!why.empty())
      reason = why;
  }
  return isRead ? (reason.empty() ? "too few steps are alike" : reason) : "";
}

std::optional<std::string> findUnrolledPair(const StepText &text,
                                            const PeriodicRun &forward,
                                            const PeriodicRun &backward,
                                            size_t least, UnrolledPair &pair) {
  // A step may itself be a row of ops that repeat, and then its period is a
  // multiple of theirs. Both sides have about as many steps, if not more at one
  // of the ends.
  constexpr size_t kLargestMultiple = 8;
  constexpr size_t kMoreSteps = 2;
  std::string reason;
  for (size_t i = 1; i <= kLargestMultiple; ++i)
    for (size_t j = 1; j <= kLargestMultiple; ++j) {
      PeriodicRun front = forward, back = backward;
      front.period *= i;
      back.period *= j;
      size_t fronts = front.length / front.period;
      size_t backs = back.length / back.period;
      size_t more = std::max(fronts, backs) - std::min(fronts, backs);
      bool isMultiple = i > 1 || j > 1;
      if (fronts < least || backs < least || (isMultiple && more > kMoreSteps))
        continue;
      std::optional<std::string> why =
          UnrolledFinder(text, least, pair).run(front, back);
      if (!why)
        return std::nullopt;
      if (reason.empty())
        reason = *why;
    }
  return reason;
}

} // namespace pebble
