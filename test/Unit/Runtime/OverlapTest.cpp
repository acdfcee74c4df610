//===- OverlapTest.cpp - copies beside the program, and their times -------===//

#include "pebble/Runtime/Runtime.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

class Overlap : public ::testing::Test {
protected:
  void SetUp() override {
    pebble_rt_reset_all();
    ram = pebble_rt_add_tier("ram", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
    slow = pebble_rt_add_tier("slow", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  }
  void TearDown() override { pebble_rt_reset_all(); }

  int32_t ram = 0, slow = 0;
};

constexpr int64_t kMs = 1000000;

TEST_F(Overlap, CopiesAreMadeInTheOrderOfTheirStarts) {
  // Each reads what the one before wrote.
  std::vector<std::vector<int>> values(50, std::vector<int>(10000, 0));
  values[0].assign(10000, 7);
  std::vector<int64_t> tokens;
  for (size_t i = 1; i < values.size(); ++i)
    tokens.push_back(pebble_rt_copy_start(slow, ram, values[i].data(),
                                          values[i - 1].data(), 40000));
  for (int64_t token : tokens)
    pebble_rt_wait(token);
  EXPECT_EQ(values.back(), values.front());
}

TEST_F(Overlap, ATransferThatIsMadeBeforeItsWaitStallsLessThanItTook) {
  pebble_rt_set_pace(slow, 0, 40 * kMs);
  static char a[64], b[64], c[64];
  pebble_rt_record(1, 10);
  int64_t first = pebble_rt_copy_start(slow, ram, a, b, 64);
  int64_t second = pebble_rt_copy_start(slow, ram, c, b, 64);
  pebble_rt_wait(second); // so the first one is made, too
  pebble_rt_wait(first);
  const pebble_rt_event *events = nullptr;
  ASSERT_EQ(pebble_rt_events(&events), 4);
  EXPECT_LE(events[3].end, events[2].begin);
  EXPECT_LT(events[3].stall, events[3].end - events[3].begin);
  EXPECT_GE(pebble_rt_transfer_ns(), 80 * kMs);
  EXPECT_EQ(pebble_rt_stall_ns(), events[2].stall + events[3].stall);
}

TEST_F(Overlap, AStallIsNoLongerThanWhatItWaitsFor) {
  constexpr int kCopies = 200, kBytes = 100000;
  std::vector<char> a(kBytes), b(kBytes);
  pebble_rt_record(1, 2 * kCopies);
  for (int i = 0; i < kCopies; ++i)
    pebble_rt_wait(pebble_rt_copy_start(slow, ram, b.data(), a.data(), kBytes));
  const pebble_rt_event *events = nullptr;
  ASSERT_EQ(pebble_rt_events(&events), 2 * kCopies);
  for (int i = 1; i < 2 * kCopies; i += 2)
    EXPECT_LE(events[i].stall, events[i].end - events[i].begin);
  EXPECT_LE(pebble_rt_stall_ns(), pebble_rt_transfer_ns());
}

TEST_F(Overlap, WithoutOverlapAllOfATransferIsStall) {
  pebble_rt_set_pace(slow, 0, 10 * kMs);
  pebble_rt_set_overlap(0);
  static char a[64] = {1}, b[64] = {2};
  int64_t token = pebble_rt_copy_start(slow, ram, a, b, 64);
  EXPECT_EQ(a[0], 2);
  pebble_rt_wait(token);
  EXPECT_GE(pebble_rt_transfer_ns(), 10 * kMs);
  EXPECT_EQ(pebble_rt_stall_ns(), pebble_rt_transfer_ns());
  pebble_rt_reset_meter();
  EXPECT_EQ(pebble_rt_transfer_ns(), 0);
  pebble_rt_copy(slow, ram, a, b, 64);
  EXPECT_GE(pebble_rt_transfer_ns(), 10 * kMs);
  EXPECT_EQ(pebble_rt_stall_ns(), pebble_rt_transfer_ns());
}

TEST_F(Overlap, PaceIsLatencyPlusBytesOverBandwidth) {
  pebble_rt_set_pace(slow, 100, 5 * kMs); // 100 bytes a microsecond
  std::vector<char> a(1000000), b(1000000);
  pebble_rt_copy(slow, ram, a.data(), b.data(), 1000000);
  EXPECT_GE(pebble_rt_transfer_ns(), 15 * kMs);
  pebble_rt_reset_meter();
  pebble_rt_copy(slow, slow, a.data(), b.data(), 1000000);
  EXPECT_EQ(pebble_rt_transfer_ns(), 0); // within a tier
}

TEST_F(Overlap, WhatIsCountedDoesNotDependOnOverlap) {
  for (int32_t on : {0, 1}) {
    pebble_rt_reset_meter();
    pebble_rt_set_overlap(on);
    void *a = pebble_rt_alloc(ram, 1000), *b = pebble_rt_alloc(slow, 1000);
    int64_t token = pebble_rt_copy_start(slow, ram, b, a, 1000);
    EXPECT_EQ(pebble_rt_moved_bytes(ram, slow), 1000);
    EXPECT_EQ(pebble_rt_live_count(), 3);
    pebble_rt_wait(token);
    pebble_rt_free(a);
    pebble_rt_free(b);
    EXPECT_EQ(pebble_rt_peak_bytes(slow), 1024);
  }
}

TEST_F(Overlap, TheTimelineTellsWhenBytesMovedAndWhoWaited) {
  pebble_rt_set_pace(slow, 0, 20 * kMs);
  static char a[64], b[64];
  pebble_rt_record(1, 10);
  pebble_rt_wait(pebble_rt_copy_start(slow, ram, a, b, 64));
  pebble_rt_copy(ram, slow, b, a, 64);
  const pebble_rt_event *events = nullptr;
  ASSERT_EQ(pebble_rt_events(&events), 3);
  EXPECT_EQ(events[0].kind, PEBBLE_RT_START);
  EXPECT_EQ(events[0].end, 0);
  for (int i : {1, 2}) {
    EXPECT_GE(events[i].begin, events[0].nanoseconds);
    EXPECT_GE(events[i].end - events[i].begin, 20 * kMs);
    EXPECT_LE(events[i].end, events[i].nanoseconds);
    EXPECT_GT(events[i].stall, 0);
  }
  EXPECT_EQ(events[1].kind, PEBBLE_RT_WAIT);
  EXPECT_EQ(pebble_rt_stall_ns(), events[1].stall + events[2].stall);
}

TEST_F(Overlap, ATransferOfAPartKeepsItsBuffer) {
  static char *a;
  a = static_cast<char *>(pebble_rt_alloc(ram, 256));
  static char b[64];
  int64_t token = pebble_rt_copy_start(slow, ram, b, a + 128, 64);
  EXPECT_EQ(pebble_rt_call([](void *) { pebble_rt_free(a); }, nullptr), 1);
  pebble_rt_wait(token);
  pebble_rt_free(a);
}

TEST_F(Overlap, BuffersOutliveTransfersThatNobodyWaitsFor) {
  pebble_rt_set_pace(slow, 0, 5 * kMs);
  void *a = pebble_rt_alloc(ram, 1 << 20), *b = pebble_rt_alloc(slow, 1 << 20);
  pebble_rt_copy_start(slow, ram, b, a, 1 << 20);
  pebble_rt_reset_all();
  EXPECT_EQ(pebble_rt_live_count(), 0);
}

} // namespace
