//===- PlaceBoundaries.cpp - arguments and results in slower tiers --------===//

#include "PlaceBoundaries.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace pebble {

namespace {
class BoundaryPlacer {
public:
  explicit BoundaryPlacer(func::FuncOp function)
      : function(function), block(function.getBody().front()),
        builder(function.getContext()),
        inputs(llvm::to_vector(function.getArgumentTypes())),
        outputs(llvm::to_vector(function.getResultTypes())) {
    if (HierarchyAttr hierarchy = lookupHierarchy(function))
      computeTier = hierarchy.getComputeTier().getName();
  }

  LogicalResult run() {
    for (unsigned index = 0; index < inputs.size(); ++index)
      if (StringAttr tier = takeTier(/*isResult=*/false, index))
        if (failed(load(index, tier)))
          return failure();
    for (unsigned index = 0; index < outputs.size(); ++index)
      if (StringAttr tier = takeTier(/*isResult=*/true, index))
        if (failed(store(index, tier)))
          return failure();
    function.setType(FunctionType::get(function.getContext(), inputs, outputs));
    return success();
  }

private:
  /// What the attribute says, and takes it off; null for the compute tier.
  StringAttr takeTier(bool isResult, unsigned index) {
    auto tier =
        isResult ? function.getResultAttrOfType<StringAttr>(index, attr::kTier)
                 : function.getArgAttrOfType<StringAttr>(index, attr::kTier);
    if (!tier)
      return {};
    if (isResult)
      function.removeResultAttr(
          index, StringAttr::get(function.getContext(), attr::kTier));
    else
      function.removeArgAttr(index, attr::kTier);
    return tier.getValue() == computeTier ? StringAttr() : tier;
  }

  /// `type` in `tier`; null if it cannot say so.
  Type place(Type type, StringAttr tier) {
    if (!isa<RankedTensorType>(type))
      return {};
    return withPlacement(type, AtAttr::get(type.getContext(), tier.getValue()));
  }

  LogicalResult load(unsigned index, StringAttr tier) {
    BlockArgument argument = block.getArgument(index);
    Type plain = argument.getType();
    Type placed = place(plain, tier);
    if (!placed)
      return emitError(function.getLoc(), "argument ")
             << index << " cannot be in tier '" << tier.getValue()
             << "': its type " << plain << " has no place to say so";
    inputs[index] = placed;
    argument.setType(placed);
    if (isDonatedArgument(function, index))
      donated.push_back(index);
    if (argument.use_empty())
      return success();
    Operation *first = nullptr;
    for (Operation *user : argument.getUsers()) {
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
    }
    builder.setInsertionPoint(first);
    auto load = LoadOp::create(builder, argument.getLoc(), argument, plain);
    auto wait = WaitOp::create(builder, argument.getLoc(), load.getToken(),
                               load.getCopy());
    argument.replaceAllUsesExcept(wait.getResult(), load);
    return success();
  }

  LogicalResult store(unsigned index, StringAttr tier) {
    Operation *end = block.getTerminator();
    Value value = end->getOperand(index);
    Type placed = place(value.getType(), tier);
    if (!placed)
      return emitError(function.getLoc(), "result ")
             << index << " cannot be in tier '" << tier.getValue()
             << "': its type " << value.getType() << " has no place to say so";
    outputs[index] = placed;
    builder.setInsertionPoint(end);
    Value into = findRoom(index, placed);
    auto store = into ? StoreOp::create(builder, value.getLoc(), value, into)
                      : StoreOp::create(builder, value.getLoc(), value, placed);
    auto wait = WaitOp::create(builder, value.getLoc(), store.getToken(),
                               store.getCopy());
    end->setOperand(index, wait.getResult());
    return success();
  }

  /// A donated argument in the same tier that nobody writes over yet.
  Value findRoom(unsigned result, Type type) {
    auto names = [&](unsigned index) {
      auto alias =
          function.getArgAttrOfType<IntegerAttr>(index, attr::kAliasingOutput);
      return alias ? std::optional(alias.getInt()) : std::nullopt;
    };
    for (bool byName : {true, false})
      for (unsigned &index : donated) {
        std::optional<int64_t> named = names(index);
        if (inputs[index] != type || (byName ? named != result : !!named))
          continue;
        Value argument = block.getArgument(index);
        donated.erase(&index);
        return argument;
      }
    return {};
  }

  func::FuncOp function;
  Block &block;
  OpBuilder builder;
  SmallVector<Type> inputs, outputs;
  StringRef computeTier;
  /// Donated arguments in slower tiers that are left.
  SmallVector<unsigned> donated;
};
} // namespace

static bool hasBoundary(func::FuncOp function) {
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    if (function.getArgAttr(index, attr::kTier))
      return true;
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    if (function.getResultAttr(index, attr::kTier))
      return true;
  return false;
}

LogicalResult placeBoundaries(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) { functions.push_back(function); });
  for (func::FuncOp function : functions) {
    if (function.isExternal() || !hasBoundary(function))
      continue;
    if (!function.getBody().hasOneBlock())
      return emitError(function.getLoc(),
                       "pebble.tier on arguments and results of a "
                       "function with several blocks is not followed");
    if (isReferenced(function))
      return emitError(
          function.getLoc(),
          "pebble.tier on arguments and results changes the type of the "
          "function, and others call it: write the placement in the types");
    if (failed(BoundaryPlacer(function).run()))
      return failure();
  }
  return success();
}

} // namespace pebble
