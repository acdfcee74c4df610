//===- Remarks.cpp - what passes say of nothing ---------------------------===//

#include "pebble/Analysis/Remarks.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

void remarkOnNothing(Operation *root, StringRef pass, const Twine &why) {
  auto missed = remark::missed(
      root->getLoc(), remark::RemarkOpts::name("nothing").category(pass));
  if (missed)
    missed << "nothing to do: " + why.str();
}

bool hasFunctions(Operation *root, StringRef pass) {
  const bool isFound = root->walk([](FunctionOpInterface function) {
                             return function.isExternal()
                                        ? WalkResult::advance()
                                        : WalkResult::interrupt();
                           })
                           .wasInterrupted();
  if (!isFound)
    remarkOnNothing(root, pass, "there is no function with a body");
  return isFound;
}

} // namespace pebble
