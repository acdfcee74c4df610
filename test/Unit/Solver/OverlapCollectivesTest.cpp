//===- OverlapCollectivesTest.cpp - collectives beside computation --------===//
//
// Orders by hand, whose windows are known, and random ones: against every
// choice of windows where there are few, and never slower than waiting at once.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Timeline/Collectives.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <tuple>

using namespace pebble::timeline;

namespace {
/// A weight is gathered for each of three layers: 0, 2, 4 gather, 1, 3, 5
/// compute with what came.
CollectiveOrder makeLayers(int64_t room) {
  CollectiveOrder order;
  order.steps = {0, 100, 0, 100, 0, 100};
  order.room.assign(6, room);
  for (size_t place : {0, 2, 4}) {
    order.collectives.push_back({place, 100, 5, 64, 64});
    order.dependences.push_back({place, place + 1});
  }
  order.dependences.push_back({1, 3});
  order.dependences.push_back({3, 5});
  return order;
}
} // namespace

TEST(OverlapCollectives, LayersAreGatheredOneAhead) {
  const CollectiveOrder order = makeLayers(64);
  EXPECT_EQ(replayCollectives(order, waitAtOnce(order)).makespan, 600);
  const auto windows = overlapCollectives(order);
  const CollectiveClock clock = replayCollectives(order, windows);
  EXPECT_EQ(clock.refusal, "");
  // The first has nothing to hide behind.
  EXPECT_EQ(clock.makespan, 400);
  EXPECT_EQ(clock.sending, 300);
  EXPECT_EQ(clock.stalled, 100);
  EXPECT_EQ(clock.getHidden(), 200);
}

TEST(OverlapCollectives, AShortMessageWaitsForNoLongOneOfAnotherLink) {
  // While the weight of step 3 comes, step 1 hands a sum to step 2.
  CollectiveOrder order;
  order.steps = {100, 0, 100, 0, 100};
  order.room.assign(5, 64);
  order.collectives = {{1, 10, 4, 0, 0}, {3, 200, 4, 64, 64}};
  order.dependences = {{0, 1}, {1, 2}, {2, 4}, {3, 4}};
  // On one link the sum waits behind the weight, or the weight behind the sum.
  EXPECT_EQ(replayCollectives(order, overlapCollectives(order)).makespan, 410);
  order.collectives[1].link = 1;
  const CollectiveClock clock =
      replayCollectives(order, overlapCollectives(order));
  EXPECT_EQ(clock.makespan, 310);
  EXPECT_EQ(clock.getHidden(), 200);
}

TEST(OverlapCollectives, NothingStartsEarlyWithoutRoom) {
  const CollectiveOrder order = makeLayers(63);
  const auto windows = overlapCollectives(order);
  EXPECT_EQ(replayCollectives(order, windows).makespan, 600);
  EXPECT_EQ(windows[1].start, 2u);
}

TEST(OverlapCollectives, AnInputThatStaysTakesRoom) {
  // A gradient is summed while the next step runs; nobody reads the sum.
  CollectiveOrder order;
  order.steps = {100, 0, 100};
  order.room = {0, 0, 64};
  order.collectives = {{1, 100, 1, 64, 64}};
  order.dependences = {{0, 1}};
  EXPECT_EQ(replayCollectives(order, overlapCollectives(order)).makespan, 200);
  order.room[2] = 63;
  EXPECT_EQ(replayCollectives(order, overlapCollectives(order)).makespan, 300);
  // One that lives on does not.
  order.collectives[0].sourceEnd = 2;
  EXPECT_EQ(replayCollectives(order, overlapCollectives(order)).makespan, 200);
}

TEST(OverlapCollectives, BadWindowsAreRefused) {
  const CollectiveOrder order = makeLayers(64);
  EXPECT_NE(replayCollectives(order, {{0, 1}, {2, 3}}).refusal, "");
  // Read before the wait.
  EXPECT_EQ(replayCollectives(order, {{0, 2}, {2, 3}, {4, 5}}).refusal,
            "step 1 begins before step 0 has ended");
  // Waited for before it starts.
  EXPECT_NE(replayCollectives(order, {{0, 1}, {3, 3}, {4, 5}}).refusal, "");
  // Two results beside the one that is there.
  EXPECT_EQ(replayCollectives(order, {{0, 1}, {0, 3}, {0, 5}}).refusal,
            "what is under way has no room beside step 0");
  CollectiveOrder tied = makeLayers(64);
  tied.dependences.push_back({1, 2});
  EXPECT_EQ(replayCollectives(tied, {{0, 1}, {1, 3}, {4, 5}}).refusal,
            "step 2 begins before step 1 has ended");
}

