//===- main.cpp - a compiler of one program, with Pebble inside -----------===//
//
// Builds a module in C++, lets Pebble order and lower it, and runs it.
//
//===----------------------------------------------------------------------===//

#include "pebble/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/MemRefUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"

#include <cstdio>

using namespace mlir;

/// main(x) = (exp(x) + x) * (x * x), with the two factors computed first.
static OwningOpRef<ModuleOp> buildProgram(MLIRContext &context, int64_t size) {
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  auto type = RankedTensorType::get({size}, b.getF32Type());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(b, loc, "main", b.getFunctionType({type}, {type}));
  function->setAttr("llvm.emit_c_interface", b.getUnitAttr());
  Value x = function.addEntryBlock()->getArgument(0);
  b.setInsertionPointToEnd(&function.getBody().front());
  auto empty = [&]() -> Value {
    return tensor::EmptyOp::create(b, loc, type.getShape(), b.getF32Type());
  };
  auto binary = [&](auto op, Value lhs, Value rhs) {
    using Op = decltype(op);
    return Op::create(b, loc, ValueRange{lhs, rhs}, empty()).getResult(0);
  };
  Value exp = linalg::ExpOp::create(b, loc, x, empty()).getResult(0);
  Value square = binary(linalg::MulOp(), x, x);
  Value sum = binary(linalg::AddOp(), exp, x);
  func::ReturnOp::create(b, loc, binary(linalg::MulOp(), sum, square));
  return module;
}

int main() {
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  pebble::registerAllPasses();
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = buildProgram(context, 1024);

  PassManager pm(&context);
  if (failed(parsePassPipeline("pebble-order-operations{objective=peak},"
                               "pebble-to-llvm",
                               pm)) ||
      failed(pm.run(*module)))
    return 1;

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto engine = ExecutionEngine::create(*module);
  if (!engine)
    return 1;
  int64_t shape[] = {1024};
  OwningMemRef<float, 1> x(shape);
  for (float &value : *x)
    value = 2.0f;
  StridedMemRefType<float, 1> result;
  if ((*engine)->invoke("main", &result, &*x))
    return 1;
  std::printf("main(2) = %.4f\n", result[7]);
}
