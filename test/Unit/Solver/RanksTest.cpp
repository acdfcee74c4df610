//===- RanksTest.cpp - what ranks do together, and what it costs ----------===//
//
// Costs are held against closed forms, and against a simulator that sends each
// message of its own accord: a rank goes on as soon as its own messages are
// through. The same simulator carries contents, so that an algorithm that does
// not do what its name says fails.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Ranks/Collectives.h"
#include "pebble/Solver/Ranks/Meetings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

using namespace pebble::ranks;

namespace {
using Members = std::vector<int64_t>;

Topology flat(int64_t size, int64_t latency = 700, int64_t bandwidth = 1000) {
  return {{{"host", size, bandwidth, latency, 3}}, size, {}};
}
/// Nodes of four in a pod, with slow links between them.
Topology pod(int64_t size) {
  return {{{"node", 4, 8000, 100, 1}, {"pod", size, 500, 2000, 50}}, size, {}};
}
Members count(int64_t size) {
  Members members(static_cast<size_t>(size));
  std::iota(members.begin(), members.end(), 0);
  return members;
}
int64_t log2(int64_t size) {
  int64_t power = 0;
  while ((int64_t(1) << power) < size)
    ++power;
  return power;
}

/// By member and part, which members' contributions are in it.
using Contents = std::vector<std::vector<std::set<int64_t>>>;

Contents start(Kind kind, int64_t size) {
  const auto n = static_cast<size_t>(size);
  Contents contents(n, std::vector<std::set<int64_t>>(n));
  for (size_t member = 0; member < n; ++member)
    for (size_t part = 0; part < n; ++part)
      if (kind == Kind::AllReduce || kind == Kind::ReduceScatter ||
          (kind == Kind::AllGather ? part == member : member == 0))
        contents[member][part] = {static_cast<int64_t>(member)};
  return contents;
}

bool isRight(Kind kind, const Contents &contents) {
  const auto size = static_cast<int64_t>(contents.size());
  std::set<int64_t> all;
  for (int64_t member = 0; member < size; ++member)
    all.insert(member);
  for (size_t member = 0; member < contents.size(); ++member)
    for (size_t part = 0; part < contents.size(); ++part) {
      const std::set<int64_t> &has = contents[member][part];
      if ((kind == Kind::AllReduce && has != all) ||
          (kind == Kind::ReduceScatter && part == member && has != all) ||
          (kind == Kind::AllGather &&
           has != std::set<int64_t>{static_cast<int64_t>(part)}) ||
          (kind == Kind::Broadcast && has != std::set<int64_t>{0}))
        return false;
    }
  return true;
}

/// Plays the rounds. Returns when the last rank is done, or -1 where a rank
/// sends or receives two messages in a round, adds something twice, or sends
/// what it has not.
int64_t play(const Topology &topology, Kind kind,
             const std::vector<Round> &rounds, const Members &members,
             int64_t bytes) {
  const auto size = static_cast<int64_t>(members.size());
  const int64_t part = (bytes + size - 1) / size;
  Contents contents = start(kind, size);
  std::vector<int64_t> clock(members.size(), 0);
  for (const Round &round : rounds)
    for (int64_t repeat = 0; repeat < round.times; ++repeat) {
      const Contents before = contents;
      const std::vector<int64_t> began = clock;
      std::set<int64_t> senders, receivers;
      for (const Message &message : round.messages) {
        const auto from = static_cast<size_t>(message.from);
        const auto to = static_cast<size_t>(message.to);
        if (!senders.insert(message.from).second ||
            !receivers.insert(message.to).second)
          return -1;
        const Group &group =
            topology.groups[*topology.findRoute(members[from], members[to])];
        const int64_t sent = std::min(message.count * part, bytes);
        const int64_t over =
            std::max(began[from], began[to]) + group.latency +
            (sent * 1000 + group.bandwidth - 1) / group.bandwidth;
        clock[from] = std::max(clock[from], over);
        clock[to] = std::max(clock[to], over);
        for (int64_t k = 0; k < message.count; ++k) {
          const int64_t raw = message.first + repeat * round.shift + k;
          const auto index = static_cast<size_t>((raw % size + size) % size);
          const std::set<int64_t> &what = before[from][index];
          std::set<int64_t> &into = contents[to][index];
          if (what.empty())
            return -1;
          if (!message.reduces)
            into = what;
          for (int64_t one : what)
            if (!into.insert(one).second && message.reduces)
              return -1;
        }
      }
    }
  if (!isRight(kind, contents))
    return -1;
  return *std::max_element(clock.begin(), clock.end());
}

const Kind kKinds[] = {Kind::AllReduce, Kind::AllGather, Kind::ReduceScatter,
                       Kind::Broadcast};
} // namespace

