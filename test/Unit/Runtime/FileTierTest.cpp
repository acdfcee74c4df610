//===- FileTierTest.cpp - a tier of files, and what goes wrong with it ----===//
//
// Faults are made from outside, as they happen: the files are damaged, removed
// or may not grow. The runtime has no door for tests.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"

#include "pebble/Runtime/Runtime.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace fs = std::filesystem;

using namespace pebble::test;

namespace {

std::string error() { return pebble_rt_error(); }

class FileTier : public ::testing::Test {
protected:
  void SetUp() override {
    pebble_rt_reset_all();
    char name[] = "/tmp/pebble-test-XXXXXX";
    directory = mkdtemp(name);
    ram = pebble_rt_add_tier("ram", PEBBLE_RT_UNBOUNDED, PEBBLE_RT_MEMORY);
    disk = pebble_rt_add_tier("disk", int64_t(1) << 30, PEBBLE_RT_FILE);
    pebble_rt_set_slow_dir(directory.c_str());
  }
  void TearDown() override {
    pebble_rt_reset_all();
    EXPECT_TRUE(files().empty());
    fs::remove_all(directory);
  }

  /// The files that stand for values.
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(directory))
      for (const auto &entry : fs::recursive_directory_iterator(directory))
        if (entry.is_regular_file())
          found.push_back(entry.path());
    return found;
  }

  void *alloc(int64_t bytes, const char *name = "W1") {
    void *buffer = pebble_rt_alloc(disk, bytes);
    pebble_rt_name(buffer, name);
    return buffer;
  }
  /// What a store and its wait do, in a call.
  bool store(void *to, const void *from, int64_t bytes) {
    return succeeds([=] {
      pebble_rt_wait(pebble_rt_copy_start(disk, ram, to, from, bytes));
    });
  }
  bool load(void *to, const void *from, int64_t bytes) {
    return succeeds([=] {
      pebble_rt_wait(pebble_rt_copy_start(ram, disk, to, from, bytes));
    });
  }
  static std::vector<char> bytes(size_t count, int first = 0) {
    std::vector<char> data(count);
    std::iota(data.begin(), data.end(), static_cast<char>(first));
    return data;
  }

  std::string directory;
  int32_t ram = 0, disk = 0;
};

/// Limits the size of files while it lives.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = before;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before); }

private:
  rlimit before;
};

TEST_F(FileTier, WhatIsStoredComesBack) {
  for (size_t count : {1, 63, 4096, 262143, 262144, 262145, 1000000}) {
    std::vector<char> there = bytes(count), back(count);
    void *buffer = alloc(static_cast<int64_t>(count));
    ASSERT_TRUE(store(buffer, there.data(), static_cast<int64_t>(count)));
    ASSERT_TRUE(load(back.data(), buffer, static_cast<int64_t>(count)));
    EXPECT_EQ(there, back);
    ASSERT_EQ(files().size(), 1u);
    EXPECT_EQ(fs::file_size(files()[0]), count);
    pebble_rt_free(buffer);
    EXPECT_TRUE(files().empty());
  }
}

TEST_F(FileTier, PartsAreStoredAndLoaded) {
  std::vector<char> whole(1000000, 0), back(1000000);
  auto *buffer = static_cast<char *>(alloc(1000000));
  for (int64_t start : {0, 5, 262000, 262144, 500000, 999000}) {
    std::vector<char> part = bytes(1000, static_cast<int>(start));
    ASSERT_TRUE(store(buffer + start, part.data(), 1000));
    std::copy(part.begin(), part.end(), whole.begin() + start);
    std::vector<char> again(1000);
    ASSERT_TRUE(load(again.data(), buffer + start, 1000));
    EXPECT_EQ(part, again);
  }
  ASSERT_TRUE(load(back.data(), buffer, 1000000));
  EXPECT_EQ(whole, back);
}

TEST_F(FileTier, WhatNobodyStoredIsThePattern) {
  std::vector<char> back(1000, 1);
  ASSERT_TRUE(load(back.data(), alloc(1000), 1000));
  EXPECT_EQ(back, std::vector<char>(1000, 0));
  pebble_rt_set_poison(1);
  ASSERT_TRUE(load(back.data(), alloc(1000), 1000));
  EXPECT_EQ(back, std::vector<char>(1000, static_cast<char>(0xA5)));
}

