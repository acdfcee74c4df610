//===- Rounds.cpp - the messages of collective operations -----------------===//

#include "pebble/Solver/Ranks/Collectives.h"

#include <algorithm>

using namespace pebble::ranks;

namespace {

int64_t getLargestPower(int64_t size) {
  int64_t power = 1;
  while (2 * power <= size)
    power *= 2;
  return power;
}

/// The largest power of two of the members, where the others have handed over
/// what they have. Of the first 2 * extra members those with odd numbers stay.
class Core {
public:
  explicit Core(int64_t members)
      : members(members), size(getLargestPower(members)),
        extra(members - size) {}

  const int64_t members, size, extra;

  int64_t getMember(int64_t index) const {
    return index < extra ? 2 * index + 1 : index + extra;
  }
  /// The first part that belongs to `index` or those behind it.
  int64_t getFirstPart(int64_t index) const {
    return index <= extra ? 2 * index : index + extra;
  }

  /// All that the others have comes in, or all that they want goes out.
  void addEntry(std::vector<Round> &rounds) const {
    if (extra == 0)
      return;
    Round &round = rounds.emplace_back();
    for (int64_t index = 0; index < extra; ++index)
      round.messages.push_back({2 * index, 2 * index + 1, 0, members, true});
  }
  void addExit(std::vector<Round> &rounds, bool onlyOwnPart) const {
    if (extra == 0)
      return;
    Round &round = rounds.emplace_back();
    for (int64_t index = 0; index < extra; ++index)
      round.messages.push_back({2 * index + 1, 2 * index,
                                onlyOwnPart ? 2 * index : 0,
                                onlyOwnPart ? 1 : members, false});
  }

  /// To the partner `distance` away goes its half of the block that both have,
  /// to be put together there, or the own half, to be kept there.
  void addExchange(std::vector<Round> &rounds, int64_t distance,
                   bool reduces) const {
    Round &round = rounds.emplace_back();
    for (int64_t index = 0; index < size; ++index) {
      const int64_t partner = index ^ distance;
      const int64_t half = (reduces ? partner : index) / distance * distance;
      const int64_t first = getFirstPart(half);
      round.messages.push_back({getMember(index), getMember(partner), first,
                                getFirstPart(half + distance) - first,
                                reduces});
    }
  }

  void addHalving(std::vector<Round> &rounds) const {
    for (int64_t distance = size / 2; distance > 0; distance /= 2)
      addExchange(rounds, distance, true);
  }
  void addDoubling(std::vector<Round> &rounds) const {
    for (int64_t distance = 1; distance < size; distance *= 2)
      addExchange(rounds, distance, false);
  }
};

void addRing(std::vector<Round> &rounds, int64_t size, bool reduces) {
  if (size == 1)
    return;
  Round &round = rounds.emplace_back();
  round.times = size - 1;
  round.shift = -1;
  for (int64_t member = 0; member < size; ++member)
    round.messages.push_back({member, (member + 1) % size,
                              (member + (reduces ? size - 1 : 0)) % size, 1,
                              reduces});
}

/// What members gathered so far, to those in front of them (Bruck).
void addBruck(std::vector<Round> &rounds, int64_t size) {
  for (int64_t distance = 1; distance < size; distance *= 2) {
    Round &round = rounds.emplace_back();
    for (int64_t member = 0; member < size; ++member)
      round.messages.push_back({member, (member + size - distance) % size,
                                member, std::min(distance, size - distance),
                                false});
  }
}

void addGather(std::vector<Round> &rounds, Algorithm algorithm, int64_t size) {
  if (algorithm == Algorithm::Ring)
    return addRing(rounds, size, false);
  const Core core(size);
  if (core.extra == 0)
    return core.addDoubling(rounds);
  addBruck(rounds, size);
}

/// Down a binomial tree from member 0: everything, or to each its subtree's
/// parts.
void addTreeDown(std::vector<Round> &rounds, int64_t size, bool onlyParts) {
  int64_t distance = 1;
  while (distance < size)
    distance *= 2;
  for (distance /= 2; distance > 0; distance /= 2) {
    Round &round = rounds.emplace_back();
    for (int64_t from = 0; from + distance < size; from += 2 * distance) {
      const int64_t to = from + distance;
      const int64_t behind = std::min(distance, size - to);
      round.messages.push_back(
          {from, to, onlyParts ? to : 0, onlyParts ? behind : size, false});
    }
  }
}

void addTreeUp(std::vector<Round> &rounds, int64_t size) {
  for (int64_t distance = 1; distance < size; distance *= 2) {
    Round &round = rounds.emplace_back();
    for (int64_t to = 0; to + distance < size; to += 2 * distance)
      round.messages.push_back({to + distance, to, 0, size, true});
  }
}

void addAllReduce(std::vector<Round> &rounds, Algorithm algorithm,
                  int64_t size) {
  const Core core(size);
  switch (algorithm) {
  case Algorithm::Tree:
    addTreeUp(rounds, size);
    return addTreeDown(rounds, size, false);
  case Algorithm::Doubling:
    core.addEntry(rounds);
    for (int64_t distance = 1; distance < core.size; distance *= 2) {
      Round &round = rounds.emplace_back();
      for (int64_t index = 0; index < core.size; ++index)
        round.messages.push_back({core.getMember(index),
                                  core.getMember(index ^ distance), 0, size,
                                  true});
    }
    return core.addExit(rounds, false);
  case Algorithm::Halving:
    core.addEntry(rounds);
    core.addHalving(rounds);
    core.addDoubling(rounds);
    return core.addExit(rounds, false);
  case Algorithm::Ring:
    addRing(rounds, size, true);
    return addRing(rounds, size, false);
  case Algorithm::Levels:
    return;
  }
}

} // namespace

std::vector<Round> pebble::ranks::getRounds(Kind kind, Algorithm algorithm,
                                            int64_t size) {
  std::vector<Round> rounds;
  const Core core(size);
  switch (kind) {
  case Kind::AllReduce:
    addAllReduce(rounds, algorithm, size);
    break;
  case Kind::AllGather:
    addGather(rounds, algorithm, size);
    break;
  case Kind::ReduceScatter:
    if (algorithm == Algorithm::Ring) {
      addRing(rounds, size, true);
      break;
    }
    core.addEntry(rounds);
    core.addHalving(rounds);
    core.addExit(rounds, true);
    break;
  case Kind::Broadcast:
    addTreeDown(rounds, size, algorithm != Algorithm::Tree);
    if (algorithm != Algorithm::Tree)
      addGather(rounds, algorithm, size);
    break;
  }
  return rounds;
}
