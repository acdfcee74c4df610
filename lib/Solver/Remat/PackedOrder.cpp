//===- PackedOrder.cpp - an order that a greedy allocator packs well ------===//

#include "pebble/Solver/Remat/PackedOrder.h"

#include "RunSequence.h"

#include "Solver/Graph/Random.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <tuple>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;

namespace {

constexpr uint64_t kEffort = 1000000000;

/// Changes in a row that find no free slot, after which runs are spread again.
constexpr unsigned kSpreadAfter = 8;

/// A buffer that lives from time `first` until after time `last`.
struct Live {
  int64_t bytes;
  uint32_t first, last;

  uint32_t length() const { return last - first; }
};

bool isLarger(const Live &a, const Live &b) {
  return std::tuple(b.bytes, b.length(), a.first) <
         std::tuple(a.bytes, a.length(), b.first);
}
bool isLonger(const Live &a, const Live &b) {
  return std::tuple(b.length(), b.bytes, a.first) <
         std::tuple(a.length(), a.bytes, b.first);
}

/// The allocator.
class Allocator {
public:
  /// The lower block of the two; INT64_MAX if it ends above `limit`.
  int64_t place(std::vector<Live> &buffers, int64_t limit) {
    std::sort(buffers.begin(), buffers.end(), isLarger);
    const int64_t bySize = placeInOrder(buffers, limit);
    std::sort(buffers.begin(), buffers.end(), isLonger);
    return std::min(
        bySize, placeInOrder(buffers, bySize == INT64_MAX ? limit : bySize));
  }

  uint64_t looks = 0;

private:
  struct Placed {
    int64_t begin, end;
    uint32_t first, last;
  };

  int64_t placeInOrder(const std::vector<Live> &buffers, int64_t limit) {
    placed.clear();
    int64_t extent = 0;
    for (const Live &buffer : buffers) {
      const int64_t begin = findGap(buffer), end = begin + buffer.bytes;
      if (end > limit)
        return INT64_MAX;
      extent = std::max(extent, end);
      auto at = std::upper_bound(
          placed.begin(), placed.end(), begin,
          [](int64_t x, const Placed &other) { return x < other.begin; });
      placed.insert(at, {begin, end, buffer.first, buffer.last});
    }
    return extent;
  }

  /// The lowest of the smallest gaps between what lives at the same time, or
  /// the top of it.
  int64_t findGap(const Live &buffer) {
    looks += placed.size() + 1;
    int64_t top = 0, best = -1, smallest = INT64_MAX;
    for (const Placed &other : placed) {
      if (other.first > buffer.last || buffer.first > other.last)
        continue;
      const int64_t gap = other.begin - top;
      if (gap >= buffer.bytes && gap < smallest) {
        smallest = gap;
        best = top;
      }
      top = std::max(top, other.end);
    }
    return best >= 0 ? best : top;
  }

  /// By where they begin.
  std::vector<Placed> placed;
};

class Packer {
public:
  Packer(const game::Problem &problem, const std::vector<Id> &runs,
         int64_t peak, const PackOptions &options)
      : problem(problem), options(options), random(options.seed),
        sequence(problem, peak, /*fixedOrder=*/false) {
    sequence.load(runs);
    for (Id v = 0; v < problem.values.size(); ++v)
      if (isInBlock(v))
        inBlock.push_back(v);
  }

  PackedOrder run() {
    PackedOrder answer;
    answer.before = answer.extent = getExtent(INT64_MAX);
    const int64_t bound = getPeak();
    StopSign stop(options.limits);
    const uint64_t effort = options.effort ? options.effort : kEffort;
    while (answer.extent > bound && allocator.looks < effort && !stop.isUp()) {
      // A change that comes to nothing takes time too.
      allocator.looks += inBlock.size();
      if (!change())
        continue;
      const int64_t extent = getExtent(answer.extent);
      if (extent == INT64_MAX) {
        sequence.undo();
        continue;
      }
      sequence.keep();
      answer.extent = extent;
    }
    answer.moves = scheduleOfRuns(problem, sequence.runs());
    return answer;
  }

private:
  using Slot = RunSequence::Slot;

  /// Whether `v` stands for a storage that steps make, and that nobody has
  /// before or after.
  bool isInBlock(Id v) const {
    const game::Storage &storage = problem.storages[problem.values[v].storage];
    if (sequence.getLifetime(v) != v || problem.values[v].producer == kNone ||
        storage.footprint == 0 || storage.pinned)
      return false;
    return std::none_of(problem.values.begin(), problem.values.end(),
                        [&](const game::Value &other) {
                          return other.required &&
                                 other.storage == problem.values[v].storage;
                        });
  }

