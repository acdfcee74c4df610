//===- SymbolicPromises.cpp - what a symbolic run promises ----------------===//
//
// Operations that promise something that nobody checks: how a buffer is
// aligned, that two are apart, that a tensor may be written. A buffer on the
// stack promises that nobody looks at it once the function has returned.
//
//===----------------------------------------------------------------------===//

#include "SymbolicMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include <functional>

using namespace mlir;

namespace pebble {

static bool isPromise(Operation *op) {
  auto shown = dyn_cast<bufferization::ToTensorOp>(op);
  return isa<memref::AssumeAlignmentOp, memref::DistinctObjectsOp,
             memref::AllocaOp>(op) ||
         (shown && (shown.getWritable() || shown.getRestrict()));
}

bool SymbolicMemory::isOnStack(StorageId id) const {
  Value made = analysis.getStorage(id).root;
  return made && made.getDefiningOp<memref::AllocaOp>();
}

void SymbolicMemory::addPromised(Value buffer,
                                 SmallVectorImpl<uint64_t> &words) {
  words.push_back(getExpression(buffer));
  words.push_back(toWord(buffer.getType()));
  // What is made here is told apart from its like.
  auto addMade = [&](Value made) {
    words.push_back(
        scope.byPosition
            ? promised.try_emplace(made, promised.size()).first->second
            : toWord(made.getAsOpaquePointer()));
    if (Operation *op = made.getDefiningOp())
      words.push_back(toWord(op->getAttr("alignment").getAsOpaquePointer()));
  };
  ArrayRef<StorageId> ids = analysis.lookup(buffer);
  for (StorageId id : ids) {
    words.push_back(identity[id]);
    if (analysis.getStorage(id).kind == StorageKind::Local)
      addMade(analysis.getStorage(id).root);
  }
  if (!ids.empty())
    return;
  // No step of the block names it.
  Value base = getBase(buffer);
  auto argument = dyn_cast<BlockArgument>(base);
  if (base.getParentBlock() != &block)
    words.push_back(getOutside(base));
  else if (argument)
    words.push_back(getArgument(argument));
  else if (auto global = base.getDefiningOp<memref::GetGlobalOp>())
    words.push_back(getGlobal(global.getNameAttr().getAttr()));
  else
    addMade(base);
}

void SymbolicMemory::notePromise(Operation *op) {
  if (!isPromise(op))
    return;
  SmallVector<uint64_t> words;
  addIdentity(op, words);
  size_t effects = execution.effects.size();
  if (isa<memref::AllocaOp>(op)) {
    words.push_back(toWord(op->getResult(0).getType()));
    for (Value operand : op->getOperands())
      words.push_back(getContent(operand));
    // As many as there were, wherever they stand.
    words.push_back(onStack[table.get(Table::Promise, words)]++);
    effects = 0;
  } else {
    for (Value operand : op->getOperands())
      addPromised(operand, words);
  }
  execution.promises.try_emplace(table.get(Table::Promise, words), effects, op);
}

void SymbolicMemory::notePromisesInside(Operation *step, Id expression) {
  llvm::DenseSet<Operation *> seen;
  std::function<bool(Operation *)> promises = [&](Operation *top) {
    return top
        ->walk([&](Operation *inner) {
          auto call = dyn_cast<CallOpInterface>(inner);
          Operation *callee =
              call ? analysis.getContext().resolveCallee(call) : nullptr;
          bool isFound =
              (inner != step && isPromise(inner) &&
               !isa<memref::AllocaOp>(inner)) ||
              (callee && seen.insert(callee).second && promises(callee));
          return isFound ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  if (promises(step))
    execution.promises.try_emplace(table.get(Table::Promise, {expression}),
                                   execution.effects.size(), step);
}

} // namespace pebble
