//===- Reach.cpp - which memory a value may lead to -----------------------===//

#include "pebble/Analysis/Reach.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/OpKnowledge.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Trips.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace pebble {

bool ReachAnalysis::isData(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  if (isa<IntegerType, IndexType, FloatType, ComplexType, NoneType,
          FunctionType>(type))
    return true;
  // A token tells that something is done, a communicator who takes part; an
  // async.value holds something.
  StringRef dialect = type.getDialect().getNamespace();
  return dialect == "pebble" || dialect == "mpi" ||
         (isTokenType(type) && dialect != "async");
}

namespace {
/// Tensors and tuples: values, whose storage the block's analysis decides.
bool isValueLike(Type type) { return isa<TensorType, TupleType>(type); }

/// Buffers, pointers, and types of which nothing is known.
bool isMemoryLike(Type type) {
  return !isValueLike(type) && !ReachAnalysis::isData(type);
}

/// What an op declares of its effects.
struct Declared {
  SmallVector<MemoryEffects::EffectInstance> instances;
  bool reads = false, writes = false;

  explicit Declared(Operation *op) {
    if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
      interface.getEffects(instances);
    for (const auto &instance : instances) {
      reads |= isa<MemoryEffects::Read>(instance.getEffect());
      writes |= isa<MemoryEffects::Write>(instance.getEffect()) &&
                instance.getResource() != RecomputeResource::get();
    }
  }
  bool speaksOf(Value value) const {
    return llvm::any_of(instances, [&](const auto &instance) {
      return instance.getValue() == value;
    });
  }
  template <typename Effect>
  bool has(Value value) const {
    return llvm::any_of(instances, [&](const auto &instance) {
      return instance.getValue() == value && isa<Effect>(instance.getEffect());
    });
  }
};
} // namespace

/// Passes over the operations until nothing changes.
class ReachAnalysis::Solver {
public:
  Solver(ReachAnalysis &analysis, Block &block, ProgramContext &context)
      : origins(analysis.origins), reach(analysis.reach), block(block),
        context(context) {}

  void run() {
    origins.push_back({Origin::Anywhere, {}, {}, /*escaped=*/true});
    if (!touchesMemory())
      return;
    do {
      changed = false;
      for (Operation &op : block) {
        op.walk<WalkOrder::PreOrder>([&](Operation *nested) { visit(nested); });
        // What comes from within goes all the way out at once.
        op.walk<WalkOrder::PostOrder>([&](Operation *nested) {
          if (nested->getNumRegions())
            visit(nested);
        });
      }
    } while (changed);
    seedPointers();
    for (const auto &[value, ids] : reach)
      if (!isValueLike(value.getType()))
        for (Id id : ids)
          origins[id].isNamedByMemory = true;
  }

private:
  using Ids = SmallVector<Id, 2>;

