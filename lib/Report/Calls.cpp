//===- Calls.cpp - the tree of calls that was chosen ----------------------===//

#include "Internal.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace pebble {

namespace {
class CallLister {
public:
  CallLister(ProgramContext &context, std::vector<CallEntry> &calls)
      : context(context), calls(calls) {}

  void list(Operation *function, unsigned depth) {
    function->walk([&](CallOpInterface call) {
      auto mode = call->getAttrOfType<StringAttr>(attr::kCallMode);
      Operation *callee = mode ? context.resolveCallee(call) : nullptr;
      if (!callee)
        return;
      auto name =
          callee->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      calls.push_back({name ? name.str() : "", depth,
                       mode.getValue() == "joint",
                       !seen.insert(callee).second});
      if (calls.back().isRepeated)
        return;
      list(callee, depth + 1);
      // What runs again does so in the adjoint.
      auto adjoint = callee->getAttrOfType<DictionaryAttr>(attr::kAdjoint);
      if (Operation *backward =
              adjoint
                  ? context.lookupSymbol(
                        callee, adjoint.getAs<FlatSymbolRefAttr>("backward"))
                  : nullptr)
        list(backward, depth + 1);
    });
  }

private:
  ProgramContext &context;
  std::vector<CallEntry> &calls;
  llvm::DenseSet<Operation *> seen;
};
} // namespace

std::vector<CallEntry> listCalls(Operation *function, ProgramContext &context) {
  std::vector<CallEntry> calls;
  CallLister(context, calls).list(function, 0);
  return calls;
}

} // namespace pebble
