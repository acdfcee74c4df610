//===- InverseForms.cpp - values that others give back --------------------===//

#include "InverseForms.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunAgain.h"
#include "pebble/Analysis/ValueNames.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

/// What is viewed, through all views.
static Value getBase(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = StorageAnalysis::getViewSource(op);
    if (!source || !StorageAnalysis::isFree(op))
      break;
    value = source;
  }
  return value;
}

static bool isDestination(Operation *op, OpOperand &operand) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && dps.isDpsInit(&operand);
}

static bool isFresh(Operation *op) {
  return isa_and_present<tensor::EmptyOp, bufferization::AllocTensorOp>(op) &&
         op->getNumOperands() == 0;
}

DerivedForms::Inverses::Inverses(const StorageAnalysis &storage,
                                 int64_t leastBytes, DerivedForms &to)
    : FormFinder(storage), leastBytes(leastBytes), to(to),
      runOnce(getRunOnceReasons(storage)) {
  written.resize(storage.getStorages().size());
  used.resize(storage.getStorages().size());
  for (const Step &step : storage.getSteps())
    for (const Access &access : step.accesses) {
      used[access.storage] = getPosition(step.op);
      if (access.kind == AccessKind::Write)
        written[access.storage] = getPosition(step.op);
    }
}

void DerivedForms::Inverses::run() {
  if (storage.getSteps().empty())
    return;
  LifetimeAnalysis lifetime(storage);
  full = getPosition(storage.getSteps()[lifetime.getPeakPosition()].op);
  findWays();
  if (ways.empty())
    return;
  findUndone();
  findAgain();
  for (auto &[value, back] : backs)
    write(value, back);
  for (Value value : sortReadersFirst()) {
    Back &back = backs.find(value)->second;
    back.isDone = true;
    if (back.uses.empty() && back.late.empty()) {
      for (Operation *op : llvm::reverse(back.ops))
        op->erase();
      continue;
    }
    addForm(value, back);
    link(back);
  }
  // Uses are known once all who read have been seen.
  for (auto &[value, back] : backs)
    if (back.form != ~0u) {
      to.forms[back.form].uses = back.uses;
      to.forms[back.form].unpacking = back.ops;
    }
  for (auto [form, value] : links)
    to.forms[form].needs.push_back(backs.find(value)->second.form);
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// Whether `inverse`, which stands nowhere yet, has no effects. It calls what
/// `beside` sees.
bool DerivedForms::Inverses::mayRun(Operation *inverse,
                                    Operation *beside) const {
  auto call = dyn_cast<CallOpInterface>(inverse);
  if (!call)
    return isMemoryEffectFree(inverse);
  auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  auto callee =
      name ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(beside,
                                                                       name)
           : FunctionOpInterface();
  return callee && !callee.isExternal() &&
         !getRunOnceReason(callee.getFunctionBody(), OuterMemory::Changes,
                           storage.getContext());
}

void DerivedForms::Inverses::findWays() {
  for (const Step &step : storage.getSteps()) {
    if (!isa<InvertibleOpInterface>(step.op) || getPosition(step.op) >= full)
      continue;
    // Of what a step read one comes back, for the others are read for it: what
    // is there for the longest time.
    OpOperand *first = nullptr;
    for (OpOperand &operand : step.op->getOpOperands()) {
      Operation *maker = getBase(operand.get()).getDefiningOp();
      if (isa<RankedTensorType>(operand.get().getType()) && maker &&
          position.contains(maker) &&
          getInversion(operand) != Inversion::None &&
          (!first || getPosition(maker) <
                         getPosition(getBase(first->get()).getDefiningOp())))
        first = &operand;
    }
    if (!first)
      continue;
    Block scratch;
    OpBuilder builder(step.op->getContext());
    builder.setInsertionPointToEnd(&scratch);
    Operation *inverse =
        buildInverse(builder, step.op->getLoc(), *first, step.op->getResults())
            .getDefiningOp();
    Way way;
    way.undone = first;
    way.since = getPosition(step.op) + 1;
    for (OpOperand &read : inverse->getOpOperands())
      if (!isDestination(inverse, read))
        way.reads.push_back(read.get());
    if (mayRun(inverse, step.op))
      ways[getBase(first->get())].push_back(std::move(way));
  }
}

SmallVector<OpOperand *>
DerivedForms::Inverses::findLate(OpResult value) const {
  SmallVector<OpOperand *> uses;
  ArrayRef<StorageId> ids = storage.lookup(value);
  bool isKnown = llvm::any_of(
      to.forms, [&](const Form &form) { return form.value == value; });
  if (isKnown || !isFree(value) ||
      storage.getStorage(ids[0]).getFootprint() < leastBytes ||
      !collectUses(value, uses, to.parked.get()))
    return {};
  unsigned last = getPosition(value.getOwner()), first = ~0u;
  SmallVector<OpOperand *> late;
  for (OpOperand *use : uses) {
    const unsigned at = getPosition(use->getOwner());
    if (at < full) {
      last = std::max(last, at);
      continue;
    }
    first = std::min(first, at);
    late.push_back(use);
  }
  if (last >= full || late.empty() || first - last <= kLongAgo)
    return {};
  llvm::sort(late, [&](OpOperand *a, OpOperand *b) {
    return std::pair(getPosition(a->getOwner()), a->getOperandNumber()) <
           std::pair(getPosition(b->getOwner()), b->getOperandNumber());
  });
  return late;
}

void DerivedForms::Inverses::findUndone() {
  // From the end: what comes back late gives back what was made before.
  for (const Step &step : llvm::reverse(storage.getSteps()))
    for (OpResult value : step.op->getResults()) {
      auto found = ways.find(value);
      SmallVector<OpOperand *> late =
          found == ways.end() ? SmallVector<OpOperand *>() : findLate(value);
      for (const Way &way :
           late.empty() ? SmallVector<Way, 1>() : found->second) {
        // What is shown in another way than the step saw it does not come back.
        bool isSeen = llvm::all_of(late, [&](OpOperand *use) {
          Value seen = use->get();
          while (seen != way.undone->get() && seen != value)
            seen = StorageAnalysis::getViewSource(seen.getDefiningOp());
          return seen == way.undone->get();
        });
        // Nothing comes of itself.
        llvm::DenseMap<Value, std::optional<Way>> chosen = {
            {value, std::nullopt}};
        const unsigned at = getPosition(late.front()->getOwner());
        if (!isSeen || !areAvailable(way, at, chosen))
          continue;
        want(value, way, late, at, chosen);
        break;
      }
    }
}

void DerivedForms::Inverses::findAgain() {
  for (const Step &step : storage.getSteps())
    for (OpResult value : step.op->getResults()) {
      auto known = backs.find(value);
      if (known != backs.end() && !known->second.late.empty())
        continue;
      std::optional<Way> way = getAgain(value);
      SmallVector<OpOperand *> late =
          way ? findLate(value) : SmallVector<OpOperand *>();
      llvm::DenseMap<Value, std::optional<Way>> chosen = {
          {value, std::nullopt}};
      if (late.empty())
        continue;
      const unsigned at = getPosition(late.front()->getOwner());
      // Of what does not come back the planner may run it again by itself.
      if (areAvailable(*way, at, chosen) &&
          llvm::any_of(way->reads,
                       [&](Value read) { return isTied(read, chosen); }))
        want(value, *way, late, at, chosen);
    }
}

SmallVector<Operation *, 2>
DerivedForms::Inverses::getUnit(Operation *op) const {
  SmallVector<Operation *, 2> unit;
  while (true) {
    std::optional<unsigned> step = storage.getStepIndex(op);
    if (!step || !runOnce[*step].empty() || op->getNumResults() != 1 ||
        !storage.getSteps()[*step].barrier.empty() || isAskedFor(op) ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return {};
    unit.push_back(op);
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      break;
    if (dps.getNumDpsInits() != 1)
      return {};
    Value begun = dps.getDpsInits()[0];
    if (isFresh(begun.getDefiningOp()))
      break;
    // What is written in place has to be made again as well.
    op = begun.getDefiningOp();
    if (!op || !begun.hasOneUse())
      return {};
  }
  std::reverse(unit.begin(), unit.end());
  return unit;
}

std::optional<DerivedForms::Inverses::Way>
DerivedForms::Inverses::getAgain(Value value) const {
  Operation *op = value.getDefiningOp();
  SmallVector<Operation *, 2> unit;
  if (op && getPosition(op) < full)
    unit = getUnit(op);
  if (unit.empty())
    return std::nullopt;
  Way way;
  for (Operation *member : unit)
    for (OpOperand &operand : member->getOpOperands())
      if (!isDestination(member, operand))
        way.reads.push_back(operand.get());
  // What a region reads has no name here.
  for (Operation *member : unit)
    for (Region &region : member->getRegions())
      if (region
              .walk([&](Operation *inner) {
                return llvm::any_of(inner->getOperandTypes(),
                                    llvm::IsaPred<ShapedType>)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        return std::nullopt;
  way.since = getPosition(op) + 1;
  return way;
}

bool DerivedForms::Inverses::isStable(Value value) const {
  Operation *maker = value.getDefiningOp();
  const unsigned made = maker ? getPosition(maker) : 0;
  ArrayRef<StorageId> ids = storage.lookup(value);
  return llvm::all_of(ids, [&](StorageId id) {
    return !storage.getStorage(id).isMemory && written[id] <= made;
  });
}

bool DerivedForms::Inverses::isAtHand(Value value) const {
  if (!isa<ShapedType>(value.getType()))
    return true;
  if (!isStable(value))
    return false;
  Operation *maker = value.getDefiningOp();
  if (!maker || maker->getBlock() != &to.block ||
      maker->hasTrait<OpTrait::ConstantLike>())
    return true;
  return llvm::all_of(storage.lookup(value), [&](StorageId id) {
    return storage.getStorage(id).outlives || used[id] >= full;
  });
}

bool DerivedForms::Inverses::areAvailable(
    const Way &way, unsigned at,
    llvm::DenseMap<Value, std::optional<Way>> &chosen) {
  return way.since <= at && llvm::all_of(way.reads, [&](Value read) {
           return isAvailable(read, at, chosen);
         });
}

bool DerivedForms::Inverses::isAvailable(
    Value value, unsigned at,
    llvm::DenseMap<Value, std::optional<Way>> &chosen) {
  /// Of values that are looked at for one.
  constexpr unsigned kMost = 512;
  value = getBase(value);
  if (Operation *maker = value.getDefiningOp();
      maker && maker->getBlock() == &to.block && getPosition(maker) >= at)
    return false;
  // What is looked at is not available.
  if (auto known = chosen.find(value); known != chosen.end())
    return known->second.has_value();
  // What comes back for others comes back for this one too.
  if (auto known = backs.find(value); known != backs.end())
    return known->second.way.since <= at;
  if (isAtHand(value))
    return true;
  chosen.try_emplace(value);
  if (chosen.size() > kMost || !isStable(value) ||
      storage.lookup(value).size() != 1)
    return false;
  SmallVector<Way> all;
  if (auto found = ways.find(value); found != ways.end())
    for (const Way &way : found->second)
      if (way.undone->get() == value)
        all.push_back(way);
  if (std::optional<Way> again = getAgain(value))
    all.push_back(std::move(*again));
  for (Way &way : all)
    if (areAvailable(way, at, chosen)) {
      chosen[value] = std::move(way);
      return true;
    }
  return false;
}

/// Whether what comes back has a part in `value`. Anything else the planner may
/// run again by itself.
bool DerivedForms::Inverses::isTied(
    Value value,
    const llvm::DenseMap<Value, std::optional<Way>> &chosen) const {
  SmallVector<Value> left = {value};
  llvm::DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = getBase(left.pop_back_val());
    if (backs.contains(next))
      return true;
    auto found = chosen.find(next);
    if (!seen.insert(next).second || found == chosen.end() || !found->second)
      continue;
    if (found->second->undone)
      return true;
    llvm::append_range(left, found->second->reads);
  }
  return false;
}

void DerivedForms::Inverses::want(
    Value value, const Way &way, ArrayRef<OpOperand *> late, unsigned at,
    const llvm::DenseMap<Value, std::optional<Way>> &chosen) {
  SmallVector<std::pair<Value, Way>> left = {{value, way}};
  while (!left.empty()) {
    auto [next, by] = left.pop_back_val();
    auto [entry, isNew] = backs.try_emplace(next);
    Back &back = entry->second;
    if (isNew)
      back.way = by;
    if (next == value) {
      back.late.assign(late.begin(), late.end());
      back.before = at;
    }
    if (!isNew)
      continue;
    for (Value read : by.reads) {
      Value base = getBase(read);
      auto found = chosen.find(base);
      if (found != chosen.end() && found->second && isTied(base, chosen))
        left.push_back({base, *found->second});
    }
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void DerivedForms::Inverses::write(Value value, Back &back) {
  OpBuilder builder(value.getContext());
  Block &parked = *to.parked;
  builder.setInsertionPointToEnd(&parked);
  Operation *last = parked.empty() ? nullptr : &parked.back();
  if (OpOperand *undone = back.way.undone) {
    back.views.map(undone->get(),
                   buildInverse(builder, value.getLoc(), *undone,
                                undone->getOwner()->getResults()));
  } else {
    for (Operation *member : getUnit(value.getDefiningOp())) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(member);
      Operation *fresh = dps ? dps.getDpsInits()[0].getDefiningOp() : nullptr;
      if (isFresh(fresh))
        back.views.map(
            fresh->getResult(0),
            bufferization::AllocTensorOp::create(
                builder, fresh->getLoc(),
                cast<RankedTensorType>(fresh->getResult(0).getType()),
                ValueRange(), Value()));
      builder.clone(*member, back.views);
    }
  }
  for (Operation *op = last ? last->getNextNode() : &parked.front(); op;
       op = op->getNextNode())
    back.ops.push_back(op);
}

/// Those who read what comes back stand before it. Where values come of each
/// other, one of them is taken as it was kept.
SmallVector<Value> DerivedForms::Inverses::sortReadersFirst() {
  SmallVector<Value> order;
  llvm::DenseMap<Value, bool> isDone;
  for (auto &[value, back] : backs) {
    SmallVector<std::pair<Value, unsigned>> path;
    auto enter = [&](Value next) {
      if (isDone.try_emplace(next, false).second)
        path.push_back({next, 0});
    };
    enter(value);
    while (!path.empty()) {
      auto &[next, index] = path.back();
      const Way &way = backs.find(next)->second.way;
      if (index == way.reads.size()) {
        isDone[next] = true;
        order.push_back(next);
        path.pop_back();
        continue;
      }
      Value base = getBase(way.reads[index++]);
      if (backs.contains(base))
        enter(base);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Has `reader` take what comes back instead of what was kept.
void DerivedForms::Inverses::link(Back &reader) {
  OpBuilder builder(to.block.getParentOp()->getContext());
  for (Operation *op : SmallVector<Operation *, 2>(reader.ops))
    for (OpOperand &operand : op->getOpOperands()) {
      auto found = backs.find(getBase(operand.get()));
      if (found == backs.end() || isDestination(op, operand))
        continue;
      Back &source = found->second;
      // Those that stand before are readers of this one, or of each other.
      if (source.isDone || source.way.since > reader.before)
        continue;
      Value seen = operand.get();
      while (!source.views.contains(seen) && seen != found->first)
        seen = StorageAnalysis::getViewSource(seen.getDefiningOp());
      if (!source.views.contains(seen))
        continue;
      builder.setInsertionPointToEnd(to.parked.get());
      Operation *last = &to.parked->back();
      Value after = cloneViews(builder, operand.get(), source.views);
      while ((last = last->getNextNode()))
        source.ops.push_back(last);
      source.uses.push_back({&operand, operand.get(), after});
      source.before = std::min(source.before, reader.before);
      links.push_back({reader.form, found->first});
    }
}

void DerivedForms::Inverses::addForm(Value value, Back &back) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointToEnd(to.parked.get());
  Operation *last = &to.parked->back();
  for (OpOperand *use : back.late)
    back.uses.push_back(
        {use, use->get(), cloneViews(builder, use->get(), back.views)});
  while ((last = last->getNextNode()))
    back.ops.push_back(last);
  back.form = to.forms.size();
  const StorageId id = storage.lookup(value)[0];
  Form form;
  form.value = cast<OpResult>(value);
  if (!back.late.empty())
    form.spared = {value};
  form.facts.value = getValueName(value);
  form.facts.loc = value.getLoc();
  form.facts.bytes = storage.getStorage(id).getFootprint();
  form.facts.kind = DerivedForm::Again;
  if (OpOperand *undone = back.way.undone) {
    form.facts.kind = getInversion(*undone) == Inversion::Rounded
                          ? DerivedForm::Rounded
                          : DerivedForm::Undone;
    form.facts.source = getOpName(undone->getOwner());
  }
  to.forms.push_back(std::move(form));
}

} // namespace pebble
