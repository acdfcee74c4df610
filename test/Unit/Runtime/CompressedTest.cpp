//===- CompressedTest.cpp - values kept compressed in a slower tier -------===//

#include "Calls.h"

#include "pebble/Runtime/Runtime.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fs = std::filesystem;

using namespace pebble::test;

namespace {

/// Elements of 1, 2, 4 and 8 bytes by their bit patterns.
using Data = std::vector<uint64_t>;

std::vector<char> pack(const Data &data, int32_t width) {
  std::vector<char> bytes(data.size() * static_cast<size_t>(width));
  for (size_t i = 0; i < data.size(); ++i)
    std::memcpy(bytes.data() + i * static_cast<size_t>(width), &data[i],
                static_cast<size_t>(width));
  return bytes;
}

/// The same in a tier of memory and in one of files, with transfers beside the
/// program and without.
class Compressed
    : public ::testing::TestWithParam<std::tuple<pebble_rt_backing, bool>> {
protected:
  void SetUp() override {
    pebble_rt_reset_all();
    char name[] = "/tmp/pebble-test-XXXXXX";
    directory = mkdtemp(name);
    fast = pebble_rt_add_tier("fast", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
    slow =
        pebble_rt_add_tier("slow", int64_t(1) << 20, std::get<0>(GetParam()));
    pebble_rt_set_slow_dir(directory.c_str());
    pebble_rt_set_overlap(std::get<1>(GetParam()));
  }
  void TearDown() override {
    pebble_rt_reset_all();
    fs::remove_all(directory);
  }

  bool store(void *to, const std::vector<char> &from) {
    const void *source = from.data();
    auto bytes = static_cast<int64_t>(from.size());
    return succeeds([=] {
      pebble_rt_wait(pebble_rt_copy_start(slow, fast, to, source, bytes));
    });
  }
  bool load(std::vector<char> &to, const void *from) {
    void *target = to.data();
    auto bytes = static_cast<int64_t>(to.size());
    return succeeds([=] {
      pebble_rt_wait(pebble_rt_copy_start(fast, slow, target, from, bytes));
    });
  }
  /// Stores `data` in a buffer of its own, and has it come back bit for bit;
  /// returns the bytes that were stored.
  int64_t roundTrip(const Data &data, int32_t width, pebble_rt_codec codec,
                    int32_t density, uint64_t one) {
    std::vector<char> there = pack(data, width), back(there.size(), 'x');
    int64_t before = pebble_rt_moved_bytes(fast, slow);
    int64_t loaded = pebble_rt_moved_bytes(slow, fast);
    void *buffer = pebble_rt_alloc_compressed(
        slow, 1, static_cast<int64_t>(data.size()), width, codec, density, one);
    EXPECT_TRUE(store(buffer, there));
    EXPECT_TRUE(load(back, buffer));
    EXPECT_EQ(there, back);
    pebble_rt_free(buffer);
    EXPECT_EQ(pebble_rt_live_bytes(slow), 0);
    int64_t moved = pebble_rt_moved_bytes(fast, slow) - before;
    EXPECT_EQ(pebble_rt_moved_bytes(slow, fast) - loaded, moved);
    return moved;
  }
  pebble_rt_compression counts() const {
    pebble_rt_compression counts;
    pebble_rt_compression_counts(&counts);
    return counts;
  }

  std::string directory;
  int32_t fast = 0, slow = 0;
};

INSTANTIATE_TEST_SUITE_P(
    , Compressed,
    ::testing::Combine(::testing::Values(PEBBLE_RT_MEMORY, PEBBLE_RT_FILE),
                       ::testing::Bool()),
    [](const auto &info) {
      return std::string(std::get<0>(info.param) == PEBBLE_RT_FILE ? "Files"
                                                                   : "Memory") +
             (std::get<1>(info.param) ? "Beside" : "InPlace");
    });

TEST_P(Compressed, EveryDensityComesBackBitForBit) {
  std::mt19937_64 random(7);
  for (int32_t width : {1, 2, 4, 8})
    for (size_t count : {1u, 7u, 8u, 9u, 1000u, 20003u})
      for (int percent : {0, 1, 10, 50, 97, 100}) {
        Data data(count, 0);
        int64_t nonzero = 0;
        uint64_t all =
            width == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * width)) - 1;
        for (uint64_t &element : data)
          if (static_cast<int>(random() % 100) < percent) {
            element = std::max<uint64_t>(1, random() & all);
            ++nonzero;
          }
        auto elements = static_cast<int64_t>(count);
        int64_t dense = elements * width;
        int64_t encoded = (elements + 7) / 8 + nonzero * width;
        EXPECT_EQ(roundTrip(data, width, PEBBLE_RT_BITMASK, 100, 0),
                  std::min(dense, encoded));
      }
}