TEST(Collectives, EachAlgorithmDoesWhatItsNameSays) {
  for (Kind kind : kKinds)
    for (Algorithm algorithm : getAlgorithms(kind))
      for (int64_t size = 1; size <= 33; ++size) {
        if (algorithm == Algorithm::Levels)
          continue;
        const Topology topology = flat(size);
        const int64_t time =
            play(topology, kind, getRounds(kind, algorithm, size), count(size),
                 97 * size);
        ASSERT_GE(time, 0) << toString(kind) << " by " << toString(algorithm)
                           << " of " << size;
        // Rounds that wait for each other are no faster than ranks that do not.
        ASSERT_LE(time,
                  getCost(topology, kind, algorithm, count(size), 97 * size)
                      ->nanoseconds);
      }
}

// In one group all messages of a round take as long, and nobody is ahead.
TEST(Collectives, PowersOfTwoTakeWhatTheSimulatorTakes) {
  for (Kind kind : {Kind::AllReduce, Kind::AllGather, Kind::ReduceScatter})
    for (Algorithm algorithm : getAlgorithms(kind))
      for (int64_t size : {2, 4, 8, 32}) {
        if (algorithm == Algorithm::Levels || algorithm == Algorithm::Tree)
          continue;
        const Topology topology = flat(size);
        EXPECT_EQ(play(topology, kind, getRounds(kind, algorithm, size),
                       count(size), 1000 * size),
                  getCost(topology, kind, algorithm, count(size), 1000 * size)
                      ->nanoseconds)
            << toString(kind) << " by " << toString(algorithm);
      }
}

TEST(Collectives, CostsAreThoseOfTheClosedForms) {
  const int64_t latency = 700;
  for (int64_t p : {2, 4, 8, 64, 256}) {
    const int64_t n = 4096 * p; // a nanosecond a byte
    const int64_t lg = log2(p), most = n / p * (p - 1);
    const Topology topology = flat(p, latency, 1000);
    auto cost = [&](Kind kind, Algorithm algorithm) {
      return getCost(topology, kind, algorithm, count(p), n)->nanoseconds;
    };
    EXPECT_EQ(cost(Kind::AllGather, Algorithm::Ring), (p - 1) * latency + most);
    EXPECT_EQ(cost(Kind::AllGather, Algorithm::Doubling), lg * latency + most);
    EXPECT_EQ(cost(Kind::ReduceScatter, Algorithm::Ring),
              (p - 1) * latency + most);
    EXPECT_EQ(cost(Kind::ReduceScatter, Algorithm::Halving),
              lg * latency + most);
    EXPECT_EQ(cost(Kind::AllReduce, Algorithm::Ring),
              2 * ((p - 1) * latency + most));
    EXPECT_EQ(cost(Kind::AllReduce, Algorithm::Halving),
              2 * (lg * latency + most));
    EXPECT_EQ(cost(Kind::AllReduce, Algorithm::Doubling), lg * (latency + n));
    EXPECT_EQ(cost(Kind::AllReduce, Algorithm::Tree), 2 * lg * (latency + n));
    EXPECT_EQ(cost(Kind::Broadcast, Algorithm::Tree), lg * (latency + n));
    EXPECT_EQ(cost(Kind::Broadcast, Algorithm::Doubling),
              2 * (lg * latency + most));
    EXPECT_EQ(cost(Kind::Broadcast, Algorithm::Ring),
              (lg + p - 1) * latency + 2 * most);
  }
}

// Gathering by Bruck takes lg p rounds for every p, and p - 1 parts.
TEST(Collectives, OtherNumbersTakeOneRoundMoreAtMost) {
  for (int64_t p : {3, 5, 6, 7, 12, 100}) {
    const Topology topology = flat(p, 10, 1000);
    EXPECT_EQ(
        getCost(topology, Kind::AllGather, Algorithm::Doubling, count(p), 8 * p)
            ->nanoseconds,
        log2(p) * 10 + (p - 1) * 8);
  }
}

TEST(Collectives, ShortMessagesTakeFewRoundsAndLongOnesFewBytes) {
  const Topology topology = flat(16);
  EXPECT_EQ(getLeastCost(topology, Kind::AllReduce, count(16), 64)->algorithm,
            Algorithm::Doubling);
  EXPECT_EQ(
      getLeastCost(topology, Kind::AllReduce, count(16), 1 << 24)->algorithm,
      Algorithm::Halving);
}

