//===- RuntimeTest.cpp - buffers, files, transfers and errors -------------===//

#include "pebble/Runtime/Runtime.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace {

class Running : public ::testing::Test {
protected:
  void SetUp() override { pebble_rt_reset_all(); }
  void TearDown() override { pebble_rt_reset_all(); }
};

/// Runs `body` as compiled code runs; its frame owns nothing.
int call(void (*body)(void *), void *argument = nullptr) {
  return pebble_rt_call(body, argument);
}

bool errorSays(const char *part) {
  return std::string(pebble_rt_error()).find(part) != std::string::npos;
}

TEST_F(Running, BuffersAreAlignedAndWritable) {
  for (int64_t bytes : {1, 63, 64, 1000}) {
    char *a = static_cast<char *>(pebble_rt_alloc(0, bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
    std::memset(a, 7, static_cast<size_t>(bytes));
    EXPECT_EQ(pebble_rt_is_live(a), 1);
    EXPECT_EQ(pebble_rt_is_live(a + 1), 0);
    pebble_rt_free(a);
  }
  pebble_rt_free(nullptr);
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
}

TEST_F(Running, AFullTierIsAnErrorThatNamesItsNumbers) {
  pebble_rt_add_tier("l1", 1024, PEBBLE_RT_MEMORY);
  int failed = call([](void *) {
    pebble_rt_alloc(0, 900);
    pebble_rt_alloc(0, 64);
    pebble_rt_alloc(0, 1);
  });
  EXPECT_EQ(failed, 1);
  EXPECT_STREQ(pebble_rt_error(), "tier 'l1' is full: capacity 1024 bytes, "
                                  "live 1024 bytes, requested 64 bytes");
  EXPECT_EQ(pebble_rt_live_bytes(0), 1024);
  EXPECT_EQ(pebble_rt_peak_bytes(0), 1024);
}

TEST_F(Running, ATierMayBeFilledToTheLastByte) {
  pebble_rt_add_tier("l1", 128, PEBBLE_RT_MEMORY);
  EXPECT_EQ(call([](void *) { pebble_rt_free(pebble_rt_alloc(0, 128)); }), 0);
}

TEST_F(Running, CodeAfterAnErrorDoesNotRun) {
  int reached = 0;
  EXPECT_EQ(call(
                [](void *p) {
                  pebble_rt_fail("stop here");
                  *static_cast<int *>(p) = 1;
                },
                &reached),
            1);
  EXPECT_EQ(reached, 0);
  EXPECT_STREQ(pebble_rt_error(), "stop here");
  pebble_rt_reset_meter();
  EXPECT_STREQ(pebble_rt_error(), "");
}

TEST_F(Running, AFallbackIsSaidAndIsNoError) {
  int reached = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(call(
                [](void *p) {
                  pebble_rt_note_fallback("step", "step.leanest", 96, 64);
                  *static_cast<int *>(p) = 1;
                },
                &reached),
            0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "pebble runtime: note: a dimension of 96 is over the bound of 64 "
            "that the plan of 'step' rests on: running the leanest, "
            "'step.leanest'\n");
  EXPECT_EQ(reached, 1);
  EXPECT_STREQ(pebble_rt_error(), "");
}

TEST_F(Running, CallsNest) {
  int inner = 0;
  EXPECT_EQ(call(
                [](void *p) {
                  *static_cast<int *>(p) = pebble_rt_call(
                      [](void *) { pebble_rt_fail("in"); }, nullptr);
                },
                &inner),
            0);
  EXPECT_EQ(inner, 1);
}

TEST_F(Running, FreeingTwiceIsToldFromFreeingTheUnknown) {
  EXPECT_EQ(call([](void *) {
              void *a = pebble_rt_alloc(0, 8);
              pebble_rt_free(a);
              pebble_rt_free(a);
            }),
            1);
  EXPECT_TRUE(errorSays("freed twice"));
  pebble_rt_reset_meter();
  EXPECT_EQ(call([](void *) {
              static char local[64];
              pebble_rt_free(local);
            }),
            1);
  EXPECT_TRUE(errorSays("not the start of a buffer"));
}

TEST_F(Running, LeaksAreFoundAndNamed) {
  pebble_rt_add_tier("hbm", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  void *a = pebble_rt_alloc(0, 8);
  pebble_rt_alloc(0, 24);
  pebble_rt_free(a);
  EXPECT_EQ(pebble_rt_check_leaks(), 1);
  EXPECT_TRUE(errorSays("the first is buffer 1 of 24 bytes in tier 'hbm'"));
}

TEST_F(Running, NegativeAndHugeSizesAreErrors) {
  EXPECT_EQ(call([](void *) { pebble_rt_alloc(0, -5); }), 1);
  pebble_rt_reset_meter();
  EXPECT_EQ(call([](void *) { pebble_rt_malloc(UINT64_MAX); }), 1);
  pebble_rt_reset_meter();
  EXPECT_EQ(call([](void *) { pebble_rt_aligned_alloc(96, 8); }), 1);
  EXPECT_EQ(pebble_rt_live_count(), 0);
}

TEST_F(Running, AFileTierHoldsWhatIsCopiedIntoIt) {
  int32_t ram =
      pebble_rt_add_tier("ram", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  int32_t disk = pebble_rt_add_tier("disk", 1 << 20, PEBBLE_RT_FILE);
  std::vector<int> there(1000), back(1000);
  for (int i = 0; i < 1000; ++i)
    there[i] = i * i;
  void *file = pebble_rt_alloc(disk, 4000);
  pebble_rt_copy(disk, ram, file, there.data(), 4000);
  pebble_rt_copy(ram, disk, back.data(), file, 4000);
  EXPECT_EQ(there, back);
  EXPECT_EQ(pebble_rt_live_bytes(disk), 4032);
  pebble_rt_free(file);
}

TEST_F(Running, AFileTierWithoutADirectoryIsAnError) {
  pebble_rt_add_tier("disk", 1 << 20, PEBBLE_RT_FILE);
  pebble_rt_set_slow_dir("/nonexistent");
  EXPECT_EQ(call([](void *) { pebble_rt_alloc(0, 64); }), 1);
  EXPECT_TRUE(errorSays("cannot make a directory /nonexistent/"));
  EXPECT_EQ(pebble_rt_live_bytes(0), 0);
}

TEST_F(Running, StartedCopiesArriveByTheWait) {
  std::vector<std::vector<int>> from(20), to(20);
  std::vector<int64_t> tokens;
  for (int i = 0; i < 20; ++i) {
    from[i].assign(10000, i + 1);
    to[i].assign(10000, 0);
    tokens.push_back(
        pebble_rt_copy_start(1, 0, to[i].data(), from[i].data(), 40000));
  }
  EXPECT_EQ(pebble_rt_live_count(), 20);
  for (int i = 19; i >= 0; --i) {
    pebble_rt_wait(tokens[i]);
    EXPECT_EQ(to[i], from[i]);
  }
  EXPECT_EQ(pebble_rt_moved_bytes(0, 1), 800000);
  EXPECT_EQ(pebble_rt_check_leaks(), 0);
}

TEST_F(Running, WaitingTwiceIsAnError) {
  EXPECT_EQ(call([](void *) {
              static char a[64], b[64];
              int64_t token = pebble_rt_copy_start(1, 0, a, b, 64);
              pebble_rt_wait(token);
              pebble_rt_wait(token);
            }),
            1);
  EXPECT_TRUE(errorSays("waited for already"));
}

TEST_F(Running, ABufferInTransferMayNotBeFreed) {
  static int64_t token;
  EXPECT_EQ(call([](void *) {
              void *a = pebble_rt_alloc(0, 64);
              void *b = pebble_rt_alloc(1, 64);
              token = pebble_rt_copy_start(1, 0, b, a, 64);
              pebble_rt_free(a);
            }),
            1);
  EXPECT_TRUE(errorSays("while a transfer uses it"));
  pebble_rt_wait(token);
  EXPECT_EQ(pebble_rt_check_leaks(), 1);
}

TEST_F(Running, ATransferNobodyWaitsForIsALeak) {
  static char a[64], b[64];
  int64_t token = pebble_rt_copy_start(1, 0, a, b, 64);
  EXPECT_EQ(pebble_rt_check_leaks(), 1);
  EXPECT_TRUE(errorSays("never waited for"));
  pebble_rt_wait(token);
}

TEST_F(Running, PoisonShowsWhatNobodyWrote) {
  pebble_rt_set_poison(1);
  unsigned char *a = static_cast<unsigned char *>(pebble_rt_alloc(0, 16));
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(a[i], 0xA5);
  pebble_rt_free(a);
}

TEST_F(Running, ThreadsShareOneMeter) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i)
        pebble_rt_free(pebble_rt_alloc(0, 100));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(pebble_rt_live_bytes(0), 0);
  EXPECT_GE(pebble_rt_peak_bytes(0), 128);
  EXPECT_LE(pebble_rt_peak_bytes(0), 4 * 128);
}

TEST(RuntimeDeath, OutsideACallAnErrorEndsTheProcessWithStatusOne) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(pebble_rt_fail("nobody listens"), ::testing::ExitedWithCode(1),
              "pebble runtime: nobody listens");
}

} // namespace
