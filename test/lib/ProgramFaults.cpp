//===- ProgramFaults.cpp - mistakes in scheduled IR ------------------------===//

#include "Faults.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/ApplySchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace pebble;

namespace {
/// The places for faults in one block.
class Places {
public:
  Places(func::FuncOp function, const StorageAnalysis &storage)
      : function(function), storage(storage), body(*storage.getBlock()) {
    SmallVector<Value> work(body.getTerminator()->getOperands());
    // What has no result is there for its effect.
    for (Operation &op : body.without_terminator())
      if (op.getNumResults() == 0 && !StorageAnalysis::isFree(&op)) {
        live.insert(&op);
        llvm::append_range(work, op.getOperands());
      }
    while (!work.empty()) {
      Operation *op = work.pop_back_val().getDefiningOp();
      if (!op || !live.insert(op).second)
        continue;
      op->walk([&](Operation *nested) {
        llvm::append_range(work, nested->getOperands());
      });
    }
  }

  std::vector<Fault> droppedDependence();
  std::vector<Fault> overwriteBeforeReader();
  std::vector<Fault> earlyDrop(bool throughOtherName);
  std::vector<Fault> secondDrop();
  std::vector<Fault> staleOperand(bool inClone);
  std::vector<Fault> missingOpaque();
  std::vector<Fault> wrongViewBase();
  std::vector<Fault> wrongSlice(bool read);
  std::vector<Fault> swappedOverwrite(bool ofCaller);
  std::vector<Fault> lostOverwrite();
  std::vector<Fault> swappedOperands();
  std::vector<Fault> swappedResults();
  std::vector<Fault> changedConstant();
  std::vector<Fault> changedBody();
  std::vector<Fault> lostFill();
  std::vector<Fault> lostCopy();
  std::vector<Fault> raisedPeak();
  std::vector<Fault> wrongPlan();
  std::vector<Fault> swappedEffects();

private:
  bool isLive(Operation *op) const { return live.contains(op); }
  bool shareStorage(Value a, Value b) const {
    return llvm::any_of(storage.lookup(a), [&](StorageId id) {
      return llvm::is_contained(storage.lookup(b), id);
    });
  }
  /// True unless the values are proven to hold different things: what looks
  /// alike may be a recomputed copy.
  bool mayBeEqual(Value a, Value b) const;
  /// Tensors of the type of `value` with other content in other storage, that
  /// are there before `op`.
  SmallVector<Value> getOthers(Value value, Operation *op) const;
  /// The result of a step and the operand that it overwrites.
  SmallVector<std::pair<OpResult, OpOperand *>> getOverwrites() const;
  bool isThereBefore(Value value, Operation *op) const {
    Operation *source = value.getDefiningOp();
    return !source || source->getBlock() != &body ||
           source->isBeforeInBlock(op);
  }
  bool needsOnlyWhatIsBefore(Operation *op, Operation *place) const {
    bool good = true;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *source = operand.getDefiningOp();
            !source || !op->isAncestor(source))
          good &= isThereBefore(operand, place);
    });
    return good;
  }

  func::FuncOp function;
  const StorageAnalysis &storage;
  Block &body;
  llvm::DenseSet<Operation *> live;
};
} // namespace

bool Places::mayBeEqual(Value a, Value b) const {
  if (a == b || shareStorage(a, b))
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first && !second)
    return false;
  auto hidesContent = [](Operation *op) {
    if (!op)
      return false;
    auto alloc = dyn_cast<bufferization::AllocTensorOp>(op);
    return alloc || isa<OpaqueOp, tensor::EmptyOp>(op) ||
           StorageAnalysis::getViewSource(op);
  };
  if (hidesContent(first) || hidesContent(second))
    return true;
  return first && second && first->getName() == second->getName() &&
         OperationEquivalence::isEquivalentTo(
             first, second, OperationEquivalence::ignoreValueEquivalence,
             nullptr, OperationEquivalence::IgnoreLocations);
}

SmallVector<Value> Places::getOthers(Value value, Operation *op) const {
  SmallVector<Value> others;
  auto consider = [&](Value other) {
    if (other.getType() == value.getType() && !mayBeEqual(value, other))
      others.push_back(other);
  };
  for (BlockArgument argument : body.getArguments())
    consider(argument);
  for (Operation &other : body) {
    if (&other == op)
      break;
    for (Value result : other.getResults())
      consider(result);
  }
  return others;
}

