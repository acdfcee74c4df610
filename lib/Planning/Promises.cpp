//===- Promises.cpp - what functions promise of arguments -----------------===//

#include "Promises.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Target/Inverses.h"

using namespace mlir;

namespace pebble {

static constexpr StringLiteral kNoAlias = "llvm.noalias";

/// Promises to LLVM, such as that memory is only read. Who owns an argument is
/// told apart from these.
static bool isToLLVM(StringRef name) {
  return name == "passthrough" ||
         (name.starts_with("llvm.") && name != kNoAlias);
}

/// Also of what undoes a function.
static bool promisesMore(DictionaryAttr before, DictionaryAttr after) {
  return after && llvm::any_of(after, [&](NamedAttribute attribute) {
           StringRef name = attribute.getName();
           return (isToLLVM(name) || name == attr::kInverse) &&
                  (!before ||
                   before.get(attribute.getName()) != attribute.getValue());
         });
}

LogicalResult comparePromises(FunctionOpInterface before,
                              FunctionOpInterface after) {
  for (unsigned i = 0; i < before.getNumArguments(); ++i)
    if ((isDonatedArgument(after, i) && !isDonatedArgument(before, i)) ||
        (after.getArgAttr(i, kNoAlias) && !before.getArgAttr(i, kNoAlias) &&
         !isDonatedArgument(before, i)))
      return after->emitError("the rewrite changed who owns argument #") << i;
  for (unsigned i = 0; i < before.getNumArguments(); ++i)
    if (promisesMore(before.getArgAttrDict(i), after.getArgAttrDict(i)))
      return after->emitError("the rewrite promises more of argument #") << i;
  for (unsigned i = 0; i < before.getNumResults(); ++i)
    if (promisesMore(before.getResultAttrDict(i), after.getResultAttrDict(i)))
      return after->emitError("the rewrite promises more of result #") << i;
  if (promisesMore(before->getAttrDictionary(), after->getAttrDictionary()))
    return after->emitError("the rewrite promises more of the function");
  if (mayRound(after) && !mayRound(before))
    return after->emitError("the rewrite allows rounding");
  return success();
}

void CalleePromises::add(Operation *call, DictionaryAttr attributes, Id of) {
  if (!attributes)
    return;
  for (NamedAttribute attribute : attributes)
    if (isToLLVM(attribute.getName()))
      made.insert(
          {table.get(ExpressionTable::Promise,
                     {toWord(attribute.getName().getAsOpaquePointer()),
                      toWord(attribute.getValue().getAsOpaquePointer()), of}),
           call});
}

void CalleePromises::add(Operation *call, FunctionOpInterface callee,
                         ArrayRef<Argument> arguments) {
  add(call, callee->getAttrDictionary(), 0);
  for (unsigned i = 0, e = callee.getNumResults(); i != e; ++i)
    add(call, callee.getResultAttrDict(i), 0);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    add(call, callee.getArgAttrDict(i), argument.identity);
    const bool isOwner = isDonatedArgument(callee, i);
    if (!argument.isBuffer || argument.isAlone ||
        !(isOwner || callee.getArgAttr(i, kNoAlias)))
      continue;
    // It is none of the others.
    SmallVector<uint64_t> others;
    for (auto [k, other] : llvm::enumerate(arguments))
      if (other.isBuffer && k != i)
        others.push_back(other.identity);
    llvm::sort(others);
    others.push_back(isOwner);
    others.push_back(argument.identity);
    made.insert({table.get(ExpressionTable::Promise, others), call});
  }
}

Operation *CalleePromises::findNew(const CalleePromises &before) const {
  for (const auto &[promise, call] : made)
    if (!before.made.contains(promise))
      return call;
  return nullptr;
}

} // namespace pebble
