//===- PlacementTest.cpp - buffers at planned offsets ---------------------===//

#include "pebble/Runtime/Runtime.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace {

class Placing : public ::testing::Test {
protected:
  void SetUp() override { pebble_rt_reset_all(); }
  void TearDown() override { pebble_rt_reset_all(); }

  /// Runs `body` as compiled code runs, and expects this error.
  static void expectError(void (*body)(void *), const std::string &message) {
    EXPECT_EQ(pebble_rt_call(body, nullptr), 1);
    EXPECT_EQ(pebble_rt_error(), message);
  }
};

char *placeAt(int64_t offset, int64_t bytes, int32_t tier = 0) {
  return static_cast<char *>(pebble_rt_alloc_at(tier, offset, bytes));
}

TEST_F(Placing, BuffersLieExactlyWhereTheyAreSaidTo) {
  pebble_rt_reserve(0, 256);
  char *a = placeAt(0, 60);
  char *c = placeAt(192, 64);
  char *b = placeAt(64, 128);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
  EXPECT_EQ(b - a, 64);
  EXPECT_EQ(c - a, 192);
  EXPECT_EQ(pebble_rt_live_bytes(0), 256);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 256);
  for (char *buffer : {a, b, c})
    pebble_rt_free(buffer);
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 256);
}

TEST_F(Placing, RoomIsUsedAgain) {
  pebble_rt_reserve(0, 128);
  char *a = placeAt(0, 128);
  pebble_rt_free(a);
  char *b = placeAt(0, 64), *c = placeAt(64, 64);
  EXPECT_EQ(a, b);
  EXPECT_EQ(c - a, 64);
  EXPECT_EQ(pebble_rt_peak_bytes(0), 128);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 128);
}

TEST_F(Placing, TheExtentIsTheHighestEndOfAPlacement) {
  pebble_rt_reserve(0, 1024);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 0);
  placeAt(640, 1);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 704);
  pebble_rt_alloc(0, 4096); // no placement
  EXPECT_EQ(pebble_rt_extent_bytes(0), 704);
  EXPECT_EQ(pebble_rt_peak_bytes(0), 4160);
}

TEST_F(Placing, AFreshMeterKnowsWhatStillLies) {
  pebble_rt_reserve(0, 1024);
  char *high = placeAt(640, 64);
  placeAt(0, 64);
  pebble_rt_free(high);
  pebble_rt_reset_meter();
  EXPECT_EQ(pebble_rt_extent_bytes(0), 64);
}

TEST_F(Placing, AnEmptyBufferTakesNoPlace) {
  pebble_rt_reserve(0, 64);
  placeAt(0, 64);
  char *empty = placeAt(0, 0);
  EXPECT_NE(empty, nullptr);
  EXPECT_EQ(pebble_rt_live_bytes(0), 64);
  pebble_rt_free(empty);
}

TEST_F(Placing, AnOverlapIsAnErrorThatNamesBoth) {
  pebble_rt_reserve(0, 512);
  pebble_rt_name(placeAt(128, 100), "W1");
  auto fails = [](void *offset) {
    placeAt(*static_cast<int64_t *>(offset), 128);
  };
  for (int64_t offset : {64, 128, 192}) {
    EXPECT_EQ(pebble_rt_call(fails, &offset), 1);
    EXPECT_EQ(pebble_rt_error(),
              "a placement of 128 bytes at offset " + std::to_string(offset) +
                  " in tier 'default' overlaps what lies at offset 128: buffer "
                  "0 'W1' of 100 bytes in tier 'default'");
    pebble_rt_reset_meter();
  }
  placeAt(0, 128);
  placeAt(256, 128);
}

TEST_F(Placing, WhatReachesBeyondTheBlockIsAnError) {
  pebble_rt_reserve(0, 128);
  expectError([](void *) { placeAt(64, 65); },
              "a placement of 65 bytes at offset 64 in tier 'default' reaches "
              "beyond its block of 128 bytes");
  EXPECT_EQ(pebble_rt_live_count(), 0);
}

