//===- Ownership.cpp - who frees which buffer -----------------------------===//

#include "Ownership.h"

#include "pebble/Analysis/Jumps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pebble;

bool pebble::mayNameBuffer(Type type) {
  return !isa<IntegerType, FloatType, IndexType, VectorType, ComplexType,
              NoneType, TensorType>(type);
}

Ownership::Ownership(ModuleOp module, const Operands &kept) : kept(kept) {
  module.walk([&](func::FuncOp func) { analyze(func); });
}

/// A name means a function of the module that the call stands in.
func::FuncOp Ownership::getCallee(func::CallOp call) const {
  return symbols.lookupNearestSymbolFrom<func::FuncOp>(call,
                                                       call.getCalleeAttr());
}

ArrayRef<Value> Ownership::getRoots(Value value) const {
  auto it = roots.find(value);
  return it == roots.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

Block *Ownership::getOwner(Value root) const { return owners.lookup(root); }

ArrayRef<Value> Ownership::getNames(Value root) const {
  auto it = names.find(root);
  return it == names.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

ArrayRef<Value> Ownership::getOwned(Block *block) const {
  auto it = owned.find(block);
  return it == owned.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

OpOperand *Ownership::sharesWith(OpOperand &operand) const {
  return sharing.lookup(&operand);
}

/// Adds roots to a value that names other people's buffers.
bool Ownership::add(Value value, ArrayRef<Value> given) {
  if (given.empty())
    return false;
  Roots more(given); // `given` may stand in the map that grows here.
  Roots &mine = roots[value];
  bool changed = false;
  for (Value root : more)
    if (!llvm::is_contained(mine, root)) {
      mine.push_back(root);
      changed = true;
    }
  return changed;
}

/// Makes `value` a root, owned by `owner` or by nobody here.
bool Ownership::setRoot(Value value, Block *owner) {
  Roots &mine = roots[value];
  if (mine.size() == 1 && mine.front() == value)
    return false;
  mine.assign(1, value);
  if (owner)
    owners[value] = owner;
  return true;
}

/// Puts a region's input into owned mode.
bool Ownership::own(Value input) { return ownedInputs.insert(input).second; }

static Block *blockOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner();
  return value.getDefiningOp()->getBlock();
}

/// Lets what a loop begins with and what it yields flow into its arguments and
/// its results: the last operands of the loop, and all of its terminator.
static void addPairs(Operation *loop, RegionBranchSuccessorMapping &mapping) {
  Block &body = loop->getRegion(0).front();
  Operation *yield = body.getTerminator();
  unsigned number = loop->getNumResults();
  unsigned firstInit = loop->getNumOperands() - number;
  unsigned firstArgument = body.getNumArguments() - number;
  for (unsigned i = 0; i < number; ++i)
    for (OpOperand *operand :
         {&loop->getOpOperand(firstInit + i), &yield->getOpOperand(i)})
      mapping[operand] = {body.getArgument(firstArgument + i),
                          loop->getResult(i)};
}

/// Calls `visit` with each operand that `op`, or a terminator in it, passes on
/// to inputs of `op`, in the order of the program.
static void
forEachFlow(RegionBranchOpInterface op,
            llvm::function_ref<void(OpOperand &, ArrayRef<Value>)> visit) {
  RegionBranchSuccessorMapping mapping;
  op.getSuccessorOperandInputMapping(mapping);
  // A loop that is known to run says that it does not hand on what it began
  // with; its results and arguments go in pairs all the same.
  if (isa<scf::ForOp, affine::AffineForOp>(op))
    addPairs(op, mapping);
  auto visitAll = [&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands())
      if (auto it = mapping.find(&operand); it != mapping.end())
        visit(operand, it->second);
  };
  visitAll(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        visitAll(&block.back());
}

/// The inputs of `op` that were tensors: results and operands are marked, and
/// what the same operands flow into.
static llvm::DenseSet<Value> findValues(RegionBranchOpInterface op) {
  llvm::DenseSet<Value> values;
  auto marks = op->getAttrOfType<DenseI64ArrayAttr>(kByValueAttr);
  if (!marks)
    return values;
  llvm::DenseSet<OpOperand *> marked;
  for (int64_t mark : marks.asArrayRef()) {
    if (mark < op->getNumResults())
      values.insert(op->getResult(mark));
    else if (mark - op->getNumResults() < op->getNumOperands())
      marked.insert(&op->getOpOperand(mark - op->getNumResults()));
  }
  forEachFlow(op, [&](OpOperand &operand, ArrayRef<Value> inputs) {
    if (marked.contains(&operand) ||
        llvm::any_of(inputs, [&](Value in) { return values.contains(in); }))
      values.insert(inputs.begin(), inputs.end());
  });
  return values;
}

/// A loop that surely runs ends with what it yields, never with what it began
/// with.
static bool isNeverTheSame(OpOperand &operand, Value input) {
  return isa<OpResult>(input) && operand.getOwner() == input.getDefiningOp() &&
         surelyRuns(operand.getOwner());
}

/// Puts into an input what `operand` brings: if the input owns, itself, and
/// what stays with its owner.
bool Ownership::flow(OpOperand &operand, Value input) {
  const bool brings = !isNeverTheSame(operand, input);
  if (!ownedInputs.contains(input))
    return brings && add(input, getRoots(operand.get()));
  if (values.contains(input))
    return setRoot(input, blockOf(input));
  bool changed = add(input, {input});
  owners[input] = blockOf(input);
  handing.insert(&operand);
  SmallVector<Value, 2> &inputs = inputsOf[&operand];
  if (!llvm::is_contained(inputs, input))
    inputs.push_back(input);
  Roots given = getGiven(operand), stay;
  for (Value root : getRoots(operand.get()))
    if (brings && !llvm::is_contained(given, root))
      stay.push_back(root);
  return add(input, stay) || changed;
}

/// Two inputs into which one op may give the same buffer: one of them owns it,
/// and both name it for as long as one of them is used.
bool Ownership::shareAmong(Operation *user) {
  bool changed = false;
  llvm::DenseMap<Value, SmallVector<OpOperand *, 1>> givers;
  auto areBeside = [](Value a, Value b) {
    return a != b && blockOf(a) == blockOf(b) &&
           isa<OpResult>(a) == isa<OpResult>(b);
  };
  for (OpOperand &operand : user->getOpOperands()) {
    if (!inputsOf.contains(&operand))
      continue;
    for (Value root : getGiven(operand)) {
      SmallVector<OpOperand *, 1> &others = givers[root];
      for (OpOperand *other : others)
        for (Value a : inputsOf[other])
          for (Value b : inputsOf[&operand])
            if (areBeside(a, b)) {
              changed |= add(a, {b});
              changed |= add(b, {a});
            }
      others.push_back(&operand);
    }
  }
  return changed;
}

/// Inputs that one operand flows into share their mode: whoever hands a buffer
/// over does so on every path. Iterated by the caller until nothing changes.
bool Ownership::visitRegions(RegionBranchOpInterface op) {
  bool changed = false;
  for (Value value : findValues(op))
    values.insert(value);
  forEachFlow(op, [&](OpOperand &operand, ArrayRef<Value> inputs) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      return;
    bool isOwned = llvm::any_of(
        inputs, [&](Value input) { return ownedInputs.contains(input); });
    for (Value root : getRoots(operand.get()))
      if (Block *owner = getOwner(root))
        isOwned |= op->isAncestor(owner->getParentOp());
    if (isOwned)
      for (Value input : inputs)
        changed |= own(input);
  });
  forEachFlow(op, [&](OpOperand &operand, ArrayRef<Value> inputs) {
    for (Value input : inputs)
      changed |= flow(operand, input);
  });
  changed |= shareAmong(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        changed |= shareAmong(&block.back());
  return changed;
}

/// Puts the arguments that must own what flows into them into owned mode, and
/// lets it flow.
bool Ownership::visitBranch(BranchOpInterface op) {
  bool changed = false;
  forEachPassed(op, [&](OpOperand &operand, BlockArgument argument) {
    if (isa<BaseMemRefType>(argument.getType()))
      for (Value root : getRoots(operand.get()))
        if (Block *owner = getOwner(root))
          if (mustOwn(argument, root, owner))
            changed |= own(argument);
    changed |= flow(operand, argument);
  });
  return shareAmong(op) || changed;
}

Ownership::Roots Ownership::getGiven(OpOperand &operand) const {
  Roots given;
  if (!handing.contains(&operand) || kept.contains(&operand))
    return given;
  Region *region = operand.getOwner()->getParentRegion();
  for (Value root : getRoots(operand.get()))
    if (Block *owner = getOwner(root); owner && owner->getParent() == region)
      given.push_back(root);
  return given;
}

ArrayRef<Value> Ownership::getOwnedInputs(OpOperand &operand) const {
  auto it = inputsOf.find(&operand);
  return it == inputsOf.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

bool Ownership::isByValue(OpOperand &operand) const {
  Operation *user = operand.getOwner();
  if (isa<func::CallOp>(user))
    return true;
  if (isa<func::ReturnOp>(user)) {
    auto marks =
        user->getParentOp()->getAttrOfType<DenseI64ArrayAttr>(kByValueAttr);
    return marks &&
           llvm::is_contained(marks.asArrayRef(), operand.getOperandNumber());
  }
  return !inputsOf.contains(&operand);
}

const Ownership::Result *Ownership::getResult(func::CallOp call,
                                              unsigned index) const {
  auto known = summaries.find(getCallee(call));
  return known == summaries.end() || known->second.size() <= index
             ? nullptr
             : &known->second[index];
}

bool Ownership::visitCall(func::CallOp call, func::FuncOp callee) {
  if (callee && !callee.isExternal() && !summaries.contains(callee))
    analyze(callee);
  bool changed = false;
  auto known = callee ? summaries.find(callee) : summaries.end();
  if (callee && !callee.isExternal() && known == summaries.end() &&
      llvm::any_of(call.getResultTypes(), mayNameBuffer))
    recursive.insert(call);
  for (auto [i, result] : llvm::enumerate(call.getResults())) {
    if (!mayNameBuffer(result.getType()))
      continue;
    // A result of an unknown or recursive callee belongs to nobody we know.
    if (known == summaries.end() || known->second.size() <= i) {
      changed |= setRoot(result, nullptr);
      continue;
    }
    const Result &summary = known->second[i];
    if (summary.same >= 0)
      changed |= add(result, getRoots(call.getResult(summary.same)));
    else {
      if (summary.owned)
        owners[result] = call->getBlock();
      if (summary.owned || summary.other)
        changed |= add(result, {result});
      for (unsigned argument : summary.arguments)
        changed |= add(result, getRoots(call.getOperand(argument)));
      for (unsigned earlier : summary.shared) {
        changed |= add(result, {call.getResult(earlier)});
        changed |= add(call.getResult(earlier), {result});
      }
    }
  }
  return changed;
}

static bool mayBeAddress(Type type) {
  return isa<IndexType>(type) || type.isInteger(64);
}

/// The buffers that integers which `op` makes may be addresses of: those whose
/// addresses it takes, and those of buffers that it does not read.
Ownership::Roots Ownership::getAddressed(Operation *op) const {
  Roots addressed;
  if (isa<memref::DimOp, memref::RankOp, ViewLikeOpInterface>(op))
    return addressed;
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  for (Value operand : op->getOperands())
    if (llvm::none_of(effects, [&](const auto &effect) {
          return effect.getValue() == operand;
        }))
      for (Value root : getRoots(operand))
        if (!llvm::is_contained(addressed, root))
          addressed.push_back(root);
  return addressed;
}

bool Ownership::visit(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return setRoot(op->getResult(0), op->getBlock());
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, getCallee(call));
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return visitRegions(branch);
  bool changed = false;
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    return visitBranch(branch);
  // Whatever else has a result that may name a buffer passes its operands on:
  // views, casts, selections, tokens of transfers in flight.
  for (Value result : op->getResults()) {
    if (!mayNameBuffer(result.getType())) {
      if (mayBeAddress(result.getType()))
        changed |= add(result, getAddressed(op));
      continue;
    }
    Roots sources;
    // A view names its source alone, whatever else it looks at (a shape, say).
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    SmallVector<Value> handedOn(op->getOperands());
    if (view)
      handedOn = {view.getViewSource()};
    for (Value operand : handedOn)
      for (Value root : getRoots(operand))
        if (!llvm::is_contained(sources, root))
          sources.push_back(root);
    if (sources.empty())
      changed |= setRoot(result, nullptr);
    else
      changed |= add(result, sources);
  }
  return changed;
}

Ownership::Summary Ownership::summarize(func::FuncOp func) {
  Summary summary(func.getNumResults());
  SmallVector<func::ReturnOp> returns;
  for (Block &block : func.getBody())
    if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator()))
      returns.push_back(ret);
  noteNamed(returns, summary);
  noteHandedOver(returns, summary);
  noteShared(returns, summary);
  return summary;
}

