//===- Collectives.cpp - hide collectives behind computation --------------===//

#include "pebble/Solver/Timeline/Collectives.h"
#include "pebble/Solver/Timeline/Timeline.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace pebble::timeline;

namespace {
constexpr size_t kNoNumber = SIZE_MAX;

std::vector<size_t> numberPlaces(const CollectiveOrder &order) {
  std::vector<size_t> number(order.steps.size(), kNoNumber);
  for (size_t i = 0; i < order.collectives.size(); ++i)
    number[order.collectives[i].place] = i;
  return number;
}

size_t countLinks(const CollectiveOrder &order) {
  size_t count = 0;
  for (const CollectiveOrder::Collective &what : order.collectives)
    count = std::max(count, what.link + 1);
  return count;
}

//===----------------------------------------------------------------------===//
// The judge
//===----------------------------------------------------------------------===//

class Judge {
public:
  Judge(const CollectiveOrder &order,
        const std::vector<CollectiveWindow> &windows)
      : order(order), windows(windows), number(numberPlaces(order)) {}

  CollectiveClock run() {
    if (isWellFormed() && hasRoom()) {
      write();
      if (keepsDependences())
        play();
    }
    return std::move(clock);
  }

private:
  bool refuse(const std::string &why) {
    clock.refusal = why;
    return false;
  }

  bool isWellFormed() {
    if (windows.size() != order.collectives.size())
      return refuse("there is a window for each collective");
    for (size_t i = 0; i < windows.size(); ++i)
      if (windows[i].start > order.collectives[i].place ||
          windows[i].wait <= order.collectives[i].place ||
          windows[i].wait > order.steps.size())
        return refuse("collective " + std::to_string(i) +
                      " starts after its place or is waited for before it");
    return true;
  }

  /// What the windows take besides what is live anyway.
  bool hasRoom() {
    room = order.room;
    for (size_t i = 0; i < windows.size(); ++i) {
      const CollectiveOrder::Collective &what = order.collectives[i];
      for (size_t at = windows[i].start; at < what.place; ++at)
        room[at] -= what.resultBytes;
      for (size_t at = std::max(what.place, what.sourceEnd) + 1;
           at < windows[i].wait; ++at)
        room[at] -= what.sourceBytes;
    }
    for (size_t at = 0; at < room.size(); ++at)
      if (room[at] < 0 && room[at] < order.room[at])
        return refuse("what is under way has no room beside step " +
                      std::to_string(at));
    return true;
  }

  bool isAtOnce(size_t i) const {
    const size_t place = order.collectives[i].place;
    return windows[i].start == place && windows[i].wait == place + 1;
  }

  /// Whether what starts in a gap has no room beside the inputs of what is
  /// waited for there. What is live in a gap is live in both steps beside it.
  bool isTight(size_t gap, const std::vector<size_t> &starts,
               const std::vector<size_t> &waits) const {
    if (gap == 0 || gap == order.steps.size() || starts.empty())
      return false;
    int64_t results = 0, sources = 0;
    for (size_t i : starts)
      results += order.collectives[i].resultBytes;
    for (size_t i : waits)
      if (order.collectives[i].sourceEnd < gap)
        sources += order.collectives[i].sourceBytes;
    return sources > 0 && room[gap] < sources && room[gap - 1] < results;
  }

  /// In each gap: what starts without a wait of this gap, the waits, and what
  /// starts after them. What is waited for at once is a step like others.
  void write() {
    const size_t gaps = order.steps.size() + 1;
    std::vector<std::vector<size_t>> starts(gaps), waits(gaps), before(gaps);
    for (auto [first, second] : order.dependences)
      if (number[first] != kNoNumber && number[second] != kNoNumber)
        before[second].push_back(number[first]);
    for (size_t i = 0; i < windows.size(); ++i)
      if (!isAtOnce(i)) {
        starts[windows[i].start].push_back(i);
        waits[windows[i].wait].push_back(i);
      }
    for (size_t gap = 0; gap < gaps; ++gap) {
      const bool areTight = isTight(gap, starts[gap], waits[gap]);
      auto needsWait = [&](size_t i) {
        if (areTight)
          return true;
        const std::vector<size_t> &needed = before[order.collectives[i].place];
        return std::any_of(needed.begin(), needed.end(), [&](size_t other) {
          return windows[other].wait == gap;
        });
      };
      for (size_t i : starts[gap])
        if (!needsWait(i))
          clock.actions.push_back({CollectiveAction::Start, i});
      for (size_t i : waits[gap])
        clock.actions.push_back({CollectiveAction::Wait, i});
      for (size_t i : starts[gap])
        if (needsWait(i))
          clock.actions.push_back({CollectiveAction::Start, i});
      if (gap == order.steps.size())
        continue;
      if (number[gap] == kNoNumber) {
        clock.actions.push_back({CollectiveAction::Run, gap});
      } else if (isAtOnce(number[gap])) {
        clock.actions.push_back({CollectiveAction::Start, number[gap]});
        clock.actions.push_back({CollectiveAction::Wait, number[gap]});
      }
    }
  }

