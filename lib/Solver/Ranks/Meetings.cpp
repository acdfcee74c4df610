//===- Meetings.cpp - whether all ranks come to their end -----------------===//

#include "pebble/Solver/Ranks/Meetings.h"

#include <deque>
#include <map>
#include <tuple>

using namespace pebble::ranks;

namespace {

using Events = std::vector<std::vector<Event>>;

class Play {
public:
  explicit Play(const Events &events)
      : events(events), next(events.size(), 0), isDone(events.size()),
        isPosted(events.size(), false) {
    for (size_t rank = 0; rank < events.size(); ++rank) {
      isDone[rank].resize(events[rank].size(), false);
      turn.emplace_back(events[rank].size(), 0);
      ready.push_back(rank);
    }
  }

  std::optional<Trouble> run() {
    while (!ready.empty() && !trouble) {
      const size_t rank = ready.front();
      ready.pop_front();
      while (!trouble && next[rank] < events[rank].size() && advance(rank))
        ;
    }
    if (!trouble)
      findEnd();
    return trouble;
  }

private:
  /// From, to, communicator, tag.
  using Channel = std::tuple<int64_t, int64_t, int64_t, int64_t>;
  struct Ends {
    std::deque<Stand> sends, receives;
  };

  const Event &get(Stand stand) const {
    return events[static_cast<size_t>(stand.rank)][stand.event];
  }
  Stand here(size_t rank) const {
    return {static_cast<int64_t>(rank), next[rank]};
  }
  bool isRank(int64_t rank) const {
    return rank >= 0 && static_cast<size_t>(rank) < events.size();
  }

  /// True if `rank` has gone one event further.
  bool advance(size_t rank) {
    const Event &event = events[rank][next[rank]];
    switch (event.what) {
    case Event::Wait:
      if (!isDone[rank][event.started])
        return false;
      isDone[rank][next[rank]] = true;
      return goOn(rank);
    case Event::Together:
    case Event::StartTogether:
      return meet(rank, event);
    case Event::Send:
    case Event::Receive:
    case Event::StartSend:
    case Event::StartReceive:
      break;
    }
    if (!isPosted[rank] && !post(rank, event))
      return false;
    const bool returns =
        event.what == Event::StartSend || event.what == Event::StartReceive;
    if (!returns && !isDone[rank][next[rank]])
      return false;
    return goOn(rank);
  }

  bool goOn(size_t rank) {
    ++next[rank];
    isPosted[rank] = false;
    return true;
  }

  bool post(size_t rank, const Event &event) {
    if (!isRank(event.peer)) {
      trouble = Trouble{Trouble::NoRank, here(rank), {}};
      return false;
    }
    isPosted[rank] = true;
    const bool sends =
        event.what == Event::Send || event.what == Event::StartSend;
    const auto self = static_cast<int64_t>(rank);
    Ends &ends = channels[{sends ? self : event.peer, sends ? event.peer : self,
                           event.comm, event.tag}];
    (sends ? ends.sends : ends.receives).push_back(here(rank));
    if (ends.sends.empty() || ends.receives.empty())
      return true;
    const Stand from = ends.sends.front(), to = ends.receives.front();
    ends.sends.pop_front();
    ends.receives.pop_front();
    if (get(from).bytes != get(to).bytes) {
      trouble = Trouble{Trouble::Bytes, from, {to}};
      return false;
    }
    finish(from);
    finish(to);
    return true;
  }

  void finish(Stand stand) {
    const auto rank = static_cast<size_t>(stand.rank);
    isDone[rank][stand.event] = true;
    ready.push_back(rank);
  }