void Ownership::noteNamed(ArrayRef<func::ReturnOp> returns, Summary &summary) {
  for (func::ReturnOp ret : returns)
    for (OpOperand &operand : ret->getOpOperands()) {
      Result &result = summary[operand.getOperandNumber()];
      // An address that is handed out as a number hands out no buffer.
      if (!mayNameBuffer(operand.get().getType()))
        continue;
      for (Value root : getRoots(operand.get())) {
        auto argument = dyn_cast<BlockArgument>(root);
        if (getOwner(root))
          result.owned = true;
        else if (argument &&
                 argument.getOwner() == &ret->getParentRegion()->front()) {
          if (!llvm::is_contained(result.arguments, argument.getArgNumber()))
            result.arguments.push_back(argument.getArgNumber());
        } else {
          result.other = true;
          if (auto global = root.getDefiningOp<memref::GetGlobalOp>())
            result.globals.push_back(global);
          else
            result.unknown = true;
        }
      }
    }
}

void Ownership::noteHandedOver(ArrayRef<func::ReturnOp> returns,
                               Summary &summary) {
  for (func::ReturnOp ret : returns)
    for (OpOperand &operand : ret->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (!summary[i].owned)
        continue;
      handing.insert(&operand);
      // A copy is what comes back in place of what cannot be given.
      if (isByValue(operand)) {
        summary[i].arguments.clear();
        summary[i].globals.clear();
        summary[i].other = summary[i].unknown = false;
      }
      // With one return, two results with one buffer are known to share it.
      if (returns.size() > 1 || getRoots(operand.get()).size() != 1)
        continue;
      for (unsigned j = 0; j < i; ++j)
        if (summary[j].owned && summary[j].same < 0 &&
            getRoots(ret.getOperand(j)) == getRoots(operand.get())) {
          summary[i].same = static_cast<int>(j);
          sharing[&operand] = &ret->getOpOperand(j);
          break;
        }
    }
}

