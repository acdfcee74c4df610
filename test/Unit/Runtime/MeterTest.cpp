//===- MeterTest.cpp - what is counted, to the byte -----------------------===//

#include "pebble/Runtime/Runtime.h"

#include <gtest/gtest.h>

namespace {

class Metered : public ::testing::Test {
protected:
  void SetUp() override { pebble_rt_reset_all(); }
  void TearDown() override { pebble_rt_reset_all(); }
};

TEST_F(Metered, SizesAreRoundedUpTo64) {
  int32_t t = pebble_rt_add_tier("hbm", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  void *a = pebble_rt_alloc(t, 1);
  EXPECT_EQ(pebble_rt_live_bytes(t), 64);
  void *b = pebble_rt_alloc(t, 65);
  EXPECT_EQ(pebble_rt_live_bytes(t), 192);
  pebble_rt_free(a);
  EXPECT_EQ(pebble_rt_live_bytes(t), 128);
  EXPECT_EQ(pebble_rt_peak_bytes(t), 192);
  pebble_rt_free(b);
  EXPECT_EQ(pebble_rt_live_bytes(t), 0);
}

TEST_F(Metered, AnEmptyBufferHasAnAddressAndCountsNothing) {
  void *a = pebble_rt_alloc(0, 0);
  void *b = pebble_rt_alloc(0, 0);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(a, b);
  EXPECT_EQ(pebble_rt_peak_bytes(0), 0);
  pebble_rt_free(a);
  pebble_rt_free(b);
}

TEST_F(Metered, PeakIsTheMaximumOverTimeNotTheSum) {
  for (int i = 0; i < 10; ++i)
    pebble_rt_free(pebble_rt_alloc(0, 128));
  EXPECT_EQ(pebble_rt_peak_bytes(0), 128);
}

TEST_F(Metered, TiersAreCountedApart) {
  int32_t fast = pebble_rt_add_tier("fast", 1024, PEBBLE_RT_MEMORY);
  int32_t slow = pebble_rt_add_tier("slow", 4096, PEBBLE_RT_MEMORY);
  void *a = pebble_rt_alloc(fast, 256);
  void *b = pebble_rt_alloc(slow, 512);
  EXPECT_EQ(pebble_rt_live_bytes(fast), 256);
  EXPECT_EQ(pebble_rt_live_bytes(slow), 512);
  pebble_rt_copy(slow, fast, b, a, 200);
  pebble_rt_copy(slow, fast, b, a, 56);
  pebble_rt_copy(fast, slow, a, b, 8);
  pebble_rt_copy(fast, fast, a, a, 64);
  EXPECT_EQ(pebble_rt_moved_bytes(fast, slow), 256);
  EXPECT_EQ(pebble_rt_moved_bytes(slow, fast), 8);
  EXPECT_EQ(pebble_rt_moved_bytes(fast, fast), 0);
  pebble_rt_free(a);
  pebble_rt_free(b);
}

TEST_F(Metered, AnUnknownTierComesIntoBeingUnbounded) {
  pebble_rt_free(pebble_rt_alloc(1, 1 << 20));
  EXPECT_EQ(pebble_rt_tier_count(), 2);
  EXPECT_STREQ(pebble_rt_tier_name(0), "default");
  EXPECT_STREQ(pebble_rt_tier_name(1), "tier1");
}

TEST_F(Metered, ResettingTheMeterKeepsWhatIsLive) {
  void *a = pebble_rt_alloc(0, 64);
  pebble_rt_free(pebble_rt_alloc(0, 640));
  EXPECT_EQ(pebble_rt_peak_bytes(0), 704);
  pebble_rt_reset_meter();
  EXPECT_EQ(pebble_rt_peak_bytes(0), 64);
  EXPECT_EQ(pebble_rt_live_bytes(0), 64);
  pebble_rt_free(a);
}

TEST_F(Metered, TheTimelineTellsWhatHappened) {
  int32_t fast = pebble_rt_add_tier("fast", 1024, PEBBLE_RT_MEMORY);
  int32_t slow = pebble_rt_add_tier("slow", 1024, PEBBLE_RT_MEMORY);
  pebble_rt_record(1, 5);
  void *a = pebble_rt_alloc(fast, 100);
  void *b = pebble_rt_alloc(slow, 100);
  pebble_rt_wait(pebble_rt_copy_start(slow, fast, b, a, 100));
  pebble_rt_free(a);
  pebble_rt_free(b);
  const pebble_rt_event *events = nullptr;
  ASSERT_EQ(pebble_rt_events(&events), 5); // The limit; the sixth is left out.
  EXPECT_EQ(events[0].kind, PEBBLE_RT_ALLOC);
  EXPECT_EQ(events[0].live, 128);
  EXPECT_EQ(events[1].tier, slow);
  EXPECT_EQ(events[2].kind, PEBBLE_RT_START);
  EXPECT_EQ(events[2].from, fast);
  EXPECT_EQ(events[2].bytes, 100);
  EXPECT_EQ(events[3].kind, PEBBLE_RT_WAIT);
  EXPECT_EQ(events[4].kind, PEBBLE_RT_FREE);
  EXPECT_EQ(events[4].buffer, 0);
  EXPECT_EQ(events[4].live, 0);
  for (int i = 1; i < 5; ++i)
    EXPECT_LE(events[i - 1].nanoseconds, events[i].nanoseconds);
}

TEST_F(Metered, OperationsStandInTheTimelineAndCountNothing) {
  pebble_rt_begin_operation(7); // Nobody records.
  pebble_rt_record(1, 2);
  void *a = pebble_rt_alloc(0, 100);
  const int64_t peak = pebble_rt_peak_bytes(0);
  pebble_rt_begin_operation(3);
  pebble_rt_end_operation(3);
  pebble_rt_free(a);
  const pebble_rt_event *events = nullptr;
  ASSERT_EQ(pebble_rt_events(&events), 2);
  EXPECT_EQ(events[1].kind, PEBBLE_RT_BEGIN);
  EXPECT_EQ(events[1].buffer, 3);
  EXPECT_EQ(events[1].live, 128);
  EXPECT_EQ(pebble_rt_dropped_events(), 2);
  EXPECT_EQ(pebble_rt_peak_bytes(0), peak);
  pebble_rt_record(1, 2);
  EXPECT_EQ(pebble_rt_dropped_events(), 0);
}

TEST_F(Metered, ForeignAllocationsCountInTheComputeTier) {
  pebble_rt_add_tier("register", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  int32_t hbm =
      pebble_rt_add_tier("hbm", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  pebble_rt_set_compute_tier(hbm);
  void *a = pebble_rt_malloc(10);
  void *b = pebble_rt_aligned_alloc(16, 10);
  EXPECT_EQ(pebble_rt_live_bytes(hbm), 128);
  pebble_rt_free(a);
  pebble_rt_free(b);
}

} // namespace
