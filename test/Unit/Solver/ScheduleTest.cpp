//===- ScheduleTest.cpp - every rule M* broken on purpose -----------------===//

#include "pebble/Solver/Game/Schedule.h"

#include "SparseParity.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;

namespace {

constexpr MoveKind C = MoveKind::Compute, S = MoveKind::Store,
                   L = MoveKind::Load, D = MoveKind::Drop;

/// a -> b -> c, c also reads a; c is required. Values 0..2 = results of steps
/// 0..2 with sizes 3, 5, 2; two explicit tiers.
Problem chain() {
  Problem p;
  int64_t sizes[] = {3, 5, 2};
  for (Id i = 0; i < 3; ++i) {
    std::string name(1, char('a' + i));
    p.storages.push_back({name, sizes[i], sizes[i], false, false});
    p.values.push_back({name, i, i, kNone, i == 2, true});
    Step s;
    s.name = name;
    s.cost = 10 + i;
    if (i)
      s.reads.push_back({i - 1, sizes[i - 1]});
    s.writes.push_back({i, sizes[i]});
    p.steps.push_back(s);
  }
  p.steps[2].reads.push_back({0, 3});
  p.hierarchy.tiers.resize(2);
  p.hierarchy.tiers[0].name = "fast";
  p.hierarchy.tiers[1].name = "slow";
  return p;
}

std::string rule(const Problem &p, const std::vector<Move> &moves,
                 std::optional<int64_t> budget = std::nullopt) {
  return verify(p, moves, budget).verdict.rule;
}

TEST(Schedule, ReplayMeasures) {
  Problem p = chain();
  Replay r = verify(p, {{C, 0, 0},
                        {S, 0, 1},
                        {C, 1, 0},
                        {D, 0, 0},
                        {L, 0, 1},
                        {C, 2, 0},
                        {D, 1, 0}});
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.cost, 33);
  EXPECT_EQ(r.peak, (std::vector<int64_t>{10, 3}));
  EXPECT_EQ(r.stored, (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(r.loaded, (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(r.live, (std::vector<int64_t>{3, 3, 8, 8, 8, 10, 10}));
}

TEST(Schedule, RecomputationIsCounted) {
  Problem p = chain();
  Replay r =
      verify(p, {{C, 0, 0}, {C, 1, 0}, {D, 0, 0}, {C, 0, 0}, {C, 2, 0}}, 10);
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.cost, 43);
}

TEST(Schedule, ScratchIsLiveWhileTheStepRuns) {
  Problem p = chain();
  p.steps[1].scratch = 7;
  Replay r = verify(p, scheduleOfOrder(p, givenOrder(p)));
  EXPECT_EQ(r.peak[0], 15);
  EXPECT_EQ(r.live[1], 15);
  EXPECT_EQ(r.live[2], 10);
}

TEST(Schedule, M1NoSuchStepValueOrTier) {
  EXPECT_EQ(rule(chain(), {{C, 9, 0}}), "M1");
  EXPECT_EQ(rule(chain(), {{D, 9, 0}}), "M1");
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {S, 0, 5}}), "M1");
}

TEST(Schedule, M2InputMissing) {
  Replay r = verify(chain(), {{C, 0, 0}, {D, 0, 0}, {C, 1, 0}});
  EXPECT_EQ(r.verdict.rule, "M2");
  EXPECT_EQ(r.verdict.at, 2u);
}

TEST(Schedule, M3ReadsOverwritten) {
  Problem p = test::sparseParity();
  std::vector<Id> fused = test::orderByNames(
      p, {"fwd_linear1", "fwd_relu", "fwd_linear2", "fwd_loss", "bwd_loss",
          "bwd_dW2", "upd_W2", "bwd_db2", "upd_b2", "bwd_dh", "bwd_relu",
          "bwd_dW1", "upd_W1", "bwd_db1", "upd_b1"});
  Replay r = verify(p, scheduleOfOrder(p, fused));
  EXPECT_EQ(r.verdict.rule, "M3");
  EXPECT_NE(r.verdict.message.find("bwd_dh"), std::string::npos);
  EXPECT_NE(r.verdict.message.find("W2"), std::string::npos);
}

TEST(Schedule, M4ResultAlreadyThere) {
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {C, 0, 0}}), "M4");
}

TEST(Schedule, M5SecondRun) {
  Problem p = chain();
  p.steps[0].recomputable = false;
  EXPECT_EQ(rule(p, {{C, 0, 0}, {D, 0, 0}, {C, 0, 0}}), "M5");
}

TEST(Schedule, M6EffectOrder) {
  Problem p = chain();
  p.steps[2].reads.clear();
  p.precedences.push_back({1, 2, DependenceKind::Effect, kNone});
  EXPECT_EQ(rule(p, {{C, 0, 0}, {C, 2, 0}, {C, 1, 0}}), "M6");
  EXPECT_EQ(rule(p, {{C, 0, 0}, {C, 1, 0}, {C, 2, 0}}), "");
}