SmallVector<std::pair<OpResult, OpOperand *>> Places::getOverwrites() const {
  SmallVector<std::pair<OpResult, OpOperand *>> overwrites;
  for (const Step &step : storage.getSteps())
    for (OpResult result : step.op->getResults())
      if (OpOperand *operand = storage.getDestination(result).overwrites)
        overwrites.push_back({result, operand});
  return overwrites;
}

/// An order that keeps every dependence but one, which it turns round: what a
/// planner does that does not know of it.
std::vector<Fault> Places::droppedDependence() {
  std::vector<Fault> faults;
  DependenceGraph graph(storage);
  ArrayRef<Step> steps = storage.getSteps();
  for (const Dependence &dropped : graph.getDependences()) {
    if (dropped.kind == DependenceKind::Flow ||
        !isLive(steps[dropped.before].op) || !isLive(steps[dropped.after].op))
      continue;
    std::vector<llvm::SmallVector<unsigned>> after(steps.size());
    std::vector<unsigned> waiting(steps.size(), 0);
    bool isOnly = true;
    auto add = [&](unsigned first, unsigned second) {
      after[first].push_back(second);
      ++waiting[second];
    };
    for (const Dependence &d : graph.getDependences())
      if (d.before != dropped.before || d.after != dropped.after)
        add(d.before, d.after);
      else
        isOnly &= d.kind == dropped.kind;
    add(dropped.after, dropped.before);
    std::vector<unsigned> order;
    llvm::SmallSetVector<unsigned, 16> ready;
    for (unsigned i = 0; i < steps.size(); ++i)
      if (!waiting[i])
        ready.insert(i);
    while (!ready.empty()) {
      unsigned next = *std::min_element(ready.begin(), ready.end());
      ready.remove(next);
      order.push_back(next);
      for (unsigned other : after[next])
        if (--waiting[other] == 0)
          ready.insert(other);
    }
    if (isOnly && order.size() == steps.size())
      faults.push_back([this, order] { applyOrder(storage, order); });
  }
  return faults;
}

/// An overwrite moved to before the last one who reads the old content.
std::vector<Fault> Places::overwriteBeforeReader() {
  std::vector<Fault> faults;
  for (auto [result, operand] : getOverwrites()) {
    Operation *op = result.getOwner();
    Operation *reader = nullptr;
    for (const Step &step : storage.getSteps()) {
      if (!step.op->isBeforeInBlock(op))
        break;
      for (const Access &access : step.accesses)
        if (access.kind == AccessKind::Read && isLive(step.op) &&
            llvm::is_contained(storage.lookup(result), access.storage) &&
            operand->get().getDefiningOp() != step.op)
          reader = step.op;
    }
    if (reader && isLive(op) && needsOnlyWhatIsBefore(op, reader))
      faults.push_back([op, reader] { op->moveBefore(reader); });
  }
  return faults;
}

/// A drop moved to before the last use of the storage: of the value that is
/// dropped, or of another name of its storage.
std::vector<Fault> Places::earlyDrop(bool throughOtherName) {
  std::vector<Fault> faults;
  for (auto drop : body.getOps<DropOp>()) {
    Value dropped = drop->getOperand(0);
    Operation *last = nullptr;
    for (const Step &step : storage.getSteps())
      if (step.op->isBeforeInBlock(drop))
        for (const Access &access : step.accesses)
          if (llvm::is_contained(storage.lookup(dropped), access.storage))
            last = step.op;
    if (!last || last == dropped.getDefiningOp() ||
        !isThereBefore(dropped, last))
      continue;
    bool isDirect = llvm::is_contained(last->getOperands(), dropped);
    if (isDirect != throughOtherName)
      faults.push_back([drop, last] { drop->moveBefore(last); });
  }
  return faults;
}

std::vector<Fault> Places::secondDrop() {
  std::vector<Fault> faults;
  for (auto drop : body.getOps<DropOp>())
    faults.push_back([drop] { OpBuilder(drop).clone(*drop); });
  return faults;
}

