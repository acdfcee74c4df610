//===- VectorAccesses.cpp - how vectors come from memory ------------------===//

#include "VectorAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pebble;

/// The operand of `op` that is the buffer which it reads or writes vectors of,
/// and the one that is a mask, which lies in no memory.
static std::pair<OpOperand *, OpOperand *> getBaseAndMask(Operation *op) {
  using Both = std::pair<OpOperand *, OpOperand *>;
  return TypeSwitch<Operation *, Both>(op)
      .Case<vector::LoadOp, vector::StoreOp>(
          [](auto access) { return Both(&access.getBaseMutable(), nullptr); })
      .Case<vector::TransferReadOp, vector::TransferWriteOp>([](auto access) {
        MutableOperandRange mask = access.getMaskMutable();
        return Both(&access.getBaseMutable(),
                    mask.empty() ? nullptr : &mask[0]);
      })
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp, vector::GatherOp,
            vector::ScatterOp, vector::ExpandLoadOp, vector::CompressStoreOp>(
          [](auto access) {
            return Both(&access.getBaseMutable(), &access.getMaskMutable());
          })
      .Default(Both());
}

/// The elements of these have the bytes that they have one by one.
static bool accessesBits(Operation *op) {
  OpOperand *base = getBaseAndMask(op).first;
  auto type = base ? dyn_cast<MemRefType>(base->get().getType()) : MemRefType();
  return type && type.getElementType().isInteger(1);
}

/// A load or a store of a vector of several dimensions, each element of the
/// buffer being one of the vector.
static bool isOfSeveralDimensions(Operation *op) {
  VectorType type;
  if (auto load = dyn_cast<vector::LoadOp>(op))
    type = load.getVectorType();
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    type = store.getVectorType();
  if (!type || type.getRank() < 2)
    return false;
  auto buffer = cast<MemRefType>(getBaseAndMask(op).first->get().getType());
  return buffer.getElementType() == type.getElementType() &&
         buffer.getRank() >= type.getRank();
}

/// A transfer is the same, and has a lowering.
static void becomeTransfer(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto getMap = [](Value base, VectorType type) {
    return AffineMapAttr::get(AffineMap::getMinorIdentityMap(
        cast<MemRefType>(base.getType()).getRank(), type.getRank(),
        base.getContext()));
  };
  auto isInside = [&](VectorType type) {
    return builder.getBoolArrayAttr(SmallVector<bool>(type.getRank(), true));
  };
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    VectorType type = load.getVectorType();
    Value padding = ub::PoisonOp::create(builder, loc, type.getElementType());
    auto read = vector::TransferReadOp::create(
        builder, loc, type, load.getBase(), load.getIndices(),
        getMap(load.getBase(), type), padding, /*mask=*/Value(),
        isInside(type));
    load.replaceAllUsesWith(read.getResult());
  } else {
    auto store = cast<vector::StoreOp>(op);
    VectorType type = store.getVectorType();
    vector::TransferWriteOp::create(builder, loc, store.getValueToStore(),
                                    store.getBase(), store.getIndices(),
                                    getMap(store.getBase(), type),
                                    /*mask=*/Value(), isInside(type));
  }
  op->erase();
}

/// `type` with elements of a byte each, for those of a bit.
static Type inBytes(Type type) {
  Type byte = IntegerType::get(type.getContext(), 8);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(byte);
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::get(memref.getShape(), byte, memref.getLayout(),
                           memref.getMemorySpace());
  return byte;
}

/// Reads or writes bytes that are 0 or 1.
static void accessBytes(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto [base, mask] = getBaseAndMask(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Type type = value.getType();
    if (&operand == base)
      operand.set(
          UnrealizedConversionCastOp::create(builder, loc, inBytes(type), value)
              .getResult(0));
    else if (&operand != mask && getElementTypeOrSelf(type).isInteger(1))
      operand.set(arith::ExtUIOp::create(builder, loc, inBytes(type), value));
  }
  if (op->getNumResults() == 0)
    return;
  OpResult result = op->getResult(0);
  Type bits = result.getType();
  result.setType(inBytes(bits));
  builder.setInsertionPointAfter(op);
  auto read = arith::TruncIOp::create(builder, loc, bits, result);
  result.replaceAllUsesExcept(read, read);
}

bool pebble::isAccessToRewrite(Operation *op) {
  return isOfSeveralDimensions(op) || accessesBits(op);
}

void pebble::rewriteAccesses(Operation *top) {
  SmallVector<Operation *> several, bits;
  top->walk([&](Operation *op) {
    if (isOfSeveralDimensions(op))
      several.push_back(op);
  });
  for (Operation *op : several)
    becomeTransfer(op);
  top->walk([&](Operation *op) {
    if (accessesBits(op))
      bits.push_back(op);
  });
  for (Operation *op : bits)
    accessBytes(op);
}