  bool meet(size_t rank, const Event &event) {
    const bool returns = event.what == Event::StartTogether;
    if (isDone[rank][next[rank]])
      return goOn(rank);
    if (isPosted[rank])
      return false;
    isPosted[rank] = true;
    for (int64_t member : event.members)
      if (!isRank(member)) {
        trouble = Trouble{Trouble::NoRank, here(rank), {}};
        return false;
      }
    Meeting &group = meetings[{event.comm, event.members}];
    const size_t number = group.turns[static_cast<int64_t>(rank)]++;
    turn[rank][next[rank]] = number;
    if (group.there.size() <= number)
      group.there.resize(number + 1);
    std::vector<Stand> &there = group.there[number];
    if (!there.empty()) {
      const Event &first = get(there.front());
      if (first.kind != event.kind || first.bytes != event.bytes) {
        trouble = Trouble{Trouble::Differ, here(rank), {there.front()}};
        return false;
      }
    }
    there.push_back(here(rank));
    if (there.size() < event.members.size())
      return returns && goOn(rank);
    for (Stand stand : there)
      finish(stand);
    return goOn(rank);
  }

  /// A rank that `rank`, which cannot go on, waits for; nothing if all that it
  /// waits for have ended.
  std::optional<size_t> getAwaited(size_t rank) const {
    size_t at = next[rank];
    if (events[rank][at].what == Event::Wait)
      at = events[rank][at].started;
    const Event *event = &events[rank][at];
    if (event->what != Event::Together && event->what != Event::StartTogether) {
      const auto peer = static_cast<size_t>(event->peer);
      return next[peer] < events[peer].size() ? std::optional<size_t>(peer)
                                              : std::nullopt;
    }
    const Meeting &group = meetings.at({event->comm, event->members});
    for (int64_t member : event->members) {
      const auto other = static_cast<size_t>(member);
      auto turns = group.turns.find(member);
      const bool isThere =
          turns != group.turns.end() && turns->second > turn[rank][at];
      if (!isThere)
        return next[other] < events[other].size() ? std::optional<size_t>(other)
                                                  : std::nullopt;
    }
    return std::nullopt;
  }

  /// Nobody can go on: somebody is stuck, or all have ended.
  void findEnd() {
    for (size_t rank = 0; rank < events.size(); ++rank) {
      if (next[rank] == events[rank].size())
        continue;
      // Whom this one waits for, and whom that one: it ends, or goes round.
      std::vector<bool> isSeen(events.size(), false);
      size_t at = rank;
      std::optional<size_t> awaited;
      while (!isSeen[at]) {
        isSeen[at] = true;
        awaited = getAwaited(at);
        if (!awaited)
          break;
        at = *awaited;
      }
      trouble = Trouble{Trouble::Stuck, here(at), {}};
      if (!awaited)
        return;
      for (size_t other = *getAwaited(at); other != at;
           other = *getAwaited(other))
        trouble->others.push_back(here(other));
      // One that waits for itself is a circle as well.
      if (trouble->others.empty())
        trouble->others.push_back(here(at));
      return;
    }
    for (const auto &[channel, ends] : channels)
      for (const auto *open : {&ends.sends, &ends.receives})
        if (!open->empty()) {
          trouble = Trouble{Trouble::Open, open->front(), {}};
          return;
        }
    for (const auto &[members, group] : meetings)
      for (const std::vector<Stand> &there : group.there)
        if (there.size() < members.second.size()) {
          trouble = Trouble{Trouble::Open, there.front(), {}};
          return;
        }
  }

  const Events &events;
  /// What each rank does next, and what it has done; what was only started
  /// counts as done when the message has come.
  std::vector<size_t> next;
  std::vector<std::vector<bool>> isDone;
  std::vector<bool> isPosted;
  std::deque<size_t> ready;
  std::map<Channel, Ends> channels;
  /// What one group does together: how often each member has come, and who is
  /// there at each time.
  struct Meeting {
    std::map<int64_t, size_t> turns;
    std::vector<std::vector<Stand>> there;
  };
  std::map<std::pair<int64_t, std::vector<int64_t>>, Meeting> meetings;
  /// By rank and event: which meeting of the group it is.
  std::vector<std::vector<size_t>> turn;
  std::optional<Trouble> trouble;
};

} // namespace

std::optional<Trouble> pebble::ranks::findTrouble(const Events &events) {
  return Play(events).run();
}
