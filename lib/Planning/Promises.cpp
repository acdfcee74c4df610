//===- Promises.cpp - what a rewrite may take for granted -----------------===//

#include "Promises.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Target/Inverses.h"

using namespace mlir;

namespace pebble {

/// Promises to LLVM, such as that memory is only read, and of what undoes a
/// function. Who owns an argument is told apart from these.
static bool claimsMore(DictionaryAttr before, DictionaryAttr after) {
  return after && llvm::any_of(after, [&](NamedAttribute attribute) {
           StringRef name = attribute.getName();
           bool isPromise =
               name == "passthrough" || name == attr::kInverse ||
               (name.starts_with("llvm.") && name != "llvm.noalias");
           return isPromise && (!before || before.get(attribute.getName()) !=
                                               attribute.getValue());
         });
}

LogicalResult checkPromises(FunctionOpInterface first,
                            FunctionOpInterface second) {
  for (unsigned i = 0; i < first.getNumArguments(); ++i)
    if ((isDonatedArgument(second, i) && !isDonatedArgument(first, i)) ||
        (second.getArgAttr(i, "llvm.noalias") &&
         !first.getArgAttr(i, "llvm.noalias") && !isDonatedArgument(first, i)))
      return second->emitError("the rewrite changed who owns argument #") << i;
    else if (claimsMore(first.getArgAttrDict(i), second.getArgAttrDict(i)))
      return second->emitError("the rewrite promises more of argument #") << i;
  for (unsigned i = 0; i < first.getNumResults(); ++i)
    if (claimsMore(first.getResultAttrDict(i), second.getResultAttrDict(i)))
      return second->emitError("the rewrite promises more of result #") << i;
  if (claimsMore(first->getAttrDictionary(), second->getAttrDictionary()))
    return second->emitError("the rewrite promises more of the function");
  if (mayRound(second) && !mayRound(first))
    return second->emitError("the rewrite allows rounding");
  return success();
}

} // namespace pebble
