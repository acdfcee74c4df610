//===- StepSymbols.cpp - who names the functions of a step ----------------===//

#include "StepSymbols.h"

using namespace mlir;

namespace pebble {

std::string getFreeName(ModuleOp module, std::string name) {
  while (module.lookupSymbol(name))
    name += "_";
  return name;
}

void eraseUnused(ModuleOp module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() &&
          SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        isChanged = true;
      }
  }
}

LogicalResult checkIsUnused(func::FuncOp function, ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!uses)
    return function.emitError("operations of unknown dialects may name this "
                              "step, whose type changes");
  if (!uses->empty())
    return uses->begin()->getUser()->emitError("this names '@")
           << function.getName()
           << "', which becomes the program of all micro-batches or of a rank";
  return success();
}

} // namespace pebble