/// What was overwritten, read instead of what overwrote it; by an operation
/// that runs again, or by any.
std::vector<Fault> Places::staleOperand(bool inClone) {
  std::vector<Fault> faults;
  for (auto [result, operand] : getOverwrites()) {
    Value old = operand->get();
    if (old.getDefiningOp<bufferization::AllocTensorOp>() ||
        old.getDefiningOp<OpaqueOp>())
      continue; // a destination has no old content
    for (OpOperand &use : result.getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() == &body && isLive(user) && !isa<DropOp>(user) &&
          isa<OpaqueOp>(user) == inClone)
        faults.push_back([use = &use, old] { use->set(old); });
    }
  }
  return faults;
}

/// The operands of an operation that runs again taken as they are, where that
/// lets upstream merge it with the first.
std::vector<Fault> Places::missingOpaque() {
  std::vector<Fault> faults;
  for (Operation &op : body) {
    bool isHidden = llvm::any_of(op.getOperands(), [](Value operand) {
      return operand.getDefiningOp<OpaqueOp>();
    });
    if (!isHidden || !isLive(&op) || !isMemoryEffectFree(&op) ||
        isa<OpaqueOp>(op))
      continue;
    auto source = [](Value value) {
      while (auto opaque = value.getDefiningOp<OpaqueOp>())
        value = opaque->getOperand(0);
      return value;
    };
    for (Operation &first : body) {
      if (&first == &op)
        break;
      if (first.getName() != op.getName() ||
          !llvm::equal(first.getOperands(), op.getOperands(),
                       [&](Value a, Value b) { return a == source(b); }) ||
          !OperationEquivalence::isEquivalentTo(
              &first, &op, OperationEquivalence::ignoreValueEquivalence,
              nullptr, OperationEquivalence::IgnoreLocations))
        continue;
      faults.push_back([op = &op, source] {
        for (OpOperand &operand : op->getOpOperands())
          operand.set(source(operand.get()));
      });
      break;
    }
  }
  return faults;
}

std::vector<Fault> Places::wrongViewBase() {
  std::vector<Fault> faults;
  for (Operation &op : body)
    if (isLive(&op) && isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                           tensor::CollapseShapeOp>(op))
      for (Value other : getOthers(op.getOperand(0), &op))
        faults.push_back([op = &op, other] { op->setOperand(0, other); });
  return faults;
}

/// A slice read, or written, one element beside its place.
std::vector<Fault> Places::wrongSlice(bool read) {
  std::vector<Fault> faults;
  for (Operation &op : body) {
    auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
    if (!slice || !isLive(&op) || isa<tensor::ExtractSliceOp>(op) != read)
      continue;
    Value whole = read ? op.getOperand(0) : op.getOperand(1);
    auto type = cast<RankedTensorType>(whole.getType());
    ArrayRef<int64_t> offsets = slice.getStaticOffsets();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t reach =
          (slice.getStaticSizes()[dim] - 1) * slice.getStaticStrides()[dim];
      SmallVector<int64_t> moved(offsets);
      if (offsets[dim] + reach + 1 < type.getDimSize(dim))
        ++moved[dim];
      else if (offsets[dim] > 0)
        --moved[dim];
      else
        continue;
      faults.push_back([op = &op, moved] {
        op->setAttr("static_offsets",
                    DenseI64ArrayAttr::get(op->getContext(), moved));
      });
    }
  }
  return faults;
}

/// An operation that overwrites another value than it should; one that it may
/// overwrite, or one that belongs to the caller.
std::vector<Fault> Places::swappedOverwrite(bool ofCaller) {
  std::vector<Fault> faults;
  for (auto [result, operand] : getOverwrites()) {
    Operation *op = result.getOwner();
    Value old = operand->get();
    if (!isLive(op) || old.getDefiningOp<OpaqueOp>() ||
        (old.getDefiningOp<bufferization::AllocTensorOp>() && !ofCaller))
      continue;
    for (Value other : getOthers(old, op)) {
      bool isCallers = llvm::any_of(storage.lookup(other), [&](StorageId id) {
        return storage.getStorage(id).kind == StorageKind::Argument;
      });
      // What is read with its old content differs; what is only written must
      // be the caller's to matter.
      bool reads = false;
      if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
        reads = linalg.payloadUsesValueFromOperand(operand);
      if (isCallers == ofCaller && reads)
        faults.push_back([operand = operand, other] { operand->set(other); });
    }
  }
  return faults;
}