  /// Times are places in the order of the runs.
  void listBuffers() {
    buffers.clear();
    places.clear();
    uint32_t place = 0;
    for (Slot slot = 0; slot < sequence.slots(); ++slot) {
      places.push_back(place);
      const Id step = sequence.at(slot);
      if (step == RunSequence::kEmpty)
        continue;
      if (const int64_t scratch = problem.steps[step].scratch)
        buffers.push_back({scratch, place, place});
      ++place;
    }
    for (Id v : inBlock) {
      const game::Storage &storage =
          problem.storages[problem.values[v].storage];
      for (auto [first, last] : sequence.spansOfLifetime(v))
        buffers.push_back({storage.footprint, places[first], places[last]});
    }
  }

  int64_t getExtent(int64_t limit) {
    listBuffers();
    return allocator.place(buffers, limit);
  }

  /// The most bytes of the block that live at one time.
  int64_t getPeak() {
    listBuffers();
    std::vector<int64_t> change(sequence.slots() + 1, 0);
    for (const Live &buffer : buffers) {
      change[buffer.first] += buffer.bytes;
      change[buffer.last + 1] -= buffer.bytes;
    }
    int64_t live = 0, peak = 0;
    for (int64_t each : change)
      peak = std::max(peak, live += each);
    return peak;
  }

  /// Moves a run to where its inputs are there and nobody has read its results;
  /// false if nothing came of it.
  bool change() {
    Slot slot = static_cast<Slot>(random.below(sequence.slots()));
    while (sequence.at(slot) == RunSequence::kEmpty)
      slot = slot + 1 == sequence.slots() ? 0 : slot + 1;
    const Id step = sequence.at(slot);
    Slot after = RunSequence::kStart, before = sequence.slots();
    for (Id v : sequence.reads(step))
      if (const Slot from = sequence.serves(v, slot);
          from != RunSequence::kStart)
        after = after == RunSequence::kStart ? from : std::max(after, from);
    for (Id v : sequence.writes(step))
      before = std::min(before, sequence.firstRead(v, slot));
    const Slot low = after == RunSequence::kStart ? 0 : after + 1;
    if (low >= before)
      return false;
    const Slot wish = low + static_cast<Slot>(random.below(before - low));
    const Slot target = sequence.emptyNear(after, before, wish);
    if (target == sequence.slots()) {
      if (++crowded % kSpreadAfter == 0)
        sequence.respace();
      return false;
    }
    sequence.remove(slot);
    sequence.add(step, target);
    if (sequence.settle() && sequence.excess() <= 0)
      return true;
    sequence.undo();
    return false;
  }

  const game::Problem &problem;
  const PackOptions &options;
  Random random;
  RunSequence sequence;
  Allocator allocator;
  std::vector<Id> inBlock;
  std::vector<Live> buffers;
  /// By slot: how many runs stand before it.
  std::vector<uint32_t> places;
  unsigned crowded = 0;
};

} // namespace

PackedOrder graph::packOrder(const game::Problem &problem,
                             const std::vector<game::Move> &moves,
                             const PackOptions &options) {
  PackedOrder same;
  same.moves = moves;
  if (std::any_of(moves.begin(), moves.end(), isTransfer) ||
      !RunSequence::refusal(problem).empty())
    return same;
  std::vector<Id> runs;
  for (const game::Move &move : moves)
    if (move.kind == game::MoveKind::Compute)
      runs.push_back(move.subject);
  const game::Replay replay = game::verify(problem, moves);
  RunSequence known(problem, replay.peak[0], /*fixedOrder=*/false);
  if (runs.empty() || !replay.verdict.ok() || !known.takes(runs))
    return same;
  PackedOrder answer = Packer(problem, runs, replay.peak[0], options).run();
  const game::Replay again =
      game::verify(problem, answer.moves, replay.peak[0]);
  if (answer.extent < answer.before && again.verdict.ok() &&
      again.cost == replay.cost)
    return answer;
  same.before = same.extent = answer.before;
  return same;
}

int64_t graph::getGreedyExtent(const std::vector<addresses::Buffer> &buffers) {
  std::vector<Live> all;
  for (const addresses::Buffer &buffer : buffers)
    if (buffer.size > 0 && buffer.lower < buffer.upper)
      all.push_back({buffer.size, static_cast<uint32_t>(buffer.lower),
                     static_cast<uint32_t>(buffer.upper - 1)});
  return Allocator().place(all, INT64_MAX);
}
