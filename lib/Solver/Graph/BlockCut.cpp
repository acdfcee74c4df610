//===- BlockCut.cpp - a graph as a chain of blocks ------------------------===//

#include "BlockCut.h"

#include <algorithm>
#include <cstddef>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;

namespace {

constexpr size_t kWidest = 3;

class Cutter {
public:
  Cutter(const Problem &p, size_t most) : p(p), n(p.steps.size()), most(most) {
    readers.resize(p.values.size());
    for (Id s = 0; s < n; ++s)
      for (const Access &a : p.steps[s].reads)
        readers[a.value].push_back(s);
    turn = findTurn();
  }

  BlockCut cut() {
    // How many values each place between two forward steps passes on.
    std::vector<size_t> change(turn + 1, 0), passing(turn + 1, 0);
    for (Id v = 0; v < p.values.size(); ++v)
      if (const Id from = p.values[v].producer; from < turn) {
        const Id to = lastReader(v, turn);
        if (to != kNone && to > from) {
          ++change[from + 1];
          --change[to + 1]; // wraps around, and back
        }
      }
    for (size_t i = 1; i <= turn; ++i)
      passing[i] = passing[i - 1] + change[i];
    BlockCut result;
    for (size_t width = 1; width <= kWidest; ++width) {
      std::vector<size_t> places = {0};
      for (size_t i = 1; i < turn; ++i)
        if (passing[i] <= width)
          places.push_back(i);
      places.push_back(turn);
      if (places.size() < 6 && width < kWidest)
        continue;
      merge(places);
      result.width = width;
      fill(result, places);
      break;
    }
    return result;
  }

private:
  /// The last reader of `v` before step `end`.
  Id lastReader(Id v, size_t end) const {
    for (size_t i = readers[v].size(); i-- > 0;)
      if (readers[v][i] < end)
        return readers[v][i];
    return kNone;
  }

  /// The first step before which most values are live.
  size_t findTurn() const {
    std::vector<int64_t> change(n + 1, 0);
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer != kNone && !readers[v].empty()) {
        ++change[p.values[v].producer + 1];
        --change[std::min<size_t>(readers[v].back() + 1, n)];
      }
    int64_t live = 0, best = 0;
    size_t at = n;
    for (size_t i = 0; i < n; ++i) {
      live += change[i];
      if (live > best) {
        best = live;
        at = i;
      }
    }
    return at;
  }

  /// Takes out places until few enough blocks are left, the one between the
  /// fewest steps first.
  void merge(std::vector<size_t> &places) const {
    while (places.size() > most + 1) {
      size_t least = 1;
      for (size_t i = 2; i + 1 < places.size(); ++i)
        if (places[i + 1] - places[i - 1] <
            places[least + 1] - places[least - 1])
          least = i;
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(least));
    }
  }

  void fill(BlockCut &result, const std::vector<size_t> &places) const {
    const size_t count = places.size() - 1;
    result.blocks.resize(count);
    std::vector<size_t> blockOf(n, 0);
    for (size_t b = 0; b < count; ++b)
      for (Id s = places[b]; s < places[b + 1]; ++s) {
        blockOf[s] = b;
        result.blocks[b].forward.push_back(s);
      }
    size_t later = 0;
    for (Id s = n; s-- > turn;) {
      for (const Access &a : p.steps[s].reads)
        if (const Id from = p.values[a.value].producer; from < turn)
          later = std::max(later, blockOf[from]);
      blockOf[s] = later;
    }
    for (Id s = turn; s < n; ++s)
      result.blocks[blockOf[s]].backward.push_back(s);
    for (Id v = 0; v < p.values.size(); ++v) {
      const Id from = p.values[v].producer;
      if (from == kNone)
        continue;
      if (from < turn) {
        const Id to = lastReader(v, turn);
        for (size_t b = blockOf[from]; to != kNone && b < blockOf[to]; ++b)
          result.blocks[b].passedOn.push_back(v);
        continue;
      }
      // Held from its own block down to the first that reads it.
      auto first = static_cast<std::ptrdiff_t>(blockOf[from]);
      for (Id s : readers[v])
        first = std::min(first, static_cast<std::ptrdiff_t>(blockOf[s]));
      if (p.values[v].required)
        first = -1;
      for (auto b = static_cast<std::ptrdiff_t>(blockOf[from]); b > first; --b)
        result.blocks[static_cast<size_t>(b)].gradients.push_back(v);
    }
  }

  const Problem &p;
  const size_t n, most;
  size_t turn = 0;
  std::vector<std::vector<Id>> readers;
};

} // namespace

BlockCut pebble::graph::cutIntoBlocks(const Problem &problem, size_t most) {
  return Cutter(problem, most).cut();
}
