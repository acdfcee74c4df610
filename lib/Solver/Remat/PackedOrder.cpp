//===- PackedOrder.cpp - an order that a greedy allocator packs well ------===//

#include "pebble/Solver/Remat/PackedOrder.h"

#include "RunSequence.h"

#include "Solver/Graph/Random.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;

namespace {

constexpr uint64_t kEffort = 2000000000;

/// It starts anew after an eighth of the effort without progress, and gives up
/// when that came to nothing so many times in a row.
constexpr uint64_t kRestarts = 8;
constexpr unsigned kTries = 4;

/// What a change takes beside the looks, for each buffer.
constexpr uint64_t kLooksOfChange = 100;

/// The part of the peak that may lie above it: 1/4096.
constexpr int64_t kCloseShift = 12;

/// Changes in a row that find no free slot, after which runs are spread again.
constexpr unsigned kSpreadAfter = 8;

/// Buffers that are so many times smaller than the largest are left out at
/// first.
constexpr int64_t kSmall = 128;

/// Clocks by which lifetimes are measured, and instructions of one run beside
/// those for its inputs: what ties them to the order, and what runs.
constexpr unsigned kClocks = 4;
constexpr uint32_t kOwnInstructions = 3;

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
  /// The lower block of the two.
  int64_t place(std::vector<Live> &buffers) {
    placeAbove(buffers, false, 0, INT64_MAX);
    const int64_t bySize = extent;
    placeAbove(buffers, true, 0, INT64_MAX);
    return std::min(bySize, extent);
  }

  /// The bytes above `bound`, buffer by buffer, if they are placed one way or
  /// the other; INT64_MAX if that is more than `limit`.
  int64_t placeAbove(std::vector<Live> &buffers, bool byLength, int64_t bound,
                     int64_t limit) {
    std::sort(buffers.begin(), buffers.end(), byLength ? isLonger : isLarger);
    return placeInOrder(buffers, bound, limit);
  }

  uint64_t looks = 0;

private:
  struct Placed {
    int64_t begin, end;
    uint32_t first, last;
  };

  int64_t placeInOrder(const std::vector<Live> &buffers, int64_t bound,
                       int64_t limit) {
    placed.clear();
    int64_t above = 0;
    extent = 0;
    for (const Live &buffer : buffers) {
      const int64_t begin = findGap(buffer), end = begin + buffer.bytes;
      extent = std::max(extent, end);
      if (limit != INT64_MAX && end > bound) {
        above += std::min(end - bound, buffer.bytes);
        if (above > limit)
          return INT64_MAX;
      }
      auto at = std::upper_bound(
          placed.begin(), placed.end(), begin,
          [](int64_t x, const Placed &other) { return x < other.begin; });
      placed.insert(at, {begin, end, buffer.first, buffer.last});
    }
    return above;
  }

  /// The lowest of the smallest gaps between what lives at the same time, or
  /// the top of it. Nobody can guess which of them do: no branches.
  int64_t findGap(const Live &buffer) {
    looks += placed.size() + 1;
    int64_t top = 0, best = -1, smallest = INT64_MAX;
    for (const Placed &other : placed) {
      const bool meets =
          (other.first <= buffer.last) & (buffer.first <= other.last);
      const int64_t gap = other.begin - top;
      if (meets & (gap >= buffer.bytes) & (gap < smallest)) {
        smallest = gap;
        best = top;
      }
      top = std::max(top, meets ? other.end : 0);
    }
    return best >= 0 ? best : top;
  }

  /// By where they begin.
  std::vector<Placed> placed;
  /// Where the last of those ends that were placed.
  int64_t extent = 0;
};

class Packer {
public:
  Packer(const game::Problem &problem, const std::vector<Id> &runs,
         int64_t peak, const PackOptions &options)
      : problem(problem), options(options), random(options.seed),
        sequence(problem, peak, /*fixedOrder=*/false),
        times(problem.steps.size()) {
    sequence.load(runs);
    for (Id v = 0; v < problem.values.size(); ++v)
      if (isInBlock(v))
        inBlock.push_back(v);
    for (Id step = 0; step < problem.steps.size(); ++step)
      for (unsigned clock = 0; clock < kClocks; ++clock)
        times[step][clock] = getTime(step, clock);
  }

  PackedOrder run(const std::vector<Id> &runs) {
    PackedOrder answer;
    answer.before = answer.extent = getExtent();
    const int64_t given = measure();
    const uint64_t effort = options.effort ? options.effort : kEffort;
    StopSign stop(options.limits);
    smallest = getLargest() / kSmall;
    best = runs;
    least = measure();
    for (unsigned tries = 0; tries < kTries && !isClose() &&
                             allocator.looks < effort && !stop.isUp();
         ++tries) {
      const int64_t before = least;
      sequence.load(runs);
      climb(effort, &stop);
      if (least < before)
        tries = 0;
    }
    smallest = 0;
    sequence.load(best);
    least = measure();
    climb(effort, &stop);
    answer.isBetter = least < given;
    sequence.load(best);
    answer.extent = getExtent();
    answer.moves = scheduleOfRuns(problem, best);
    return answer;
  }

private:
  using Slot = RunSequence::Slot;
  /// Chooses how buffers are placed, and says what lies above the peak then.
  int64_t measure() {
    constexpr int64_t kAny = INT64_MAX - 1;
    bound = getPeak();
    isByLength = true;
    const int64_t byLength = getAbove(kAny);
    isByLength = false;
    const int64_t bySize = getAbove(kAny);
    isByLength = byLength < bySize;
    return std::min(byLength, bySize);
  }

