//===- Topology.cpp - what lies between devices ---------------------------===//
//
// Rules D59 to D63 of docs/PebbleGame.md: what groups of ranks must be, whoever
// builds them. HierarchyFile.cpp has the same rules for files.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/Figures.h"
#include "pebble/Dialect/PebbleDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pebble;

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, int64_t size, int64_t bandwidth,
                                int64_t latency, int64_t energy) {
  if (name.empty())
    return emitError() << "[D59] a group needs a name";
  if (bandwidth <= 0)
    return emitError() << "[D60] group '" << name
                       << "' needs a bandwidth above 0, which prices messages";
  const std::pair<StringRef, int64_t> figures[] = {{"latency", latency},
                                                   {"energy", energy}};
  for (auto [what, figure] : figures)
    if (figure < 0)
      return emitError() << "[D60] group '" << name << "' has " << what << " = "
                         << figure << ", which may not be negative";
  if (latency > kLongestLatency)
    return emitError() << "[D60] group '" << name
                       << "' has latency = " << latency
                       << ", but the longest that is counted is "
                       << kLongestLatency << " ns";
  if (size < 1 || size > kMostRanks)
    return emitError() << "[D61] group '" << name << "' has " << size
                       << " ranks, but a group has 1 to " << kMostRanks;
  return success();
}

static LogicalResult verifyPlaces(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> places, int64_t ranks,
                                  GroupAttr widest) {
  if (places.empty())
    return success();
  if (static_cast<int64_t>(places.size()) != ranks)
    return emitError() << "[D63] the topology has " << places.size()
                       << " places for " << ranks << " ranks";
  llvm::DenseSet<int64_t> taken;
  for (auto [rank, place] : llvm::enumerate(places)) {
    if (place < 0 || place >= widest.getSize())
      return emitError() << "[D63] rank " << rank << " is at place " << place
                         << ", but group '" << widest.getName()
                         << "' has places 0 to " << widest.getSize() - 1;
    if (!taken.insert(place).second)
      return emitError() << "[D63] rank " << rank << " is at place " << place
                         << ", where another one is";
  }
  return success();
}

LogicalResult TopologyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<GroupAttr> groups, int64_t ranks,
                                   ArrayRef<int64_t> places) {
  if (groups.empty())
    return emitError() << "[D62] a topology without a group has no route "
                          "between two ranks";
  llvm::StringSet<> names;
  GroupAttr smaller;
  for (GroupAttr group : groups) {
    if (!names.insert(group.getName()).second)
      return emitError() << "[D59] two groups are named '" << group.getName()
                         << "'";
    if (smaller && (group.getSize() <= smaller.getSize() ||
                    group.getSize() % smaller.getSize() != 0))
      return emitError() << "[D61] group '" << group.getName() << "' of "
                         << group.getSize()
                         << " ranks does not consist of several groups '"
                         << smaller.getName() << "' of " << smaller.getSize();
    smaller = group;
  }
  if (ranks < 1)
    return emitError() << "[D62] a topology has at least 1 rank, not " << ranks;
  if (ranks > smaller.getSize())
    return emitError() << "[D62] there is no route from rank 0 to rank "
                       << smaller.getSize() << ": the widest group '"
                       << smaller.getName() << "' has " << smaller.getSize()
                       << " of " << ranks << " ranks";
  return verifyPlaces(emitError, places, ranks, smaller);
}
