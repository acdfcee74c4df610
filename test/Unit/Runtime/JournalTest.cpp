//===- JournalTest.cpp - snapshots, and what becomes of damaged ones ------===//
//
// A run is played by calls as compiled code makes them. A run that was killed
// is one whose process ended by SIGKILL; damage is done to the files from
// outside.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"

#include "pebble/Runtime/Journal.h"
#include "pebble/Runtime/Runtime.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace fs = std::filesystem;

using namespace pebble::test;

namespace {

constexpr int64_t kCount = 200'000; // of numbers: several pieces
constexpr int64_t kBytes = kCount * int64_t(sizeof(uint32_t));

/// What a program of two loops works on.
struct Program {
  std::vector<uint32_t> numbers = std::vector<uint32_t>(kCount, 1);
  int64_t total = 0;
  /// Ends the process after so many iterations of the second loop.
  int64_t killAfter = -1;
  int64_t every = 3;

  void step(int64_t i) {
    for (uint32_t &number : numbers)
      number = number * 3 + static_cast<uint32_t>(i);
    total += numbers[static_cast<size_t>(i)];
  }

  void loop(int64_t which, int64_t trips, bool isLast) {
    int64_t done = pebble_rt_journal_enter(which);
    pebble_rt_journal_restore(which, 0, numbers.data(), kBytes);
    total = pebble_rt_journal_restore_number(which, 1, total);
    for (int64_t i = done; i < trips; ++i) {
      step(i);
      pebble_rt_journal_begin(which, i + 1, trips, every, isLast ? 0 : 1, 2);
      pebble_rt_journal_put(numbers.data(), kBytes);
      pebble_rt_journal_put_number(total);
      pebble_rt_journal_end();
      if (which == 1 && i == killAfter)
        raise(SIGKILL);
    }
  }

  void run() {
    loop(0, 7, false);
    loop(1, 20, true);
  }
};

class JournalTest : public ::testing::Test {
protected:
  void SetUp() override {
    pebble_rt_reset_all();
    char name[] = "/tmp/pebble-test-XXXXXX";
    directory = mkdtemp(name);
    journal = directory + "/journal";
    std::memset(identity, 7, sizeof(identity));
  }
  void TearDown() override {
    pebble_rt_journal_close(1);
    pebble_rt_reset_all();
    EXPECT_FALSE(fs::exists(journal));
    fs::remove_all(directory);
  }

  bool open(bool resume) {
    return pebble_rt_journal_open(journal.c_str(), identity, resume) == 0;
  }

