//===- PipelineBound.cpp - what no schedule of a pipeline is faster than --===//
//
// A rank runs all of its tasks. Before the first of them a micro-batch comes
// through the stages before, and after the last backward task it goes back
// through them. And where memory is short: between its forward and its backward
// task a micro-batch takes at least the time that the stages behind need, and
// as long as that it takes bytes. So bytes times time is bounded, too. And so
// is the number of micro-batches that are between the two tasks: one of them
// has to get its tape back, beside what the others hold.
//
//===----------------------------------------------------------------------===//

#include "Modes.h"

#include <algorithm>
#include <limits>

using namespace pebble;
using namespace pebble::pipeline;

namespace {

using Wide = long double;

class Bound {
public:
  Bound(const Pipeline &p, const Options &options)
      : p(p), options(options), before(p.stages.size()),
        behind(p.stages.size()), back(p.stages.size()) {
    for (size_t i = 1; i < p.stages.size(); ++i) {
      const Stage &last = p.stages[i - 1], &stage = p.stages[i];
      const bool isSent = last.rank != stage.rank;
      before[i] = before[i - 1] + last.forward + (isSent ? last.send : 0);
      back[i] = back[i - 1] + last.backward + (isSent ? stage.sendBack : 0);
    }
    for (size_t i = p.stages.size(); --i > 0;) {
      const Stage &last = p.stages[i - 1], &stage = p.stages[i];
      const bool isSent = last.rank != stage.rank;
      behind[i - 1] = behind[i] + stage.forward + stage.backward +
                      (isSent ? last.send + stage.sendBack : 0);
    }
  }

  int64_t get() const {
    // One micro-batch alone.
    int64_t bound = p.stages[0].forward + behind[0] + p.stages[0].backward;
    std::vector<std::vector<uint32_t>> on(p.ranks);
    for (uint32_t i = 0; i < p.stages.size(); ++i)
      on[p.stages[i].rank].push_back(i);
    for (uint32_t rank = 0; rank < p.ranks; ++rank)
      bound = std::max(bound, getOfRank(rank, on[rank]));
    return bound;
  }

private:
  int64_t getOfRank(uint32_t rank, const std::vector<uint32_t> &stages) const {
    const int64_t m = p.microBatches;
    int64_t work = 0, weights = 0;
    int64_t head = std::numeric_limits<int64_t>::max(), tail = head;
    for (uint32_t stage : stages) {
      work += m * (p.stages[stage].forward + p.stages[stage].backward);
      weights += m * p.stages[stage].weight;
      head = std::min(head, before[stage]);
      tail = std::min(tail, back[stage]);
    }
    const int64_t bound = head + work + std::max(weights, tail);
    // The gradients of weights may fill the time until the end, all else comes
    // before it.
    if (p.budgets.empty() || stages.size() != 1)
      return bound;
    return std::max(bound, getByMemory(p.stages[stages[0]], p.budgets[rank],
                                       behind[stages[0]], head, bound));
  }

  /// The fewest bytes times time that `m` micro-batches of one stage take, of
  /// which `again` run again, in a window that begins with the first forward
  /// task. Those that move away are free here.
  static Wide getArea(const Stage &s, int64_t behind, int64_t kept,
                      int64_t again) {
    const Wide keep = Wide(s.tape) * Wide(s.forward + behind + s.backward);
    // The tape is there for two tasks of them; until then the input is, for no
    // less than the rest.
    const Wide run = Wide(s.recompute + s.backward);
    const Wide rest =
        std::max<Wide>(0, Wide(s.forward + behind) - Wide(s.recompute));
    return Wide(kept) * keep +
           Wide(again) * (Wide(s.tape) * run + Wide(s.input) * rest);
  }

  int64_t getByMemory(const Stage &s, int64_t budget, int64_t behind,
                      int64_t head, int64_t otherwise) const {
    const Wide room = Wide(budget - s.fixed);
    const int64_t m = p.microBatches;
    const int64_t back = this->back[&s - p.stages.data()];
    if (room <= 0 || options.mayOffload)
      return otherwise;
    const int64_t held = options.mayRecompute ? s.input : s.tape;
    const int64_t spare = budget - s.fixed - s.tape - s.work;
    // Micro-batches that are between their two tasks at a time; 0: any number.
    const int64_t atOnce = spare < 0 || held == 0 ? 0 : 1 + spare / held;
    const Wide window =
        atOnce == 0
            ? 0
            : Wide(m) * Wide(s.forward + behind + s.backward) / Wide(atOnce);
    int64_t best = std::numeric_limits<int64_t>::max();
    const int64_t most = options.mayRecompute ? m : 0;
    for (int64_t again = 0; again <= most; ++again) {
      const Wide area = getArea(s, behind, m - again, again) / room;
      const int64_t work = m * (s.forward + s.backward) + again * s.recompute;
      const int64_t busy =
          std::max(work, static_cast<int64_t>(std::max(area, window)));
      best = std::min(best,
                      std::max(head + busy + back, head + work + m * s.weight));
    }
    return std::max(best, otherwise);
  }

  const Pipeline &p;
  const Options &options;
  /// By stage: until the first forward task may begin, between a forward and
  /// its backward task, and after a backward task.
  std::vector<int64_t> before, behind, back;
};

} // namespace

int64_t pebble::pipeline::boundOnMakespan(const Pipeline &pipeline,
                                          const Options &options) {
  return Bound(pipeline, options).get();
}