/// An update in place that is done, and whose result nobody reads.
std::vector<Fault> Places::lostOverwrite() {
  std::vector<Fault> faults;
  for (auto [result, operand] : getOverwrites()) {
    Value old = operand->get();
    bool isRead = llvm::any_of(result.getUsers(), [&](Operation *user) {
      return user == body.getTerminator() ||
             isLive(body.findAncestorOpInBlock(*user));
    });
    if (isLive(result.getOwner()) && isRead &&
        !old.getDefiningOp<bufferization::AllocTensorOp>() &&
        !old.getDefiningOp<OpaqueOp>())
      faults.push_back(
          [result = result, old]() mutable { result.replaceAllUsesWith(old); });
  }
  return faults;
}

std::vector<Fault> Places::swappedOperands() {
  std::vector<Fault> faults;
  for (const Step &step : storage.getSteps()) {
    Operation *op = step.op;
    bool isOrdered = isa<linalg::MatmulOp>(op);
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      generic.walk([&](arith::SubFOp) { isOrdered = true; });
    if (isOrdered && isLive(op) && op->getNumOperands() >= 2 &&
        op->getOperand(0).getType() == op->getOperand(1).getType() &&
        !mayBeEqual(op->getOperand(0), op->getOperand(1)))
      faults.push_back([op] {
        Value first = op->getOperand(0);
        op->setOperand(0, op->getOperand(1));
        op->setOperand(1, first);
      });
  }
  return faults;
}

std::vector<Fault> Places::swappedResults() {
  std::vector<Fault> faults;
  Operation *end = body.getTerminator();
  for (unsigned i = 0; i < end->getNumOperands(); ++i)
    for (unsigned j = i + 1; j < end->getNumOperands(); ++j)
      if (end->getOperand(i).getType() == end->getOperand(j).getType() &&
          !mayBeEqual(end->getOperand(i), end->getOperand(j)))
        faults.push_back([end, i, j] {
          Value first = end->getOperand(i);
          end->setOperand(i, end->getOperand(j));
          end->setOperand(j, first);
        });
  return faults;
}

/// One more than it was.
static bool raise(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return false;
  Attribute value = constant.getValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    constant.setValueAttr(
        FloatAttr::get(number.getType(), number.getValueAsDouble() + 1));
  else if (auto number = dyn_cast<IntegerAttr>(value))
    constant.setValueAttr(
        IntegerAttr::get(number.getType(), number.getValue() ^ 1));
  else
    return false;
  return true;
}

std::vector<Fault> Places::changedConstant() {
  std::vector<Fault> faults;
  for (auto constant : body.getOps<arith::ConstantOp>())
    if (isLive(constant) && isa<FloatAttr, IntegerAttr>(constant.getValue()))
      faults.push_back([constant] { raise(constant); });
  return faults;
}

/// The same inside of what an operation does.
std::vector<Fault> Places::changedBody() {
  std::vector<Fault> faults;
  for (const Step &step : storage.getSteps())
    if (isLive(step.op))
      step.op->walk([&](arith::ConstantOp constant) {
        if (constant->getBlock() != &body && isa<FloatType>(constant.getType()))
          faults.push_back([constant] { raise(constant); });
      });
  return faults;
}

/// A destination that is read and was not filled.
std::vector<Fault> Places::lostFill() {
  std::vector<Fault> faults;
  for (auto fill : body.getOps<linalg::FillOp>())
    if (isLive(fill) && fill->getNumResults() == 1)
      faults.push_back([fill]() mutable {
        fill->getResult(0).replaceAllUsesWith(fill.getOutputs()[0]);
      });
  return faults;
}

/// A copy that makes room for an update and is not taken.
std::vector<Fault> Places::lostCopy() {
  std::vector<Fault> faults;
  for (auto alloc : body.getOps<bufferization::AllocTensorOp>())
    if (alloc.getCopy() && isLive(alloc))
      faults.push_back([alloc]() mutable { alloc.getCopyMutable().clear(); });
  return faults;
}

