//===- Links.cpp - what lies between ranks of a run -----------------------===//

#include "Links.h"

#include "pebble/Planning/Communication.h"

#include <map>
#include <tuple>

namespace pebble {

static std::optional<ranks::Topology> &getNet() {
  static std::optional<ranks::Topology> theNet;
  return theNet;
}

static pebble_mpi_route findMessageRoute(const pebble_mpi_passage &what) {
  const ranks::Topology &net = *getNet();
  size_t link = net.groups.size() - 1;
  if (what.root >= 0)
    link = net.findRoute(getRanks().rank, what.root).value_or(link);
  return {static_cast<int64_t>(link),
          ranks::getMessageTime(net.groups[link], what.bytes)};
}

static TogetherShape getShape(const pebble_mpi_passage &what) {
  TogetherShape shape;
  shape.group = what.group ? what.group : getNet()->ranks;
  shape.stride = what.stride;
  shape.bytes = what.bytes;
  if (what.kind == PEBBLE_MPI_BARRIER)
    return shape;
  shape.kind = static_cast<CollectiveKind>(what.kind);
  if (shape.kind == CollectiveKind::AllGather)
    shape.bytes *= shape.group;
  if (shape.kind == CollectiveKind::Broadcast)
    shape.root = what.root;
  return shape;
}

/// What ranks do together takes as long as the plan was told.
static pebble_mpi_route findRoute(const pebble_mpi_passage *what) {
  if (what->kind == PEBBLE_MPI_MESSAGE)
    return findMessageRoute(*what);
  const TogetherShape shape = getShape(*what);
  static std::map<std::tuple<int, int64_t, int64_t, int64_t, int64_t>,
                  pebble_mpi_route>
      known;
  auto [found, isNew] =
      known.try_emplace({static_cast<int>(shape.kind), shape.group,
                         shape.stride, shape.root, shape.bytes});
  if (isNew)
    found->second = {static_cast<int64_t>(
                         getWidestGroup(shape.group, shape.stride, *getNet())),
                     getTogetherCost(shape, *getNet())
                         .value_or(CommunicationCost())
                         .nanoseconds};
  return found->second;
}

void connectLinks(HierarchyAttr hierarchy, bool isPaced) {
  auto *set =
      lookupMessages<decltype(pebble_mpi_set_router)>("pebble_mpi_set_router");
  getNet() = getTopology(hierarchy);
  if (set && getNet())
    set(findRoute, isPaced);
}

std::vector<std::string> getLinkNames() {
  std::vector<std::string> names;
  if (getNet())
    for (const ranks::Group &group : getNet()->groups)
      names.push_back(group.name);
  return names;
}

LinkTimes getLinkTimes() {
  auto read = [](const char *name) {
    auto *function = lookupMessages<int64_t()>(name);
    return function ? static_cast<double>(function()) / 1e9 : 0.0;
  };
  return {read("pebble_mpi_message_ns"), read("pebble_mpi_stall_ns")};
}

std::vector<int64_t> getSentOverLinks() {
  std::vector<int64_t> sent(getLinkNames().size(), 0);
  auto *read =
      lookupMessages<decltype(pebble_mpi_sent_over)>("pebble_mpi_sent_over");
  for (size_t link = 0; read && link < sent.size(); ++link)
    sent[link] = read(static_cast<int64_t>(link));
  return sent;
}

void resetLinks() {
  if (auto *reset = lookupMessages<void()>("pebble_mpi_reset_times"))
    reset();
}

void recordLinks(bool on, int64_t limit) {
  if (auto *record =
          lookupMessages<decltype(pebble_mpi_record)>("pebble_mpi_record"))
    record(on, limit);
}

llvm::ArrayRef<pebble_mpi_event> getLinkEvents() {
  auto *read = lookupMessages<decltype(pebble_mpi_events)>("pebble_mpi_events");
  const pebble_mpi_event *events = nullptr;
  const int64_t count = read ? read(&events) : 0;
  return {events, static_cast<size_t>(count)};
}

int64_t getDroppedLinkEvents() {
  auto *read = lookupMessages<int64_t()>("pebble_mpi_dropped_events");
  return read ? read() : 0;
}

} // namespace pebble
