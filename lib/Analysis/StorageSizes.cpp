//===- StorageSizes.cpp - how many bytes a storage takes ------------------===//

#include "StorageBuilder.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

static std::optional<int64_t> limit(std::optional<int64_t> bytes) {
  return bytes && *bytes <= ProgramContext::kLargestBytes ? bytes
                                                          : std::nullopt;
}

/// Bytes of what holds an argument: a layout with gaps reaches further than the
/// elements take. Nothing is known of one that is not strided.
static std::optional<int64_t> getArgumentBytes(const ProgramContext &context,
                                               Type type, DimBounds bounds) {
  std::optional<int64_t> packed = context.getBytes(type);
  auto memref = dyn_cast<MemRefType>(type);
  if (!packed || !memref || memref.getLayout().isIdentity() ||
      !memref.isStrided())
    return packed;
  return limit(getReachedBytes(memref, bounds));
}

/// The type of what `op` allocates, with the numbers that its layout is given
/// as operands. Null if they are known only when the program runs.
template <typename Alloc>
static MemRefType getLaidOutType(Alloc op) {
  MemRefType type = op.getType();
  SmallVector<AffineExpr> numbers;
  for (Value operand : op.getSymbolOperands()) {
    std::optional<int64_t> number = getConstantIntValue(operand);
    if (!number)
      return {};
    numbers.push_back(getAffineConstantExpr(*number, type.getContext()));
  }
  if (numbers.empty())
    return type;
  AffineMap map = type.getLayout().getAffineMap();
  return MemRefType::get(type.getShape(), type.getElementType(),
                         AffineMapAttr::get(map.replaceDimsAndSymbols(
                             {}, numbers, map.getNumDims(),
                             /*numResultSyms=*/0)),
                         type.getMemorySpace());
}

/// Bytes of what `value`, no argument, is a buffer of. Gaps of the layout that
/// it is allocated in count.
static std::optional<int64_t> getOwnBytes(const ProgramContext &context,
                                          Value value, Type type,
                                          DimBounds bounds) {
  std::optional<int64_t> packed = context.getBytes(type);
  auto memref = dyn_cast<MemRefType>(type);
  if (!packed || !memref || memref.getLayout().isIdentity())
    return packed;
  if (auto alloc = value.getDefiningOp<memref::AllocOp>())
    memref = getLaidOutType(alloc);
  else if (auto alloca = value.getDefiningOp<memref::AllocaOp>())
    memref = getLaidOutType(alloca);
  else // somebody else's view may have such a type too
    return std::max(*packed, getAllocatedBytes(memref, bounds).value_or(0));
  return memref ? limit(getAllocatedBytes(memref, bounds)) : std::nullopt;
}

/// Adds what the ways into and out of the regions of `branch` bring to `value`,
/// a result or an argument of a region. False if none does.
static bool addFlowing(RegionBranchOpInterface branch, Value value,
                       llvm::SetVector<Value> &handed) {
  bool isFound = false;
  auto add = [&](Value other) {
    handed.insert(other);
    isFound = true;
  };
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      for (auto [operand, input] :
           llvm::zip(branch.getSuccessorOperands(point, successor),
                     successor.getSuccessorInputs()))
        if (input == value)
          add(operand);
  }
  // No way leads into a loop that never runs; what it carries is known still.
  auto loop = dyn_cast<LoopLikeOpInterface>(branch.getOperation());
  if (auto argument = dyn_cast<BlockArgument>(value); loop && argument)
    if (OpOperand *init = loop.getTiedLoopInit(argument))
      add(init->get());
  return isFound;
}

/// Adds what a jump, a loop or a branch may hand on as `value`. False where
/// that is not known.
static bool addHandedOn(Value value, llvm::SetVector<Value> &handed) {
  if (auto result = dyn_cast<OpResult>(value)) {
    if (auto select = dyn_cast<SelectLikeOpInterface>(result.getOwner())) {
      handed.insert(select.getTrueValue());
      handed.insert(select.getFalseValue());
      return true;
    }
    auto branch = dyn_cast<RegionBranchOpInterface>(result.getOwner());
    return branch && addFlowing(branch, value, handed);
  }
  auto argument = cast<BlockArgument>(value);
  Block *target = argument.getOwner();
  if (target->isEntryBlock()) {
    auto branch = dyn_cast<RegionBranchOpInterface>(target->getParentOp());
    return branch && addFlowing(branch, value, handed);
  }
  for (auto it = target->pred_begin(); it != target->pred_end(); ++it) {
    auto jump = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value operand = jump ? jump.getSuccessorOperands(
                               it.getSuccessorIndex())[argument.getArgNumber()]
                         : Value();
    if (!operand)
      return false;
    handed.insert(operand);
  }
  return true;
}

/// Bytes of the largest buffer that may be handed on as `value`. The type of
/// `value` may leave open what the types of these buffers say. Nothing where
/// the size of one is not known.
static std::optional<int64_t> getHandedBytes(const ProgramContext &context,
                                             Value value, DimBounds bounds) {
  int64_t largest = 0;
  llvm::SetVector<Value> handed;
  handed.insert(value);
  for (size_t i = 0; i < handed.size(); ++i) {
    Value whole = handed[i];
    while (Operation *op = whole.getDefiningOp()) {
      Value source = StorageAnalysis::getViewSource(op);
      if (!source)
        break;
      whole = source;
    }
    if (std::optional<int64_t> bytes =
            getArgumentBytes(context, whole.getType(), bounds))
      largest = std::max(largest, *bytes);
    else if (!addHandedOn(whole, handed))
      return std::nullopt;
  }
  return largest;
}

/// Whether a type says all strides and the offset of a memref.
static bool hasKnownLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  return memref && succeeded(memref.getStridesAndOffset(strides, offset)) &&
         ShapedType::isStatic(offset) && ShapedType::isStaticShape(strides);
}

int64_t StorageAnalysis::Builder::getBytes(Value value, Type type,
                                           StorageKind kind) {
  DimBounds bounds{context.getOptions().dynamicDimBound};
  if (std::optional<int64_t> bytes =
          kind == StorageKind::Argument
              ? getArgumentBytes(context, type, bounds)
              : getOwnBytes(context, value, type, bounds))
    return *bytes;
  if (kind == StorageKind::Argument && isa<MemRefType>(type))
    if (std::optional<int64_t> bytes = getHandedBytes(context, value, bounds))
      return *bytes;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "size of " << type;
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasRank())
    os << " is not known, for it has no rank";
  else if (getStaticBytes(type, bounds) &&
           (!context.getBytes(type) || hasKnownLayout(type)))
    os << " is too large to count";
  else if (getStaticElements(type, bounds) && context.getBytes(type))
    os << " is not known, for that of its layout is not";
  else if (getStaticElements(type, bounds))
    os << " is not known, for that of its elements is not";
  else
    os << " is not known; bound dynamic dimensions with dim-bound";
  if (unsized.insert(value).second)
    analysis.errors.push_back({value.getLoc(), text});
  return 0;
}

} // namespace pebble