TEST_F(FileTier, AValueMovesBetweenTwoFileTiers) {
  int32_t tape = pebble_rt_add_tier("tape", 1 << 30, PEBBLE_RT_FILE);
  std::vector<char> there = bytes(3000000), back(3000000);
  void *first = alloc(3000000);
  void *second = pebble_rt_alloc(tape, 3000000);
  ASSERT_TRUE(store(first, there.data(), 3000000));
  ASSERT_TRUE(
      succeeds([=] { pebble_rt_copy(tape, disk, second, first, 3000000); }));
  ASSERT_TRUE(load(back.data(), second, 3000000));
  EXPECT_EQ(there, back);
  EXPECT_EQ(pebble_rt_moved_bytes(disk, tape), 3000000);
}

TEST_F(FileTier, ADriverWritesAndReadsUncounted) {
  std::vector<char> there = bytes(5000), back(5000);
  void *buffer = alloc(5000);
  pebble_rt_write(buffer, there.data(), 5000);
  pebble_rt_read(back.data(), buffer, 5000);
  EXPECT_EQ(there, back);
  EXPECT_EQ(pebble_rt_moved_bytes(ram, disk), 0);
  EXPECT_EQ(pebble_rt_transfer_ns(), 0);
}

TEST_F(FileTier, AFlippedByteIsAnErrorThatNamesFileAndValue) {
  std::vector<char> data = bytes(600000);
  void *buffer = alloc(600000);
  ASSERT_TRUE(store(buffer, data.data(), 600000));
  fs::path path = files().at(0);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(300000);
    file.put(static_cast<char>(data[300000] ^ 1));
  }
  EXPECT_FALSE(load(data.data(), buffer, 600000));
  EXPECT_EQ(error(), "cannot load buffer 0 'W1' of 600000 bytes in tier "
                     "'disk': " +
                         path.string() +
                         ", bytes 262144 to 524288: the checksum is not that "
                         "of what was stored");
  // What is whole can still be had.
  pebble_rt_reset_meter();
  EXPECT_TRUE(load(data.data(), buffer, 262144));
}

TEST_F(FileTier, ATruncatedFileIsAnError) {
  std::vector<char> data = bytes(5000);
  void *buffer = alloc(5000);
  ASSERT_TRUE(store(buffer, data.data(), 5000));
  fs::resize_file(files().at(0), 4999);
  EXPECT_FALSE(load(data.data(), buffer, 5000));
  EXPECT_TRUE(contains(error(), "buffer 0 'W1'")) << error();
  EXPECT_TRUE(contains(error(), "disk-0, bytes 0 to 5000: the file ends after "
                                "4999"))
      << error();
}

TEST_F(FileTier, AFileThatMayNotGrowLeavesTheFastCopy) {
  std::vector<char> data = bytes(600000), copy = data;
  void *fast = pebble_rt_alloc(ram, 600000);
  pebble_rt_name(fast, "W1");
  std::memcpy(fast, data.data(), 600000);
  void *buffer = alloc(600000);
  {
    FileSizeLimit limit(300000);
    EXPECT_FALSE(store(buffer, fast, 600000));
  }
  EXPECT_TRUE(contains(error(), "cannot store buffer 1 'W1' of 600000 bytes in "
                                "tier 'disk': cannot write "))
      << error();
  EXPECT_TRUE(contains(error(), "File too large; buffer 0 'W1' of 600000 bytes "
                                "in tier 'ram' still holds it"))
      << error();
  EXPECT_EQ(std::memcmp(fast, copy.data(), 600000), 0);
  // What was not stored is not taken for what was there before.
  pebble_rt_reset_meter();
  EXPECT_FALSE(load(data.data(), buffer, 600000));
  EXPECT_TRUE(contains(error(), "a store that failed has left them undefined"))
      << error();
  // The program may try again.
  pebble_rt_reset_meter();
  EXPECT_TRUE(store(buffer, fast, 600000));
  EXPECT_TRUE(load(data.data(), buffer, 600000));
  EXPECT_EQ(data, copy);
}

TEST_F(FileTier, AVanishedDirectoryIsAnError) {
  std::vector<char> data = bytes(100);
  void *buffer = alloc(100);
  ASSERT_TRUE(store(buffer, data.data(), 100));
  fs::remove_all(directory);
  EXPECT_FALSE(load(data.data(), buffer, 100));
  EXPECT_TRUE(contains(error(), "'W1'")) << error();
  EXPECT_TRUE(contains(error(), "cannot open " + directory)) << error();
  pebble_rt_reset_meter();
  EXPECT_FALSE(store(buffer, data.data(), 100));
  pebble_rt_reset_meter();
  EXPECT_FALSE(succeeds([&] { pebble_rt_alloc(disk, 100); }));
  EXPECT_TRUE(contains(error(), "cannot create " + directory)) << error();
}

