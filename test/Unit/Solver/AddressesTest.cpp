//===- AddressesTest.cpp - placements against all of them -----------------===//

#include "pebble/Solver/Addresses/PlaceBuffers.h"

#include "Solver/Graph/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace pebble;
using namespace pebble::addresses;

namespace {

std::vector<Buffer> randomBuffers(uint64_t seed, size_t count, int64_t times,
                                  int64_t most) {
  graph::Random random(seed);
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < count; ++i) {
    auto lower = static_cast<int64_t>(random.below(times));
    auto upper = lower + 1 + static_cast<int64_t>(random.below(times - lower));
    buffers.push_back({"b" + std::to_string(i), lower, upper,
                       1 + static_cast<int64_t>(random.below(most))});
  }
  return buffers;
}

/// Buffers that fill `bytes` at every time: what dies makes room for others,
/// which need not fit where it lay.
std::vector<Buffer> fullBuffers(uint64_t seed, int64_t times, int64_t bytes) {
  graph::Random random(seed);
  std::vector<Buffer> buffers;
  std::vector<size_t> live;
  int64_t load = 0;
  for (int64_t time = 0; time < times; ++time) {
    for (size_t i = live.size(); i-- > 0;)
      if (random.below(3) == 0) {
        buffers[live[i]].upper = time;
        load -= buffers[live[i]].size;
        live.erase(live.begin() + static_cast<ptrdiff_t>(i));
      }
    while (load < bytes) {
      int64_t most = std::min<int64_t>(3, bytes - load);
      auto size = 1 + static_cast<int64_t>(random.below(most));
      load += size;
      live.push_back(buffers.size());
      buffers.push_back(
          {"b" + std::to_string(buffers.size()), time, times, size});
    }
  }
  return buffers;
}

/// Whether the buffers from `at` on have offsets within `extent`: tries every
/// one, in the order of the buffers' births.
bool hasOffsets(const std::vector<Buffer> &buffers, int64_t extent,
                std::vector<int64_t> &offsets, int64_t alignment = 1,
                size_t at = 0) {
  if (at == buffers.size())
    return true;
  const Buffer &buffer = buffers[at];
  for (int64_t offset = 0; offset + buffer.size <= extent;
       offset += alignment) {
    bool isFree = true;
    for (size_t other = 0; other < at && isFree; ++other)
      isFree = buffers[other].upper <= buffer.lower ||
               buffer.upper <= buffers[other].lower ||
               offsets[other] + buffers[other].size <= offset ||
               offset + buffer.size <= offsets[other];
    offsets[at] = offset;
    if (isFree && hasOffsets(buffers, extent, offsets, alignment, at + 1))
      return true;
  }
  return false;
}

int64_t leastExtent(const std::vector<Buffer> &buffers, int64_t alignment = 1) {
  std::vector<int64_t> offsets(buffers.size());
  int64_t extent = getPeak(buffers);
  while (!hasOffsets(buffers, extent, offsets, alignment))
    ++extent;
  return extent;
}

TEST(Addresses, PlacementsOfSmallProblemsAreTheBest) {
  unsigned abovePeak = 0;
  for (uint64_t seed = 700; seed < 830; ++seed) {
    std::vector<Buffer> buffers = fullBuffers(seed, 8, 8);
    Placement found = placeBuffers(buffers);
    ASSERT_EQ(found.status, game::Status::Optimal) << seed;
    EXPECT_EQ(found.extent, leastExtent(buffers)) << seed;
    EXPECT_EQ(verify(buffers, found.offsets, 1, found.extent).error, "");
    abovePeak += found.extent > getPeak(buffers);
  }
  EXPECT_GT(abovePeak, 0u);
}

TEST(Addresses, LargerOnesAreNoWorseThanGreedyOnes) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<Buffer> buffers = randomBuffers(seed, 120, 40, 1000);
    PlaceOptions options;
    options.effort = 400000;
    Placement best = placeBuffers(buffers, options);
    EXPECT_GE(best.extent, getPeak(buffers));
    EXPECT_GE(best.extent, best.bound);
    for (const char *solver :
         {"in-order", "greedy-by-size", "greedy", "eviction"}) {
      options.solver = solver;
      Placement other = placeBuffers(buffers, options);
      EXPECT_EQ(other.solver, solver);
      EXPECT_LE(best.extent, other.extent) << solver;
      EXPECT_EQ(verify(buffers, other.offsets, 1, other.extent).error, "");
    }
  }
}

