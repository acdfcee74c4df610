//===- PackedOrderTest.cpp - orders that a greedy allocator packs ---------===//

#include "pebble/Solver/Remat/PackedOrder.h"

#include "Solver/Graph/Random.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

/// What steps make and nobody has before or after, with lifetimes read off the
/// moves one by one; scratch too.
/// Each run takes one unit of time, or with `perRun` so much and one for each
/// access.
std::vector<addresses::Buffer> buffersOf(const Problem &p,
                                         const std::vector<Move> &moves,
                                         int64_t perRun = 0) {
  std::vector<addresses::Buffer> buffers;
  std::map<Id, int64_t> born;
  std::vector<bool> isRequired(p.storages.size(), false);
  for (const Value &value : p.values)
    if (value.required)
      isRequired[value.storage] = true;
  int64_t place = -1;
  for (const Move &move : moves) {
    if (move.kind == MoveKind::Compute) {
      const auto reads =
          static_cast<int64_t>(p.steps[move.subject].reads.size());
      place += perRun ? perRun + reads : 1;
      for (const Access &write : p.steps[move.subject].writes)
        born.try_emplace(p.values[write.value].storage, place);
      if (const int64_t scratch = p.steps[move.subject].scratch)
        buffers.push_back({"", place, place + 1, scratch});
      continue;
    }
    const Id storage = p.values[move.subject].storage;
    auto found = born.find(storage);
    if (found == born.end())
      continue;
    if (!p.storages[storage].initial && !isRequired[storage])
      buffers.push_back(
          {"", found->second, place + 1, p.storages[storage].footprint});
    born.erase(found);
  }
  return buffers;
}

std::vector<Id> sortedRuns(const std::vector<Move> &moves) {
  std::vector<Id> runs;
  for (const Move &move : moves)
    if (move.kind == MoveKind::Compute)
      runs.push_back(move.subject);
  std::sort(runs.begin(), runs.end());
  return runs;
}

/// Places `buffers` in their order, byte by byte.
int64_t placeByBytes(const std::vector<addresses::Buffer> &buffers) {
  std::vector<int64_t> offsets;
  int64_t extent = 0;
  for (const addresses::Buffer &buffer : buffers) {
    std::vector<bool> taken(2000, false);
    for (size_t i = 0; i < offsets.size(); ++i)
      if (buffers[i].lower < buffer.upper && buffer.lower < buffers[i].upper)
        for (int64_t at = 0; at < buffers[i].size; ++at)
          taken[static_cast<size_t>(offsets[i] + at)] = true;
    int64_t best = 0, smallest = INT64_MAX, begin = 0;
    for (int64_t at = 0; at <= 2000; ++at) {
      if (at < 2000 && !taken[static_cast<size_t>(at)])
        continue;
      // What is free at the end has no end.
      const int64_t gap = at == 2000 ? INT64_MAX - 1 : at - begin;
      if (gap >= buffer.size && gap < smallest) {
        smallest = gap;
        best = begin;
      }
      begin = at + 1;
    }
    offsets.push_back(best);
    extent = std::max(extent, best + buffer.size);
  }
  return extent;
}

} // namespace

TEST(GreedyExtent, IsThatOfBuffersPlacedOneByOne) {
  EXPECT_EQ(getGreedyExtent({}), 0);
  EXPECT_EQ(getGreedyExtent({{"a", 0, 2, 5}, {"b", 2, 3, 7}}), 7);
  // By size a lies at 0, b at 0 once a is gone, d on b, and c on a.
  EXPECT_EQ(
      getGreedyExtent(
          {{"a", 0, 2, 6}, {"b", 2, 4, 5}, {"c", 1, 3, 3}, {"d", 3, 4, 4}}),
      9);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    graph::Random random(seed);
    std::vector<addresses::Buffer> buffers;
    for (size_t i = 0; i < 4 + seed % 20; ++i) {
      const auto lower = static_cast<int64_t>(random.below(20));
      buffers.push_back({"", lower,
                         lower + 1 + static_cast<int64_t>(random.below(6)),
                         1 + static_cast<int64_t>(random.below(30))});
    }
    auto largerFirst = [](const addresses::Buffer &a,
                          const addresses::Buffer &b) {
      return std::tuple(-a.size, a.lower - a.upper, a.lower) <
             std::tuple(-b.size, b.lower - b.upper, b.lower);
    };
    auto longerFirst = [](const addresses::Buffer &a,
                          const addresses::Buffer &b) {
      return std::tuple(a.lower - a.upper, -a.size, a.lower) <
             std::tuple(b.lower - b.upper, -b.size, b.lower);
    };
    std::vector<addresses::Buffer> other = buffers;
    std::sort(buffers.begin(), buffers.end(), largerFirst);
    std::sort(other.begin(), other.end(), longerFirst);
    EXPECT_EQ(getGreedyExtent(buffers),
              std::min(placeByBytes(buffers), placeByBytes(other)));
  }
}