TEST_P(Compressed, EmptyValuesAreNothing) {
  EXPECT_EQ(roundTrip({}, 4, PEBBLE_RT_BITMASK, 10, 0), 0);
  EXPECT_EQ(roundTrip({}, 1, PEBBLE_RT_BITS, 0, 1), 0);
  EXPECT_EQ(pebble_rt_peak_bytes(slow), 0);
}

TEST_P(Compressed, NegativeZeroAndNaNAreKept) {
  const uint64_t f32[] = {0x80000000, 0x7fc00001, 0xffc12345, 0x7f800000, 1};
  Data data(1000, 0);
  for (size_t i = 0; i < 5; ++i)
    data[i * 200 + 3] = f32[i];
  EXPECT_EQ(roundTrip(data, 4, PEBBLE_RT_BITMASK, 1, 0), 125 + 5 * 4);
  Data halves(100, 0), doubles(100, 0);
  halves[99] = 0x8000;
  doubles[0] = 0x7ff8000000000001;
  EXPECT_EQ(roundTrip(halves, 2, PEBBLE_RT_BITMASK, 1, 0), 13 + 2);
  EXPECT_EQ(roundTrip(doubles, 8, PEBBLE_RT_BITMASK, 1, 0), 13 + 8);
}

TEST_P(Compressed, OnesOfEveryTypeTakeABit) {
  std::mt19937_64 random(11);
  const std::tuple<int32_t, uint64_t> types[] = {
      {1, 1},                   // i1, i8
      {2, 0x3c00},              // f16
      {2, 0x3f80},              // bf16
      {4, 0x3f800000},          // f32
      {4, 1},                   // i32
      {8, 0x3ff0000000000000}}; // f64
  for (auto [width, one] : types) {
    Data data(1001);
    for (uint64_t &element : data)
      element = random() % 2 ? one : 0;
    EXPECT_EQ(roundTrip(data, width, PEBBLE_RT_BITS, 0, one), 126);
    // -0.0, 2 and NaN are neither 0 nor 1.
    for (uint64_t other : {uint64_t(2), one + 1, one | uint64_t(1) << 7}) {
      data[500] = other == one ? 3 : other;
      EXPECT_EQ(roundTrip(data, width, PEBBLE_RT_BITS, 0, one), 1001 * width);
    }
  }
  Data negative(64, 0);
  negative[5] = 0x80000000;
  EXPECT_EQ(roundTrip(negative, 4, PEBBLE_RT_BITS, 0, 0x3f800000), 256);
  EXPECT_EQ(counts().fallbacks, 3 * 6 + 1);
}

TEST_P(Compressed, TheReservedSizeIsOfTheDensity) {
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, 1000, 4, 10),
            125 + 100 * 4);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, 1001, 4, 1),
            126 + 11 * 4);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, 1000, 4, 100), 4000);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITS, 1000, 4, 0), 125);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, 8, 3, 10), -1);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, 8, 4, 101), -1);
  EXPECT_EQ(pebble_rt_compressed_bytes(PEBBLE_RT_BITMASK, -8, 4, 10), -1);
  void *buffer =
      pebble_rt_alloc_compressed(slow, 3, 1000, 4, PEBBLE_RT_BITMASK, 10, 0);
  EXPECT_EQ(pebble_rt_live_bytes(slow), (3 * 525 + 63) / 64 * 64);
  pebble_rt_free(buffer);
  EXPECT_FALSE(succeeds([this] {
    pebble_rt_alloc_compressed(slow, -1, 8, 4, PEBBLE_RT_BITS, 0, 1);
  }));
}