TEST(Collectives, LevelsSendLittleBetweenNodes) {
  const Topology topology = pod(16);
  const int64_t n = 1 << 20;
  const Cost levels =
      *getCost(topology, Kind::AllReduce, Algorithm::Levels, count(16), n);
  const Cost ring =
      *getCost(topology, Kind::AllReduce, Algorithm::Ring, count(16), n);
  EXPECT_LT(levels.nanoseconds, ring.nanoseconds);
  // Within a node a reduce-scatter and an all-gather of all bytes, between the
  // nodes an all-reduce of a quarter of them.
  auto part = [&](Kind kind, Members members, int64_t bytes) {
    return getLeastCost(topology, kind, members, bytes)->nanoseconds;
  };
  EXPECT_EQ(levels.nanoseconds,
            part(Kind::ReduceScatter, {0, 1, 2, 3}, n) +
                part(Kind::AllReduce, {0, 4, 8, 12}, n / 4) +
                part(Kind::AllGather, {0, 1, 2, 3}, n));
  EXPECT_EQ(levels.bytes[1], 16 * 2 * 3 * (n / 4) / 4);
  EXPECT_EQ(levels.femtojoules, levels.bytes[0] + 50 * levels.bytes[1]);
  // Members that do not fill their nodes alike have no levels.
  EXPECT_FALSE(
      getCost(topology, Kind::AllReduce, Algorithm::Levels, {0, 1, 2, 4}, n));
}

TEST(Collectives, PlacesDecideWhichLinksAMessageTakes) {
  Topology topology = pod(8);
  const int64_t near =
      getLeastCost(topology, Kind::AllReduce, {0, 1, 2, 3}, 4096)->nanoseconds;
  topology.places = {0, 4, 1, 5, 2, 6, 3, 7};
  EXPECT_GT(
      getLeastCost(topology, Kind::AllReduce, {0, 1, 2, 3}, 4096)->nanoseconds,
      near);
  EXPECT_EQ(
      getLeastCost(topology, Kind::AllReduce, {0, 2, 4, 6}, 4096)->nanoseconds,
      near);
}

TEST(Collectives, WithoutARouteThereIsNoCost) {
  Topology topology = flat(2);
  topology.ranks = 4;
  EXPECT_FALSE(getLeastCost(topology, Kind::AllGather, count(4), 8));
  EXPECT_TRUE(getLeastCost(topology, Kind::AllGather, {2, 3}, 8));
}

TEST(Collectives, FourThousandRanksAreQuick) {
  const Topology topology{
      {{"node", 8, 450000, 1000, 1}, {"pod", 4096, 50000, 5000, 1}}, 4096, {}};
  EXPECT_GT(getLeastCost(topology, Kind::AllReduce, count(4096), 1 << 30)
                ->nanoseconds,
            0);
}

namespace {
Event send(int64_t peer, int64_t bytes = 8, int64_t tag = 0) {
  return {Event::Send, peer, tag, bytes, 0, 0, {}, ""};
}
Event receive(int64_t peer, int64_t bytes = 8, int64_t tag = 0) {
  return {Event::Receive, peer, tag, bytes, 0, 0, {}, ""};
}
Event startSend(int64_t peer) {
  return {Event::StartSend, peer, 0, 8, 0, 0, {}, ""};
}
Event await(size_t started) {
  return {Event::Wait, 0, 0, 0, 0, started, {}, ""};
}
Event together(Members members, std::string kind) {
  return {Event::Together, 0, 0, 8, 0, 0, std::move(members), std::move(kind)};
}
} // namespace

