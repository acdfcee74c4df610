//===- LowerTiers.cpp - transfers to runtime calls, spaces erased ---------===//
//
// The last place that knows tiers by name. Below it a tier is a number that
// stands on each allocation and in each call of the runtime.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "Messages.h"
#include "RuntimeCalls.h"
#include "TierCalls.h"

#include "pebble/Analysis/ValueNames.h"
#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_LOWERTIERSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {

struct LowerTiersPass : pebble::impl::LowerTiersPassBase<LowerTiersPass> {
  void runOnOperation() override;

private:
  FailureOr<int32_t> tierOf(Operation *op, Value memref);
  LogicalResult markAlloc(memref::AllocOp alloc);
  FailureOr<int32_t> tierCalled(Operation *op, StringRef name);
  LogicalResult checkReach(Operation *op);
  LogicalResult lowerAddresses(func::FuncOp func);
  LogicalResult lowerTransfer(Operation *op, Value source, Value target);
};

} // namespace

int32_t pebble::computeTierNumber(HierarchyAttr hierarchy) {
  if (!hierarchy)
    return 0;
  for (auto [i, tier] : llvm::enumerate(hierarchy.getTiers()))
    if (tier.getKind() == TierKind::Explicit)
      return static_cast<int32_t>(i);
  return 0;
}

bool pebble::isContiguous(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      !type.hasStaticShape())
    return false;
  int64_t expected = 1;
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    if (type.getDimSize(i) != 1 && strides[i] != expected)
      return false;
    expected *= type.getDimSize(i);
  }
  return true;
}

FailureOr<int32_t> LowerTiersPass::tierOf(Operation *op, Value memref) {
  StringRef name = getTierName(memref);
  if (name.empty())
    return computeTierNumber(lookupHierarchy(op));
  return tierCalled(op, name);
}

FailureOr<int32_t> LowerTiersPass::tierCalled(Operation *op, StringRef name) {
  HierarchyAttr hierarchy = lookupHierarchy(op);
  if (hierarchy)
    for (auto [i, tier] : llvm::enumerate(hierarchy.getTiers()))
      if (tier.getName() == name)
        return static_cast<int32_t>(i);
  return op->emitError("the hierarchy has no tier \"") << name << "\"";
}

/// What a slower tier holds may be a file: transfers reach it, operations do
/// not.
LogicalResult LowerTiersPass::checkReach(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<StoreOp, LoadOp, memref::CopyOp>(op))
    return success();
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value memref = effect.getValue();
    if (!memref || !isa<BaseMemRefType>(memref.getType()) ||
        !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
      continue;
    FailureOr<int32_t> tier = tierOf(op, memref);
    if (failed(tier))
      return failure();
    if (*tier != computeTierNumber(lookupHierarchy(op)))
      return op->emitError("an operation reads and writes the compute tier "
                           "alone, and this one has an operand in tier '")
             << getTierName(memref) << "'; bring it there by pebble.load";
  }
  return success();
}

/// Buffers begin at multiples of a granule; where they begin at a larger power
/// of two, no place was planned for them, and they are plain memory.
static LogicalResult checkAlignment(memref::AllocOp op) {
  uint64_t alignment = op.getAlignment().value_or(0);
  if (alignment <= PEBBLE_RT_GRANULE)
    return success();
  AtAttr at = getPlacement(op.getType());
  bool isCompressed = at && at.isCompressed();
  if (!isCompressed && !op->hasAttr(attr::kOffset))
    return success();
  return op.emitError("an alignment of ")
         << alignment << " bytes is more than "
         << (isCompressed ? "a compressed value" : "a planned address")
         << " has";
}

/// `pebble.name` of what writes `memref`; empty if nobody has one.
static StringRef getWrittenName(Value memref) {
  for (Operation *user : memref.getUsers()) {
    auto op = dyn_cast<DestinationStyleOpInterface>(user);
    if (op && llvm::is_contained(op.getDpsInits(), memref))
      if (auto name = op->getAttrOfType<StringAttr>(attr::kName))
        return name.getValue();
  }
  return {};
}

/// What the value in a slower tier is called: as the op that stores it says by
/// its name or location, or as what made it is called.
static std::string getValueName(memref::AllocOp op) {
  for (Operation *user : op->getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store || store.getDest() != op.getResult())
      continue;
    if (auto name = store->getAttrOfType<StringAttr>(attr::kName))
      return name.str();
    if (StringRef name = getWrittenName(store.getSource()); !name.empty())
      return name.str();
  }
  if (std::string name = getLocationName(op->getLoc()); !name.empty())
    return name;
  return getPlace(op->getLoc());
}

/// A transfer, or a copy between tiers, is a move that the meter counts.
LogicalResult LowerTiersPass::lowerTransfer(Operation *op, Value source,
                                            Value target) {
  FailureOr<int32_t> from = tierOf(op, source);
  FailureOr<int32_t> to = tierOf(op, target);
  if (failed(from) || failed(to))
    return failure();
  bool isCopy = isa<memref::CopyOp>(op);
  if (isCopy && *from == *to && *from == computeTierNumber(lookupHierarchy(op)))
    return success();
  for (Value memref : {source, target})
    if (!isContiguous(cast<MemRefType>(memref.getType())))
      return op->emitError("a transfer to or from a slower tier needs "
                           "contiguous memrefs, got ")
             << memref.getType();
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value toTier = arith::ConstantIntOp::create(builder, loc, *to, 32);
  Value fromTier = arith::ConstantIntOp::create(builder, loc, *from, 32);
  SmallVector<Type> results;
  if (!isCopy)
    results.push_back(builder.getI64Type());
  func::CallOp call = callRuntime(
      builder, loc, isCopy ? "pebble_rt_copy" : "pebble_rt_copy_start", results,
      {toTier, fromTier, addressOf(builder, loc, target),
       addressOf(builder, loc, source), bytesOf(builder, loc, source)});
  if (isCopy) {
    op->erase();
    return success();
  }
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    builder.setInsertionPoint(user);
    if (!isa<WaitOp>(user))
      return user->emitError("a token can only be waited for");
    callRuntime(builder, user->getLoc(), "pebble_rt_wait", {},
                call.getResults());
    user->erase();
  }
  op->erase();
  return success();
}