  /// Whether next to nothing lies above the peak.
  bool isClose() const { return least <= (bound >> kCloseShift) * kClocks; }

  /// Changes the order as long as no more lies above the peak for that, until
  /// nothing came of it for a while.
  void climb(uint64_t effort, const StopSign *stop) {
    int64_t now = measure();
    uint64_t since = allocator.looks;
    auto take = [&] {
      if (now >= least)
        return;
      least = now;
      best = sequence.runs();
    };
    take();
    while (!isClose() && allocator.looks < effort &&
           allocator.looks - since < effort / kRestarts && !stop->isUp()) {
      // A change that comes to nothing takes time too.
      allocator.looks += kLooksOfChange * inBlock.size();
      if (!change())
        continue;
      const int64_t above = getAbove(now);
      if (above == INT64_MAX) {
        sequence.undo();
        continue;
      }
      sequence.keep();
      if (above < now)
        since = allocator.looks;
      now = above;
      take();
    }
  }

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

  int64_t getFootprint(Id v) const {
    return problem.storages[problem.values[v].storage].footprint;
  }

  int64_t getLargest() const {
    int64_t largest = 0;
    for (Id v : inBlock)
      largest = std::max(largest, getFootprint(v));
    for (const game::Step &step : problem.steps)
      largest = std::max(largest, step.scratch);
    return largest;
  }

  /// How long a run of `step` takes by `clock`. The allocator counts
  /// instructions, and nobody knows how many a step comes to. So there is a
  /// clock of runs, one of an estimate, and others near that.
  uint32_t getTime(Id step, unsigned clock) const {
    if (clock == 0)
      return 1;
    const auto inputs = static_cast<uint32_t>(sequence.reads(step).size());
    const uint32_t estimate = kOwnInstructions + inputs;
    if (clock == 1)
      return estimate;
    Random other(uint64_t(step) * kClocks + clock);
    return estimate + static_cast<uint32_t>(other.below(estimate));
  }

  /// Lifetimes by places in the order of the runs.
  void listBuffers() {
    buffers.clear();
    places.clear();
    order.clear();
    for (Slot slot = 0; slot < sequence.slots(); ++slot) {
      const auto place = static_cast<uint32_t>(order.size());
      places.push_back(place);
      const Id step = sequence.at(slot);
      if (step == RunSequence::kEmpty)
        continue;
      order.push_back(step);
      const int64_t scratch = problem.steps[step].scratch;
      if (scratch > smallest)
        buffers.push_back({scratch, place, place});
    }
    for (Id v : inBlock) {
      const int64_t bytes = getFootprint(v);
      if (bytes > smallest)
        for (auto [first, last] : sequence.spansOfLifetime(v))
          buffers.push_back({bytes, places[first], places[last]});
    }
  }

  /// What lives by `clock`.
  std::vector<Live> &getTimed(unsigned clock) {
    ends.clear();
    uint32_t now = 0;
    for (Id step : order)
      ends.push_back(now += times[step][clock]);
    timed.clear();
    for (const Live &buffer : buffers)
      timed.push_back({buffer.bytes, ends[buffer.first], ends[buffer.last]});
    return timed;
  }

  /// The block by the clock of runs.
  int64_t getExtent() {
    listBuffers();
    return allocator.place(getTimed(0));
  }

  /// By how much buffers end above the peak, by all clocks together; INT64_MAX
  /// if that is more than `limit`.
  int64_t getAbove(int64_t limit) {
    listBuffers();
    int64_t total = 0;
    for (unsigned clock = 0; clock < kClocks; ++clock) {
      const int64_t above = allocator.placeAbove(getTimed(clock), isByLength,
                                                 bound, limit - total);
      if (above == INT64_MAX)
        return above;
      total += above;
    }
    return total;
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
  /// By step, and by clock.
  std::vector<std::array<uint32_t, kClocks>> times;
  /// Of the order as it is: its steps, when each ends by one clock, and what
  /// lives, by places and by that clock. Nothing of `smallest` bytes or less.
  std::vector<Id> order;
  std::vector<uint32_t> ends;
  std::vector<Live> buffers, timed;
  int64_t smallest = 0;
  /// The peak of what is listed.
  int64_t bound = 0;
  /// Long-lived buffers are placed first, and not large ones.
  bool isByLength = false;
  /// The best order so far, and what lies above the peak in it.
  std::vector<Id> best;
  int64_t least = 0;
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
  PackedOrder answer = Packer(problem, runs, replay.peak[0], options).run(runs);
  const game::Replay again =
      game::verify(problem, answer.moves, replay.peak[0]);
  if (answer.isBetter && answer.extent <= answer.before && again.verdict.ok() &&
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
  return Allocator().place(all);
}
