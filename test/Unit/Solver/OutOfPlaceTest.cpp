//===- OutOfPlaceTest.cpp - updates that need not be in place -------------===//

#include "pebble/Solver/Portfolio/OutOfPlace.h"
#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Solver/Timeline/MakespanBound.h"

#include "RandomProblem.h"
#include "RematFixtures.h"
#include "TierProblem.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::test;
using portfolio::Update;

namespace {

/// `a` is small; `m` is large and made of it; `u` overwrites it; `o` is large,
/// too; at the end `m` and `u` are wanted.
Problem wantedLate() {
  Problem p = smallProblem({{"a", {}, 5, 1},
                            {"m", {"a"}, 1, 8},
                            {"s", {"m"}, 1, 1},
                            {"u", {"a"}, 1, 1},
                            {"o", {"u", "s"}, 1, 8},
                            {"q", {"o"}, 1, 1},
                            {"r", {"m", "q"}, 1, 1}});
  p.values[3].storage = p.values[0].storage;
  p.values[3].overwrites = 0;
  p.values[3].required = true;
  p.steps[3].recomputable = false;
  return p;
}

/// Layers of a small value, a large one made of it, and an update of the small
/// one, which often reads more; then what was made is read again, the last one
/// first.
Problem randomLayers(uint64_t seed) {
  graph::Random random(seed * 31 + 5);
  Problem p = smallProblem({});
  auto add = [&](std::vector<Id> reads, int64_t size, Id overwrites = kNone) {
    const Id id = p.steps.size();
    Value value;
    value.name = "v" + std::to_string(id);
    value.producer = id;
    value.overwrites = overwrites;
    value.storage = p.storages.size();
    if (overwrites == kNone) {
      Storage storage;
      storage.name = value.name;
      storage.bytes = storage.footprint = size;
      p.storages.push_back(storage);
    } else {
      value.storage = p.values[overwrites].storage;
    }
    Step step;
    step.name = value.name;
    step.cost = 1 + random.below(4);
    step.recomputable = overwrites == kNone;
    for (Id read : reads)
      step.reads.push_back({read, p.storages[p.values[read].storage].bytes});
    step.writes = {{id, p.storages[value.storage].bytes}};
    p.values.push_back(value);
    p.steps.push_back(step);
    return id;
  };
  Id last = add({}, 1);
  std::vector<std::vector<Id>> late;
  for (uint64_t layer = 0; layer < 2 + random.below(2); ++layer) {
    const Id small = add({last}, 1 + random.below(2));
    const Id large = add({small}, 4 + random.below(4));
    const Id sum = add({large}, 1);
    const Id update =
        random.below(4) ? add({small}, 0, small) : add({sum}, 0, small);
    last = add({update, sum}, 1);
    late.push_back({random.below(3) ? large : update, update});
  }
  for (size_t i = late.size(); i-- > 0;)
    last = add({late[i][0], late[i][1], last}, 1);
  p.values[last].required = true;
  return p;
}

const std::vector<std::string> kFree(7);

portfolio::Answer solve(const Problem &p, int64_t budget,
                        const std::vector<Update> &updates) {
  portfolio::Request r;
  r.problem = p;
  r.runOnce = std::vector<std::string>(p.steps.size());
  r.search.budget = budget;
  r.search.effort = 300;
  r.updates = updates;
  return portfolio::findSchedule(r);
}

std::vector<Id> valuesOf(const std::vector<Update> &updates) {
  std::vector<Id> values;
  for (const Update &update : updates)
    values.push_back(update.value);
  return values;
}

TEST(OutOfPlace, AFreshStorageFreesTheOrder) {
  const Problem p = wantedLate();
  ASSERT_TRUE(check(p).ok());
  const Problem fresh = portfolio::withFreshStorages(p, {{3, true, 4}});
  EXPECT_TRUE(check(fresh).ok()) << check(fresh).message;
  EXPECT_NE(fresh.values[3].storage, fresh.values[0].storage);
  EXPECT_EQ(fresh.values[3].overwrites, kNone);
  EXPECT_EQ(fresh.storages[fresh.values[3].storage].footprint, 1);
  EXPECT_EQ(fresh.steps[3].cost, 5);
  auto isAnti = [](const Precedence &edge) {
    return edge.kind == DependenceKind::Anti;
  };
  const auto before = allPrecedences(p), after = allPrecedences(fresh);
  EXPECT_TRUE(std::any_of(before.begin(), before.end(), isAnti));
  EXPECT_FALSE(std::any_of(after.begin(), after.end(), isAnti));
}

/// What a step leaves of the old content it reads, whatever the problem says.
TEST(OutOfPlace, ACopyReadsWhatItCopies) {
  Problem p = wantedLate();
  p.steps[3].reads.clear();
  EXPECT_TRUE(portfolio::withFreshStorages(p, {{3}}).steps[3].reads.empty());
  const Problem fresh = portfolio::withFreshStorages(p, {{3, true, 4}});
  ASSERT_EQ(fresh.steps[3].reads.size(), 1u);
  EXPECT_EQ(fresh.steps[3].reads[0].value, 0u);
}

/// The chain of what follows an update goes where the update goes.
TEST(OutOfPlace, LaterContentsMoveAlong) {
  Problem p =
      smallProblem({{"a", {}, 1, 2}, {"b", {"a"}, 1, 2}, {"c", {"b"}, 1, 2}});
  for (Id value : {1, 2}) {
    p.values[value].storage = 0;
    p.values[value].overwrites = value - 1;
    p.steps[value].recomputable = false;
  }
  const Problem fresh = portfolio::withFreshStorages(p, {{1}});
  EXPECT_TRUE(check(fresh).ok());
  EXPECT_EQ(fresh.values[2].storage, fresh.values[1].storage);
  EXPECT_EQ(fresh.values[2].overwrites, 1u);
}

TEST(OutOfPlace, UnitsBlockNothing) {
  Problem p = wantedLate();
  EXPECT_EQ(valuesOf(portfolio::findBlocking(p, kFree, {{3}})),
            std::vector<Id>{3});
  // Nobody else reads what is overwritten: the two are one unit.
  p.steps[1].reads.clear();
  EXPECT_TRUE(portfolio::findBlocking(p, kFree, {{3}}).empty());
}

TEST(OutOfPlace, AnUpdateStaysWhereItsOldContentIsDead) {
  const Problem p = wantedLate();
  const Problem fresh = portfolio::withFreshStorages(p, {{3}});
  auto getNeeded = [&](const std::vector<Id> &runs) {
    const std::vector<Move> moves = graph::scheduleOfRuns(fresh, runs);
    EXPECT_TRUE(verify(fresh, moves).verdict.ok());
    return valuesOf(portfolio::findNeeded(p, {{3}}, moves));
  };
  EXPECT_TRUE(getNeeded({0, 1, 2, 3, 4, 5, 6}).empty());
  // m is made again of a, which is kept, or made again beside u.
  EXPECT_EQ(getNeeded({0, 1, 2, 3, 4, 5, 1, 6}), std::vector<Id>{3});
  EXPECT_EQ(getNeeded({0, 1, 2, 3, 4, 5, 0, 1, 6}), std::vector<Id>{3});
}

TEST(OutOfPlace, TheFloorIsThatWithoutUpdates) {
  const Problem p = wantedLate();
  // In place, a and u would have to be made again, one after the other.
  EXPECT_EQ(solve(p, 12, {}).schedule.status, Status::Unknown);
  const portfolio::Answer found = solve(p, 12, {{3}});
  ASSERT_TRUE(isAnswered(found.schedule.status));
  EXPECT_EQ(valuesOf(found.outOfPlace), std::vector<Id>{3});
  EXPECT_EQ(found.schedule.cost, 12);
  EXPECT_EQ(found.schedule.status, Status::Optimal);
  const Problem fresh = portfolio::withFreshStorages(p, found.outOfPlace);
  EXPECT_TRUE(verify(fresh, found.schedule.moves, 12).verdict.ok());
  EXPECT_EQ(
      found.schedule.cost,
      solve(portfolio::withFreshStorages(p, {{3}}), 12, {}).schedule.cost);
  // A copy that costs is paid for, once.
  EXPECT_EQ(solve(p, 12, {{3, true, 7}}).schedule.cost, 19);
  // Where the updates fit as they are, they stay.
  EXPECT_TRUE(solve(p, 20, {{3}}).outOfPlace.empty());
}

/// Beside steps an update in place waits for the store of what it overwrites,
/// which one out of place does not.
TEST(OutOfPlace, ByTheClockNoUpdateWaitsForATransfer) {
  size_t faster = 0, moved = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TierProblem t = withSlowTiers(randomLayers(seed), {kUnbounded}, seed, 9);
    const Problem &p = t.problem;
    std::vector<Update> updates;
    for (Id value = 0; value < p.values.size(); ++value)
      if (p.values[value].overwrites != kNone)
        updates.push_back({value, false, 0});
    portfolio::Request r;
    r.objective = portfolio::Objective::Time;
    r.runOnce = std::vector<std::string>(p.steps.size());
    r.search.transfers = t.costs;
    r.search.means.offload = true;
    r.search.effort = 100;
    r.search.budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] - 2;
    r.problem = p;
    const portfolio::Answer asIs = portfolio::findSchedule(r);
    r.problem = portfolio::withFreshStorages(p, updates);
    const portfolio::Answer apart = portfolio::findSchedule(r);
    r.problem = p;
    r.updates = updates;
    const portfolio::Answer found = portfolio::findSchedule(r);
    for (const portfolio::Answer *other : {&asIs, &apart}) {
      if (!isAnswered(other->schedule.status))
        continue;
      ASSERT_TRUE(isAnswered(found.schedule.status));
      ASSERT_LE(found.schedule.cost, other->schedule.cost);
    }
    if (!isAnswered(found.schedule.status))
      continue;
    ASSERT_LE(found.schedule.bound, found.schedule.cost);
    const Problem judged = portfolio::judgedProblem(
        portfolio::withFreshStorages(p, found.outOfPlace), r.runOnce);
    const timeline::Timeline clock = timeline::replay(
        judged,
        found.program ? found.program->actions
                      : timeline::waitAtOnce(found.schedule.moves),
        timeline::durationsOf(judged, t.costs), r.search.budget);
    ASSERT_TRUE(clock.verdict.ok()) << clock.verdict.message;
    ASSERT_EQ(clock.makespan, found.schedule.cost);
    ASSERT_EQ(clock.peak[0], found.schedule.peak);
    faster += isAnswered(asIs.schedule.status) &&
              found.schedule.cost < asIs.schedule.cost;
    moved += !found.outOfPlace.empty();
  }
  EXPECT_GT(moved, 0u);
  RecordProperty("faster", static_cast<int>(faster));
}