TEST(Addresses, SameSeedSameAnswer) {
  std::vector<Buffer> buffers = randomBuffers(3, 60, 30, 500);
  PlaceOptions options;
  options.effort = 200000;
  EXPECT_EQ(placeBuffers(buffers, options).offsets,
            placeBuffers(buffers, options).offsets);
}

TEST(Addresses, OffsetsAreAligned) {
  std::vector<Buffer> buffers = randomBuffers(5, 20, 10, 500);
  PlaceOptions options;
  options.alignment = 64;
  Placement found = placeBuffers(buffers, options);
  EXPECT_EQ(verify(buffers, found.offsets, 64, found.extent).error, "");
}

// What lies on top ends where it ends: sizes are not rounded up.
TEST(Addresses, AlignedPlacementsOfSmallProblemsAreTheBest) {
  unsigned unrounded = 0, aboveBound = 0;
  for (int64_t alignment = 1; alignment <= 8; ++alignment)
    for (uint64_t seed = 0; seed < 40; ++seed) {
      std::vector<Buffer> buffers =
          seed % 2 ? randomBuffers(seed, 5, 8, 6) : fullBuffers(seed, 4, 5);
      const int64_t least = leastExtent(buffers, alignment);
      PlaceOptions options;
      options.alignment = alignment;
      for (const char *solver : {"", "in-order", "greedy-by-size", "greedy",
                                 "eviction", "local-search"}) {
        options.solver = solver;
        options.effort = *solver ? 2000 : 0;
        Placement found = placeBuffers(buffers, options);
        Judgement judged = verify(buffers, found.offsets, alignment);
        ASSERT_EQ(judged.error, "") << seed << " " << alignment << solver;
        EXPECT_EQ(judged.extent, found.extent) << seed << " " << solver;
        EXPECT_LE(found.bound, least) << seed << " " << alignment << solver;
        EXPECT_EQ(found.status == game::Status::Optimal,
                  found.extent == found.bound);
        if (*solver)
          continue;
        EXPECT_EQ(found.extent, least) << seed << " " << alignment;
        EXPECT_EQ(found.status, game::Status::Optimal) << seed;
        unrounded += found.extent % alignment != 0;
      }
      // An extent that is asked for is found where there is one.
      options.solver = "";
      options.enough = least;
      aboveBound += placeBuffers(buffers, options).extent > least;
    }
  EXPECT_GT(unrounded, 100u);
  EXPECT_EQ(aboveBound, 0u);
}

/// As an allocator places them: each buffer, by birth, at the lowest offset
/// that is free for as long as it lives.
int64_t getExtentByBirth(const std::vector<Buffer> &buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(buffers[a].lower, a) < std::pair(buffers[b].lower, b);
  });
  std::vector<int64_t> offsets(buffers.size(), -1);
  int64_t extent = 0;
  for (size_t i : order) {
    int64_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t other = 0; other < buffers.size(); ++other) {
        bool meets = offsets[other] >= 0 &&
                     buffers[other].lower < buffers[i].upper &&
                     buffers[i].lower < buffers[other].upper &&
                     offsets[other] < at + buffers[i].size &&
                     at < offsets[other] + buffers[other].size;
        if (meets) {
          at = offsets[other] + buffers[other].size;
          moved = true;
        }
      }
    }
    offsets[i] = at;
    extent = std::max(extent, at + buffers[i].size);
  }
  return extent;
}

TEST(Addresses, FirstFitByBirthIsWhatAnAllocatorDoes) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<Buffer> buffers = randomBuffers(seed, 60, 25, 9);
    PlaceOptions options;
    options.solver = "in-order";
    Placement found = placeBuffers(buffers, options);
    EXPECT_EQ(verify(buffers, found.offsets).error, "") << seed;
    EXPECT_EQ(found.extent, getExtentByBirth(buffers)) << seed;
  }
}