TEST(OverlapCollectives, TransfersStayAndPassBesideWhatRuns) {
  // Step 1 gathers for step 3; a value is loaded from step 0 to step 4.
  CollectiveOrder order;
  order.steps = {0, 0, 100, 100, 0, 10};
  order.room.assign(6, 1000);
  order.collectives = {{1, 80, 5, 64, 64}};
  order.dependences = {{1, 3}, {0, 4}, {4, 5}};
  order.transfers = {{0, 4, 250}};
  const CollectiveClock atOnce = replayCollectives(order, waitAtOnce(order));
  // The load is hidden behind the gather and two steps.
  EXPECT_EQ(atOnce.makespan, 290);
  EXPECT_EQ(atOnce.waited, 0);
  const CollectiveClock found =
      replayCollectives(order, overlapCollectives(order));
  // Beside the steps the gather is hidden, and a part of the load is not.
  EXPECT_EQ(found.stalled, 0);
  EXPECT_EQ(found.waited, 50);
  EXPECT_EQ(found.makespan, 260);
  EXPECT_EQ(found.makespan, found.computing + found.stalled + found.waited);
}

namespace {
CollectiveOrder makeRandom(std::mt19937 &random) {
  auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint32_t>(n));
  };
  CollectiveOrder order;
  const int64_t steps = 3 + below(5);
  for (int64_t place = 0; place < steps; ++place) {
    order.steps.push_back(below(100));
    order.room.push_back(64 * below(3));
    if (order.collectives.size() < 3 && below(2) == 0)
      order.collectives.push_back({static_cast<size_t>(place), 1 + below(150),
                                   static_cast<size_t>(place + below(3)), 64,
                                   64 * below(2),
                                   static_cast<size_t>(below(2))});
    for (int64_t other = 0; other < place; ++other)
      if (below(4) == 0)
        order.dependences.push_back(
            {static_cast<size_t>(other), static_cast<size_t>(place)});
  }
  return order;
}

/// The least makespan of all windows.
int64_t findLeast(const CollectiveOrder &order,
                  std::vector<CollectiveWindow> &windows, size_t next) {
  if (next == windows.size()) {
    const CollectiveClock clock = replayCollectives(order, windows);
    return clock.refusal.empty() ? clock.makespan : INT64_MAX;
  }
  int64_t least = INT64_MAX;
  const size_t place = order.collectives[next].place;
  for (size_t start = 0; start <= place; ++start)
    for (size_t wait = place + 1; wait <= order.steps.size(); ++wait) {
      windows[next] = {start, wait};
      least = std::min(least, findLeast(order, windows, next + 1));
    }
  return least;
}
} // namespace

TEST(OverlapCollectives, RandomOrdersAreFasterAndNeverBeatTheBound) {
  std::mt19937 random(11);
  int best = 0, better = 0, all = 0;
  for (int i = 0; i < 2000; ++i) {
    const CollectiveOrder order = makeRandom(random);
    const CollectiveClock atOnce = replayCollectives(order, waitAtOnce(order));
    ASSERT_EQ(atOnce.refusal, "");
    ASSERT_EQ(atOnce.makespan, atOnce.computing + atOnce.sending);
    const CollectiveClock found =
        replayCollectives(order, overlapCollectives(order));
    ASSERT_EQ(found.refusal, "") << "order " << i;
    ASSERT_LE(found.makespan, atOnce.makespan);
    int64_t sent[2] = {0, 0};
    for (const CollectiveOrder::Collective &what : order.collectives)
      sent[what.link] += what.duration;
    ASSERT_EQ(found.sending, sent[0] + sent[1]);
    ASSERT_GE(found.makespan, std::max({found.computing, sent[0], sent[1]}));
    ASSERT_EQ(found.makespan, found.computing + found.stalled);
    std::vector<CollectiveWindow> windows(order.collectives.size());
    const int64_t least = findLeast(order, windows, 0);
    ASSERT_GE(found.makespan, least);
    all += least < atOnce.makespan;
    better += found.makespan < atOnce.makespan;
    best += least < atOnce.makespan && found.makespan == least;
  }
  // Where something can be hidden, it is nearly always, and mostly all of it.
  EXPECT_GT(all, 500);
  EXPECT_GT(better, all * 8 / 10);
  EXPECT_GT(best, all * 6 / 10);
}

