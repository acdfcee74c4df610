//===- Entry.cpp - the function to run, and its module --------------------===//

#include "Entry.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/ProgramNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace pebble;

/// The functions with a body that stand in `module` itself, or in modules
/// inside of it and not there.
static SmallVector<FunctionOpInterface> findFunctions(ModuleOp module,
                                                      bool inside) {
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](FunctionOpInterface function) {
    const bool isInside = function->getParentOp() != module;
    if (isInside == inside && !function.isExternal() &&
        isa<ModuleOp>(function->getParentOp()))
      functions.push_back(function);
  });
  return functions;
}

static FunctionOpInterface findNamed(ModuleOp module, StringRef name) {
  for (bool inside : {false, true})
    for (FunctionOpInterface function : findFunctions(module, inside))
      if (getProgramName(function) == name ||
          (!inside && function.getName() == name))
        return function;
  module.emitError("no function '") << name << "' with a body";
  return {};
}

/// `main`, else the only public function with a body.
static FunctionOpInterface findUnnamed(ModuleOp module) {
  size_t candidates = 0;
  for (bool inside : {false, true}) {
    SmallVector<FunctionOpInterface> functions = findFunctions(module, inside);
    auto isMain = [](FunctionOpInterface function) {
      return function.getName() == "main";
    };
    if (llvm::count_if(functions, isMain) == 1)
      return *llvm::find_if(functions, isMain);
    llvm::erase_if(functions, [](FunctionOpInterface function) {
      return !function.isPublic();
    });
    if (functions.size() == 1)
      return functions.front();
    candidates = functions.size();
    if (candidates)
      break;
  }
  if (candidates == 0) {
    module.emitError("no public function has a body: nothing can be run");
    return {};
  }
  const bool hasModules = !module.getOps<ModuleOp>().empty();
  module.emitError("no function 'main', and ")
      << candidates << " public functions with a body: name one by --entry"
      << (hasModules ? ", one of a module inside as MODULE::FUNCTION" : "");
  return {};
}

FunctionOpInterface pebble::takeEntry(OwningOpRef<ModuleOp> &module,
                                      StringRef name) {
  // Messages write functions so.
  name.consume_front("@");
  FunctionOpInterface entry =
      name.empty() ? findUnnamed(*module) : findNamed(*module, name);
  if (!entry || entry->getParentOp() == *module)
    return entry;
  // What is said of an outer module, its machine for one, holds inside.
  auto inner = cast<ModuleOp>(entry->getParentOp());
  std::string path = getModulePath(entry);
  inner->setAttr(attr::kPath, StringAttr::get(inner.getContext(),
                                              StringRef(path).drop_back(2)));
  for (Operation *outer = inner->getParentOp(); outer;
       outer = outer->getParentOp())
    for (NamedAttribute attribute : outer->getDiscardableAttrs())
      if (!inner->hasAttr(attribute.getName()))
        inner->setAttr(attribute.getName(), attribute.getValue());
  inner->remove();
  module = inner;
  return entry;
}

void pebble::eraseUnreachable(ModuleOp module,
                              ArrayRef<FunctionOpInterface> entries) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached;
  for (FunctionOpInterface entry : entries)
    reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        if (Operation *target = symbols.lookup(symbol.getRootReference()))
          reached.insert(target);
      });
    });
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<func::FuncOp, ModuleOp>(op) && !reached.contains(&op))
      op.erase();
}

LogicalResult pebble::checkExternals(ModuleOp module) {
  WalkResult result = module.walk([&](func::FuncOp func) {
    if (!func.isExternal())
      return WalkResult::advance();
    for (const std::string &name :
         {func.getName().str(), "_mlir_ciface_" + func.getName().str()})
      if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name))
        return WalkResult::advance();
    func.emitError("cannot run: function '")
        << func.getName() << "' has no body and is in no library";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
