//===- OrderCount.cpp - how many orders are legal -------------------------===//

#include "pebble/Solver/Order/OrderCount.h"

#include "pebble/Solver/Graph/StepGraph.h"

#include <unordered_map>
#include <vector>

using namespace pebble;
using namespace pebble::graph;

namespace {

using Set = std::vector<uint64_t>;

struct SetHash {
  size_t operator()(const Set &set) const {
    uint64_t h = 0x9E3779B97F4A7C15ull;
    for (uint64_t w : set) {
      h = (h ^ w) * 0xD6E8FEB86659FD93ull;
      h ^= h >> 32;
    }
    return h;
  }
};

} // namespace

std::optional<uint64_t> pebble::graph::countOrders(const game::Problem &problem,
                                                   size_t stateLimit,
                                                   bool antiDependences) {
  StepGraph graph(problem, antiDependences);
  size_t n = graph.size(), words = n / 64 + 1;
  auto has = [](const Set &set, Id s) { return set[s / 64] >> (s % 64) & 1; };
  // Ways to reach each set of k steps, for k = 0, 1, ...
  std::unordered_map<Set, uint64_t, SetHash> layer, next;
  layer.emplace(Set(words, 0), 1);
  for (size_t k = 0; k < n; ++k) {
    next.clear();
    for (const auto &[set, ways] : layer)
      for (Id s = 0; s < n; ++s) {
        if (has(set, s))
          continue;
        bool ready = true;
        for (Id p : graph.predecessors(s))
          ready &= has(set, p);
        if (!ready)
          continue;
        Set larger = set;
        larger[s / 64] |= uint64_t(1) << (s % 64);
        uint64_t &sum = next[std::move(larger)];
        if (__builtin_add_overflow(sum, ways, &sum) || next.size() > stateLimit)
          return std::nullopt;
      }
    layer.swap(next);
  }
  return layer.begin()->second;
}
