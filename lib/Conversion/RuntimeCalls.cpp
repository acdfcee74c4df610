//===- RuntimeCalls.cpp - calls of the runtime above LLVM -----------------===//

#include "RuntimeCalls.h"

#include "pebble/Dialect/DimBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

func::CallOp pebble::callRuntime(OpBuilder &builder, Location loc,
                                 StringRef name, TypeRange results,
                                 ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto func = func::FuncOp::create(
        top, loc, name, top.getFunctionType(operands.getTypes(), results));
    func.setPrivate();
  }
  return func::CallOp::create(builder, loc, name, results, operands);
}

Value pebble::addressOf(OpBuilder &builder, Location loc, Value memref) {
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  auto type = cast<MemRefType>(memref.getType());
  int64_t width = *getElementBytes(type.getElementType());
  Value bytes = arith::ConstantIndexOp::create(builder, loc, width);
  Value offset =
      arith::MulIOp::create(builder, loc, metadata.getOffset(), bytes);
  return arith::AddIOp::create(builder, loc, base, offset);
}

Value pebble::bytesOf(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t width = *getElementBytes(type.getElementType());
  Value bytes = arith::ConstantIndexOp::create(builder, loc, width);
  for (int64_t i = 0; i < type.getRank(); ++i)
    bytes = arith::MulIOp::create(
        builder, loc, bytes, memref::DimOp::create(builder, loc, memref, i));
  return bytes;
}
