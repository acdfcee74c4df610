//===- Links.h - what lies between ranks of a run ---------------*- C++ -*-===//
//
// Tells the library of messages over which links of the topology each goes and
// how long it takes there, and reads what went over them.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_PEBBLE_RUN_LINKS_H
#define PEBBLE_TOOLS_PEBBLE_RUN_LINKS_H

#include "Ranks.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Runtime/Mpi.h"

namespace pebble {

/// To be called once, when messages have been loaded. With a pace, messages are
/// held to what `hierarchy` says, and all ranks must call it. Does nothing
/// where there are no messages or no topology.
void connectLinks(HierarchyAttr hierarchy, bool isPaced);

/// Names of the topology's groups; empty without one.
std::vector<std::string> getLinkNames();

/// How long messages were under way and the program stood still for them, in
/// seconds, since resetLinks().
struct LinkTimes {
  double underWay = 0, stalls = 0;
};
LinkTimes getLinkTimes();
/// Bytes that went over the links of each group since then.
std::vector<int64_t> getSentOverLinks();
void resetLinks();

/// The messages of the last run, where they were recorded, and how many had no
/// room.
void recordLinks(bool on, int64_t limit);
llvm::ArrayRef<pebble_mpi_event> getLinkEvents();
int64_t getDroppedLinkEvents();

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_RUN_LINKS_H