TEST(Schedule, M7OverwritesWhatIsNotThere) {
  Problem p = test::sparseParity();
  Id updW1 = test::orderByNames(p, {"upd_W1"})[0];
  p.steps[updW1].reads.clear();
  EXPECT_EQ(rule(p, {{D, 0, 0}, {C, updW1, 0}}), "M7");
}

TEST(Schedule, M8Store) {
  Problem p = chain();
  EXPECT_EQ(rule(p, {{S, 0, 1}}), "M8");
  EXPECT_EQ(rule(p, {{C, 0, 0}, {S, 0, 0}}), "M8");
  p.values[0].offloadable = false;
  EXPECT_EQ(rule(p, {{C, 0, 0}, {S, 0, 1}}), "M8");
}

TEST(Schedule, M9Load) {
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {L, 0, 1}}), "M9");
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {S, 0, 1}, {L, 0, 1}}), "M9");
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {L, 0, 0}}), "M9");
}

TEST(Schedule, M9LoadIntoAStorageInUse) {
  // The old content may not come back while the new one is in its storage.
  Problem p = test::sparseParity();
  p.hierarchy = chain().hierarchy;
  Id updW1 = test::orderByNames(p, {"upd_W1"})[0];
  p.steps[updW1].reads.clear();
  EXPECT_EQ(rule(p, {{S, 0, 1}, {C, updW1, 0}, {L, 0, 1}}), "M9");
}

TEST(Schedule, M10Drop) {
  EXPECT_EQ(rule(chain(), {{D, 0, 0}}), "M10");
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {D, 0, 1}}), "M10");
  Problem p = chain();
  p.storages[0].pinned = true;
  EXPECT_EQ(rule(p, {{C, 0, 0}, {D, 0, 0}}), "M10");
}

TEST(Schedule, M10DropOfAnOverwrittenContent) {
  // Dropping the old name would free the storage that the new one lives in.
  Problem p = test::sparseParity();
  Id updW1 = test::orderByNames(p, {"upd_W1"})[0];
  p.steps[updW1].reads.clear();
  EXPECT_EQ(rule(p, {{C, updW1, 0}, {D, 0, 0}}), "M10");
}

TEST(Schedule, M11BudgetAndCapacity) {
  Problem p = chain();
  auto moves = scheduleOfOrder(p, givenOrder(p));
  EXPECT_EQ(rule(p, moves, 10), "");
  Replay r = verify(p, moves, 9);
  EXPECT_EQ(r.verdict.rule, "M11");
  EXPECT_EQ(r.verdict.at, 2u);
  p.hierarchy.tiers[0].capacity = 9;
  EXPECT_EQ(rule(p, moves), "M11");
  p = chain();
  p.hierarchy.tiers[1].capacity = 2;
  EXPECT_EQ(rule(p, {{C, 0, 0}, {S, 0, 1}}), "M11");
  // What is there from the start counts before any move.
  EXPECT_EQ(rule(test::sparseParity(), {}, 88087), "M11");
}

TEST(Schedule, M12EveryStepRunsAndRequiredStays) {
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {C, 1, 0}}), "M12");
  EXPECT_EQ(rule(chain(), {{C, 0, 0}, {C, 1, 0}, {C, 2, 0}, {D, 2, 0}}), "M12");
}

TEST(Schedule, OrderDropsAfterTheLastUse) {
  Problem p = chain();
  auto moves = scheduleOfOrder(p, givenOrder(p));
  // c is required; a and b are dropped after c has run.
  ASSERT_EQ(moves.size(), 5u);
  EXPECT_EQ(moves[3].kind, D);
  EXPECT_EQ(moves[4].kind, D);
  EXPECT_TRUE(verify(p, moves).verdict.ok());
}

TEST(Schedule, UpdateInPlaceIsNoSecondAllocation) {
  Problem p = test::sparseParity();
  Replay r = verify(p, scheduleOfOrder(p, givenOrder(p)));
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  // 22,022 floats of arguments; at bwd_db1: db2, dW2, dh_pre, dW1, db1 as well.
  EXPECT_EQ(r.peak[0], 4 * (22022 + 1 + 1000 + 1000 + 20000 + 1000));
}

TEST(Schedule, UnreadDonatedArgumentIsDroppedFirst) {
  Problem p = chain();
  p.storages.push_back({"arg", 100, 100, true, false});
  p.values.push_back({"arg", 3, kNone, kNone, false, true});
  auto moves = scheduleOfOrder(p, givenOrder(p));
  EXPECT_EQ(moves[0].kind, D);
  Replay r = verify(p, moves);
  ASSERT_TRUE(r.verdict.ok());
  EXPECT_EQ(r.peak[0], 100);
  EXPECT_EQ(r.live[1], 3);
}

} // namespace