TEST_P(Compressed, ADenserValueTakesADenseSlot) {
  Data sparse(1000, 0), dense(1000, 7);
  sparse[3] = 7;
  auto *buffer = static_cast<char *>(
      pebble_rt_alloc_compressed(slow, 3, 1000, 4, PEBBLE_RT_BITMASK, 10, 0));
  const int64_t reserved = pebble_rt_live_bytes(slow);
  std::vector<char> back(4000);
  ASSERT_TRUE(store(buffer, pack(dense, 4)));
  EXPECT_EQ(pebble_rt_live_bytes(slow), reserved + 4032);
  ASSERT_TRUE(store(buffer + 8000, pack(dense, 4)));
  EXPECT_EQ(pebble_rt_live_bytes(slow), reserved + 2 * 4032);
  ASSERT_TRUE(store(buffer + 4000, pack(sparse, 4)));
  // Again a dense one in the same place takes no second slot.
  dense[0] = 0;
  ASSERT_TRUE(store(buffer, pack(dense, 4)));
  EXPECT_EQ(pebble_rt_live_bytes(slow), reserved + 2 * 4032);
  ASSERT_TRUE(load(back, buffer));
  EXPECT_EQ(back, pack(dense, 4));
  // A sparse one gives it back.
  ASSERT_TRUE(store(buffer, pack(sparse, 4)));
  EXPECT_EQ(pebble_rt_live_bytes(slow), reserved + 4032);
  ASSERT_TRUE(load(back, buffer));
  EXPECT_EQ(back, pack(sparse, 4));
  ASSERT_TRUE(load(back, buffer + 4000));
  EXPECT_EQ(back, pack(sparse, 4));
  pebble_rt_compression figures = counts();
  EXPECT_EQ(figures.stores, 5);
  EXPECT_EQ(figures.loads, 3);
  EXPECT_EQ(figures.fallbacks, 3);
  EXPECT_EQ(figures.dense_bytes, 8 * 4000);
  EXPECT_EQ(figures.moved_bytes, 4 * 4000 + 4 * 129);
  EXPECT_EQ(pebble_rt_moved_bytes(fast, slow), 3 * 4000 + 2 * 129);
  EXPECT_EQ(pebble_rt_moved_bytes(slow, fast), 4000 + 2 * 129);
  EXPECT_EQ(pebble_rt_peak_bytes(slow), reserved + 2 * 4032);
  pebble_rt_free(buffer);
  EXPECT_EQ(pebble_rt_live_bytes(slow), 0);
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
}

TEST_P(Compressed, ATierWithoutRoomForADenseSlotIsAnError) {
  constexpr int64_t kElements = 200000;
  void *buffer = pebble_rt_alloc_compressed(slow, 1, kElements, 8,
                                            PEBBLE_RT_BITMASK, 1, 0);
  pebble_rt_name(buffer, "spikes");
  std::vector<char> zero(kElements * 8, 0), full(kElements * 8, 1);
  ASSERT_TRUE(store(buffer, zero));
  EXPECT_FALSE(store(buffer, full));
  EXPECT_TRUE(contains(pebble_rt_error(), "'spikes'"));
  EXPECT_TRUE(contains(pebble_rt_error(),
                       "does not fit into its compressed slot, and tier 'slow' "
                       "is full"))
      << pebble_rt_error();
  // What was there before is still there.
  pebble_rt_reset_meter();
  std::vector<char> back(zero.size(), 'x');
  ASSERT_TRUE(load(back, buffer));
  EXPECT_EQ(back, zero);
  EXPECT_EQ(pebble_rt_check_leaks(), 1);
}

TEST_P(Compressed, AValueMovesAsAWhole) {
  auto *buffer = static_cast<char *>(
      pebble_rt_alloc_compressed(slow, 2, 100, 4, PEBBLE_RT_BITS, 0, 1));
  for (auto [offset, size] : {std::pair<int, size_t>(0, 200),
                              {4, 400},
                              {200, 400},
                              {0, 800},
                              {800, 400}}) {
    EXPECT_FALSE(store(buffer + offset, std::vector<char>(size, 0)));
    EXPECT_TRUE(contains(pebble_rt_error(), "moves each as a whole"));
    pebble_rt_reset_meter();
  }
  EXPECT_TRUE(store(buffer + 400, std::vector<char>(400, 0)));
}

TEST_P(Compressed, WhatNobodyStoredIsThePattern) {
  void *buffer =
      pebble_rt_alloc_compressed(slow, 1, 10, 4, PEBBLE_RT_BITS, 0, 1);
  std::vector<char> back(40, 'x');
  ASSERT_TRUE(load(back, buffer));
  EXPECT_EQ(back, std::vector<char>(40, 0));
  EXPECT_EQ(pebble_rt_moved_bytes(slow, fast), 0);
}

TEST_P(Compressed, CopiesBetweenCompressedBuffersAndByDrivers) {
  void *one =
      pebble_rt_alloc_compressed(slow, 1, 1000, 4, PEBBLE_RT_BITS, 0, 1);
  void *other =
      pebble_rt_alloc_compressed(slow, 1, 1000, 4, PEBBLE_RT_BITMASK, 100, 0);
  Data data(1000, 0);
  data[17] = data[999] = 1;
  std::vector<char> there = pack(data, 4), back(4000, 'x');
  const void *source = there.data();
  void *target = back.data();
  ASSERT_TRUE(succeeds([=] {
    pebble_rt_write(one, source, 4000);
    pebble_rt_copy(slow, slow, other, one, 4000);
    pebble_rt_read(target, other, 4000);
  }));
  EXPECT_EQ(there, back);
  EXPECT_EQ(pebble_rt_moved_bytes(fast, slow), 0);
}

