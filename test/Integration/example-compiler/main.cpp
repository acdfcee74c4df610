//===- main.cpp - a compiler of one program, with Pebble inside -----------===//
//
// Builds a module in C++, lets Pebble order and lower it, runs it, and asks the
// meter how much memory it took. A pipeline may be given as the argument.
//
//===----------------------------------------------------------------------===//

#include "pebble/InitAll.h"
#include "pebble/Runtime/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// main(x) = <exp(x), x> + <x * x, x>. Both wide values are computed before
/// either is reduced: a poor order for memory.
static OwningOpRef<ModuleOp> buildProgram(MLIRContext &context, int64_t size) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  auto wide = RankedTensorType::get({size}, b.getF32Type());
  auto scalar = RankedTensorType::get({}, b.getF32Type());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, b.getLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto main =
      func::FuncOp::create(b, "main", b.getFunctionType({wide}, {scalar}));
  main->setAttr("llvm.emit_c_interface", b.getUnitAttr());
  Value x = main.addEntryBlock()->getArgument(0);
  b.setInsertionPointToEnd(&main.getBody().front());

  auto empty = [&](RankedTensorType type) -> Value {
    return tensor::EmptyOp::create(b, type.getShape(), b.getF32Type());
  };
  auto dot = [&](Value lhs, Value rhs) {
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
    Value sum = linalg::FillOp::create(b, zero, empty(scalar)).getResult(0);
    return linalg::DotOp::create(b, ValueRange{lhs, rhs}, sum).getResult(0);
  };
  Value exp = linalg::ExpOp::create(b, x, empty(wide)).getResult(0);
  Value square = linalg::SquareOp::create(b, x, empty(wide)).getResult(0);
  Value sums[] = {dot(exp, x), dot(square, x)};
  Value result =
      linalg::AddOp::create(b, ValueRange(sums), empty(scalar)).getResult(0);
  func::ReturnOp::create(b, result);
  return module;
}

int main(int argc, char **argv) {
  const char *pipeline = "pebble-order-operations{objective=peak},"
                         "pebble-to-llvm";
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  pebble::registerAllPasses();
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = buildProgram(context, 1024);

  PassManager pm(&context);
  if (failed(parsePassPipeline(argc > 1 ? argv[1] : pipeline, pm)) ||
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
  StridedMemRefType<float, 0> result;
  if ((*engine)->invoke("main", &result, &*x))
    return 1;
  std::printf("result %.0f, peak %lld bytes\n", *result.data,
              static_cast<long long>(pebble_rt_peak_bytes(0)));
}