TEST(PackedOrder, KeepsRunsAndPeakAndLowersTheExtent) {
  size_t improved = 0, seen = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed, 6 + seed % 20);
    const std::vector<Move> given = scheduleOfOrder(p, givenOrder(p));
    const Replay before = verify(p, given);
    ASSERT_TRUE(before.verdict.ok());
    const PackedOrder packed = packOrder(p, given, {seed, 20000, {}});
    const Replay after = verify(p, packed.moves, before.peak[0]);
    ASSERT_TRUE(after.verdict.ok()) << after.verdict.message;
    EXPECT_EQ(after.cost, before.cost);
    EXPECT_EQ(sortedRuns(packed.moves), sortedRuns(given));
    EXPECT_LE(packed.extent, packed.before);
    if (packed.before == 0)
      continue;
    ++seen;
    EXPECT_EQ(getGreedyExtent(buffersOf(p, given)), packed.before);
    EXPECT_EQ(getGreedyExtent(buffersOf(p, packed.moves)), packed.extent);
    improved += packed.extent < packed.before;
  }
  EXPECT_GT(seen, 200u);
  EXPECT_GT(improved, 20u);
}

TEST(PackedOrder, HoldsWhereStepsTakeOtherTimes) {
  // The allocator sorts by lifetimes, which nobody knows exactly.
  int64_t idle = 0, before = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Problem p = randomProblem(seed, 10 + seed % 30);
    const std::vector<Move> given = scheduleOfOrder(p, givenOrder(p));
    const PackedOrder packed = packOrder(p, given, {seed, 100000, {}});
    for (int64_t perRun : {1, 2, 5}) {
      const int64_t least = getGreedyExtent(buffersOf(p, packed.moves));
      idle += std::max<int64_t>(
          0, getGreedyExtent(buffersOf(p, packed.moves, perRun)) - least);
      before += std::max<int64_t>(
          0, getGreedyExtent(buffersOf(p, given, perRun)) - least);
    }
  }
  EXPECT_LT(idle * 16, before);
}

TEST(PackedOrder, TheSameSeedGivesTheSameAnswer) {
  const Problem p = randomProblem(11, 25);
  const std::vector<Move> given = scheduleOfOrder(p, givenOrder(p));
  const PackedOrder a = packOrder(p, given, {3, 50000, {}}),
                    b = packOrder(p, given, {3, 50000, {}});
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (size_t i = 0; i < a.moves.size(); ++i)
    EXPECT_EQ(a.moves[i].subject, b.moves[i].subject);
}

TEST(PackedOrder, RunsThatComeAgainStay) {
  // Everything that may run again runs twice: once more right before its reader
  // wherever that is legal.
  size_t again = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed, 14);
    std::vector<Id> runs = givenOrder(p);
    for (size_t i = 0; i + 2 < runs.size(); ++i)
      if (p.steps[runs[i]].recomputable && i % 3 == 0) {
        std::vector<Id> more = runs;
        more.insert(more.begin() + static_cast<long>(i) + 2, runs[i]);
        if (verify(p, scheduleOfRuns(p, more)).verdict.ok())
          runs = more;
      }
    const std::vector<Move> moves = scheduleOfRuns(p, runs);
    const Replay before = verify(p, moves);
    ASSERT_TRUE(before.verdict.ok());
    const PackedOrder packed = packOrder(p, moves, {seed, 20000, {}});
    const Replay after = verify(p, packed.moves, before.peak[0]);
    ASSERT_TRUE(after.verdict.ok()) << after.verdict.message;
    EXPECT_EQ(sortedRuns(packed.moves), sortedRuns(moves));
    again += runs.size() > p.steps.size() && packed.extent < packed.before;
  }
  EXPECT_GT(again, 3u);
}