void Ownership::noteShared(ArrayRef<func::ReturnOp> returns,
                           Summary &summary) const {
  for (func::ReturnOp ret : returns)
    for (OpOperand &operand : ret->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (!summary[i].owned || summary[i].same >= 0 || isByValue(operand))
        continue;
      Roots given = getGiven(operand);
      for (unsigned j = 0; j < i; ++j)
        if (summary[j].owned && summary[j].same < 0 &&
            !llvm::is_contained(summary[i].shared, j) &&
            llvm::any_of(
                getGiven(ret->getOpOperand(j)),
                [&](Value root) { return llvm::is_contained(given, root); }))
          summary[i].shared.push_back(j);
    }
}

void Ownership::analyze(func::FuncOp func) {
  if (func.isExternal() || summaries.contains(func) ||
      !visiting.insert(func).second)
    return;
  for (BlockArgument argument : func.getArguments())
    if (mayNameBuffer(argument.getType()))
      setRoot(argument, isDonatedArgument(func, argument.getArgNumber())
                            ? argument.getOwner()
                            : nullptr);
  // Loops carry names around, and an input that becomes owned changes what its
  // names mean: start again from the modes found so far.
  auto walkOnce = [&] {
    bool changed = false;
    func.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { changed |= visit(op); });
    return changed;
  };
  size_t modes;
  do {
    modes = ownedInputs.size();
    for (Block &block : llvm::drop_begin(func.getBody()))
      for (Value argument : block.getArguments())
        roots.erase(argument);
    func.getBody().walk([&](Operation *op) {
      for (Value result : op->getResults())
        roots.erase(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            roots.erase(argument);
    });
    while (walkOnce() && ownedInputs.size() == modes) {
    }
  } while (ownedInputs.size() != modes);

  noteHanding(func);
  summaries[func] = summarize(func);
  indexNames(func);
}