TEST_P(Compressed, ValuesLieAtPlannedOffsets) {
  pebble_rt_reserve(slow, 256);
  void *buffer =
      pebble_rt_alloc_compressed_at(slow, 64, 1, 1000, 4, PEBBLE_RT_BITS, 0, 1);
  EXPECT_EQ(pebble_rt_live_bytes(slow), 128);
  EXPECT_EQ(pebble_rt_extent_bytes(slow), 192);
  int32_t tier = slow;
  EXPECT_FALSE(succeeds([=] { pebble_rt_alloc_at(tier, 128, 64); }));
  EXPECT_STREQ(pebble_rt_error(),
               "a placement of 64 bytes at offset 128 in tier 'slow' overlaps "
               "what lies at offset 64: buffer 0 of 125 bytes in tier 'slow'");
  EXPECT_FALSE(succeeds([=] {
    pebble_rt_alloc_compressed_at(tier, 192, 1, 1000, 4, PEBBLE_RT_BITS, 0, 1);
  }));
  // What lies beside it stays as it is.
  void *below = pebble_rt_alloc_at(slow, 0, 64);
  void *above = pebble_rt_alloc_at(slow, 192, 64);
  std::vector<char> sevens(64, 7), back(64);
  ASSERT_TRUE(store(below, sevens));
  ASSERT_TRUE(store(above, sevens));
  // Bits lie in the block; a value that is denser lies outside of it.
  std::vector<char> bits = pack(Data(1000, 1), 4), dense(4000, 3), whole(4000);
  for (const std::vector<char> &value : {bits, dense, bits}) {
    ASSERT_TRUE(store(buffer, value));
    ASSERT_TRUE(load(whole, buffer));
    EXPECT_EQ(whole, value);
    EXPECT_EQ(pebble_rt_live_bytes(slow), value == dense ? 256 + 4032 : 256);
  }
  for (void *other : {below, above}) {
    ASSERT_TRUE(load(back, other));
    EXPECT_EQ(back, sevens);
  }
  EXPECT_EQ(pebble_rt_extent_bytes(slow), 256);
  for (void *each : {below, buffer, above})
    pebble_rt_free(each);
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
  // The place is free again; and none is taken by what is empty.
  pebble_rt_free(pebble_rt_alloc_at(slow, 64, 128));
  pebble_rt_free(
      pebble_rt_alloc_compressed_at(slow, 7, 0, 10, 4, PEBBLE_RT_BITS, 0, 1));
}

TEST_P(Compressed, TheTimelineHasEveryDenseSlot) {
  pebble_rt_record(1, 100);
  void *buffer =
      pebble_rt_alloc_compressed(slow, 1, 1000, 4, PEBBLE_RT_BITMASK, 1, 0);
  ASSERT_TRUE(store(buffer, std::vector<char>(4000, 1)));
  ASSERT_TRUE(store(buffer, std::vector<char>(4000, 0)));
  pebble_rt_free(buffer);
  const pebble_rt_event *events = nullptr;
  int64_t count = pebble_rt_events(&events), allocs = 0, frees = 0;
  for (int64_t i = 0; i < count; ++i) {
    allocs += events[i].kind == PEBBLE_RT_ALLOC;
    frees += events[i].kind == PEBBLE_RT_FREE;
    EXPECT_GE(events[i].live, 0);
  }
  EXPECT_EQ(allocs, 2);
  EXPECT_EQ(frees, 2);
  EXPECT_EQ(events[count - 1].live, 0);
}

TEST_P(Compressed, FilesHoldWhatWasEncodedUnderItsChecksum) {
  slow = pebble_rt_add_tier("disk", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_FILE);
  void *buffer =
      pebble_rt_alloc_compressed(slow, 1, 4000, 4, PEBBLE_RT_BITMASK, 10, 0);
  Data data(4000, 0);
  for (size_t i = 0; i < 4000; i += 40)
    data[i] = i + 1;
  std::vector<char> there = pack(data, 4), back(16000);
  ASSERT_TRUE(store(buffer, there));
  fs::path file;
  for (const auto &entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      file = entry.path();
  EXPECT_EQ(fs::file_size(file), 500u + 100 * 4);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(600);
    stream.put('!');
  }
  EXPECT_FALSE(load(back, buffer));
  EXPECT_TRUE(contains(pebble_rt_error(), "checksum is not that of what was "
                                          "stored"));
  pebble_rt_reset_meter();
  // A dense value in between leaves nothing on the disk.
  ASSERT_TRUE(store(buffer, std::vector<char>(16000, 1)));
  EXPECT_EQ(fs::file_size(file), 16000u);
  ASSERT_TRUE(store(buffer, there));
  EXPECT_EQ(fs::file_size(file), 500u + 100 * 4);
  ASSERT_TRUE(load(back, buffer));
  EXPECT_EQ(there, back);
}

} // namespace
