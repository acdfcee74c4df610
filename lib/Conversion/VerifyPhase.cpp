//===- VerifyPhase.cpp - what a phase of the way down must have left ------===//

#include "pebble/Conversion/Passes.h"

#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Dialect/PebbleOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {
#define GEN_PASS_DEF_VERIFYPHASEPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

/// Whether a value that `op` reads, makes or hands to a block has such a type.
static bool hasType(Operation *op, llvm::function_ref<bool(Type)> isSuch) {
  if (llvm::any_of(op->getOperandTypes(), isSuch) ||
      llvm::any_of(op->getResultTypes(), isSuch))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isSuch))
        return true;
  return false;
}

static bool isTiered(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && isa_and_present<AtAttr>(memref.getMemorySpace());
}

namespace {
/// A phase, and what must not be left after it.
struct Phase {
  StringLiteral name;
  /// What is left, as the rest of "there is still ..."; empty if nothing.
  StringRef (*getLeftover)(Operation *op);
};
} // namespace

static constexpr Phase kPhases[] = {
    {"storage",
     [](Operation *op) -> StringRef {
       return op->getName().getDialectNamespace() == "tosa"
                  ? "an operation of tosa"
                  : "";
     }},
    {"buffers",
     [](Operation *op) -> StringRef {
       return hasType(op, llvm::IsaPred<TensorType>) ? "a tensor" : "";
     }},
    {"loops",
     [](Operation *op) -> StringRef {
       // Addresses are compared, and what ranks do together is called, where
       // there are addresses.
       if (isa_and_present<PebbleDialect>(op->getDialect()) &&
           !isa<CollectiveOp, SameBufferOp>(op))
         return "an operation of the pebble dialect";
       return hasType(op, isTiered) ? "a memref in a tier" : "";
     }},
    {"llvm", [](Operation *op) -> StringRef {
       bool isDone = isa<ModuleOp>(op) ||
                     isa_and_present<LLVM::LLVMDialect>(op->getDialect());
       return isDone ? "" : "an operation that is not of the LLVM dialect";
     }}};

namespace {
struct VerifyPhase : pebble::impl::VerifyPhasePassBase<VerifyPhase> {
  using VerifyPhasePassBase::VerifyPhasePassBase;

  void runOnOperation() override {
    const Phase *found = llvm::find_if(
        kPhases, [&](const Phase &entry) { return entry.name == phase; });
    if (found == std::end(kPhases)) {
      emitError(getOperation().getLoc())
          << "there is no phase '" << phase
          << "'; there are storage, buffers, loops and llvm";
      return signalPassFailure();
    }
    for (Operation &op : *getOperation().getBody())
      if (failed(check(&op, *found)))
        signalPassFailure();
  }

  static LogicalResult check(Operation *root, const Phase &entry) {
    WalkResult result = root->walk([&](Operation *op) {
      StringRef leftover = entry.getLeftover(op);
      if (leftover.empty())
        return WalkResult::advance();
      emitError(op->getLoc())
          << "there is still " << leftover << " after the phase '" << entry.name
          << "' of pebble-to-llvm";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
