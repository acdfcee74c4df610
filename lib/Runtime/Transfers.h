//===- Transfers.h - copies that run beside the program ---------*- C++ -*-===//
//
// One worker thread copies in the order in which copies were started. Knows
// neither tiers nor the meter.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_TRANSFERS_H
#define PEBBLE_LIB_RUNTIME_TRANSFERS_H

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

namespace pebble::runtime {

class Transfers {
public:
  ~Transfers();

  /// Queues a copy; starts the worker when the first one comes. Returns its
  /// number, counted from 1.
  int64_t start(void *destination, const void *source, size_t bytes);

  /// Blocks until copy number `ticket`, and so every earlier one, is done.
  void wait(int64_t ticket);

private:
  struct Job {
    void *destination;
    const void *source;
    size_t bytes;
  };
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> queue;
  int64_t started = 0;
  int64_t done = 0;
  bool stopping = false;
  std::thread worker;
};

/// memmove that accepts null pointers for no bytes.
void copyBytes(void *destination, const void *source, size_t bytes);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_TRANSFERS_H
