//===- TimelineTest.cpp - the clock, and every rule T* broken on purpose --===//

#include "pebble/Solver/Timeline/Overlap.h"

#include "RandomProblem.h"

#include "Solver/Remat/RematSearch.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::timeline;
using game::Id;
using game::kNone;
using game::MoveKind;

namespace {

constexpr ActionKind R = ActionKind::Run, S = ActionKind::Store,
                     L = ActionKind::Load, W = ActionKind::Wait,
                     D = ActionKind::Drop;

/// Step i makes value i of 10 bytes; step i also reads value i - 1, and the
/// last step reads value 0. Two explicit tiers.
game::Problem chain(Id steps) {
  game::Problem p;
  for (Id i = 0; i < steps; ++i) {
    std::string name = "v" + std::to_string(i);
    p.storages.push_back({name, 10, 10, false, false});
    p.values.push_back({name, i, i, kNone, i + 1 == steps, true});
    game::Step s;
    s.name = name;
    if (i)
      s.reads.push_back({i - 1, 10});
    s.writes.push_back({i, 10});
    p.steps.push_back(s);
  }
  if (steps > 2)
    p.steps.back().reads.push_back({0, 10});
  p.hierarchy.tiers.resize(2);
  p.hierarchy.tiers[0].name = "fast";
  p.hierarchy.tiers[1].name = "slow";
  return p;
}

Durations all(const game::Problem &p, int64_t step, int64_t transfer) {
  Durations d;
  d.steps.assign(p.steps.size(), step);
  d.stores.assign(2, std::vector<int64_t>(p.values.size(), transfer));
  d.loads = d.stores;
  return d;
}

std::string rule(const game::Problem &p, const std::vector<Action> &actions) {
  return replay(p, actions, all(p, 10, 7)).verdict.rule;
}

/// v0 is away while the middle of the chain runs.
std::vector<game::Move> awaySchedule(const game::Problem &p) {
  std::vector<game::Move> moves = {{MoveKind::Compute, 0, 0},
                                   {MoveKind::Compute, 1, 0},
                                   {MoveKind::Store, 0, 1},
                                   {MoveKind::Drop, 0, 0}};
  Id last = p.steps.size() - 1;
  for (Id i = 2; i < last; ++i) {
    moves.push_back({MoveKind::Compute, i, 0});
    moves.push_back({MoveKind::Drop, i - 1, 0});
  }
  moves.push_back({MoveKind::Load, 0, 1});
  moves.push_back({MoveKind::Drop, 0, 1});
  moves.push_back({MoveKind::Compute, last, 0});
  return moves;
}

TEST(Timeline, TransfersRunBesideSteps) {
  game::Problem p = chain(3);
  std::vector<Action> actions = {{R, 0}, {S, 0, 1}, {R, 1}, {W, 0}, {R, 2}};
  Timeline beside = replay(p, actions, all(p, 10, 7));
  ASSERT_TRUE(beside.verdict.ok()) << beside.verdict.message;
  EXPECT_EQ(beside.makespan, 30);
  EXPECT_EQ(beside.stalled, 0);
  EXPECT_EQ(beside.moving, 7);
  EXPECT_EQ(beside.peak, (std::vector<int64_t>{30, 10}));
  EXPECT_EQ(beside.begins, (std::vector<int64_t>{0, 10, 10, 20, 20}));
  EXPECT_EQ(beside.ends, (std::vector<int64_t>{10, 17, 20, 20, 30}));
  EXPECT_EQ(replay(p, actions, all(p, 10, 7), std::nullopt, false).makespan,
            37);
}

TEST(Timeline, WaitForWhatHasNotEndedIsAStall) {
  game::Problem p = chain(3);
  Timeline late =
      replay(p, {{R, 0}, {S, 0, 1}, {R, 1}, {W, 0}, {R, 2}}, all(p, 10, 25));
  EXPECT_EQ(late.makespan, 45);
  EXPECT_EQ(late.stalled, 15);
}

TEST(Timeline, TransfersWaitForEachOther) {
  game::Problem p = chain(3);
  Timeline queued =
      replay(p, {{R, 0}, {S, 0, 1}, {R, 1}, {S, 1, 1}, {W, 1}, {W, 0}, {R, 2}},
             all(p, 10, 25));
  ASSERT_TRUE(queued.verdict.ok()) << queued.verdict.message;
  EXPECT_EQ(queued.makespan, 70);
  EXPECT_EQ(queued.stalled, 40);
}

TEST(Timeline, RulesOfAScheduleHold) {
  game::Problem p = chain(3);
  Timeline none = replay(p, {{R, 0}, {W, 0}, {R, 2}}, all(p, 1, 1));
  EXPECT_EQ(none.verdict.rule, "M2");
  EXPECT_EQ(none.verdict.at, 2u);
  EXPECT_EQ(replay(p, {{R, 0}, {R, 1}, {R, 2}}, all(p, 1, 1), 29).verdict.rule,
            "M11");
}

TEST(Timeline, StartTakesItsRoomAtOnce) {
  game::Problem p = chain(4);
  std::vector<Action> actions = {{R, 0},    {S, 0, 1}, {W, 0}, {R, 1}, {D, 0},
                                 {L, 0, 1}, {R, 2},    {D, 1}, {W, 1}, {R, 3}};
  Timeline early = replay(p, actions, all(p, 10, 7));
  ASSERT_TRUE(early.verdict.ok()) << early.verdict.message;
  EXPECT_EQ(early.peak[0], 30);
  EXPECT_EQ(replay(p, actions, all(p, 10, 7), 29).verdict.rule, "M11");
}

TEST(Timeline, T1WaitForNothing) {
  game::Problem p = chain(3);
  EXPECT_EQ(rule(p, {{R, 0}, {W, 0}, {R, 1}, {R, 2}}), "T1");
}
TEST(Timeline, T1WaitTwice) {
  game::Problem p = chain(3);
  EXPECT_EQ(rule(p, {{R, 0}, {S, 0, 1}, {W, 0}, {W, 0}, {R, 1}, {R, 2}}), "T1");
}
TEST(Timeline, T2SourceOfAStoreIsDropped) {
  game::Problem p = chain(2);
  EXPECT_EQ(rule(p, {{R, 0}, {S, 0, 1}, {R, 1}, {D, 0}, {W, 0}}), "T2");
}
TEST(Timeline, T2SourceOfALoadIsDropped) {
  game::Problem p = chain(3);
  EXPECT_EQ(rule(p, {{R, 0},
                     {S, 0, 1},
                     {W, 0},
                     {R, 1},
                     {D, 0},
                     {L, 0, 1},
                     {D, 0, 1},
                     {W, 1},
                     {R, 2}}),
            "T2");
}
TEST(Timeline, T2SourceIsOverwritten) {
  game::Problem p = chain(2);
  // Step 1 writes into the storage of v0.
  p.values[1].storage = 0;
  p.values[1].overwrites = 0;
  p.steps[1].recomputable = false;
  EXPECT_EQ(rule(p, {{R, 0}, {S, 0, 1}, {R, 1}, {W, 0}}), "T2");
  EXPECT_EQ(rule(p, {{R, 0}, {S, 0, 1}, {W, 0}, {R, 1}}), "");
}
TEST(Timeline, T3ReadBeforeTheLoadEnded) {
  game::Problem p = chain(3);
  EXPECT_EQ(rule(p, {{R, 0},
                     {S, 0, 1},
                     {W, 0},
                     {R, 1},
                     {D, 0},
                     {L, 0, 1},
                     {R, 2},
                     {W, 1}}),
            "T3");
}
TEST(Timeline, T3MovedOnBeforeTheStoreEnded) {
  game::Problem p = chain(3);
  EXPECT_EQ(
      rule(p, {{R, 0}, {S, 0, 1}, {S, 0, 1}, {W, 0}, {W, 1}, {R, 1}, {R, 2}}),
      "T3");
}
TEST(Timeline, T4NeverWaitedFor) {
  game::Problem p = chain(3);
  EXPECT_EQ(rule(p, {{R, 0}, {S, 0, 1}, {R, 1}, {R, 2}}), "T4");
}

TEST(Timeline, DurationsFollowTheSlowerTier) {
  game::Problem p = chain(2);
  p.storages[0].bytes = 1500;
  p.hierarchy.tiers[0].bandwidth = 4000;
  p.hierarchy.tiers[1].bandwidth = 1000;
  p.hierarchy.tiers[1].latency = 30;
  std::optional<Durations> d = getDurations(p, {1, 1});
  ASSERT_TRUE(d);
  EXPECT_EQ(d->loads[1][0], 30 + 1500);
  EXPECT_EQ(d->stores[1][1], 30 + 10);
  p.hierarchy.tiers[1].bandwidth = 7;
  EXPECT_EQ(getDurations(p, {1, 1})->loads[1][1], 30 + 1429);
  p.hierarchy.tiers[1].bandwidth = 0;
  EXPECT_FALSE(getDurations(p, {1, 1}));
}

TEST(Overlap, HidesWhatThereIsRoomAndTimeFor) {
  game::Problem p = chain(10);
  Durations d = all(p, 10, 15);
  std::vector<game::Move> moves = awaySchedule(p);
  EXPECT_EQ(replay(p, waitAtOnce(moves), d).makespan, 130);
  Overlapped found = overlapTransfers(p, moves, d);
  ASSERT_TRUE(found.timeline.verdict.ok()) << found.timeline.verdict.message;
  EXPECT_EQ(found.timeline.makespan, 100);
  EXPECT_EQ(found.timeline.stalled, 0);
  EXPECT_EQ(found.timeline.moving, 30);
}

// In two values' room v0 cannot linger and cannot come back early: its store
// hides behind the step that reads it, and its load behind nothing.
TEST(Overlap, TakesNoRoomThatIsNotThere) {
  game::Problem p = chain(10);
  // The last step needs three values, the others two.
  Durations d = all(p, 10, 15);
  std::vector<game::Move> moves = awaySchedule(p);
  int64_t least = game::verify(p, moves).peak[0];
  ASSERT_EQ(least, 30);
  for (int64_t budget = least; budget <= least + 20; budget += 10) {
    Overlapped found = overlapTransfers(p, moves, d, budget);
    ASSERT_TRUE(found.timeline.verdict.ok());
    EXPECT_LE(found.timeline.peak[0], budget);
    EXPECT_EQ(found.timeline.makespan, 100) << budget;
  }
}

TEST(Overlap, StallsWhereTransfersTakeLonger) {
  game::Problem p = chain(4);
  Overlapped found = overlapTransfers(p, awaySchedule(p), all(p, 10, 100));
  // Both transfers one after the other, the first beside nothing but steps.
  EXPECT_EQ(found.timeline.makespan, 10 + 100 + 100 + 10);
  EXPECT_EQ(found.timeline.stalled, found.timeline.makespan - 40);
}

TEST(Overlap, NothingMovesNothingChanges) {
  game::Problem p = chain(4);
  Overlapped found = overlapTransfers(
      p, game::scheduleOfOrder(p, game::givenOrder(p)), all(p, 10, 3));
  EXPECT_EQ(found.timeline.makespan, 40);
  EXPECT_EQ(found.timeline.moving, 0);
}

TEST(Overlap, RandomSchedulesKeepTheRulesAndAreNoSlower) {
  unsigned moved = 0, faster = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    game::Problem p = test::randomProblem(seed, 8);
    p.hierarchy.tiers.resize(2);
    p.hierarchy.tiers[0].name = "fast";
    p.hierarchy.tiers[1].name = "slow";
    graph::RematSearchOptions options;
    options.means.recompute = seed % 2;
    options.means.offload = true;
    options.means.offloadRate = 1;
    options.effort = 20000;
    int64_t most =
        game::verify(p, game::scheduleOfOrder(p, game::givenOrder(p))).peak[0];
    options.budget = most - 1 - static_cast<int64_t>(seed % 4);
    game::Schedule schedule = graph::rematSearch(p, options);
    if (schedule.moves.empty() ||
        !game::verify(p, schedule.moves, options.budget).verdict.ok())
      continue;
    Durations d = all(p, 5, 4 + static_cast<int64_t>(seed % 9));
    Timeline atOnce = replay(p, waitAtOnce(schedule.moves), d, options.budget);
    Overlapped found = overlapTransfers(p, schedule.moves, d, options.budget);
    ASSERT_TRUE(found.timeline.verdict.ok()) << seed;
    EXPECT_LE(found.timeline.makespan, atOnce.makespan) << seed;
    EXPECT_EQ(found.timeline.computing, atOnce.computing) << seed;
    EXPECT_EQ(found.timeline.moving, atOnce.moving) << seed;
    EXPECT_GE(found.timeline.makespan,
              std::max(atOnce.computing, atOnce.moving))
        << seed;
    EXPECT_EQ(found.timeline.makespan,
              found.timeline.computing + found.timeline.stalled)
        << seed;
    moved += atOnce.moving > 0;
    faster += found.timeline.makespan < atOnce.makespan;
  }
  EXPECT_GT(moved, 50u);
  EXPECT_GT(2 * faster, moved);
}

} // namespace
