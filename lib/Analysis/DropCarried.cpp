//===- DropCarried.cpp - a loop without some of what it carries -----------===//

#include "pebble/Analysis/LoopPairs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace pebble {

static bool isHloWhile(Operation *loop) {
  return loop->getName().getStringRef() == "stablehlo.while";
}

bool canDropCarried(Operation *loop) {
  return isa<scf::ForOp>(loop) || isHloWhile(loop);
}

/// Erases what nobody uses any more.
static void eraseUnused(Block &body, const ProgramContext &context) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(body.getOperations()))) {
    bool isPure = op.isRegistered() ? isOpTriviallyDead(&op)
                                    : context.isDeclaredPure(&op);
    if (&op != body.getTerminator() && op.use_empty() && isPure)
      op.erase();
  }
}

Operation *dropCarried(Operation *loop, const llvm::BitVector &dead,
                       const ProgramContext &context) {
  OpBuilder b(loop);
  unsigned before = isa<scf::ForOp>(loop) ? 3 : 0;
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [index, init] :
       llvm::enumerate(loop->getOperands().drop_front(before)))
    if (!dead[index]) {
      inits.push_back(init);
      types.push_back(init.getType());
    }
  Operation *made;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    made =
        scf::ForOp::create(b, loop->getLoc(), counted.getLowerBound(),
                           counted.getUpperBound(), counted.getStep(), inits);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  } else {
    OperationState state(loop->getLoc(), loop->getName());
    state.addOperands(inits);
    state.addTypes(types);
    state.addAttributes(loop->getAttrs());
    state.addRegion();
    state.addRegion();
    made = b.create(state);
  }
  for (auto [region, old] : llvm::zip(made->getRegions(), loop->getRegions()))
    region.takeBody(old);
  Block &body = made->getRegions().back().front();
  body.getTerminator()->eraseOperands(dead);
  eraseUnused(body, context);
  llvm::BitVector arguments(before ? 1 : 0);
  for (unsigned index = 0; index < dead.size(); ++index)
    arguments.push_back(dead[index]);
  for (Region &region : made->getRegions())
    region.front().eraseArguments(arguments);
  unsigned next = 0;
  for (auto [index, result] : llvm::enumerate(loop->getResults()))
    if (!dead[index])
      result.replaceAllUsesWith(made->getResult(next++));
  loop->erase();
  return made;
}

} // namespace pebble
