//===- Postpone.cpp - let readers of collectives give way -----------------===//

#include "pebble/Solver/Timeline/Collectives.h"
#include "pebble/Solver/Timeline/Timeline.h"

#include <algorithm>
#include <list>
#include <optional>

using namespace pebble::timeline;

namespace {
class Postponer {
public:
  explicit Postponer(const CollectiveOrder &order)
      : order(order), needs(order.steps.size()), ends(order.steps.size(), -1),
        sent(order.steps.size(), nullptr) {
    size_t linkCount = 0;
    for (const CollectiveOrder::Collective &what : order.collectives) {
      sent[what.place] = &what;
      linkCount = std::max(linkCount, what.link + 1);
    }
    links.assign(linkCount, 0);
    for (auto [first, second] : order.dependences)
      needs[second].push_back(first);
  }

  PostponedOrder run(size_t lookahead) {
    for (size_t place = 0; place < order.steps.size(); ++place)
      left.push_back(place);
    while (!left.empty())
      runNext(lookahead);
    for (int64_t end : ends)
      now = std::max(now, end);
    result.makespan = now;
    return std::move(result);
  }

private:
  /// When all that a step needs is there; nothing where some of it has not run.
  std::optional<int64_t> getReady(size_t place) const {
    int64_t ready = 0;
    for (size_t needed : needs[place]) {
      if (ends[needed] < 0)
        return std::nullopt;
      ready = std::max(ready, ends[needed]);
    }
    return ready;
  }

  /// The first step that can run now, else the one that can run soonest.
  void runNext(size_t lookahead) {
    auto chosen = left.begin();
    int64_t soonest = INT64_MAX;
    size_t seen = 0;
    for (auto at = left.begin(); at != left.end() && seen < lookahead;
         ++at, ++seen) {
      std::optional<int64_t> ready = getReady(*at);
      if (!ready || *ready >= soonest)
        continue;
      chosen = at;
      soonest = *ready;
      if (soonest <= now)
        break;
    }
    const size_t place = *chosen;
    left.erase(chosen);
    now = addTimes(std::max(now, soonest), order.steps[place]);
    ends[place] = now;
    if (const CollectiveOrder::Collective *what = sent[place])
      ends[place] = links[what->link] =
          addTimes(std::max(links[what->link], now), what->duration);
    result.places.push_back(place);
  }

  const CollectiveOrder &order;
  std::vector<std::vector<size_t>> needs;
  /// By place; negative for what has not run.
  std::vector<int64_t> ends;
  /// By place: the collective that stands there, or null.
  std::vector<const CollectiveOrder::Collective *> sent;
  std::vector<int64_t> links;
  /// What has not run, in its order.
  std::list<size_t> left;
  int64_t now = 0;
  PostponedOrder result;
};
} // namespace

PostponedOrder pebble::timeline::postponeReaders(const CollectiveOrder &order,
                                                 size_t lookahead) {
  return Postponer(order).run(std::max<size_t>(lookahead, 1));
}
