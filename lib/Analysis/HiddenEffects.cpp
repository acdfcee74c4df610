//===- HiddenEffects.cpp - what an op does besides its effects ------------===//

#include "pebble/Analysis/HiddenEffects.h"

#include "Together.h"

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/ElementValues.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleStarts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;

namespace pebble {

/// Those whose answer follows from their operands on all who take part, so that
/// two of them may change places.
static bool isStateless(Operation *op) {
  if (isCollective(op))
    return isRunByAllRanks(op);
  StringRef name = op->getName().getStringRef();
  name = name.substr(name.rfind('.') + 1);
  return name.starts_with("all_") || name.contains("collective") ||
         name.starts_with("reduce_scatter") || name == "partition_id" ||
         name == "replica_id" || name == "rng_bit_generator";
}

static bool isShapedType(Type type) {
  return isa<TensorType, BaseMemRefType>(type);
}

/// A constant, also where a plan hides it from folds.
static bool isConstant(Value value) { return bool(getConstantValue(value)); }

/// True for an access of elements at an index that is no constant.
static bool isAtUnknownIndex(Operation *op) {
  if (StorageAnalysis::isFree(op) || !op->isRegistered() ||
      llvm::none_of(op->getOperandTypes(), isShapedType))
    return false;
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return isa<IndexType>(operand.getType()) && !isConstant(operand);
  });
}

/// True for a view whose place or size is no constant.
static bool isUnknownView(Operation *op) {
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  auto isKnown = [](Value value) { return isConstant(value); };
  return slice && !(llvm::all_of(slice.getOffsets(), isKnown) &&
                    llvm::all_of(slice.getSizes(), isKnown));
}

/// Whether constants of `values`, each at a dimension of `shaped`, may lie
/// beyond its end: extents that are not static may be any.
static bool mayLieBeyond(Value shaped, ValueRange values) {
  auto type = cast<ShapedType>(shaped.getType());
  return type.hasRank() &&
         llvm::any_of(llvm::enumerate(values), [&](auto entry) {
           Attribute constant = getConstantValue(entry.value());
           if (!constant)
             return false;
           std::optional<int64_t> at = getConstantIntValue(constant);
           return at && (*at < 0 || type.isDynamicDim(entry.index()) ||
                         *at >= type.getDimSize(entry.index()));
         });
}

/// True for a read of a tensor at a place of constants that need not be there.
static bool isBeyondTensor(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return mayLieBeyond(extract.getTensor(), extract.getIndices());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return mayLieBeyond(insert.getDest(), insert.getIndices());
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return false;
  RankedTensorType type = slice.getSourceType();
  for (auto [dim, offset, size] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes())) {
    // Upstream verifies constants against a static extent.
    if (!type.isDynamicDim(dim))
      continue;
    auto ofSource = dyn_cast<Value>(size);
    auto extent = ofSource ? ofSource.getDefiningOp<tensor::DimOp>() : nullptr;
    const bool isWhole = extent && extent.getSource() == slice.getSource() &&
                         extent.getConstantIndex() == int64_t(dim);
    if (!(isWhole && isConstantIntValue(offset, 0)) &&
        !isConstantIntValue(size, 0))
      return true;
  }
  return false;
}

/// True if all elements of `value` are constants that fulfil `isFine`.
static bool isConstantWith(Value value,
                           llvm::function_ref<bool(const APInt &)> isFine) {
  Attribute constant = getConstantValue(value);
  if (!constant)
    return false;
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return isFine(number.getValue());
  auto elements = dyn_cast<DenseIntElementsAttr>(constant);
  return elements && llvm::all_of(elements.getValues<APInt>(), isFine);
}

/// Divisions that upstream calls pure although a machine ends the program where
/// it divides by zero, or the least number by -1.
static bool isUnguardedDivision(Operation *op) {
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect == "affine") {
    auto map = op->getAttrOfType<AffineMapAttr>("map");
    bool isByValue =
        map && llvm::any_of(map.getValue().getResults(), [](AffineExpr result) {
          return !result.isPureAffine();
        });
    return isByValue ||
           (name == "delinearize_index" &&
            !llvm::all_of(op->getOperands().drop_front(), [](Value value) {
              return isConstantWith(
                  value, [](const APInt &by) { return !by.isZero(); });
            }));
  }
  if (op->getNumOperands() != 2)
    return false;
  if (dialect == "math" && name == "ipowi")
    return !isConstantWith(op->getOperand(1), [](const APInt &exponent) {
      return !exponent.isNegative();
    });
  const bool isDivision =
      (dialect == "shape" && name == "div") ||
      (dialect == "tosa" && name == "intdiv") ||
      (dialect == "index" && (name.contains("div") || name.contains("rem"))) ||
      ((dialect == "arith" || dialect == "llvm") &&
       llvm::is_contained({"remsi", "remui", "floordivsi", "srem", "urem"},
                          name));
  return isDivision && !isConstantWith(op->getOperand(1), [](const APInt &by) {
           return !by.isZero() && !by.isAllOnes();
         });
}

static bool isKnownToSucceed(Operation *op) {
  if (isUnguardedDivision(op))
    return false;
  auto conditional = dyn_cast<ConditionallySpeculatable>(op);
  return !conditional ||
         conditional.getSpeculatability() != Speculation::NotSpeculatable;
}

static bool mayFail(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *view = operand.getDefiningOp();
    while (view && StorageAnalysis::getViewSource(view)) {
      if (isUnknownView(view))
        return true;
      view = StorageAnalysis::getViewSource(view).getDefiningOp();
    }
  }
  // What loops and branches do is asked of what they hold.
  if (op->getNumRegions() || isa<CallOpInterface>(op))
    return false;
  return isAtUnknownIndex(op) || isBeyondTensor(op) || !isKnownToSucceed(op);
}

/// True for a loop that is not known to end, and for blocks that go in circles.
static bool mayNotEnd(Operation *op) {
  if (isa<scf::WhileOp>(op) ||
      (isa<LoopLikeOpInterface>(op) && !isKnownToSucceed(op)))
    return true;
  return llvm::any_of(op->getRegions(), [](Region &region) {
    if (region.empty() || region.hasOneBlock())
      return false;
    llvm::DenseSet<Block *> seen;
    for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region)) {
      seen.insert(block);
      if (llvm::any_of(block->getSuccessors(),
                       [&](Block *next) { return seen.contains(next); }))
        return true;
    }
    return false;
  });
}

static void collect(Operation *top, ProgramContext &context,
                    llvm::DenseSet<Operation *> &seen, HiddenEffects &found) {
  top->walk([&](Operation *op) {
    if (isNeverRecomputable(op)) {
      if (!found.runsOnce)
        found.runsOnce = op;
      if (!found.runsOnceForAll && !isCollective(op) &&
          !isa<CollectiveWaitOp>(op))
        found.runsOnceForAll = op;
      found.movesState |= !isStateless(op);
    }
    found.mayFail |= mayFail(op);
    found.mayNotEnd |= mayNotEnd(op);
    auto call = dyn_cast<CallOpInterface>(op);
    Operation *callee = call ? context.resolveCallee(call) : nullptr;
    if (callee && seen.insert(callee).second)
      collect(callee, context, seen, found);
  });
}

HiddenEffects collectHiddenEffects(Operation *op, ProgramContext &context) {
  llvm::DenseSet<Operation *> seen;
  HiddenEffects found;
  collect(op, context, seen, found);
  return found;
}

} // namespace pebble
