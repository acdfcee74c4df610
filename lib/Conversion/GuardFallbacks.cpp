//===- GuardFallbacks.cpp - who runs where an estimate was wrong ----------===//
//
// A plan of dynamic dimensions rests on a bound that only a call can break. So
// the choice between the plan and the leanest schedule is made at the entry of
// the function, by code: whoever calls a compiled object gets it. It stands
// where buffers have their frees already, so that it only passes on what it was
// given.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "RuntimeCalls.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pebble {
#define GEN_PASS_DEF_GUARDFALLBACKSPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Writes the guards of one module.
class GuardWriter {
public:
  explicit GuardWriter(ModuleOp module) : module(module), symbols(module) {}

  /// Puts a guard before a function that has `pebble.fallback`.
  LogicalResult guard(func::FuncOp planned);

private:
  FailureOr<func::FuncOp> findLeanest(func::FuncOp planned);
  func::FuncOp takeName(func::FuncOp planned);
  void writeBody(func::FuncOp guard, func::FuncOp planned, func::FuncOp leanest,
                 int64_t bound);
  Value getText(OpBuilder &builder, func::FuncOp guard, StringRef suffix,
                StringRef text);

  ModuleOp module;
  SymbolTable symbols;
};

struct GuardFallbacksPass
    : pebble::impl::GuardFallbacksPassBase<GuardFallbacksPass> {
  void runOnOperation() override;
};
} // namespace

/// The schedule that `pebble.fallback` names.
FailureOr<func::FuncOp> GuardWriter::findLeanest(func::FuncOp planned) {
  auto name = planned->getAttrOfType<DictionaryAttr>(attr::kFallback)
                  .getAs<FlatSymbolRefAttr>("function");
  auto leanest = symbols.lookup<func::FuncOp>(name.getValue());
  if (!leanest || leanest.isExternal() ||
      leanest.getFunctionType() != planned.getFunctionType())
    return emitError(planned.getLoc(), "'pebble.fallback' names '")
           << name.getValue() << "', which is no function of the same type";
  // Guards that pass on to one another might never end.
  if (leanest != planned && leanest->hasAttr(attr::kFallback))
    return emitError(planned.getLoc(), "'pebble.fallback' names '")
           << name.getValue() << "', which falls back itself";
  return leanest;
}

/// A function by the name and the type of `planned`, which gets another name:
/// callers, inside of the module as well, meet the new one.
func::FuncOp GuardWriter::takeName(func::FuncOp planned) {
  std::string name = planned.getName().str();
  auto guard = cast<func::FuncOp>(planned->cloneWithoutRegions());
  // What a plan costs is said where the plan is.
  guard->removeAttr(attr::kResult);
  symbols.remove(planned);
  planned.setName(name + ".planned");
  planned.setPrivate();
  planned->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  symbols.insert(planned);
  symbols.insert(guard, Block::iterator(planned));
  return guard;
}

/// The address of a text, ended by a zero, that is part of the module.
Value GuardWriter::getText(OpBuilder &builder, func::FuncOp guard,
                           StringRef suffix, StringRef text) {
  Location loc = guard.getLoc();
  SmallVector<char> bytes(text.begin(), text.end());
  bytes.push_back(0);
  auto type = MemRefType::get({static_cast<int64_t>(bytes.size())},
                              builder.getI8Type());
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), builder.getI8Type()),
      ArrayRef<char>(bytes));
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  auto global = memref::GlobalOp::create(
      top, loc, (guard.getName() + suffix).str(),
      /*sym_visibility=*/top.getStringAttr("private"), type, values,
      /*constant=*/true, /*alignment=*/nullptr);
  symbols.insert(global);
  Value memref =
      memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
}

/// Whether a call decides a dimension of an argument.
static bool hasOpenDim(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && !memref.hasStaticShape();
  });
}

/// The largest of the dimensions that calls decide, of which there are some.
static Value getLargestDim(OpBuilder &builder, Location loc,
                           ValueRange arguments) {
  Value largest;
  for (Value argument : arguments) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = memref::DimOp::create(builder, loc, argument, dim);
      if (largest)
        size = arith::MaxSIOp::create(builder, loc, largest, size);
      largest = size;
    }
  }
  return largest;
}

void GuardWriter::writeBody(func::FuncOp guard, func::FuncOp planned,
                            func::FuncOp leanest, int64_t bound) {
  Location loc = guard.getLoc();
  auto builder = OpBuilder::atBlockEnd(guard.addEntryBlock());
  auto callAndReturn = [&](func::FuncOp callee) {
    auto call =
        func::CallOp::create(builder, loc, callee, guard.getArguments());
    func::ReturnOp::create(builder, loc, call.getResults());
  };
  Value largest = getLargestDim(builder, loc, guard.getArguments());
  Value limit = arith::ConstantIndexOp::create(builder, loc, bound);
  Value isOver = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                       largest, limit);
  Block *over = guard.addBlock(), *within = guard.addBlock();
  cf::CondBranchOp::create(builder, loc, isOver, over, within);
  builder.setInsertionPointToEnd(over);
  StringRef running = leanest == planned ? guard.getName() : leanest.getName();
  callRuntime(builder, loc, "pebble_rt_note_fallback", {},
              {getText(builder, guard, ".name", guard.getName()),
               getText(builder, guard, ".fallback", running), largest, limit});
  callAndReturn(leanest);
  builder.setInsertionPointToEnd(within);
  callAndReturn(planned);
}

LogicalResult GuardWriter::guard(func::FuncOp planned) {
  if (planned.isExternal())
    return emitError(planned.getLoc(),
                     "'pebble.fallback' stands on a function that has "
                     "no body");
  if (llvm::any_of(planned.getArgumentTypes(), llvm::IsaPred<TensorType>) ||
      llvm::any_of(planned.getResultTypes(), llvm::IsaPred<TensorType>))
    return emitError(planned.getLoc(),
                     "a guard passes on buffers, and this function "
                     "still has tensors: bufferize first");
  FailureOr<func::FuncOp> leanest = findLeanest(planned);
  if (failed(leanest))
    return failure();
  if (!hasOpenDim(planned))
    return success();
  int64_t bound = planned->getAttrOfType<DictionaryAttr>(attr::kFallback)
                      .getAs<IntegerAttr>("dim_bound")
                      .getInt();
  func::FuncOp guard = takeName(planned);
  writeBody(guard, planned, *leanest, bound);
  return success();
}

void GuardFallbacksPass::runOnOperation() {
  for (ModuleOp module : getModules(getOperation())) {
    SmallVector<func::FuncOp> planned;
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr(attr::kFallback))
        planned.push_back(function);
    GuardWriter writer(module);
    for (func::FuncOp function : planned)
      if (failed(writer.guard(function)))
        return signalPassFailure();
  }
  // The choice is code now, and all were needed to see who falls back.
  getOperation().walk(
      [](func::FuncOp function) { function->removeAttr(attr::kFallback); });
}