/// Every answer is one of its problem, and no dearer than either form.
TEST(OutOfPlace, AnswersAreNoDearerThanEitherForm) {
  size_t lifted = 0, moved = 0, cheaper = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomLayers(seed);
    ASSERT_TRUE(check(p).ok()) << check(p).message;
    const std::vector<std::string> runOnce(p.steps.size());
    std::vector<Update> updates;
    for (Id value = 0; value < p.values.size(); ++value)
      if (p.values[value].overwrites != kNone)
        updates.push_back(
            {value, value % 2 == 0, value % 2 == 0 ? int64_t(seed % 3) : 0});
    portfolio::Request r;
    r.problem = p;
    r.runOnce = runOnce;
    r.search.effort = 300;
    const int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    for (int64_t budget = most - 1; budget > most - 8; budget -= 4) {
      r.search.budget = budget;
      r.problem = p;
      r.updates.clear();
      const portfolio::Answer asIs = portfolio::findSchedule(r);
      const std::vector<Update> blocking =
          portfolio::findBlocking(p, runOnce, updates);
      r.problem = portfolio::withFreshStorages(p, blocking);
      const portfolio::Answer apart = portfolio::findSchedule(r);
      r.problem = p;
      r.updates = updates;
      const portfolio::Answer found = portfolio::findSchedule(r);
      for (const portfolio::Answer *other : {&asIs, &apart}) {
        if (!isAnswered(other->schedule.status))
          continue;
        ASSERT_TRUE(isAnswered(found.schedule.status));
        ASSERT_LE(found.schedule.cost, other->schedule.cost);
        ASSERT_LE(found.schedule.bound, found.schedule.cost);
      }
      if (!isAnswered(found.schedule.status))
        continue;
      const Problem judged = portfolio::judgedProblem(
          portfolio::withFreshStorages(p, found.outOfPlace), runOnce);
      const Replay replay = verify(judged, found.schedule.moves, budget);
      ASSERT_TRUE(replay.verdict.ok()) << replay.verdict.message;
      ASSERT_EQ(replay.cost, found.schedule.cost);
      ASSERT_EQ(replay.peak[0], found.schedule.peak);
      lifted += !isAnswered(asIs.schedule.status);
      cheaper += isAnswered(asIs.schedule.status) &&
                 found.schedule.cost < asIs.schedule.cost;
      moved += !found.outOfPlace.empty();
    }
  }
  EXPECT_GT(lifted, 0u);
  EXPECT_GT(moved, 0u);
  RecordProperty("cheaper", static_cast<int>(cheaper));
}

} // namespace
