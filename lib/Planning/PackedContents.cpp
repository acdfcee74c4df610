//===- PackedContents.cpp - contents that are read back -------------------===//

#include "PackedContents.h"

#include "Packing.h"

#include "pebble/Analysis/ElementValues.h"

using namespace mlir;

namespace pebble {

void PackedContents::note(OpResult result, ArrayRef<Id> operands, Id content) {
  if (isa<linalg::LinalgOp>(result.getOwner()))
    makers.try_emplace(content, result);
  auto op = dyn_cast<linalg::GenericOp>(result.getOwner());
  if (!op || !matchPack(op))
    return;
  ArrayRef<Id> sources = operands.take_front(op.getNumDpsInputs());
  if (llvm::all_equal(sources) && llvm::all_equal(op.getInputs().getTypes()))
    packed.try_emplace(content, Packed{op, sources.front()});
}

std::optional<PackedContents::Id>
PackedContents::findUnpacked(Operation *op, ArrayRef<Id> operands) {
  auto unpack = dyn_cast<linalg::GenericOp>(op);
  if (packed.empty() || !unpack || !matchUnpack(unpack))
    return std::nullopt;
  auto found = packed.find(operands.front());
  if (found == packed.end() || !isPair(found->second.op, unpack))
    return std::nullopt;
  auto maker = makers.find(found->second.source);
  if (maker == makers.end() ||
      !isProven(found->second.op, unpack, maker->second))
    return std::nullopt;
  return found->second.source;
}

bool PackedContents::isProven(linalg::GenericOp pack, linalg::GenericOp unpack,
                              OpResult maker) {
  if (isNarrowedAgain(pack, unpack, maker))
    return true;
  std::optional<ElementValues> values = getElementValues(maker);
  if (!values)
    return false;
  SmallVector<uint64_t> claim = {getPayload(pack), getPayload(unpack)};
  for (Attribute value : *values)
    claim.push_back(toWord(value.getAsOpaquePointer()));
  auto [known, isNew] =
      table.proofs.try_emplace(table.get(ExpressionTable::Region, claim));
  if (isNew)
    known->second = isUndone(pack, unpack, *values);
  return known->second;
}

} // namespace pebble
