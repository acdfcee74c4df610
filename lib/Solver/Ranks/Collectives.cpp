//===- Collectives.cpp - what collective operations cost ------------------===//

#include "pebble/Solver/Ranks/Collectives.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pebble::ranks {

namespace {
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}
int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}
int64_t divideCeil(int64_t a, int64_t b) { return a / b + (a % b != 0); }
} // namespace

std::optional<size_t> Topology::findRoute(int64_t from, int64_t to) const {
  for (size_t i = 0; i < groups.size(); ++i)
    if (getPlace(from) / groups[i].size == getPlace(to) / groups[i].size)
      return i;
  return std::nullopt;
}

int64_t getMessageTime(const Group &group, int64_t bytes) {
  return add(group.latency, divideCeil(multiply(bytes, 1000), group.bandwidth));
}

const char *toString(Kind kind) {
  switch (kind) {
  case Kind::AllReduce:
    return "all-reduce";
  case Kind::AllGather:
    return "all-gather";
  case Kind::ReduceScatter:
    return "reduce-scatter";
  case Kind::Broadcast:
    return "broadcast";
  }
  return "";
}

const char *toString(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Tree:
    return "tree";
  case Algorithm::Doubling:
    return "doubling";
  case Algorithm::Halving:
    return "halving";
  case Algorithm::Ring:
    return "ring";
  case Algorithm::Levels:
    return "levels";
  }
  return "";
}

std::vector<Algorithm> getAlgorithms(Kind kind) {
  switch (kind) {
  case Kind::AllReduce:
    return {Algorithm::Tree, Algorithm::Doubling, Algorithm::Halving,
            Algorithm::Ring, Algorithm::Levels};
  case Kind::AllGather:
    return {Algorithm::Doubling, Algorithm::Ring, Algorithm::Levels};
  case Kind::ReduceScatter:
    return {Algorithm::Halving, Algorithm::Ring, Algorithm::Levels};
  case Kind::Broadcast:
    return {Algorithm::Tree, Algorithm::Doubling, Algorithm::Ring};
  }
  return {};
}

namespace {

/// Members by the small group that they are in, and by their number there.
struct Levels {
  std::vector<std::vector<int64_t>> within, between;
};

/// The largest groups of the topology that hold several members, and not all
/// of them, if they hold them alike.
std::optional<Levels> divide(const Topology &topology,
                             const std::vector<int64_t> &members) {
  for (size_t i = topology.groups.size(); i-- > 0;) {
    std::map<int64_t, std::vector<int64_t>> parts;
    for (int64_t member : members)
      parts[topology.getPlace(member) / topology.groups[i].size].push_back(
          member);
    const size_t size = parts.begin()->second.size();
    if (parts.size() == 1 || size == 1)
      continue;
    Levels levels;
    levels.between.resize(size);
    for (auto &[place, part] : parts) {
      if (part.size() != size)
        return std::nullopt;
      for (size_t k = 0; k < size; ++k)
        levels.between[k].push_back(part[k]);
      levels.within.push_back(std::move(part));
    }
    return levels;
  }
  return std::nullopt;
}

/// Adds what several groups do at one time.
bool addPhase(const Topology &topology, Kind kind,
              const std::vector<std::vector<int64_t>> &groups, int64_t bytes,
              Cost &cost) {
  int64_t slowest = 0;
  for (const std::vector<int64_t> &group : groups) {
    std::optional<Cost> part = getLeastCost(topology, kind, group, bytes);
    if (!part)
      return false;
    slowest = std::max(slowest, part->nanoseconds);
    cost.femtojoules = add(cost.femtojoules, part->femtojoules);
    for (size_t i = 0; i < part->bytes.size(); ++i)
      cost.bytes[i] = add(cost.bytes[i], part->bytes[i]);
  }
  cost.nanoseconds = add(cost.nanoseconds, slowest);
  return true;
}

std::optional<Cost> getLevelsCost(const Topology &topology, Kind kind,
                                  const std::vector<int64_t> &members,
                                  int64_t bytes) {
  std::optional<Levels> levels = divide(topology, members);
  if (!levels)
    return std::nullopt;
  Cost cost;
  cost.algorithm = Algorithm::Levels;
  cost.bytes.resize(topology.groups.size());
  const int64_t part =
      divideCeil(bytes, static_cast<int64_t>(levels->between.size()));
  bool isGood = true;
  if (kind != Kind::AllGather)
    isGood &=
        addPhase(topology, Kind::ReduceScatter, levels->within, bytes, cost);
  isGood &= addPhase(topology, kind, levels->between, part, cost);
  if (kind != Kind::ReduceScatter)
    isGood &= addPhase(topology, Kind::AllGather, levels->within, bytes, cost);
  return isGood ? std::optional<Cost>(cost) : std::nullopt;
}

/// Adds a round; false if a message has no route.
bool addRound(const Topology &topology, const std::vector<int64_t> &members,
              const Round &round, int64_t partBytes, int64_t bytes,
              Cost &cost) {
  int64_t slowest = 0;
  for (const Message &message : round.messages) {
    std::optional<size_t> route =
        topology.findRoute(members[static_cast<size_t>(message.from)],
                           members[static_cast<size_t>(message.to)]);
    if (!route)
      return false;
    const Group &group = topology.groups[*route];
    const int64_t size = std::min(multiply(message.count, partBytes), bytes);
    slowest = std::max(slowest, getMessageTime(group, size));
    const int64_t sent = multiply(size, round.times);
    cost.bytes[*route] = add(cost.bytes[*route], sent);
    cost.femtojoules = add(cost.femtojoules, multiply(sent, group.energy));
  }
  cost.nanoseconds = add(cost.nanoseconds, multiply(slowest, round.times));
  return true;
}

} // namespace

std::optional<Cost> getCost(const Topology &topology, Kind kind,
                            Algorithm algorithm,
                            const std::vector<int64_t> &members,
                            int64_t bytes) {
  const std::vector<Algorithm> known = getAlgorithms(kind);
  if (members.empty() ||
      std::find(known.begin(), known.end(), algorithm) == known.end())
    return std::nullopt;
  if (algorithm == Algorithm::Levels)
    return getLevelsCost(topology, kind, members, bytes);
  const auto size = static_cast<int64_t>(members.size());
  Cost cost;
  cost.algorithm = algorithm;
  cost.bytes.resize(topology.groups.size());
  const int64_t partBytes = divideCeil(bytes, size);
  for (const Round &round : getRounds(kind, algorithm, size))
    if (!addRound(topology, members, round, partBytes, bytes, cost))
      return std::nullopt;
  return cost;
}

std::optional<Cost> getLeastCost(const Topology &topology, Kind kind,
                                 const std::vector<int64_t> &members,
                                 int64_t bytes) {
  std::optional<Cost> least;
  for (Algorithm algorithm : getAlgorithms(kind)) {
    std::optional<Cost> cost =
        getCost(topology, kind, algorithm, members, bytes);
    if (cost && (!least || cost->nanoseconds < least->nanoseconds))
      least = std::move(cost);
  }
  return least;
}

} // namespace pebble::ranks