/// A function whose addresses are planned says at its entry where it expects
/// its arguments and how large its blocks are, and at its end that it is done.
LogicalResult LowerTiersPass::lowerAddresses(func::FuncOp func) {
  auto extents = func->getAttrOfType<DictionaryAttr>(attr::kExtent);
  if (!extents || func.isExternal())
    return success();
  Location loc = func.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  auto number = [&](int64_t value, unsigned width) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, width);
  };
  for (BlockArgument argument : func.getArguments()) {
    auto offset = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                     attr::kOffset);
    if (!offset)
      continue;
    FailureOr<int32_t> tier = tierOf(func, argument);
    if (failed(tier))
      return failure();
    // Arguments are buffers of their own, laid out without an offset.
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, argument);
    callRuntime(builder, loc, "pebble_rt_expect_at", {},
                {number(*tier, 32), number(offset.getInt(), 64), address});
  }
  SmallVector<int32_t> entered;
  for (NamedAttribute extent : extents) {
    int64_t bytes = cast<IntegerAttr>(extent.getValue()).getInt();
    FailureOr<int32_t> tier =
        lookupHierarchy(func) ? tierCalled(func, extent.getName()) : 0;
    if (failed(tier))
      return failure();
    callRuntime(builder, loc, "pebble_rt_enter", {},
                {number(*tier, 32), number(bytes, 64)});
    entered.push_back(*tier);
  }
  builder.setInsertionPoint(func.getBody().front().getTerminator());
  for (int32_t tier : entered)
    callRuntime(builder, loc, "pebble_rt_leave", {}, number(tier, 32));
  WalkResult result = func.walk([&](memref::AllocOp op) {
    auto offset = op->getAttrOfType<IntegerAttr>(attr::kOffset);
    if (!offset) {
      op.emitError("[D44] an allocation without '")
          << attr::kOffset << "' in a function that has '" << attr::kExtent
          << "'";
      return WalkResult::interrupt();
    }
    op->setAttr(kOffsetAttr, offset);
    op->removeAttr(attr::kOffset);
    return WalkResult::advance();
  });
  // Tiers are without names below.
  func->removeAttr(attr::kExtent);
  func->removeAttr(attr::kLives);
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.removeArgAttr(i, attr::kOffset);
  return failure(result.wasInterrupted());
}

/// Writes the tier, the compression and the name of a buffer as attributes that
/// survive without the memory space.
LogicalResult LowerTiersPass::markAlloc(memref::AllocOp alloc) {
  FailureOr<int32_t> tier = tierOf(alloc, alloc);
  if (failed(tier) || failed(checkAlignment(alloc)))
    return failure();
  alloc->setAttr(kTierNumberAttr,
                 IntegerAttr::get(IntegerType::get(&getContext(), 32), *tier));
  AtAttr at = getPlacement(alloc.getType());
  if (at && at.isCompressed()) {
    if (!AtAttr::canCompress(alloc.getType().getElementType()))
      return alloc->emitError("elements of type ")
             << alloc.getType().getElementType()
             << " cannot be kept compressed";
    alloc->setAttr(
        kCompressionAttr,
        DenseI64ArrayAttr::get(&getContext(),
                               {static_cast<int64_t>(at.getCompress()),
                                at.getDensityPercent(), at.getRows() ? 1 : 0}));
  }
  if (*tier != computeTierNumber(lookupHierarchy(alloc)))
    if (std::string name = getValueName(alloc); !name.empty())
      alloc->setAttr(kValueNameAttr, StringAttr::get(&getContext(), name));
  return success();
}

/// Takes the memory spaces off all types, and the casts between them.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!getPlacement(type))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    if (!getPlacement(type))
      return std::nullopt;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // What cast between spaces casts nothing now.
  module.walk([](memref::MemorySpaceCastOp op) {
    if (op.getSource().getType() == op.getType()) {
      op.replaceAllUsesWith(op.getSource());
      op.erase();
    }
  });
}

void LowerTiersPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<Operation *> transfers;
  WalkResult result = module.walk([&](Operation *op) {
    if (isa<memref::CopyOp, StoreOp, LoadOp>(op))
      transfers.push_back(op);
    if (failed(checkReach(op)))
      return WalkResult::interrupt();
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (alloc && failed(markAlloc(alloc)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return signalPassFailure();
  if (failed(lowerCollectiveStarts(module)))
    return signalPassFailure();
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp func) { functions.push_back(func); });
  for (func::FuncOp func : functions)
    if (failed(lowerAddresses(func)))
      return signalPassFailure();
  for (Operation *op : transfers)
    if (failed(lowerTransfer(op, op->getOperand(0), op->getOperand(1))))
      return signalPassFailure();
  dropMemorySpaces(module);
}