TEST(Meetings, TwoThatSendFirstAreStuck) {
  auto trouble = findTrouble({{send(1), receive(1)}, {send(0), receive(0)}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Stuck);
  ASSERT_EQ(trouble->others.size(), 1u);
  EXPECT_FALSE(findTrouble({{send(1), receive(1)}, {receive(0), send(0)}}));
  EXPECT_FALSE(findTrouble({{startSend(1), receive(1), await(0)},
                            {startSend(0), receive(0), await(0)}}));
}

TEST(Meetings, OneThatWaitsForWhoHasEndedIsStuck) {
  auto trouble = findTrouble({{receive(1)}, {}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Stuck);
  EXPECT_EQ(trouble->at.rank, 0);
  EXPECT_TRUE(trouble->others.empty());
}

TEST(Meetings, CollectivesInAnotherOrderDiffer) {
  auto trouble = findTrouble({{together({0, 1}, "a"), together({0, 1}, "b")},
                              {together({0, 1}, "b"), together({0, 1}, "a")}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Differ);
}

// Rows and columns of a grid, not in one order on all ranks.
TEST(Meetings, GroupsThatWaitForEachOtherAreStuck) {
  const Members row = {0, 1}, column = {0, 2};
  auto trouble = findTrouble({{together(row, "r"), together(column, "c")},
                              {together(row, "r")},
                              {together(column, "c")}});
  EXPECT_FALSE(trouble);
  trouble = findTrouble({{together(row, "r"), together(column, "c")},
                         {together({1, 2}, "x"), together(row, "r")},
                         {together(column, "c"), together({1, 2}, "x")}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Stuck);
  EXPECT_EQ(trouble->others.size(), 2u);
}

// What is started goes on, and meets others in the order of the starts.
TEST(Meetings, CollectivesThatAreStartedMeetInTheirOrder) {
  const Members both = {0, 1};
  auto start = [&](const char *kind) {
    Event event = together(both, kind);
    event.what = Event::StartTogether;
    return event;
  };
  EXPECT_FALSE(findTrouble({{start("a"), start("b"), await(1), await(0)},
                            {start("a"), await(0), start("b"), await(2)}}));
  // A start meets who waits at once.
  EXPECT_FALSE(findTrouble({{start("a"), together(both, "b"), await(0)},
                            {together(both, "a"), together(both, "b")}}));
  // Messages pass while something is under way.
  EXPECT_FALSE(findTrouble(
      {{start("a"), send(1), await(0)}, {receive(0), start("a"), await(1)}}));
  auto trouble = findTrouble({{start("a"), start("b"), await(0), await(1)},
                              {start("b"), start("a"), await(0), await(1)}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Differ);
  // Each waits for what the other starts only afterwards.
  trouble = findTrouble(
      {{start("a"), await(0), send(1)}, {receive(0), start("a"), await(1)}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Stuck);
  EXPECT_EQ(trouble->others.size(), 1u);
  trouble = findTrouble({{start("a")}, {}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Open);
}

TEST(Meetings, MessagesFitTheirReceives) {
  auto trouble = findTrouble({{send(1, 8)}, {receive(0, 16)}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Bytes);
  trouble = findTrouble({{startSend(1)}, {}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::Open);
  trouble = findTrouble({{send(7)}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->why, Trouble::NoRank);
}

namespace {
/// Whether all ranks end, by trying every order in which they can go on: of
/// two ranks that are at a send and its receive, or of all at one meeting.
bool canEnd(const std::vector<std::vector<Event>> &events,
            std::vector<size_t> at, std::set<std::vector<size_t>> &seen) {
  if (!seen.insert(at).second)
    return false;
  bool isOver = true;
  for (size_t rank = 0; rank < events.size(); ++rank) {
    if (at[rank] == events[rank].size())
      continue;
    isOver = false;
    const Event &event = events[rank][at[rank]];
    if (event.what == Event::Send) {
      const auto peer = static_cast<size_t>(event.peer);
      if (at[peer] == events[peer].size())
        continue;
      const Event &other = events[peer][at[peer]];
      if (other.what != Event::Receive || other.tag != event.tag ||
          other.peer != static_cast<int64_t>(rank))
        continue;
      std::vector<size_t> then = at;
      ++then[rank];
      ++then[peer];
      if (canEnd(events, then, seen))
        return true;
    } else if (event.what == Event::Together) {
      std::vector<size_t> then = at;
      bool areThere = true;
      for (int64_t member : event.members) {
        const auto other = static_cast<size_t>(member);
        areThere &= at[other] < events[other].size() &&
                    events[other][at[other]].kind == event.kind &&
                    events[other][at[other]].members == event.members;
        ++then[other];
      }
      if (areThere && canEnd(events, then, seen))
        return true;
    }
  }
  return isOver;
}
} // namespace

TEST(Meetings, RandomProgramsEndIfAndOnlyIfSomeOrderDoes) {
  std::mt19937 random(7);
  auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint32_t>(n));
  };
  int ends = 0, hangs = 0;
  for (int i = 0; i < 10000; ++i) {
    const int64_t ranks = 2 + below(3);
    std::vector<std::vector<Event>> events(static_cast<size_t>(ranks));
    for (int64_t k = 2 + below(5); k > 0; --k) {
      if (below(3) == 0) {
        Members members;
        for (int64_t rank = 0; rank < ranks; ++rank)
          if (below(4) != 0)
            members.push_back(rank);
        for (int64_t member : members)
          events[static_cast<size_t>(member)].push_back(
              together(members, std::to_string(k)));
      } else {
        const int64_t from = below(ranks),
                      to = (from + 1 + below(ranks - 1)) % ranks;
        events[static_cast<size_t>(from)].push_back(send(to, 8, k));
        events[static_cast<size_t>(to)].push_back(receive(from, 8, k));
      }
    }
    // Half of them with two events of a rank the other way round.
    std::vector<Event> &mine = events[static_cast<size_t>(below(ranks))];
    if (below(2) == 0 && mine.size() > 1) {
      const auto at =
          static_cast<size_t>(below(static_cast<int64_t>(mine.size()) - 1));
      std::swap(mine[at], mine[at + 1]);
    }
    std::set<std::vector<size_t>> seen;
    const bool can =
        canEnd(events, std::vector<size_t>(events.size(), 0), seen);
    ASSERT_EQ(!findTrouble(events), can) << "program " << i;
    ++(can ? ends : hangs);
  }
  EXPECT_GT(ends, 1000);
  EXPECT_GT(hangs, 1000);
}
