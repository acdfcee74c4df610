//===- InvertedContents.cpp - contents that come back ---------------------===//

#include "InvertedContents.h"

#include "pebble/Target/Inverses.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace pebble {

void InvertedContents::note(OpResult result, ArrayRef<Id> operands,
                            Id content) {
  if (isa<InvertibleOpInterface>(result.getOwner()))
    makers.try_emplace(content, Maker{result, SmallVector<Id, 4>(operands)});
}

std::optional<InvertedContents::Id>
InvertedContents::find(Operation *op, ArrayRef<Id> operands) {
  if (op->getNumResults() != 1 || operands.size() < op->getNumOperands())
    return std::nullopt;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    auto found = makers.find(operands[i]);
    if (found == makers.end())
      continue;
    const Maker &maker = found->second;
    Operation *made = maker.result.getOwner();
    for (OpOperand &operand : made->getOpOperands())
      if (operand.get().getType() == op->getResult(0).getType() &&
          operand.getOperandNumber() < maker.operands.size() &&
          getInversion(operand) != Inversion::None &&
          isUndone(maker, operands[i], operand, op, operands))
        return maker.operands[operand.getOperandNumber()];
  }
  return std::nullopt;
}

/// Whether `by` is what `maker` says that gives back `operand`.
bool InvertedContents::isUndone(const Maker &maker, Id made, OpOperand &operand,
                                Operation *by, ArrayRef<Id> operands) {
  Operation *op = maker.result.getOwner();
  Block scratch;
  SmallVector<Value> results;
  for (Type type : op->getResultTypes())
    results.push_back(scratch.addArgument(type, op->getLoc()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  Operation *inverse =
      buildInverse(builder, by->getLoc(), operand, results).getDefiningOp();
  if (!inverse || inverse->getName() != by->getName() ||
      inverse->getNumOperands() != by->getNumOperands())
    return false;
  SmallVector<Id> read;
  for (OpOperand &use : inverse->getOpOperands()) {
    Value value = use.get();
    auto dps = dyn_cast<DestinationStyleOpInterface>(inverse);
    if (value == results[maker.result.getResultNumber()]) {
      read.push_back(made);
    } else if (dps && dps.isDpsInit(&use)) {
      read.push_back(operands[use.getOperandNumber()]);
    } else {
      auto at = llvm::find(op->getOperands(), value);
      if (at == op->operand_end())
        return false;
      read.push_back(maker.operands[at.getIndex()]);
    }
  }
  if (std::optional<Id> wanted = trees.get(inverse, read))
    return wanted == trees.get(by, operands);
  SmallVector<uint64_t> one, other;
  addIdentity(inverse, one);
  addIdentity(by, other);
  return inverse->getNumRegions() == 0 && one == other &&
         operands.take_front(read.size()) == ArrayRef(read);
}

} // namespace pebble
