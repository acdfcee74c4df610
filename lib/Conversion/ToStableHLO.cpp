//===- ToStableHLO.cpp - the pass pebble-to-stablehlo ---------------------===//
//
// Writes each function anew: the operations of its steps in the planned order,
// each step's inputs tied to the newest result by one barrier.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/SameValues.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {
#define GEN_PASS_DEF_TOSTABLEHLOPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Writes the operations of one function anew.
class ChainWriter {
public:
  explicit ChainWriter(func::FuncOp function)
      : block(function.getFunctionBody().front()),
        builder(block.getTerminator()) {}

  void run() {
    SmallVector<Operation *> old;
    for (Operation &op : block.without_terminator()) {
      old.push_back(&op);
      countSpreads(&op);
    }
    for (Operation *op : old)
      write(op);
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      operand.set(get(operand.get()));
    for (Operation *op : llvm::reverse(old))
      op->erase();
  }

private:
  void write(Operation *op) {
    if (isa<DropOp>(op))
      return;
    if (isa<StoreOp, LoadOp>(op))
      return move(op);
    // What has moved is tied to the order where it is read.
    if (auto wait = dyn_cast<WaitOp>(op)) {
      if (wait.getResult())
        alias(wait.getResult(), wait.getCopy());
      return;
    }
    // What runs again is kept apart by the barrier of its step.
    if (auto opaque = dyn_cast<OpaqueOp>(op))
      return alias(opaque.getResult(), opaque.getInput());
    if (op->getNumOperands() == 0 && StorageAnalysis::isFree(op))
      return current.map(op->getResults(), builder.clone(*op)->getResults());
    if (auto step = dyn_cast<StepOp>(op))
      return open(step);
    llvm::SmallSetVector<Value, 8> inputs;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (nested == op ||
            !op->isAncestor(operand.getParentRegion()->getParentOp()))
          inputs.insert(operand);
    });
    fence(inputs.getArrayRef(), op->getLoc());
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, get(input));
    finish(op->getResults(), builder.clone(*op, mapping)->getResults());
  }

  /// The call by which XLA's host offloader knows what is to lie where. It
  /// begins after the newest result; no later step waits for it that does not
  /// read it.
  void move(Operation *op) {
    Value source = op->getOperand(0), copy = op->getResult(0);
    fence(source, op->getLoc());
    OperationState state(op->getLoc(), "stablehlo.custom_call");
    state.addOperands(get(source));
    state.addTypes(withPlacement(copy.getType(), {}));
    StringRef place = isa<StoreOp>(op) ? "pinned_host" : "device";
    state.propertiesAttr = builder.getDictionaryAttr(
        {builder.getNamedAttr("call_target_name",
                              builder.getStringAttr(hlo::kPlacementCall)),
         builder.getNamedAttr("has_side_effect", builder.getBoolAttr(true))});
    state.addAttribute(
        "mhlo.frontend_attributes",
        builder.getDictionaryAttr(builder.getNamedAttr(
            "_xla_buffer_placement", builder.getStringAttr(place))));
    current.map(copy, builder.create(state)->getResult(0));
  }

  /// Two names of one value go through barriers together.
  void alias(Value name, Value of) { root[name] = getRoot(of); }
  Value getRoot(Value value) const {
    auto found = root.find(value);
    return found == root.end() ? value : found->second;
  }
  Value get(Value value) const {
    return current.lookupOrDefault(getRoot(value));
  }

  void open(StepOp step) {
    IRMapping inside, spread;
    if (step.getInputs().empty()) {
      makeSources(step, inside);
    } else {
      SmallVector<Value> inputs = llvm::to_vector(step.getInputs());
      copyNumbers(step, spread, inputs);
      fence(inputs, step.getLoc());
    }
    for (auto [argument, input] :
         llvm::zip(step.getBlock().getArguments(), step.getInputs()))
      inside.map(argument, get(input));
    for (Operation &op : step.getBlock().without_terminator()) {
      if (op.getNumResults() && inside.contains(op.getResult(0)))
        continue;
      Operation *clone = builder.clone(op, inside);
      if (Value number = spread.lookupOrNull(op.getResult(0)))
        clone->setOperand(0, get(number));
    }
    SmallVector<Value> made;
    for (Value yielded : step.getBlock().getTerminator()->getOperands())
      made.push_back(inside.lookupOrDefault(yielded));
    finish(step->getResults(), made);
  }

  /// A number that is spread to an array: its value, and the type of the array.
  using Spread = std::pair<Attribute, Type>;

  static std::optional<Spread> getSpread(Operation &op) {
    const hlo::Op *row = hlo::lookup(&op);
    if (!row || op.getName().stripDialect() != "broadcast_in_dim")
      return std::nullopt;
    Operation *number = op.getOperand(0).getDefiningOp();
    const hlo::Op *source = number ? hlo::lookup(number) : nullptr;
    auto type = dyn_cast<RankedTensorType>(op.getOperand(0).getType());
    if (!source || source->kind != hlo::Kind::Constant || !type ||
        type.getRank() != 0 || number->getNumOperands() != 0)
      return std::nullopt;
    return Spread(number->getPropertiesAsAttribute(), op.getResultTypes()[0]);
  }

  void countSpreads(Operation *op) {
    auto step = dyn_cast<StepOp>(op);
    if (!step)
      return;
    llvm::SmallSetVector<Spread, 4> found;
    for (Operation &inner : step.getBlock())
      if (std::optional<Spread> spread = getSpread(inner))
        found.insert(*spread);
    for (const Spread &spread : found)
      ++spreads[spread];
  }

  /// Loops over elements make the array as they go. All else reads it.
  static bool readsSpread(Operation &op) {
    const hlo::Op *row = hlo::lookup(&op);
    if (!row)
      return false;
    switch (row->kind) {
    case hlo::Kind::Constant:
    case hlo::Kind::Elementwise:
    case hlo::Kind::View:
    case hlo::Kind::Layout:
      return false;
    default:
      return true;
    }
  }

  /// XLA makes one array of a number that is spread in several steps, and keeps
  /// it in memory from the first of them that reads it there to the last. So
  /// each such step has a number of its own, one of the `inputs` of its
  /// barrier. `spread` says which, by what is made of it.
  void copyNumbers(StepOp step, IRMapping &spread, SmallVector<Value> &inputs) {
    if (!newest || llvm::none_of(step.getBlock(), readsSpread))
      return;
    for (Operation &op : step.getBlock()) {
      std::optional<Spread> found = getSpread(op);
      if (!found || spreads.lookup(*found) < 2)
        continue;
      Operation *number = builder.clone(*op.getOperand(0).getDefiningOp());
      spread.map(op.getResult(0), number->getResult(0));
      inputs.push_back(number->getResult(0));
    }
  }

  /// A step that takes nothing is tied by what it begins with.
  void makeSources(StepOp step, IRMapping &inside) {
    if (!newest)
      return;
    SmallVector<Value> tied = {newest};
    SmallVector<Value> sources;
    for (Operation &op : step.getBlock().without_terminator()) {
      const hlo::Op *row = hlo::lookup(&op);
      if (!row || op.getNumOperands() || op.getNumRegions() ||
          op.getNumResults() != 1 || !hlo::getEffect(*row).empty())
        continue;
      Operation *clone = builder.clone(op);
      sources.push_back(op.getResult(0));
      tied.push_back(clone->getResult(0));
    }
    if (sources.empty())
      return;
    Operation *barrier = makeBarrier(tied, step.getLoc());
    setNewest(barrier->getResult(0));
    for (auto [index, source] : llvm::enumerate(sources))
      inside.map(source, barrier->getResult(index + 1));
  }

  /// Ties `inputs` to the newest result. Where the newest is the only one, the
  /// barrier keeps the step from being fused with the one before, as it is in
  /// every other order.
  void fence(ArrayRef<Value> inputs, Location loc) {
    if (!newest)
      return;
    llvm::SmallSetVector<Value, 8> roots;
    for (Value input : inputs)
      if (canPass(input.getType()))
        roots.insert(getRoot(input));
    if (roots.empty())
      return;
    SmallVector<Value> tied;
    for (Value value : roots)
      tied.push_back(current.lookupOrDefault(value));
    bool hasNewest = llvm::is_contained(tied, newest);
    if (!hasNewest)
      tied.push_back(newest);
    Operation *barrier = makeBarrier(tied, loc);
    Value last = newest;
    for (auto [index, value] : llvm::enumerate(roots)) {
      if (tied[index] == last)
        setNewest(barrier->getResult(index));
      current.map(value, barrier->getResult(index));
    }
    if (!hasNewest)
      setNewest(barrier->getResult(roots.size()));
  }

  Operation *makeBarrier(ArrayRef<Value> values, Location loc) {
    OperationState state(loc, "stablehlo.optimization_barrier");
    state.addOperands(values);
    state.addTypes(ValueRange(values).getTypes());
    return builder.create(state);
  }

  /// What the barrier takes: tensors, and tokens of StableHLO, which need no
  /// dialect to be read.
  static bool canPass(Type type) {
    if (auto opaque = dyn_cast<OpaqueType>(type))
      return opaque.getDialectNamespace() == "stablehlo";
    return isa<RankedTensorType>(type);
  }

  void setNewest(Value value) {
    // The name under which later steps read it.
    if (newestName)
      current.map(newestName, value);
    newest = value;
  }

  void finish(ResultRange names, ValueRange made) {
    current.map(names, made);
    for (auto [name, value] : llvm::zip(names, made))
      if (canPass(value.getType())) {
        newestName = name;
        newest = value;
        return;
      }
  }

  Block &block;
  OpBuilder builder;
  /// From values of the function that came in to what they are called by now.
  IRMapping current;
  llvm::DenseMap<Value, Value> root;
  /// In how many steps a number is spread to an array.
  llvm::DenseMap<Spread, unsigned> spreads;
  /// The newest result, and its name in the function that came in.
  Value newest, newestName;
};

