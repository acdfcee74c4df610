//===- CallOrder.cpp - callees before callers -----------------------------===//

#include "pebble/Analysis/CallOrder.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

llvm::SetVector<Operation *> pebble::getCalleesFirst(Operation *root) {
  llvm::SetVector<Operation *> order;
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> entered;
  root->walk([&](FunctionOpInterface start) {
    SmallVector<std::pair<Operation *, bool>> work = {{start, false}};
    while (!work.empty()) {
      auto [function, left] = work.pop_back_val();
      if (left) {
        order.insert(function);
        continue;
      }
      if (!entered.insert(function).second)
        continue;
      work.push_back({function, true});
      function->walk([&](CallOpInterface call) {
        if (auto callee = dyn_cast_or_null<FunctionOpInterface>(
                call.resolveCallableInTable(&symbols)))
          work.push_back({callee, false});
      });
    }
  });
  return order;
}
