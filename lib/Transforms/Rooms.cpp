//===- Rooms.cpp - what a caller leaves for a call ------------------------===//

#include "Rooms.h"

#include "pebble/Analysis/AroundBlocks.h"
#include "pebble/Analysis/Carried.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Analysis/Lifetime.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace pebble {

int64_t getRoom(Operation *op, int64_t limit, ProgramContext &context) {
  int64_t room = 0;
  while (true) {
    Block *block = op->getBlock();
    Operation *parent = block->getParentOp();
    StorageAnalysis storage(*block, context);
    LifetimeAnalysis lifetime(storage);
    std::optional<unsigned> step = storage.getStepIndex(op);
    if (isa<FunctionOpInterface>(parent))
      return room + limit -
             AroundBlocks(*block->getParent(), context).getBytes(*block) -
             (step ? lifetime.getLiveBytes(*step) : lifetime.getPeakBytes());
    // The op around counts the largest of its regions, wherever that is
    // reached, and of a region of several blocks all of them together.
    bool isOwned = ownsWhatItCarries(parent);
    int64_t most = block->getParent()->hasOneBlock()
                       ? getInnerMemory(parent, context).peak
                   : isOwned ? lifetime.getOwnedPeakBytes()
                             : lifetime.getIntermediatesPeakBytes();
    if (step)
      room += most - (isOwned ? lifetime.getOwnedBytes(*step)
                              : lifetime.getIntermediatesBytes(*step));
    op = parent;
  }
}

std::map<std::string, int64_t> getSlowTaken(Operation *op,
                                            ProgramContext &context) {
  std::map<std::string, int64_t> taken;
  while (true) {
    Block *block = op->getBlock();
    Operation *parent = block->getParentOp();
    bool isOutermost = isa<FunctionOpInterface>(parent);
    StorageAnalysis storage(*block, context);
    LifetimeAnalysis lifetime(storage);
    if (std::optional<unsigned> step = storage.getStepIndex(op)) {
      for (StringRef tier : lifetime.getTiers())
        if (!tier.empty())
          taken[tier.str()] += isOutermost
                                   ? lifetime.getLiveBytes(*step, tier)
                                   : lifetime.getOwnedBytes(*step, tier);
      for (auto [tier, bytes] : storage.getSteps()[*step].slowScratch)
        taken[tier.str()] -= bytes;
    }
    if (isOutermost) {
      AroundBlocks around(*block->getParent(), context);
      for (StringRef tier : around.getTiers(*block))
        if (!tier.empty())
          taken[tier.str()] += around.getBytes(*block, tier);
      return taken;
    }
    op = parent;
  }
}

} // namespace pebble