void Ownership::noteHanding(func::FuncOp func) {
  // Those of values were not noted on the way.
  auto isOwned = [&](Value input) { return ownedInputs.contains(input); };
  auto note = [&](OpOperand &operand, ArrayRef<Value> inputs) {
    if (!llvm::any_of(inputs, isOwned))
      return;
    handing.insert(&operand);
    if (inputsOf.contains(&operand))
      sources.push_back(&operand);
  };
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
      forEachFlow(regions, note);
    else if (auto branch = dyn_cast<BranchOpInterface>(op))
      forEachPassed(branch, [&](OpOperand &operand, BlockArgument argument) {
        note(operand, {argument});
      });
  });
  func.getBody().walk([&](func::CallOp call) {
    if (func::FuncOp callee = getCallee(call))
      for (OpOperand &operand : call->getOpOperands())
        if (isa<BaseMemRefType>(operand.get().getType()) &&
            isDonatedArgument(callee, operand.getOperandNumber()))
          handing.insert(&operand);
  });
}

void Ownership::indexNames(func::FuncOp func) {
  auto index = [&](Value value) {
    for (Value root : getRoots(value))
      if (root == value) {
        names[root].insert(names[root].begin(), value);
        if (Block *owner = getOwner(root))
          owned[owner].push_back(root);
      } else {
        names[root].push_back(value);
      }
  };
  for (Block &block : func.getBody())
    for (Value argument : block.getArguments())
      index(argument);
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      index(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          index(argument);
  });
}
