//===- MeasuredOps.cpp - single operations as functions -------------------===//

#include "MeasuredOps.h"

#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/PlanAddresses.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pebble;

static Value getOriginal(Value value) {
  while (auto opaque = value.getDefiningOp<OpaqueOp>())
    value = opaque.getInput();
  return value;
}

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// A buffer that the op initialises is made with it.
static bool isFreshBuffer(Value value) {
  auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && !alloc.getCopy() && alloc.getDynamicSizes().empty();
}

/// Why `type` cannot be made up; empty if it can.
static std::string getDoubt(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return type.isIntOrIndexOrFloat() ? "" : "a value that cannot be made up";
  if (!isa<RankedTensorType, MemRefType>(type))
    return "a value that cannot be made up";
  return shaped.hasStaticShape() ? "" : "a dynamic shape";
}

/// Why a run of `op` on made-up data would not be what it is in the program, or
/// might not end; empty if it would. Made-up integers are 0.
static std::string getDoubt(Operation *op, ArrayRef<Value> inputs) {
  for (Value value : inputs)
    if (std::string doubt = getDoubt(value.getType()); !doubt.empty())
      return doubt;
  for (Type type : op->getResultTypes())
    if (std::string doubt = getDoubt(type); !doubt.empty())
      return doubt;
  std::string doubt;
  op->walk([&](Operation *nested) {
    StringRef name = nested->getName().getStringRef();
    if (name.consume_front("arith.") &&
        (name.contains("div") || name.contains("rem")) &&
        nested->getResult(0).getType().isIntOrIndex() &&
        !isConstant(nested->getOperand(1)))
      doubt = "a division by integers of the data";
    if (isa<scf::WhileOp>(nested) || nested->getNumSuccessors())
      doubt = "a loop that depends on the data";
    if (auto loop = dyn_cast<scf::ForOp>(nested))
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        if (!isConstant(bound))
          doubt = "a loop that depends on the data";
  });
  return doubt;
}

namespace {

class TakeApart {
public:
  TakeApart(ModuleOp module, const CostProfile &known)
      : module(module), known(known) {
    result.module = module.clone();
    originals = llvm::to_vector(result.module->getOps<func::FuncOp>());
  }

  MeasurableOps run() {
    // Alone an operation lies elsewhere.
    eraseAllAddresses(*result.module);
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        visit(block);
    keepCallees();
    return std::move(result);
  }

private:
  void visit(Block &block) {
    StorageAnalysis storage(block, context);
    if (failed(storage.verify()))
      return;
    for (const Step &step : storage.getSteps())
      visit(step);
  }

  void visit(const Step &step) {
    OpCost cost = costs.estimate(step.op);
    if ((cost.flops == 0 && cost.getBytes() == 0) || isMoveOrMark(step.op) ||
        isCollective(step.op))
      return;
    MeasuredOp what;
    what.signature = OpSignature::get(step.op);
    what.operations = cost.flops;
    what.bytes = cost.getBytes();
    if (known.contains(what.signature) ||
        !seen.insert(what.signature.kind + what.signature.shape).second)
      return;
    SetVector<Value> inputs;
    inputs.insert_range(step.op->getOperands());
    getUsedValuesDefinedAbove(step.op->getRegions(), inputs);
    std::string doubt = step.barrier.empty()
                            ? getDoubt(step.op, inputs.getArrayRef())
                            : "an effect: " + step.barrier;
    if (!doubt.empty())
      result.skipped.emplace_back(what.signature.op, doubt);
    else
      result.ops.push_back(
          {std::move(what), build(step.op, inputs.getArrayRef())});
  }

  /// Whether the function may overwrite what stands for `value`: a destination,
  /// or anything where there is no telling from the op alone.
  static bool isGivenAway(Operation *op, Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return false;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      return op->getNumRegions() > 0 || isa<CallOpInterface>(op);
    return llvm::is_contained(dps.getDpsInits(), value);
  }

  func::FuncOp build(Operation *op, ArrayRef<Value> inputs) {
    Location loc = op->getLoc();
    OpBuilder builder = OpBuilder::atBlockEnd(result.module->getBody());
    SmallVector<Value> arguments;
    for (Value value : inputs)
      if (!isConstant(value) && !isFreshBuffer(getOriginal(value)))
        arguments.push_back(value);
    SmallVector<Type> types, results;
    for (Value value : arguments)
      types.push_back(inComputeTier(value.getType()));
    for (Type type : op->getResultTypes())
      results.push_back(inComputeTier(type));
    auto function = func::FuncOp::create(
        builder, loc, "pebble_measured_" + std::to_string(result.ops.size()),
        builder.getFunctionType(types, results));
    function->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
    Block *body = function.addEntryBlock();
    IRMapping mapping;
    for (auto [index, value] : llvm::enumerate(arguments)) {
      mapping.map(value, body->getArgument(index));
      if (isGivenAway(op, value))
        function.setArgAttr(index, attr::kDonated, builder.getUnitAttr());
      if (getElementTypeOrSelf(value.getType()).isIntOrIndex())
        function.setArgAttr(index, attr::kRange,
                            builder.getI64ArrayAttr({0, 1}));
    }
    builder.setInsertionPointToStart(body);
    for (Value value : inputs) {
      if (mapping.contains(value))
        continue;
      Value original = getOriginal(value);
      builder.clone(*original.getDefiningOp(), mapping)
          ->removeAttr(attr::kOffset);
      mapping.map(value, mapping.lookup(original));
    }
    Operation *clone = builder.clone(*op, mapping);
    clone->removeAttr(attr::kOffset);
    for (auto [value, type] : llvm::zip(clone->getResults(), results))
      value.setType(type);
    func::ReturnOp::create(builder, loc, clone->getResults());
    return function;
  }

  static Type inComputeTier(Type type) {
    return getPlacement(type) ? withPlacement(type, {}) : type;
  }

  /// Erases the functions of the program that no measured one calls.
  void keepCallees() {
    SymbolTable symbols(*result.module);
    llvm::SetVector<Operation *> reached;
    for (MeasurableOp &op : result.ops)
      reached.insert(op.function);
    for (size_t i = 0; i < reached.size(); ++i)
      reached[i]->walk([&](Operation *op) {
        op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
          if (Operation *target = symbols.lookup(symbol.getRootReference()))
            reached.insert(target);
        });
      });
    for (func::FuncOp function : originals)
      if (!reached.contains(function))
        function.erase();
  }

  ModuleOp module;
  const CostProfile &known;
  ProgramContext context{AnalysisOptions::getDefault()};
  OpCostModel costs{{AnalysisOptions::getDefault().dynamicDimBound}};
  MeasurableOps result;
  SmallVector<func::FuncOp> originals;
  llvm::StringSet<> seen;
};

} // namespace

MeasurableOps pebble::takeApart(ModuleOp module, const CostProfile &known) {
  return TakeApart(module, known).run();
}
