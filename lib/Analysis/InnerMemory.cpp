//===- InnerMemory.cpp - what the blocks inside of an op take -------------===//

#include "pebble/Analysis/InnerMemory.h"

#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Dialect/DimBounds.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace pebble {

const InnerMemory *
InnerMemoryTable::find(Operation *op, const OperationFingerPrint &print) const {
  auto found = entries.find(op);
  if (found == entries.end() || found->second->print != print)
    return nullptr;
  return &found->second->memory;
}

void InnerMemoryTable::keep(Operation *op, const OperationFingerPrint &print,
                            const InnerMemory &memory) {
  entries[op] = std::make_unique<Entry>(Entry{print, memory});
}

/// Bytes of buffers that an scf.while makes and carries from one iteration to
/// the next, beyond those that its results are counted for: it forwards what it
/// carries in any order, and not all of it.
static int64_t getCarriedBeyondResults(scf::WhileOp loop,
                                       ProgramContext &context) {
  auto isBuffer = [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  };
  if (llvm::none_of(loop.getBeforeArguments(), isBuffer))
    return 0;
  ReachAnalysis reach(*loop->getBlock(), context);
  auto countMade = [&](ValueRange values) {
    int64_t bytes = 0;
    for (Value value : values)
      if (isBuffer(value) &&
          llvm::any_of(reach.get(value), [&](ReachAnalysis::Id id) {
            return reach.getOrigin(id).isMadeInside(loop);
          }))
        bytes = addCounts(
            bytes, getFootprint(context.getBytes(value.getType()).value_or(0)));
    return bytes;
  };
  return std::max<int64_t>(0, countMade(loop.getBeforeArguments()) -
                                  countMade(loop.getResults()));
}

static InnerMemory computeInnerMemory(Operation *op, ProgramContext &context) {
  InnerMemory memory;
  bool isOwned = ownsWhatItCarries(op);
  std::map<StringRef, int64_t> slow;
  for (Region &region : op->getRegions()) {
    int64_t peak = 0;
    std::map<StringRef, int64_t> slowHere;
    for (Block &block : region) {
      StorageAnalysis storage(block, context);
      storage.addErrorsTo(memory.errors);
      LifetimeAnalysis lifetime(storage);
      peak = addCounts(peak, isOwned ? lifetime.getOwnedPeakBytes()
                                     : lifetime.getIntermediatesPeakBytes());
      // What callees may have made is, to the plan of a block, from elsewhere.
      for (const Storage &entry : storage.getStorages())
        if (entry.mayBeOurs && !isOwned)
          peak = addCounts(peak, entry.getFootprint());
      for (auto [tier, bytes] : isOwned ? lifetime.getSlowOwnedPeaks()
                                        : lifetime.getSlowIntermediatesPeaks())
        slowHere[tier] = addCounts(slowHere[tier], bytes);
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op);
        loop && &region == &loop.getBefore())
      peak = addCounts(peak, getCarriedBeyondResults(loop, context));
    memory.peak = std::max(memory.peak, peak);
    for (auto [tier, bytes] : slowHere)
      slow[tier] = std::max(slow[tier], bytes);
  }
  memory.slowPeaks.append(slow.begin(), slow.end());
  return memory;
}

InnerMemory getInnerMemory(Operation *op, ProgramContext &context) {
  OperationFingerPrint print(op);
  // What a callee takes may change while its call does not.
  bool hasCalls = op->walk([](CallOpInterface) {
                      return WalkResult::interrupt();
                    }).wasInterrupted();
  InnerMemoryTable &table = context.getInnerMemoryTable(/*shared=*/!hasCalls);
  if (const InnerMemory *known = table.find(op, print))
    return *known;
  InnerMemory memory = computeInnerMemory(op, context);
  table.keep(op, print, memory);
  return memory;
}

} // namespace pebble
