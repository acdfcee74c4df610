//===- SearchWatch.h - for whoever waits for a search -----------*- C++ -*-===//
//
// Shows on stderr what a search has found so far: one line that is written
// again and again on a terminal, plain lines elsewhere. An interrupt (SIGINT)
// ends the search with the best that is known; a second one ends the program,
// as it would have without us. Only our own tools have this: a pass in another
// compiler shows nothing and handles no signal. Sees no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TOOLS_COMMON_SEARCHWATCH_H
#define PEBBLE_TOOLS_COMMON_SEARCHWATCH_H

#include "pebble/Solver/Graph/Limits.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace pebble::tool {

/// At most one in a process watches at a time.
class SearchWatch : public graph::Observer {
public:
  /// `program` starts each line. Without `always` nothing is shown where stderr
  /// is no terminal.
  SearchWatch(std::string program, bool always);
  ~SearchWatch() override;
  SearchWatch(const SearchWatch &) = delete;
  SearchWatch &operator=(const SearchWatch &) = delete;

  /// Searches go on from the first begin() to the last end().
  void begin();
  void end();
  /// What is searched for now; what was known before is forgotten.
  void enter(std::string topic);
  /// Writes a line of its own, whether progress is shown or not.
  void tell(const std::string &line);
  /// How costs are written; as they are, if nobody says.
  void writeCosts(std::function<std::string(int64_t)> write);

  void onProgress(std::optional<int64_t> cost, int64_t bound) override;

  /// Set by an interrupt between begin() and end().
  static const std::atomic<bool> *getInterrupt();

private:
  using Clock = std::chrono::steady_clock;

  void tick();
  void show();
  std::string getLine() const;

  const std::string program;
  const bool isTerminal, isShown;
  std::function<std::string(int64_t)> write;

  std::mutex mutex;
  std::condition_variable wake;
  std::thread ticker;
  int depth = 0;
  bool isOver = false;

  Clock::time_point begun, shown;
  std::string topic;
  std::optional<int64_t> cost, bound;
  bool isNew = false, hasLine = false;
};

/// From begin() to end(), if somebody watches.
class WatchScope {
public:
  explicit WatchScope(SearchWatch *watch) : watch(watch) {
    if (watch)
      watch->begin();
  }
  ~WatchScope() { end(); }
  WatchScope(const WatchScope &) = delete;
  WatchScope &operator=(const WatchScope &) = delete;
  void end() {
    if (watch)
      watch->end();
    watch = nullptr;
  }

private:
  SearchWatch *watch;
};

} // namespace pebble::tool

#endif // PEBBLE_TOOLS_COMMON_SEARCHWATCH_H
