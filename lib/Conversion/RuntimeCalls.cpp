//===- RuntimeCalls.cpp - calls of the runtime above LLVM -----------------===//

#include "RuntimeCalls.h"

using namespace mlir;

func::CallOp pebble::callRuntime(OpBuilder &builder, Location loc,
                                 ModuleOp module, StringRef name,
                                 TypeRange results, ValueRange operands) {
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto func = func::FuncOp::create(
        top, loc, name, top.getFunctionType(operands.getTypes(), results));
    func.setPrivate();
  }
  return func::CallOp::create(builder, loc, name, results, operands);
}