TEST_F(Placing, AnOffsetIsAMultipleOf64) {
  pebble_rt_reserve(0, 128);
  expectError([](void *) { placeAt(32, 8); },
              "a placement of 8 bytes at offset 32 in tier 'default' is no "
              "multiple of 64");
}

TEST_F(Placing, APlacementNeedsABlock) {
  expectError([](void *) { placeAt(0, 64); },
              "a placement of 64 bytes at offset 0 in tier 'default' needs a "
              "block, and none is reserved");
}

TEST_F(Placing, ABlockFitsItsTier) {
  pebble_rt_add_tier("fast", 128, PEBBLE_RT_MEMORY);
  expectError([](void *) { pebble_rt_reserve(0, 192); },
              "tier 'fast' holds 128 bytes, and a block of 192 bytes was asked "
              "for");
}

TEST_F(Placing, ACallFindsItsArgumentsInPlace) {
  pebble_rt_reserve(0, 192);
  char *x = placeAt(64, 64), *y = placeAt(128, 64);
  pebble_rt_expect_at(0, 64, x);
  pebble_rt_expect_at(0, 128, y);
  pebble_rt_enter(0, 192);
  EXPECT_EQ(placeAt(0, 64), x - 64);
  pebble_rt_leave(0);
  EXPECT_EQ(pebble_rt_extent_bytes(0), 192);
}

TEST_F(Placing, ACallWithArgumentsFromElsewhereGetsABlockOfItsOwn) {
  pebble_rt_reserve(0, 128);
  char *x = placeAt(0, 64); // the function would write there
  pebble_rt_expect_at(0, 64, x);
  pebble_rt_enter(0, 128);
  char *a = placeAt(0, 64);
  EXPECT_NE(a, x);
  pebble_rt_leave(0);
  // It begins where the other one ends.
  EXPECT_EQ(pebble_rt_extent_bytes(0), 192);
}

TEST_F(Placing, AResultOfACallStaysAndTheNextCallIsNotInItsWay) {
  char *results[2];
  for (char *&result : results) {
    pebble_rt_enter(0, 64);
    result = placeAt(0, 64);
    pebble_rt_leave(0);
  }
  EXPECT_NE(results[0], results[1]);
  pebble_rt_free(results[0]);
  pebble_rt_enter(0, 64); // the room of the first one is free again
  EXPECT_EQ(placeAt(0, 64), results[0]);
  pebble_rt_leave(0);
}

TEST_F(Placing, CallsNest) {
  pebble_rt_enter(0, 128);
  char *a = placeAt(0, 64);
  pebble_rt_enter(0, 64);
  char *inner = placeAt(0, 64);
  pebble_rt_leave(0);
  EXPECT_EQ(placeAt(64, 64), a + 64);
  pebble_rt_leave(0);
  EXPECT_TRUE(inner < a || inner >= a + 128);
}

TEST_F(Placing, AnErrorEndsTheCallsItLeaves) {
  pebble_rt_enter(0, 64);
  int failed = pebble_rt_call(
      [](void *) {
        pebble_rt_enter(0, 4096);
        pebble_rt_fail("on purpose");
      },
      nullptr);
  EXPECT_EQ(failed, 1);
  pebble_rt_leave(0); // the outer one, and there is no other
  EXPECT_EQ(pebble_rt_call([](void *) { pebble_rt_leave(0); }, nullptr), 1);
}

TEST_F(Placing, ThreadsWorkInBlocksOfTheirOwn) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int call = 0; call < 200; ++call) {
        pebble_rt_enter(0, 256);
        char *a = placeAt(0, 128), *b = placeAt(128, 128);
        std::memset(a, 1, 128);
        std::memset(b, 2, 128);
        EXPECT_EQ(a[127], 1);
        pebble_rt_free(a);
        pebble_rt_free(b);
        pebble_rt_leave(0);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
  EXPECT_LE(pebble_rt_extent_bytes(0), 4 * 256);
}

