//===- Collectives.h - what it costs to do something together ---*- C++ -*-===//
//
// The messages of collective operations by several algorithms, and what they
// cost in a topology. An algorithm is a list of rounds. In a round each rank
// sends one message at most and receives one at most; the round takes as long
// as its slowest message, and the next one begins when it is over.
//
// In one group of p ranks, with latency a and b for each byte, n bytes take
//
//   all-gather      ring      (p-1) a + (p-1)/p n b
//                   doubling  lg p a + (p-1)/p n b
//   reduce-scatter  ring      (p-1) a + (p-1)/p n b
//                   halving   lg p a + (p-1)/p n b
//   all-reduce      ring      2 (p-1) a + 2 (p-1)/p n b
//                   halving   2 lg p a + 2 (p-1)/p n b
//                   doubling  lg p (a + n b)
//                   tree      2 lg p (a + n b)
//   broadcast       tree      lg p (a + n b)
//                   doubling  2 lg p a + 2 (p-1)/p n b
//                   ring      (lg p + p - 1) a + 2 (p-1)/p n b
//
// for p a power of two; the sources are Thakur, Rabenseifner and Gropp,
// "Optimization of collective communication operations in MPICH", 2005, which
// has other p as well, and for `levels` the composition that is said below. The
// arithmetic of a reduction is not counted.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_RANKS_COLLECTIVES_H
#define PEBBLE_SOLVER_RANKS_COLLECTIVES_H

#include "pebble/Solver/Ranks/Topology.h"

namespace pebble::ranks {

enum class Kind { AllReduce, AllGather, ReduceScatter, Broadcast };
const char *toString(Kind kind);

enum class Algorithm {
  /// Up and down a binomial tree.
  Tree,
  /// Partners twice as far away in each round; for a broadcast, parts go out
  /// along a tree first.
  Doubling,
  /// Halves of what is left to partners half as far away; an all-reduce
  /// gathers in the reverse order behind it (Rabenseifner).
  Halving,
  /// Each part goes once around.
  Ring,
  /// Within each small group, then between these, then within them again: each
  /// by the best of the others. Where the members fill several groups alike.
  Levels
};
const char *toString(Algorithm algorithm);

/// The algorithms for `kind`.
std::vector<Algorithm> getAlgorithms(Kind kind);

/// A message between two members, of `count` parts of the value from part
/// `first` on, cyclically. There are as many parts as members.
struct Message {
  int64_t from = 0, to = 0;
  int64_t first = 0, count = 0;
  /// The receiver puts it together with what it has, instead of taking it.
  bool reduces = false;
};

/// Messages that travel at one time, `times` rounds of them: in each further
/// round every message has the parts `shift` further on.
struct Round {
  std::vector<Message> messages;
  int64_t times = 1;
  int64_t shift = 0;
};

/// The rounds of all algorithms but Levels, among `size` members. The root of a
/// broadcast is member 0. All-gathers begin with part m on member m, and
/// reduce-scatters end with it.
std::vector<Round> getRounds(Kind kind, Algorithm algorithm, int64_t size);

struct Cost {
  int64_t nanoseconds = 0;
  /// Of all members together.
  int64_t femtojoules = 0;
  /// Sent by all members, by group of the topology.
  std::vector<int64_t> bytes;
  Algorithm algorithm = Algorithm::Ring;
};

/// The cost of `kind` on a value of `bytes` (of an all-gather the result, of a
/// reduce-scatter what goes in) among `members`, which are ranks. Parts count
/// as the largest of them. Nothing if the algorithm is not for this kind or
/// these members, or two of them have no route.
std::optional<Cost> getCost(const Topology &topology, Kind kind,
                            Algorithm algorithm,
                            const std::vector<int64_t> &members, int64_t bytes);

/// The cost of the fastest algorithm; nothing if two members have no route.
std::optional<Cost> getLeastCost(const Topology &topology, Kind kind,
                                 const std::vector<int64_t> &members,
                                 int64_t bytes);

} // namespace pebble::ranks

#endif // PEBBLE_SOLVER_RANKS_COLLECTIVES_H