  /// Runs the program in a process that kills itself.
  void runUntilKilled(bool resume, int64_t killAfter) {
    pid_t child = fork();
    if (child == 0) {
      Program program;
      program.killAfter = killAfter;
      if (open(resume))
        program.run();
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  /// What is in the journal, oldest first.
  std::vector<fs::path> snapshots() const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(journal))
      found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  static void flip(const fs::path &file, int64_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(at);
    char byte = static_cast<char>(stream.get() ^ 16);
    stream.seekp(at);
    stream.put(byte);
  }

  /// Goes on and checks that the results are those of a run without a journal.
  void resumeAndCompare(int64_t loop, int64_t done) {
    Program undisturbed;
    undisturbed.run();
    ASSERT_TRUE(open(true)) << pebble_rt_error();
    struct pebble_rt_journal counts;
    pebble_rt_journal_counts(&counts);
    EXPECT_EQ(counts.resumed_loop, loop);
    EXPECT_EQ(counts.resumed_done, done);
    Program program;
    ASSERT_TRUE(succeeds([&] { program.run(); })) << pebble_rt_error();
    EXPECT_EQ(program.numbers, undisturbed.numbers);
    EXPECT_EQ(program.total, undisturbed.total);
  }

  std::string directory, journal;
  uint8_t identity[PEBBLE_RT_IDENTITY_BYTES];
};

TEST_F(JournalTest, AFinishedRunLeavesNothing) {
  ASSERT_TRUE(open(false));
  Program program;
  program.run();
  struct pebble_rt_journal counts;
  pebble_rt_journal_counts(&counts);
  // After 3, 6 and 7 of seven, and after 3, 6, ... 18 of twenty.
  EXPECT_EQ(counts.snapshots, 3 + 6);
  EXPECT_EQ(counts.bytes, 9 * (kBytes + 8));
  EXPECT_EQ(counts.resumed_loop, -1);
  EXPECT_EQ(snapshots().size(), 3u); // two, and the end of the first loop
  pebble_rt_journal_close(1);
  EXPECT_FALSE(fs::exists(journal));
}

TEST_F(JournalTest, AKilledRunGoesOn) {
  runUntilKilled(false, 10);
  resumeAndCompare(1, 9);
}

TEST_F(JournalTest, ARunIsKilledWhileItGoesOn) {
  runUntilKilled(false, 4);
  runUntilKilled(true, 5);
  runUntilKilled(true, 5 + 1); // a snapshot was taken before that
  runUntilKilled(true, 13);
  resumeAndCompare(1, 12);
}

TEST_F(JournalTest, EveryDamageIsNoticed) {
  runUntilKilled(false, 10);
  const fs::path newest = snapshots().back();
  const auto size = static_cast<int64_t>(fs::file_size(newest));
  fs::copy(journal, directory + "/kept");
  // Bytes of the head, of each piece and of the checksums between them.
  std::vector<int64_t> places = {0, 8, 20, 70, 110, 130, size - 1, size - 9};
  for (int64_t at = 1000; at < size; at += 61'003)
    places.push_back(at);
  for (int64_t at : places) {
    fs::remove_all(journal);
    fs::copy(directory + "/kept", journal);
    flip(newest, at);
    SCOPED_TRACE(at);
    testing::internal::CaptureStderr();
    resumeAndCompare(1, 6);
    std::string said = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(contains(said, "skipping " + newest.string())) << said;
    pebble_rt_journal_close(1);
  }
  for (int64_t length : {int64_t(0), int64_t(5), int64_t(100), size / 2,
                         size - 8, size - 1, size + 1}) {
    fs::remove_all(journal);
    fs::copy(directory + "/kept", journal);
    fs::resize_file(newest, static_cast<uintmax_t>(length));
    SCOPED_TRACE(length);
    resumeAndCompare(1, 6);
    pebble_rt_journal_close(1);
  }
}

TEST_F(JournalTest, ASnapshotIsNotTakenForAnother) {
  runUntilKilled(false, 10);
  std::vector<fs::path> files = snapshots();
  ASSERT_EQ(files.size(), 3u);
  fs::copy_file(files[1], files[2], fs::copy_options::overwrite_existing);
  resumeAndCompare(1, 6);
}

TEST_F(JournalTest, WithoutTheEndOfALoopNothingRestsOnIt) {
  runUntilKilled(false, 10);
  flip(snapshots().front(), 5000);
  testing::internal::CaptureStderr();
  resumeAndCompare(-1, 0);
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(),
                       "no whole snapshot in " + journal +
                           ": starting at the beginning"));
}

TEST_F(JournalTest, TheEndOfALoopIsASnapshotToo) {
  runUntilKilled(false, 0); // before the first of the second loop
  resumeAndCompare(0, 7);
}

TEST_F(JournalTest, WhatAKilledRunLeftIsRemoved) {
  runUntilKilled(false, 10);
  std::ofstream(journal + "/writing") << "half of it";
  fs::create_directory(journal + "/pebble-abcdef");
  std::ofstream(journal + "/pebble-abcdef/host-1") << "a value";
  ASSERT_TRUE(open(true));
  EXPECT_FALSE(fs::exists(journal + "/writing"));
  EXPECT_FALSE(fs::exists(journal + "/pebble-abcdef"));
  EXPECT_EQ(snapshots().size(), 3u);
}

TEST_F(JournalTest, AnotherProgramIsRefused) {
  runUntilKilled(false, 10);
  identity[5] = 8;
  EXPECT_FALSE(open(true));
  EXPECT_TRUE(contains(pebble_rt_error(), "is the journal of another program"))
      << pebble_rt_error();
  pebble_rt_reset_all();
  EXPECT_EQ(snapshots().size(), 3u);
  identity[5] = 7;
  resumeAndCompare(1, 9);
}

TEST_F(JournalTest, AnUnfinishedRunIsNotForgotten) {
  runUntilKilled(false, 10);
  EXPECT_FALSE(open(false));
  EXPECT_TRUE(contains(pebble_rt_error(), "of a run that has not ended"))
      << pebble_rt_error();
  pebble_rt_reset_all();
  resumeAndCompare(1, 9);
}

TEST_F(JournalTest, OneProcessHasIt) {
  ASSERT_TRUE(open(false));
  pid_t child = fork();
  if (child == 0) {
    // The child has what the parent opened; its own is another one.
    pebble_rt_reset_all();
    bool isRefused = !open(true);
    _exit(isRefused && contains(pebble_rt_error(), "in use by another process")
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(JournalTest, WithoutRoomTheOneBeforeStays) {
  ASSERT_TRUE(open(false));
  Program program;
  program.loop(0, 7, false);
  struct rlimit before, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  testing::internal::CaptureStderr();
  program.every = 10;
  program.loop(1, 11, true);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(said, "cannot take a snapshot: cannot write bytes"))
      << said;
  EXPECT_TRUE(contains(said, "the one before stays")) << said;
  struct pebble_rt_journal counts;
  pebble_rt_journal_counts(&counts);
  EXPECT_EQ(counts.snapshots, 3);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(snapshots().size(), 2u);
}

TEST_F(JournalTest, ALoopRunsOnce) {
  ASSERT_TRUE(open(false));
  Program program;
  program.loop(0, 7, false);
  EXPECT_FALSE(succeeds([&] { program.loop(0, 7, false); }));
  EXPECT_TRUE(contains(pebble_rt_error(), "loop 0 is reached a second time"))
      << pebble_rt_error();
}

TEST_F(JournalTest, AValueOfAnotherSizeIsAnError) {
  runUntilKilled(false, 10);
  ASSERT_TRUE(open(true));
  EXPECT_FALSE(succeeds([] {
    char few[10];
    pebble_rt_journal_restore(1, 0, few, sizeof(few));
  }));
  EXPECT_TRUE(contains(pebble_rt_error(),
                       "the snapshot of loop 1 has no value 0 of 10 bytes"))
      << pebble_rt_error();
}

TEST_F(JournalTest, ValuesMayLieInAnyTier) {
  int32_t disk =
      pebble_rt_add_tier("disk", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_FILE);
  int32_t ram =
      pebble_rt_add_tier("ram", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
  pebble_rt_set_slow_dir(directory.c_str());
  std::vector<int32_t> numbers(kCount), back(kCount);
  for (int32_t i = 0; i < kCount; i += 100)
    numbers[static_cast<size_t>(i)] = i;
  constexpr int64_t kValues = 40;
  for (bool isResumed : {false, true}) {
    ASSERT_TRUE(open(isResumed));
    void *file = pebble_rt_alloc(disk, kBytes);
    void *compressed = pebble_rt_alloc_compressed(
        ram, kValues, kCount / kValues, 4, PEBBLE_RT_BITMASK, 10, 0);
    if (!isResumed) {
      pebble_rt_write(file, numbers.data(), kBytes);
      for (int64_t at = 0; at < kBytes; at += kBytes / kValues)
        pebble_rt_copy(ram, disk, static_cast<char *>(compressed) + at,
                       static_cast<char *>(file) + at, kBytes / kValues);
      pebble_rt_journal_begin(0, 1, 2, 1, 0, 2);
      pebble_rt_journal_put(file, kBytes);
      pebble_rt_journal_put(compressed, kBytes);
      pebble_rt_journal_end();
      pebble_rt_journal_close(0);
    } else {
      pebble_rt_journal_restore(0, 0, file, kBytes);
      pebble_rt_read(back.data(), file, kBytes);
      EXPECT_EQ(back, numbers);
      pebble_rt_journal_restore(0, 1, compressed, kBytes);
      for (int64_t at = 0; at < kBytes; at += kBytes / kValues)
        pebble_rt_read(reinterpret_cast<char *>(back.data()) + at,
                       static_cast<char *>(compressed) + at, kBytes / kValues);
      EXPECT_EQ(back, numbers);
    }
    pebble_rt_free(file);
    pebble_rt_free(compressed);
  }
}

} // namespace
