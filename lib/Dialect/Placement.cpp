//===- Placement.cpp - which tier a value lives in ------------------------===//
//
// Rules D9 and D10 of docs/PebbleGame.md, and the readers of placements.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/Placement.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace pebble;

AtAttr pebble::getPlacement(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return dyn_cast_if_present<AtAttr>(tensor.getEncoding());
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    return dyn_cast_if_present<AtAttr>(memref.getMemorySpace());
  return {};
}

Type pebble::withPlacement(Type type, AtAttr at) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding() && !isa<AtAttr>(tensor.getEncoding()))
      return {};
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                                 at);
  }
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::get(memref.getShape(), memref.getElementType(),
                           memref.getLayout(), at);
  if (auto memref = dyn_cast<UnrankedMemRefType>(type))
    return UnrankedMemRefType::get(memref.getElementType(), at);
  return {};
}

bool pebble::isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa_and_present<FunctionOpInterface>(
             argument.getOwner()->getParentOp());
}

StringRef pebble::getTierName(Value value) {
  if (AtAttr at = getPlacement(value.getType()))
    return at.getTier();
  StringAttr tier;
  if (Operation *op = value.getDefiningOp()) {
    // The same storage under another name.
    if (Value there = getWaitedFor(op))
      return getTierName(there);
    if (auto opaque = dyn_cast<OpaqueOp>(op))
      return getTierName(opaque.getInput());
    tier = op->getAttrOfType<StringAttr>(attr::kTier);
  } else if (isFunctionArgument(value)) {
    auto argument = cast<BlockArgument>(value);
    auto func = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    tier =
        func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), attr::kTier);
  }
  return tier ? tier.getValue() : StringRef();
}

HierarchyAttr pebble::lookupHierarchy(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto hierarchy = op->getAttrOfType<HierarchyAttr>(attr::kHierarchy))
      return hierarchy;
  return {};
}

bool pebble::isDonatedArgument(Operation *op, unsigned index) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return false;
  // What stands in a function may be verified although that has no type.
  std::optional<Attribute> type = op->getInherentAttr("function_type");
  if ((type && !*type) || index >= func.getNumArguments())
    return false;
  auto isTrue = [&](StringRef name) {
    auto flag = func.getArgAttrOfType<BoolAttr>(index, name);
    return flag && flag.getValue();
  };
  return func.getArgAttr(index, attr::kDonated) || isTrue(attr::kWritable) ||
         isTrue(attr::kBufferDonor) ||
         func.getArgAttrOfType<IntegerAttr>(index, attr::kAliasingOutput);
}

namespace {
/// Checks types once each: a large module has few distinct ones.
class PlacementVerifier {
public:
  explicit PlacementVerifier(HierarchyAttr hierarchy) : hierarchy(hierarchy) {}

  LogicalResult verify(Operation *op) {
    for (Value operand : op->getOperands())
      if (failed(verifyType(op, operand.getType())))
        return failure();
    for (Type type : op->getResultTypes())
      if (failed(verifyType(op, type)))
        return failure();
    // A module's attributes are verified before the ops in it, so a function
    // may not even have a type yet.
    if (auto type = op->getAttrOfType<TypeAttr>("function_type"))
      if (auto function = dyn_cast<FunctionType>(type.getValue()))
        for (Type type : llvm::concat<const Type>(function.getInputs(),
                                                  function.getResults())) {
          if (failed(verifyType(op, type)))
            return failure();
          if (AtAttr at = getPlacement(type); at && at.isCompressed())
            return op->emitError("[D47] a value that is kept compressed does "
                                 "not cross the boundary of a function, and ")
                   << type << " does";
        }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(verifyType(op, type)))
            return failure();
    return verifyKeepsPlacement(op);
  }

private:
  LogicalResult verifyType(Operation *op, Type type) {
    AtAttr at = getPlacement(type);
    if (!at || known.contains(at))
      return success();
    TierAttr tier = hierarchy.getTier(at.getTier());
    if (tier && !tier.isCache()) {
      if (at.isCompressed() && tier == hierarchy.getComputeTier())
        return op->emitError("[D47] operations need the values of the compute "
                             "tier '")
               << at.getTier() << "' as they are, not compressed";
      known.insert(at);
      return success();
    }
    InFlightDiagnostic diag = op->emitError("[D9] ");
    if (tier)
      return diag << "nothing can be placed in cache tier '" << at.getTier()
                  << "', whose content the hardware decides";
    diag << "the hierarchy has no tier '" << at.getTier() << "'; it has ";
    llvm::interleaveComma(hierarchy.getTiers(), diag, [&](TierAttr known) {
      diag << "'" << known.getName() << "'";
    });
    return diag;
  }

  /// A cast or a view names the same bytes, so it cannot move them.
  LogicalResult verifyKeepsPlacement(Operation *op) {
    if (!isa<CastOpInterface, ViewLikeOpInterface>(op) ||
        op->getNumOperands() == 0 || op->getNumResults() != 1)
      return success();
    Value source = op->getOperand(0);
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      source = view.getViewSource();
    Type from = source.getType(), to = op->getResult(0).getType();
    if (!isa<ShapedType>(from) || !isa<ShapedType>(to))
      return success();
    if (tierOf(from) == tierOf(to)) {
      if (compressionOf(from) == compressionOf(to))
        return success();
      return op->emitError("[D10] a cast cannot change how a value is kept, "
                           "from ")
             << from << " to " << to;
    }
    return op->emitError("[D10] a cast cannot move a value from ")
           << describe(from) << " to " << describe(to)
           << "; use pebble.store or pebble.load";
  }

  /// A type without a placement is in the compute tier.
  StringRef tierOf(Type type) {
    AtAttr at = getPlacement(type);
    return at ? at.getTier() : hierarchy.getComputeTier().getName();
  }

  /// Null where the value is as it is.
  static AtAttr compressionOf(Type type) {
    AtAttr at = getPlacement(type);
    return at && at.isCompressed() ? at : AtAttr();
  }

  static std::string describe(Type type) {
    AtAttr at = getPlacement(type);
    return at ? "tier '" + at.getTier().str() + "'" : "the compute tier";
  }

  HierarchyAttr hierarchy;
  llvm::DenseSet<Attribute> known;
};
} // namespace

LogicalResult pebble::verifyPlacements(Operation *root,
                                       HierarchyAttr hierarchy) {
  PlacementVerifier verifier(hierarchy);
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && op->hasAttr(attr::kHierarchy))
      return WalkResult::skip();
    return failed(verifier.verify(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