TEST_F(FileTier, AnErrorOfTheCopyThreadComesUpAtItsWait) {
  std::vector<char> a = bytes(1000), b = bytes(1000, 7);
  void *bad = alloc(1000, "bad"), *good = alloc(1000, "good");
  ASSERT_TRUE(store(bad, a.data(), 1000) && store(good, b.data(), 1000));
  for (const fs::path &path : files())
    if (path.filename() == "disk-0")
      fs::resize_file(path, 10);
  int64_t first = pebble_rt_copy_start(ram, disk, a.data(), bad, 1000);
  int64_t second = pebble_rt_copy_start(ram, disk, b.data(), good, 1000);
  EXPECT_TRUE(succeeds([=] { pebble_rt_wait(second); }));
  EXPECT_EQ(error(), "");
  EXPECT_FALSE(succeeds([=] { pebble_rt_wait(first); }));
  EXPECT_TRUE(contains(error(), "cannot load buffer 0 'bad'")) << error();
  EXPECT_EQ(b, bytes(1000, 7));
  EXPECT_EQ(pebble_rt_live_count(), 2);
}

TEST_F(FileTier, MoreValuesThanOpenFilesAreAllowed) {
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 32;
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<void *> buffers;
  bool good = succeeds([&] {
    for (int i = 0; i < 200; ++i)
      buffers.push_back(pebble_rt_alloc(disk, 8));
  });
  for (size_t i = 0; good && i < buffers.size(); ++i)
    good = store(buffers[i], &i, 8);
  for (size_t i = 0, back; good && i < buffers.size(); ++i)
    good = load(&back, buffers[i], 8) && back == i;
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(good) << error();
}

TEST_F(FileTier, ACopyBeyondTheBufferIsAnError) {
  std::vector<char> data(200);
  void *buffer = alloc(100);
  EXPECT_FALSE(store(buffer, data.data(), 101));
  EXPECT_TRUE(contains(error(), "reaches beyond buffer 0")) << error();
}

TEST_F(FileTier, TheDirectoryIsMadeBeforeItIsNeeded) {
  EXPECT_EQ(pebble_rt_open_slow_dir(), 0);
  EXPECT_GT(pebble_rt_slow_dir_free_bytes(), 0);
  pebble_rt_set_slow_dir("/nonexistent");
  EXPECT_EQ(pebble_rt_open_slow_dir(), 1);
  EXPECT_TRUE(contains(error(), "cannot make a directory /nonexistent/"));
  EXPECT_EQ(pebble_rt_slow_dir_free_bytes(), -1);
}

TEST_F(FileTier, TheDirectoryStaysWhileItHoldsValues) {
  void *buffer = alloc(100);
  EXPECT_FALSE(succeeds([] { pebble_rt_set_slow_dir("/elsewhere"); }));
  pebble_rt_free(buffer);
  EXPECT_TRUE(succeeds([] { pebble_rt_set_slow_dir(""); }));
}

using FileTierDeathTest = FileTier;

TEST_F(FileTierDeathTest, TheAddressesOfAFileCannotBeTouched) {
  EXPECT_DEATH(*static_cast<volatile char *>(alloc(100)) = 1, "");
  // The child that died has left its files; this one's are elsewhere.
  fs::remove_all(directory);
}

TEST_F(FileTierDeathTest, AnErrorOutsideOfACallLeavesNoFiles) {
  EXPECT_EXIT(
      {
        alloc(100);
        pebble_rt_fail("nobody listens");
      },
      ::testing::ExitedWithCode(1), "nobody listens");
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(FileTierDeathTest, AHandlerOfASignalRemovesTheFiles) {
  EXPECT_EXIT(
      {
        std::signal(SIGABRT, [](int) {
          pebble_rt_remove_files();
          _exit(3);
        });
        for (int i = 0; i < 1000; ++i)
          alloc(100);
        std::abort();
      },
      ::testing::ExitedWithCode(3), "");
  EXPECT_TRUE(fs::is_empty(directory));
}

} // namespace