  bool touchesMemory() {
    auto isMemory = [](Type type) { return isMemoryLike(type); };
    if (llvm::any_of(block.getArgumentTypes(), isMemory))
      return true;
    return block
        .walk([&](Operation *op) {
          bool found = llvm::any_of(op->getOperandTypes(), isMemory) ||
                       llvm::any_of(op->getResultTypes(), isMemory);
          return found ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  //===--------------------------------------------------------------------===//
  // Sets
  //===--------------------------------------------------------------------===//

  Id addOrigin(Origin::Kind kind, Value value, StringAttr symbol = {}) {
    Id id = origins.size();
    origins.push_back({kind, value, symbol, /*escaped=*/false});
    return id;
  }
  Id getValueOrigin(Origin::Kind kind, Value value) {
    auto [it, isNew] = ofValue.try_emplace(value, 0);
    if (isNew)
      it->second = addOrigin(kind, value);
    return it->second;
  }
  Id getGlobalOrigin(Operation *op) {
    StringAttr symbol = cast<memref::GetGlobalOp>(op).getNameAttr().getAttr();
    auto [it, isNew] = ofSymbol.try_emplace(symbol, 0);
    if (isNew)
      it->second = addOrigin(Origin::Global, op->getResult(0), symbol);
    return it->second;
  }

  bool isOutside(Value value) const {
    Operation *scope = value.getParentBlock() == &block
                           ? nullptr
                           : value.getParentBlock()->getParentOp();
    return scope && !block.findAncestorOpInBlock(*scope);
  }

  /// What a value is known to lead to before any op is looked at.
  void seed(Value value, Ids &ids) {
    Type type = value.getType();
    if (isData(type))
      return;
    if (isOutside(value)) {
      Operation *op = value.getDefiningOp();
      if (op && getKnowledge(op->getName()) == OpKnowledge::Global)
        ids.push_back(getGlobalOrigin(op));
      else if (Value source = op ? getSource(op) : Value();
               source && op->getResult(0) == value)
        ids = get(source);
      else if (isa<BaseMemRefType, TensorType, TupleType>(type))
        ids.push_back(getValueOrigin(Origin::Named, value));
      else
        ids.push_back(kAnywhere);
      return;
    }
    bool isOfBlock = value.getParentBlock() == &block;
    if (!isOfBlock)
      return;
    if (isValueLike(type) ||
        (isa<BlockArgument>(value) && isa<BaseMemRefType>(type)))
      ids.push_back(getValueOrigin(Origin::Named, value));
    else if (isa<BlockArgument>(value))
      ids.push_back(kAnywhere);
  }

  /// What is handed only to ops that say all that they do with it leads
  /// somewhere too: a pointer that is stored through and nothing else, say. A
  /// buffer is known by its own name.
  void seedPointers() {
    block.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (isMemoryLike(operand.getType()) &&
            !isa<BaseMemRefType>(operand.getType()))
          get(operand);
    });
  }

  Ids get(Value value) {
    auto [it, isNew] = reach.try_emplace(value);
    if (!isNew)
      return it->second;
    Ids ids;
    seed(value, ids);
    return reach[value] = ids;
  }

  void add(Value value, ArrayRef<Id> more) {
    if (more.empty())
      return;
    Ids ids = get(value);
    for (Id id : more)
      if (!llvm::is_contained(ids, id)) {
        ids.push_back(id);
        changed = true;
      }
    reach[value] = std::move(ids);
  }
  void addTo(Ids &ids, Value value) { llvm::append_range(ids, get(value)); }

  void escape(ArrayRef<Id> ids) {
    for (Id id : ids)
      if (!origins[id].escaped) {
        origins[id].escaped = true;
        changed = true;
      }
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// The buffer or tensor that a view shows.
  static Value getSource(Operation *op) {
    if (getKnowledge(op->getName()) != OpKnowledge::View)
      return {};
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      return view.getViewSource();
    return op->getOperand(0);
  }

  void visit(Operation *op) {
    switch (getKnowledge(op->getName())) {
    case OpKnowledge::Measure:
      return;
    case OpKnowledge::Global:
      return add(op->getResult(0), {getGlobalOrigin(op)});
    case OpKnowledge::View:
      return add(op->getResult(0), get(getSource(op)));
    case OpKnowledge::Call:
      return visitCall(cast<CallOpInterface>(op));
    case OpKnowledge::Branches:
      return visitBranches(cast<RegionBranchOpInterface>(op));
    case OpKnowledge::Jump:
      if (auto jump = dyn_cast<BranchOpInterface>(op))
        visitJump(jump);
      // Whoever summarises the block asks what it hands out.
      for (Value operand : op->getOperands())
        get(operand);
      return;
    case OpKnowledge::Quiet:
    case OpKnowledge::Effects:
    case OpKnowledge::Recursive:
      return visitOther(op, /*isKnown=*/true);
    case OpKnowledge::Anything:
      // Terminators that declare nothing hand values to the op around them.
      return visitOther(op, op->hasTrait<OpTrait::IsTerminator>() ||
                                context.isDeclaredPure(op));
    }
  }

  void visitJump(BranchOpInterface jump) {
    if (jump->getBlock() == &block)
      return;
    for (auto [index, successor] : llvm::enumerate(jump->getSuccessors())) {
      SuccessorOperands operands = jump.getSuccessorOperands(index);
      for (BlockArgument argument : successor->getArguments()) {
        Value operand = argument.getArgNumber() < operands.size()
                            ? operands[argument.getArgNumber()]
                            : Value();
        if (operand)
          add(argument, get(operand));
        else if (isMemoryLike(argument.getType()))
          add(argument, {kAnywhere});
      }
    }
  }

  void visitBranches(RegionBranchOpInterface branch) {
    llvm::SmallDenseSet<Value, 8> covered;
    seedCarried(branch);
    for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
      SmallVector<RegionSuccessor> successors;
      branch.getSuccessorRegions(point, successors);
      for (const RegionSuccessor &successor : successors) {
        // What a loop that runs begins with is not what it ends with.
        if (point.isParent() && successor.isParent() && surelyRuns(branch)) {
          covered.insert(successor.getSuccessorInputs().begin(),
                         successor.getSuccessorInputs().end());
          continue;
        }
        for (auto [operand, input] :
             llvm::zip(branch.getSuccessorOperands(point, successor),
                       successor.getSuccessorInputs())) {
          covered.insert(input);
          addFlow(input, operand);
        }
      }
    }
    visitPairs(branch, covered);
    // What the interface does not speak of (shared outputs, say) may be
    // whatever the op is handed or hands on.
    SmallVector<Value> others = getRegionArguments(branch);
    llvm::append_range(others, branch->getResults());
    llvm::erase_if(others, [&](Value value) {
      return covered.contains(value) || !isFollowed(value);
    });
    addToAll(others, branch);
  }

  /// Control flow hands `from` to `to`.
  void addFlow(Value to, Value from) {
    if (!isDecidedElsewhere(to))
      add(to, get(from));
  }

  /// What a loop of the block carries in place is in its result's buffer. That
  /// need not be the one that it begins with.
  void seedCarried(Operation *op) {
    if (op->getBlock() != &block)
      return;
    for (OpResult result : op->getResults())
      for (BlockArgument argument : getCarriedArguments(result))
        if (isValueLike(argument.getType()) && carried.insert(argument).second)
          add(argument, get(result));
  }

  /// A loop that says it runs once, or never, leaves out the ways that it does
  /// not take. It is followed as if it took them: what becomes of its buffers
  /// must not depend on how much a loop knows of itself, since it is lowered to
  /// another one.
  void visitPairs(Operation *op, llvm::SmallDenseSet<Value, 8> &covered) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      return;
    auto arguments = loop.getRegionIterArgs();
    for (auto [init, argument] : llvm::zip(loop.getInits(), arguments)) {
      covered.insert(argument);
      addFlow(argument, init);
    }
    ValueRange yielded = loop.getYieldedValues();
    if (yielded.size() != arguments.size())
      return;
    for (auto [value, argument] : llvm::zip(yielded, arguments))
      addFlow(argument, value);
    // Its condition says what an scf.while ends with.
    if (isa<scf::WhileOp>(op) || yielded.size() != op->getNumResults())
      return;
    for (auto [value, result] : llvm::zip(yielded, op->getResults())) {
      covered.insert(result);
      addFlow(result, value);
    }
  }