TEST(Addresses, WhatIsOverBeforeItBeginsStillPlacesAll) {
  PlaceOptions options;
  options.limits = graph::Limits().within(-1);
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<Buffer> buffers = fullBuffers(seed, 30, 12);
    Placement found = placeBuffers(buffers, options);
    EXPECT_EQ(verify(buffers, found.offsets).error, "") << seed;
    EXPECT_EQ(found.bound, getPeak(buffers)) << seed;
    EXPECT_EQ(found.limited, found.extent > found.bound) << seed;
  }
}

/// Cuts a block of memory, for some time, into buffers that fill it: across, or
/// into a time before and one after.
void cutBuffers(graph::Random &random, int64_t lower, int64_t upper,
                int64_t size, unsigned depth, std::vector<Buffer> &buffers) {
  const bool isAcross = random.below(2) == 0;
  const int64_t length = isAcross ? size : upper - lower;
  if (depth == 0 || length < 2) {
    buffers.push_back(
        {"b" + std::to_string(buffers.size()), lower, upper, size});
    return;
  }
  const auto cut = 1 + static_cast<int64_t>(random.below(length - 1));
  if (isAcross) {
    cutBuffers(random, lower, upper, cut, depth - 1, buffers);
    cutBuffers(random, lower, upper, size - cut, depth - 1, buffers);
  } else {
    cutBuffers(random, lower, lower + cut, size, depth - 1, buffers);
    cutBuffers(random, lower + cut, upper, size, depth - 1, buffers);
  }
}

TEST(Addresses, WhatWasCutFromOneBlockFitsIntoItAgain) {
  size_t most = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    graph::Random random(seed);
    std::vector<Buffer> buffers;
    cutBuffers(random, 0, 100, 100000, 7, buffers);
    most = std::max(most, buffers.size());
    Placement found = placeBuffers(buffers);
    EXPECT_EQ(found.extent, 100000) << seed;
    EXPECT_EQ(found.status, game::Status::Optimal) << seed;
    EXPECT_FALSE(found.limited) << seed;
  }
  EXPECT_GT(most, 100u);
}

TEST(Addresses, EqualBuffersArePlacedAtTheLeast) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::vector<Buffer> kinds = randomBuffers(seed, 4, 6, 3), buffers;
    for (const Buffer &kind : kinds)
      for (int64_t copy = 0; copy <= kind.size % 3; ++copy)
        buffers.push_back(kind);
    Placement found = placeBuffers(buffers);
    ASSERT_EQ(found.status, game::Status::Optimal) << seed;
    EXPECT_EQ(found.extent, leastExtent(buffers)) << seed;
  }
}

// A search of which the tables are full ends, and proves nothing.
TEST(Addresses, FullTablesEndTheSearch) {
  PlaceOptions options;
  options.limits = graph::Limits(0, 1);
  options.effort = 200000;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<Buffer> buffers = fullBuffers(seed, 30, 12);
    Placement found = placeBuffers(buffers, options);
    EXPECT_EQ(verify(buffers, found.offsets).error, "") << seed;
    EXPECT_EQ(found.bound, getPeak(buffers)) << seed;
    EXPECT_EQ(found.limited, found.extent > found.bound) << seed;
  }
}

TEST(Addresses, SearchesKeepToTheBytesOfTables) {
  PlaceOptions options;
  options.solver = "eviction";
  options.effort = 200000;
  size_t better = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<Buffer> buffers = fullBuffers(seed, 30, 12);
    options.limits = graph::Limits();
    Placement free = placeBuffers(buffers, options);
    // Nobody's table is as small as that: what is greedy is left.
    options.limits = graph::Limits(0, 1);
    Placement bound = placeBuffers(buffers, options);
    EXPECT_EQ(verify(buffers, bound.offsets).error, "") << seed;
    EXPECT_LE(free.extent, bound.extent) << seed;
    better += free.extent < bound.extent;
  }
  EXPECT_GT(better, 0u);
}