//===----------------------------------------------------------------------===//
// Readers that give way
//===----------------------------------------------------------------------===//

namespace {
/// The steps of `order` in the order of `places`.
CollectiveOrder permute(const CollectiveOrder &order,
                        const std::vector<size_t> &places) {
  CollectiveOrder result = order;
  std::vector<size_t> now(places.size());
  for (size_t at = 0; at < places.size(); ++at) {
    now[places[at]] = at;
    result.steps[at] = order.steps[places[at]];
  }
  for (auto &[first, second] : result.dependences)
    std::tie(first, second) = std::pair(now[first], now[second]);
  for (CollectiveOrder::Collective &what : result.collectives)
    what.place = now[what.place];
  std::sort(result.collectives.begin(), result.collectives.end(),
            [](const auto &a, const auto &b) { return a.place < b.place; });
  return result;
}

/// Each collective starts where it stands, and is waited for by who reads it.
std::vector<CollectiveWindow> waitForReaders(const CollectiveOrder &order) {
  std::vector<CollectiveWindow> windows = waitAtOnce(order);
  for (CollectiveWindow &window : windows) {
    const size_t place = window.start;
    window.wait = order.steps.size();
    for (auto [first, second] : order.dependences)
      if (first == place)
        window.wait = std::min(window.wait, second);
  }
  return windows;
}
} // namespace

TEST(OverlapCollectives, AnUpdateGivesWayToTheNextGradient) {
  // Gradients 0, 3, 6 are added up by 1, 4, 7 for the updates 2, 5, 8.
  CollectiveOrder order;
  order.steps = {100, 0, 10, 100, 0, 10, 100, 0, 10};
  order.room.assign(9, 64);
  for (size_t place : {1, 4, 7}) {
    order.collectives.push_back({place, 80, place, 64, 0});
    order.dependences.push_back({place - 1, place});
    order.dependences.push_back({place, place + 1});
  }
  EXPECT_EQ(replayCollectives(order, overlapCollectives(order)).makespan, 570);
  const PostponedOrder postponed = postponeReaders(order, 3);
  EXPECT_EQ(postponed.places, (std::vector<size_t>{0, 1, 3, 2, 4, 6, 5, 7, 8}));
  // The last sum and its update have nobody to hide behind.
  EXPECT_EQ(postponed.makespan, 410);
  // Sums that start before the update of the one before save its time.
  const CollectiveOrder after = permute(order, postponed.places);
  EXPECT_EQ(replayCollectives(after, overlapCollectives(after)).makespan, 400);
}

TEST(OverlapCollectives, PostponedOrdersKeepAllDependences) {
  std::mt19937 random(12);
  int faster = 0;
  for (int i = 0; i < 2000; ++i) {
    CollectiveOrder order = makeRandom(random);
    order.room.assign(order.steps.size(), 1 << 20);
    for (size_t lookahead : {1, 2, 5}) {
      const PostponedOrder postponed = postponeReaders(order, lookahead);
      std::vector<size_t> sorted = postponed.places;
      std::sort(sorted.begin(), sorted.end());
      for (size_t at = 0; at < sorted.size(); ++at)
        ASSERT_EQ(sorted[at], at);
      const CollectiveOrder after = permute(order, postponed.places);
      for (auto [first, second] : after.dependences)
        ASSERT_LT(first, second) << "order " << i;
      const CollectiveClock clock =
          replayCollectives(after, waitForReaders(after));
      ASSERT_EQ(clock.refusal, "") << "order " << i;
      ASSERT_EQ(clock.makespan, postponed.makespan) << "order " << i;
      if (lookahead == 1)
        ASSERT_EQ(postponed.places, sorted);
      faster += postponed.makespan <
                replayCollectives(order, overlapCollectives(order)).makespan;
    }
  }
  EXPECT_GT(faster, 100);
}