  static SmallVector<Value> getRegionArguments(Operation *op) {
    SmallVector<Value> arguments;
    for (Region &region : op->getRegions())
      if (!region.empty())
        llvm::append_range(arguments, region.getArguments());
    return arguments;
  }

  /// Each of `values` may be whatever `op` is handed.
  void addToAll(ArrayRef<Value> values, Operation *op) {
    if (values.empty())
      return;
    Ids handled = getHandled(op);
    for (Value value : values)
      add(value, handled);
  }

  bool isFollowed(Value value) const {
    return !isData(value.getType()) && !isDecidedElsewhere(value);
  }

  /// The storages of the block's own tensors are not for this analysis, nor are
  /// those of what its loops carry.
  bool isDecidedElsewhere(Value value) const {
    return (isValueLike(value.getType()) && value.getParentBlock() == &block) ||
           carried.contains(value);
  }

  /// The operands, what nested ops capture, and what they hand on at the end.
  Ids getHandled(Operation *op) {
    Ids ids;
    for (Value operand : op->getOperands())
      addTo(ids, operand);
    if (op->getNumRegions() == 0)
      return ids;
    op->walk([&](Operation *nested) {
      if (nested == op)
        return;
      for (Value operand : nested->getOperands())
        if (nested->hasTrait<OpTrait::IsTerminator>() ||
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          addTo(ids, operand);
    });
    return ids;
  }

  void visitCall(CallOpInterface call) {
    const FunctionSummary &summary = context.getSummary(call);
    if (!summary.isKnown)
      return visitOther(call, /*isKnown=*/false);
    // What a callee hands out under no name that is known may be what it let
    // escape, or what had before.
    Ids all = {kAnywhere};
    for (auto [argument, operand] :
         llvm::zip(summary.arguments, call.getArgOperands()))
      if (argument.escapes) {
        escape(get(operand));
        addTo(all, operand);
      }
    for (auto [result, origin] :
         llvm::zip(call->getResults(), summary.results)) {
      if (isDecidedElsewhere(result))
        continue;
      switch (origin.origin) {
      case FunctionSummary::ResultOrigin::Argument:
        add(result, get(call.getArgOperands()[origin.argument]));
        break;
      case FunctionSummary::ResultOrigin::Fresh:
        if (!isData(result.getType()))
          add(result, {getValueOrigin(Origin::Made, result)});
        break;
      case FunctionSummary::ResultOrigin::Unknown:
        if (isData(result.getType()) && !origin.isAddress)
          break;
        add(result, all);
        break;
      }
    }
  }

  /// Any op that is none of the above. What is not known may keep what it is
  /// handed and hand it on later.
  void visitOther(Operation *op, bool isKnown) {
    Declared declared(op);
    if (!isKnown)
      escape(getHandled(op));
    else if (declared.writes)
      // Who writes memory and says nothing of an operand may write it there.
      for (Value operand : op->getOperands())
        if (!declared.speaksOf(operand) && !isValueLike(operand.getType()))
          escape(get(operand));
    SmallVector<Value> arguments = getRegionArguments(op);
    llvm::erase_if(arguments, [&](Value value) { return !isFollowed(value); });
    addToAll(arguments, op);
    for (OpResult result : op->getResults())
      if (!isDecidedElsewhere(result))
        visitResult(op, result, declared, isKnown);
  }

  void visitResult(Operation *op, OpResult result, const Declared &declared,
                   bool isKnown) {
    if (isData(result.getType())) {
      for (Value operand : op->getOperands())
        if (isData(operand.getType()) ||
            (isMemoryLike(operand.getType()) && !declared.speaksOf(operand)))
          add(result, get(operand));
      return;
    }
    if (isValueLike(result.getType()))
      return visitInnerTensor(op, result);
    if (declared.has<MemoryEffects::Allocate>(result)) {
      add(result, {getValueOrigin(Origin::Made, result)});
      // A buffer that is freed may live on as the new one.
      for (Value operand : op->getOperands())
        if (declared.has<MemoryEffects::Free>(operand))
          add(result, get(operand));
      return;
    }
    add(result, getHandled(op));
    bool hasSource = llvm::any_of(op->getOperands(), [&](Value operand) {
      return !isData(operand.getType()) && !get(operand).empty();
    });
    if (!isKnown || declared.reads || !hasSource)
      add(result, {kAnywhere});
  }

  /// A tensor of a region is in its destination. One from outside of its block
  /// may not be written there: a buffer of the block takes its place. Without a
  /// destination it is in such a buffer too, unless its op hands on what it is
  /// handed.
  void visitInnerTensor(Operation *op, OpResult result) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    OpOperand *init = dps ? dps.getTiedOpOperand(result) : nullptr;
    if (init && getViewed(init->get()).getParentBlock() == op->getBlock())
      return add(result, get(init->get()));
    add(result, {getValueOrigin(Origin::Made, result)});
    if (!init && !isa<bufferization::AllocTensorOp>(op))
      add(result, getHandled(op));
  }

  static Value getViewed(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      Value source = getSource(op);
      if (!source)
        break;
      value = source;
    }
    return value;
  }

  std::vector<Origin> &origins;
  llvm::DenseMap<Value, SmallVector<Id, 2>> &reach;
  Block &block;
  ProgramContext &context;
  llvm::DenseMap<Value, Id> ofValue;
  llvm::DenseMap<StringAttr, Id> ofSymbol;
  llvm::DenseSet<Value> carried;
  bool changed = false;
};

ReachAnalysis::ReachAnalysis(Block &block, ProgramContext &context) {
  Solver(*this, block, context).run();
}

ArrayRef<ReachAnalysis::Id> ReachAnalysis::get(Value value) const {
  auto found = reach.find(value);
  return found == reach.end() ? ArrayRef<Id>() : ArrayRef<Id>(found->second);
}

} // namespace pebble