TEST(Addresses, ManyNestedLivesArePlacedWithoutAllPairs) {
  // Each is there as long as the ones behind it, as in a forward and a
  // backward pass.
  std::vector<Buffer> buffers;
  const int64_t count = 6000;
  for (int64_t i = 0; i < count; ++i)
    buffers.push_back(
        {"b" + std::to_string(i), i, 2 * count - i, 1 + i * 7919 % 64});
  Placement found = placeBuffers(buffers);
  EXPECT_EQ(found.extent, getPeak(buffers));
  EXPECT_EQ(found.status, game::Status::Optimal);
}

TEST(Addresses, NothingToPlace) {
  EXPECT_EQ(placeBuffers({}).status, game::Status::Optimal);
  Placement empty = placeBuffers({{"a", 0, 5, 0}, {"b", 2, 2, 7}});
  EXPECT_EQ(empty.extent, 0);
  EXPECT_EQ(empty.status, game::Status::Optimal);
}

// Of two parts that never live together only the larger one is searched to the
// end.
TEST(Addresses, PartsApartInTimeShareTheBlock) {
  std::vector<Buffer> buffers = {
      {"a", 0, 2, 8}, {"b", 1, 2, 4}, {"c", 2, 4, 5}, {"d", 3, 5, 6}};
  Placement found = placeBuffers(buffers);
  EXPECT_EQ(found.extent, 12);
  EXPECT_EQ(found.status, game::Status::Optimal);
}

TEST(Addresses, JudgeFindsWhatIsWrong) {
  std::vector<Buffer> buffers = {
      {"a", 0, 4, 10}, {"b", 2, 6, 10}, {"c", 4, 8, 10}};
  EXPECT_EQ(verify(buffers, {0, 10, 0}).error, "");
  EXPECT_EQ(verify(buffers, {0, 10, 0}).extent, 20);
  EXPECT_EQ(verify(buffers, {0, 9, 0}).error, "buffer 'b' overlaps buffer 'a'");
  EXPECT_EQ(verify(buffers, {5, 0, 10}).error,
            "buffer 'b' overlaps buffer 'a'");
  EXPECT_EQ(verify(buffers, {0, 10, 19}).error,
            "buffer 'c' overlaps buffer 'b'");
  EXPECT_EQ(verify(buffers, {-1, 10, 0}).error,
            "the offset of buffer 'a' is negative");
  EXPECT_EQ(verify(buffers, {0, 12, 0}, 8).error,
            "the offset 12 of buffer 'b' is no multiple of 8");
  EXPECT_EQ(verify(buffers, {0, 10, 0}, 1, 19).error,
            "buffer 'b' ends at 20, capacity 19");
  EXPECT_EQ(verify(buffers, {0, 10}).error,
            "there are 2 offsets for 3 buffers");
}

TEST(Addresses, CheckNamesTheBuffer) {
  EXPECT_EQ(check({{"a", 0, 1, -1}}), "the size of buffer 'a' is negative");
  EXPECT_EQ(check({{"a", 2, 1, 1}}), "buffer 'a' ends before it begins");
  EXPECT_NE(check({{"a", 0, 1, INT64_MAX}}), "");
}

TEST(Addresses, CsvIsReadAndWritten) {
  ParsedBuffers parsed =
      readCsv("size,id,lower,upper,note\r\n4,x,0,3,first\n\n5,y,3,9,\n");
  ASSERT_TRUE(parsed.buffers) << parsed.error;
  ASSERT_EQ(parsed.buffers->size(), 2u);
  EXPECT_EQ((*parsed.buffers)[1].name, "y");
  EXPECT_EQ((*parsed.buffers)[1].upper, 9);
  EXPECT_EQ(writeCsv(*parsed.buffers, {0, 4}),
            "id,lower,upper,size,offset\nx,0,3,4,0\ny,3,9,5,4\n");
  EXPECT_EQ(readCsv("").error, "the file is empty");
  EXPECT_EQ(readCsv("id,lower,upper\n").error,
            "line 1: there is no column 'size'");
  EXPECT_EQ(readCsv("id,lower,upper,size\na,1,2\n").error,
            "line 2: has 3 fields, the header 4");
  EXPECT_EQ(readCsv("id,lower,upper,size\na,1,2,x\n").error,
            "line 2: size 'x' is no number");
  EXPECT_EQ(readCsv("id,lower,upper,size\na,3,2,1\n").error,
            "buffer 'a' ends before it begins");
}

} // namespace
