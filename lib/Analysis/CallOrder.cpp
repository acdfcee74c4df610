//===- CallOrder.cpp - callees before callers -----------------------------===//

#include "pebble/Analysis/CallOrder.h"

#include "mlir/IR/SymbolTable.h"
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

SmallVector<ModuleOp> pebble::getModules(ModuleOp outermost) {
  SmallVector<ModuleOp> modules;
  outermost.walk([&](ModuleOp module) { modules.push_back(module); });
  return modules;
}

llvm::SetVector<Operation *> pebble::getCallees(Operation *function) {
  llvm::SetVector<Operation *> reached;
  SymbolTableCollection symbols;
  reached.insert(function);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](CallOpInterface call) {
      if (auto callee = dyn_cast_or_null<FunctionOpInterface>(
              call.resolveCallableInTable(&symbols)))
        reached.insert(callee);
    });
  return reached;
}

bool pebble::isReferenced(Operation *symbol) {
  Operation *table = symbol->getParentOp();
  if (!table)
    return false;
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(symbol, table))
    return !uses->empty();
  // Upstream gives up where an operation that is not registered has a region:
  // it may be a symbol table of its own. Whoever spells the name then counts.
  StringAttr name = SymbolTable::getSymbolName(symbol);
  auto isName = [&](SymbolRefAttr reference) {
    return reference.getRootReference() == name ||
                   reference.getLeafReference() == name
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  auto spellsName = [&](Operation *op) {
    return op->getAttrDictionary().walk(isName);
  };
  return table->walk(spellsName).wasInterrupted();
}

llvm::DenseMap<Operation *, llvm::SetVector<Operation *>>
pebble::getCallers(ArrayRef<Operation *> functions) {
  llvm::DenseMap<Operation *, llvm::SetVector<Operation *>> callers;
  SymbolTableCollection symbols;
  for (Operation *function : functions)
    function->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallableInTable(&symbols))
        callers[callee].insert(function);
    });
  return callers;
}