TEST_F(Placing, TransfersWorkBetweenPlacements) {
  pebble_rt_add_tier("fast", 1024, PEBBLE_RT_MEMORY);
  pebble_rt_add_tier("slow", 1024, PEBBLE_RT_FILE);
  pebble_rt_reserve(0, 256);
  pebble_rt_reserve(1, 512);
  char *a = placeAt(0, 200), *far = placeAt(64, 200, 1);
  char *further = placeAt(320, 100, 1);
  EXPECT_EQ(further - far, 256);
  std::memset(a, 9, 200);
  pebble_rt_wait(pebble_rt_copy_start(1, 0, far, a, 200));
  std::memset(a, 0, 200);
  pebble_rt_wait(pebble_rt_copy_start(0, 1, a, far, 200));
  EXPECT_EQ(a[199], 9);
  EXPECT_EQ(pebble_rt_extent_bytes(1), 448);
  EXPECT_EQ(pebble_rt_moved_bytes(0, 1), 200);
}

TEST_F(Placing, APlacementWhileATransferUsesItIsNotFreed) {
  pebble_rt_add_tier("fast", 1024, PEBBLE_RT_MEMORY);
  pebble_rt_add_tier("slow", 1024, PEBBLE_RT_MEMORY);
  pebble_rt_reserve(0, 64);
  pebble_rt_reserve(1, 64);
  char *buffers[] = {placeAt(0, 64), placeAt(0, 64, 1)};
  std::memset(buffers[0], 1, 64);
  int64_t token = pebble_rt_copy_start(1, 0, buffers[1], buffers[0], 64);
  int failed = pebble_rt_call(
      [](void *b) { pebble_rt_free(*static_cast<char **>(b)); }, buffers);
  EXPECT_EQ(failed, 1);
  pebble_rt_wait(token);
}

TEST_F(Placing, FreshPlacementsArePoisonedOrCleared) {
  pebble_rt_reserve(0, 64);
  pebble_rt_set_clear(1);
  char *a = placeAt(0, 64);
  EXPECT_EQ(a[63], 0);
  std::memset(a, 5, 64);
  pebble_rt_free(a);
  pebble_rt_set_poison(1);
  EXPECT_EQ(static_cast<unsigned char>(placeAt(0, 64)[63]), 0xA5);
}

/// Against a plain map of bytes: what is accepted never overlaps, and what is
/// refused would.
TEST_F(Placing, RandomPlacementsAgreeWithAMapOfBytes) {
  constexpr int64_t kGranules = 24;
  std::mt19937 random(3);
  pebble_rt_reserve(0, kGranules * 64);
  struct Request {
    int64_t offset, bytes;
    char *data;
  };
  std::vector<Request> live;
  std::vector<int> used(kGranules);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    if (!live.empty() && random() % 3 == 0) {
      size_t which = random() % live.size();
      for (int64_t i = 0; i < live[which].bytes / 64; ++i)
        used[static_cast<size_t>(live[which].offset / 64 + i)] = 0;
      pebble_rt_free(live[which].data);
      live.erase(live.begin() + static_cast<ptrdiff_t>(which));
      continue;
    }
    Request request = {static_cast<int64_t>(random() % kGranules) * 64,
                       static_cast<int64_t>(random() % 5 + 1) * 64, nullptr};
    bool fits = request.offset + request.bytes <= kGranules * 64;
    for (int64_t i = 0; fits && i < request.bytes / 64; ++i)
      fits = !used[static_cast<size_t>(request.offset / 64 + i)];
    int failed = pebble_rt_call(
        [](void *argument) {
          auto *r = static_cast<Request *>(argument);
          r->data = placeAt(r->offset, r->bytes);
        },
        &request);
    ASSERT_EQ(failed, fits ? 0 : 1) << pebble_rt_error();
    refused += failed;
    if (failed)
      continue;
    for (int64_t i = 0; i < request.bytes / 64; ++i)
      used[static_cast<size_t>(request.offset / 64 + i)] = 1;
    live.push_back(request);
  }
  EXPECT_GT(refused, 100);
}

} // namespace