  bool keepsDependences() {
    std::vector<size_t> begins(order.steps.size()), ends(order.steps.size());
    for (size_t at = 0; at < clock.actions.size(); ++at) {
      const CollectiveAction &action = clock.actions[at];
      const size_t place = action.kind == CollectiveAction::Run
                               ? action.subject
                               : order.collectives[action.subject].place;
      if (action.kind != CollectiveAction::Wait)
        begins[place] = at;
      if (action.kind != CollectiveAction::Start)
        ends[place] = at;
    }
    for (auto [first, second] : order.dependences)
      if (ends[first] >= begins[second])
        return refuse("step " + std::to_string(second) +
                      " begins before step " + std::to_string(first) +
                      " has ended");
    return true;
  }

  void play() {
    int64_t now = 0;
    std::vector<int64_t> links(countLinks(order), 0);
    size_t gap = 0;
    std::vector<int64_t> ends(windows.size(), 0);
    std::map<size_t, const CollectiveOrder::Transfer *> transferStarts;
    std::multimap<size_t, const CollectiveOrder::Transfer *> transferWaits;
    for (const CollectiveOrder::Transfer &transfer : order.transfers) {
      transferStarts[transfer.start] = &transfer;
      transferWaits.emplace(transfer.wait, &transfer);
    }
    int64_t moved = 0;
    std::map<const CollectiveOrder::Transfer *, int64_t> arrivals;
    auto move = [&](size_t place) {
      if (auto found = transferStarts.find(place);
          found != transferStarts.end())
        arrivals[found->second] = moved =
            addTimes(std::max(moved, now), found->second->duration);
      auto [first, last] = transferWaits.equal_range(place);
      for (auto at = first; at != last; ++at) {
        const int64_t wait = std::max<int64_t>(0, arrivals[at->second] - now);
        clock.waited = addTimes(clock.waited, wait);
        now = addTimes(now, wait);
      }
    };
    clock.times.assign(order.steps.size() + 1, 0);
    // A place is reached when all before it is done.
    auto reach = [&](size_t place) {
      for (; gap <= place; ++gap)
        clock.times[gap] = now;
    };
    auto compute = [&](size_t place) {
      now = addTimes(now, order.steps[place]);
      clock.computing = addTimes(clock.computing, order.steps[place]);
    };
    for (const CollectiveAction &action : clock.actions) {
      const size_t i = action.subject;
      switch (action.kind) {
      case CollectiveAction::Run:
        reach(i);
        compute(i);
        move(i);
        break;
      case CollectiveAction::Start: {
        const CollectiveOrder::Collective &what = order.collectives[i];
        compute(what.place);
        int64_t &link = links[what.link];
        ends[i] = link = addTimes(std::max(link, now), what.duration);
        clock.sending = addTimes(clock.sending, what.duration);
        break;
      }
      case CollectiveAction::Wait:
        clock.stalled =
            addTimes(clock.stalled, std::max<int64_t>(0, ends[i] - now));
        now = std::max(now, ends[i]);
        break;
      }
    }
    reach(order.steps.size());
    clock.makespan = now;
  }

  const CollectiveOrder &order;
  const std::vector<CollectiveWindow> &windows;
  std::vector<size_t> number;
  /// What is left beside all that is under way.
  std::vector<int64_t> room;
  CollectiveClock clock;
};

//===----------------------------------------------------------------------===//
// The planner
//===----------------------------------------------------------------------===//

/// Who is served first where room is short.
enum class CollectiveFavour { Starts, Waits };

class CollectivePlanner {
public:
  CollectivePlanner(const CollectiveOrder &order,
                    const std::vector<int64_t> &times)
      : order(order), times(times), room(order.room),
        windows(waitAtOnce(order)) {
    findBounds();
  }