/// An operation that runs too early: right, but the plan is not kept.
std::vector<Fault> Places::raisedPeak() {
  std::vector<Fault> faults;
  DependenceGraph graph(storage);
  ArrayRef<Step> steps = storage.getSteps();
  int64_t planned = LifetimeAnalysis(storage).getPeakBytes();
  for (unsigned step = 1; step < steps.size(); ++step) {
    unsigned first = 0;
    for (const Dependence &d : graph.getDependences())
      if (d.after == step)
        first = std::max(first, d.before + 1);
    std::vector<unsigned> order;
    for (unsigned i = 0; i < steps.size(); ++i) {
      if (i == first)
        order.push_back(step);
      if (i != step)
        order.push_back(i);
    }
    if (first < step &&
        LifetimeAnalysis(storage, order).getPeakBytes() > planned)
      faults.push_back([this, order] { applyOrder(storage, order); });
  }
  return faults;
}

std::vector<Fault> Places::wrongPlan() {
  auto plan = function->getAttrOfType<DictionaryAttr>(attr::kResult);
  if (!plan || !plan.get("peak_bytes"))
    return {};
  return {[this, plan] {
    NamedAttrList attrs(plan);
    auto peak = plan.getAs<IntegerAttr>("peak_bytes");
    attrs.set("peak_bytes",
              IntegerAttr::get(peak.getType(), peak.getInt() - 64));
    function->setAttr(attr::kResult, attrs.getDictionary(plan.getContext()));
  }};
}

/// Two neighbours with effects in the wrong order.
std::vector<Fault> Places::swappedEffects() {
  std::vector<Fault> faults;
  DependenceGraph graph(storage);
  ArrayRef<Step> steps = storage.getSteps();
  for (const Dependence &d : graph.getDependences()) {
    Operation *first = steps[d.before].op, *second = steps[d.after].op;
    if (d.kind == DependenceKind::Effect && first->getNumResults() == 0 &&
        needsOnlyWhatIsBefore(second, first))
      faults.push_back([first, second] { second->moveBefore(first); });
  }
  return faults;
}

std::vector<ProgramFaultKind> pebble::getProgramFaults() {
  // The places live as long as the faults.
  auto kind = [](StringRef name, auto find) {
    return ProgramFaultKind{
        name, [find](func::FuncOp function, const StorageAnalysis &storage) {
          auto places = std::make_shared<Places>(function, storage);
          std::vector<Fault> faults = find(*places);
          for (Fault &fault : faults)
            fault = [places, fault] { fault(); };
          return faults;
        }};
  };
  return {
      kind("dropped dependence",
           [](Places &p) { return p.droppedDependence(); }),
      kind("overwrite before a reader",
           [](Places &p) { return p.overwriteBeforeReader(); }),
      kind("early drop", [](Places &p) { return p.earlyDrop(false); }),
      kind("early drop through another name",
           [](Places &p) { return p.earlyDrop(true); }),
      kind("second drop", [](Places &p) { return p.secondDrop(); }),
      kind("stale operand", [](Places &p) { return p.staleOperand(false); }),
      kind("stale clone", [](Places &p) { return p.staleOperand(true); }),
      kind("missing opaque identity",
           [](Places &p) { return p.missingOpaque(); }),
      kind("wrong view base", [](Places &p) { return p.wrongViewBase(); }),
      kind("wrong slice read", [](Places &p) { return p.wrongSlice(true); }),
      kind("wrong slice written",
           [](Places &p) { return p.wrongSlice(false); }),
      kind("swapped overwrite",
           [](Places &p) { return p.swappedOverwrite(false); }),
      kind("overwritten argument of the caller",
           [](Places &p) { return p.swappedOverwrite(true); }),
      kind("lost overwrite", [](Places &p) { return p.lostOverwrite(); }),
      kind("swapped operands", [](Places &p) { return p.swappedOperands(); }),
      kind("swapped results", [](Places &p) { return p.swappedResults(); }),
      kind("changed constant", [](Places &p) { return p.changedConstant(); }),
      kind("changed body", [](Places &p) { return p.changedBody(); }),
      kind("lost fill", [](Places &p) { return p.lostFill(); }),
      kind("lost copy", [](Places &p) { return p.lostCopy(); }),
      kind("raised peak", [](Places &p) { return p.raisedPeak(); }),
      kind("wrong plan", [](Places &p) { return p.wrongPlan(); }),
      kind("swapped effects", [](Places &p) { return p.swappedEffects(); })};
}
