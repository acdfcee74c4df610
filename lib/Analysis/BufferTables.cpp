//===- BufferTables.cpp - buffers that lie in memory ----------------------===//

#include "pebble/Analysis/BufferTables.h"

#include "pebble/Dialect/ProgramNames.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace pebble {

static bool isTable(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && isa<BaseMemRefType>(shaped.getElementType());
}

bool holdsBufferTable(Operation *root) {
  auto has = [](TypeRange types) { return llvm::any_of(types, isTable); };
  return root
      ->walk([&](Operation *op) {
        bool isFound = has(op->getOperandTypes()) || has(op->getResultTypes());
        for (Region &region : op->getRegions())
          for (Block &block : region)
            isFound |= has(block.getArgumentTypes());
        return isFound ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void leaveBufferTables(llvm::SetVector<Operation *> &functions,
                       StringRef pass) {
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> left;
  for (Operation *function : functions) {
    bool isLeft = holdsBufferTable(function);
    if (!isLeft)
      function->walk([&](CallOpInterface call) {
        isLeft |= left.contains(call.resolveCallableInTable(&symbols));
      });
    if (!isLeft)
      continue;
    left.insert(function);
    if (auto remark = remark::missed(
            function->getLoc(),
            remark::RemarkOpts::name("buffers_in_memory").category(pass)))
      remark << "'" + getProgramName(cast<FunctionOpInterface>(function)) +
                    "' stays as it is: buffers lie in memory, where nobody "
                    "knows who needs them how long";
  }
  functions.remove_if(
      [&](Operation *function) { return left.contains(function); });
}

} // namespace pebble