struct ToStableHLOPass : pebble::impl::ToStableHLOPassBase<ToStableHLOPass> {
  using ToStableHLOPassBase::ToStableHLOPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkForm(module)))
      return signalPassFailure();
    for (func::FuncOp function : getBodies(module))
      if (failed(eraseResultPlaces(function)))
        return signalPassFailure();
    OwningOpRef<ModuleOp> before = module.clone();
    SmallVector<func::FuncOp> functions = getBodies(module);
    for (func::FuncOp function : functions)
      ChainWriter(function).run();
    eraseAttributes(module);
    for (auto [old, function] :
         llvm::zip_equal(getBodies(*before), functions)) {
      ProgramContext context;
      if (failed(checkSameValues(old, function, context)))
        return signalPassFailure();
    }
  }

private:
  /// The functions with a body, those of modules inside of the module too: all
  /// that are planned.
  static SmallVector<func::FuncOp> getBodies(ModuleOp module) {
    SmallVector<func::FuncOp> functions;
    module.walk([&](func::FuncOp function) {
      if (!function.isExternal())
        functions.push_back(function);
    });
    return functions;
  }

  /// A tensor that moves, as it is, between the device and the first tier below
  /// it, which is the host's memory.
  static bool isWholeMove(Operation *op) {
    if (auto wait = dyn_cast<WaitOp>(op))
      return !wait.getResult() ||
             isa<RankedTensorType>(wait.getResult().getType());
    if (!isa<StoreOp, LoadOp>(op) || op->getNumOperands() != 1 ||
        op->getNumResults() != 2)
      return false;
    HierarchyAttr hierarchy = lookupHierarchy(op);
    Value slow = isa<StoreOp>(op) ? op->getResult(0) : op->getOperand(0);
    AtAttr at = getPlacement(slow.getType());
    return hierarchy && at && at.getCompress() == Compression::None &&
           hierarchy.getTierIndex(at.getTier()) ==
               hierarchy.getComputeTierIndex() + 1;
  }

  static LogicalResult checkForm(ModuleOp module) {
    for (func::FuncOp function : getBodies(module))
      if (!function.getFunctionBody().hasOneBlock())
        return function.emitError("only functions of one block have steps");
    WalkResult result = module.walk([](Operation *op) {
      if (isMoveOrMark(op) && !isa<DropOp, OpaqueOp, YieldOp>(op) &&
          !isWholeMove(op)) {
        op->emitError(
            "StableHLO has no form for this; whole tensors move between "
            "the device and the first tier below it, and nothing "
            "else does");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Takes the arguments away in which `pebble-group-steps` let results lie.
  static LogicalResult eraseResultPlaces(func::FuncOp function) {
    llvm::BitVector places(function.getNumArguments());
    for (BlockArgument argument : function.getArguments()) {
      if (!function.getArgAttr(argument.getArgNumber(), attr::kResultPlace))
        continue;
      places.set(argument.getArgNumber());
      for (OpOperand &use : llvm::make_early_inc_range(argument.getUses()))
        if (failed(eraseUse(use)))
          return failure();
    }
    return function.eraseArguments(places);
  }

  static LogicalResult eraseUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<DropOp>(user)) {
      user->erase();
      return success();
    }
    auto step = dyn_cast<StepOp>(user);
    const unsigned index = use.getOperandNumber();
    if (!step || !step.getBlock().getArgument(index).use_empty())
      return user->emitError("reads the place of a result, where nothing is "
                             "before the result is");
    step.removeOverwritesAttr(); // of no use from here on
    step.getBlock().eraseArgument(index);
    step->eraseOperand(index);
    return success();
  }

  static void eraseAttributes(ModuleOp module) {
    module.walk([](Operation *op) {
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (attribute.getName().strref().starts_with("pebble."))
          op->removeDiscardableAttr(attribute.getName());
      if (auto function = dyn_cast<func::FuncOp>(op))
        eraseFromSignature(function);
    });
  }

  static void eraseFromSignature(FunctionOpInterface function) {
    Builder builder(function.getContext());
    auto isOurs = [](NamedAttribute attribute) {
      StringRef name = attribute.getName();
      return name.starts_with("pebble.") || name == attr::kWritable;
    };
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      bool isDonated = isDonatedArgument(function, i);
      SmallVector<NamedAttribute> kept;
      for (NamedAttribute attribute : function.getArgAttrs(i))
        if (!isOurs(attribute))
          kept.push_back(attribute);
      function.setArgAttrs(i, kept);
      if (isDonated && !function.getArgAttr(i, attr::kAliasingOutput))
        function.setArgAttr(i, attr::kBufferDonor, builder.getBoolAttr(true));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      SmallVector<NamedAttribute> kept;
      for (NamedAttribute attribute : function.getResultAttrs(i))
        if (!isOurs(attribute))
          kept.push_back(attribute);
      function.setResultAttrs(i, kept);
    }
  }
};
} // namespace