  std::vector<CollectiveWindow> plan(CollectiveFavour favour) {
    if (favour == CollectiveFavour::Waits)
      waitLate();
    startEarly();
    if (favour == CollectiveFavour::Starts)
      waitLate();
    return std::move(windows);
  }

private:
  /// The first gap behind all that a collective needs, and the last one before
  /// what needs it, while all others are waited for where they stand.
  void findBounds() {
    const std::vector<size_t> number = numberPlaces(order);
    earliest.assign(windows.size(), 0);
    latest.assign(windows.size(), order.steps.size());
    before.resize(windows.size());
    after.resize(windows.size());
    for (auto [first, second] : order.dependences) {
      const size_t from = number[first], to = number[second];
      if (to != kNoNumber)
        earliest[to] = std::max(earliest[to], first + 1);
      if (from != kNoNumber)
        latest[from] = std::min(latest[from], second);
      if (from != kNoNumber && to != kNoNumber) {
        before[to].push_back(from);
        after[from].push_back(to);
      }
    }
  }

  bool take(size_t place, int64_t bytes) {
    if (room[place] < bytes)
      return false;
    room[place] -= bytes;
    return true;
  }

  /// The input stays, instead of being waited for, for as long as there is room
  /// and the link is not through.
  void waitLate() {
    std::vector<int64_t> links(countLinks(order), 0);
    for (size_t i : sortedBy(&CollectiveWindow::start)) {
      const CollectiveOrder::Collective &what = order.collectives[i];
      CollectiveWindow &window = windows[i];
      int64_t &link = links[what.link];
      const int64_t sent =
          addTimes(times[window.start], order.steps[what.place]);
      link = addTimes(std::max(link, sent), what.duration);
      size_t limit = latest[i];
      for (size_t other : after[i])
        limit = std::min(limit, windows[other].start);
      while (window.wait < limit && times[window.wait] < link &&
             (window.wait <= what.sourceEnd ||
              take(window.wait, what.sourceBytes)))
        ++window.wait;
    }
  }

  /// Back from the last wait: each starts so early that it, and those behind it
  /// on the link, end in time.
  void startEarly() {
    std::vector<int64_t> deadlines(countLinks(order), INT64_MAX);
    std::vector<size_t> byWait = sortedBy(&CollectiveWindow::wait);
    for (size_t n = byWait.size(); n-- > 0;) {
      const size_t i = byWait[n];
      const CollectiveOrder::Collective &what = order.collectives[i];
      CollectiveWindow &window = windows[i];
      int64_t &deadline = deadlines[what.link];
      deadline = std::min(deadline, times[window.wait]) - what.duration;
      size_t first = earliest[i];
      for (size_t other : before[i])
        first = std::max(first, windows[other].wait);
      while (window.start > first &&
             times[window.start] > deadline - order.steps[what.place] &&
             take(window.start - 1, what.resultBytes))
        --window.start;
    }
  }

  std::vector<size_t> sortedBy(size_t CollectiveWindow::*gap) const {
    std::vector<size_t> sorted(windows.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
      return std::pair(windows[a].*gap, a) < std::pair(windows[b].*gap, b);
    });
    return sorted;
  }

  const CollectiveOrder &order;
  const std::vector<int64_t> &times;
  std::vector<int64_t> room;
  std::vector<CollectiveWindow> windows;
  std::vector<size_t> earliest, latest;
  /// By collective: those that it needs, and that need it.
  std::vector<std::vector<size_t>> before, after;
};
} // namespace

CollectiveClock pebble::timeline::replayCollectives(
    const CollectiveOrder &order,
    const std::vector<CollectiveWindow> &windows) {
  return Judge(order, windows).run();
}

std::vector<CollectiveWindow>
pebble::timeline::waitAtOnce(const CollectiveOrder &order) {
  std::vector<CollectiveWindow> windows;
  for (const CollectiveOrder::Collective &what : order.collectives)
    windows.push_back({what.place, what.place + 1});
  return windows;
}

std::vector<CollectiveWindow>
pebble::timeline::overlapCollectives(const CollectiveOrder &order) {
  std::vector<CollectiveWindow> best = waitAtOnce(order);
  CollectiveClock known = replayCollectives(order, best);
  if (!known.refusal.empty() || known.sending == 0)
    return best;
  // The first times are those of a program in which nothing stalls; the next
  // ones those of the best so far.
  std::vector<int64_t> times(order.steps.size() + 1, 0);
  for (size_t at = 0; at < order.steps.size(); ++at)
    times[at + 1] = addTimes(times[at], order.steps[at]);
  for (unsigned round = 0; round < 3; ++round) {
    bool isBetter = false;
    for (CollectiveFavour favour :
         {CollectiveFavour::Starts, CollectiveFavour::Waits}) {
      std::vector<CollectiveWindow> windows =
          CollectivePlanner(order, times).plan(favour);
      CollectiveClock clock = replayCollectives(order, windows);
      if (!clock.refusal.empty() || clock.makespan >= known.makespan)
        continue;
      best = std::move(windows);
      known = std::move(clock);
      isBetter = true;
    }
    if (!isBetter)
      break;
    times = known.times;
  }
  return best;
}
