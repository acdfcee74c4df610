//===- SearchWatch.cpp - for whoever waits for a search -------------------===//

#include "SearchWatch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace pebble::tool;

namespace {
/// What the handler of the signal may touch.
std::atomic<bool> interrupted{false};
struct sigaction before = {};

constexpr char kSaid[] =
    "\ninterrupted: the search ends with the best that is known; once more "
    "ends the program\n";

void onInterrupt(int) {
  const int error = errno; // of whoever was interrupted
  interrupted.store(true, std::memory_order_relaxed);
  sigaction(SIGINT, &before, nullptr);
  // Where nobody listens nothing is to be done.
  const ssize_t written = write(STDERR_FILENO, kSaid, sizeof kSaid - 1);
  static_cast<void>(written);
  errno = error;
}

/// Nothing is shown of what takes less, and lines follow each other no faster.
constexpr std::chrono::milliseconds kTick(250), kBetweenLines(1000);
} // namespace

const std::atomic<bool> *SearchWatch::getInterrupt() { return &interrupted; }

SearchWatch::SearchWatch(std::string program, bool always)
    : program(std::move(program)), isTerminal(isatty(STDERR_FILENO)),
      isShown(always || isTerminal),
      write([](int64_t cost) { return std::to_string(cost); }) {}

SearchWatch::~SearchWatch() {
  while (depth > 0)
    end();
}

void SearchWatch::begin() {
  std::unique_lock<std::mutex> lock(mutex);
  if (depth++ > 0)
    return;
  interrupted.store(false, std::memory_order_relaxed);
  begun = shown = Clock::now();
  cost.reset();
  bound.reset();
  topic.clear();
  isNew = isOver = false;
  // Who started the program in the background wants no interrupts at all.
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN) {
    struct sigaction ours = {};
    ours.sa_handler = onInterrupt;
    sigemptyset(&ours.sa_mask);
    ours.sa_flags = SA_RESTART;
    sigaction(SIGINT, &ours, nullptr);
  }
  if (isShown)
    ticker = std::thread([this] { tick(); });
}

void SearchWatch::end() {
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (depth == 0 || --depth > 0)
      return;
    isOver = true;
  }
  wake.notify_all();
  if (ticker.joinable())
    ticker.join();
  sigaction(SIGINT, &before, nullptr);
  if (!isShown)
    return;
  if (!isTerminal && isNew)
    show();
  if (hasLine)
    std::fputs("\n", stderr);
  hasLine = false;
}

void SearchWatch::enter(std::string newTopic) {
  std::unique_lock<std::mutex> lock(mutex);
  topic = std::move(newTopic);
  cost.reset();
  bound.reset();
}

void SearchWatch::tell(const std::string &line) {
  std::unique_lock<std::mutex> lock(mutex);
  const std::string text =
      (hasLine ? "\r\033[K" : "") + program + ": " + line + "\n";
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  hasLine = false;
}

void SearchWatch::writeCosts(std::function<std::string(int64_t)> newWrite) {
  std::unique_lock<std::mutex> lock(mutex);
  write = std::move(newWrite);
}

void SearchWatch::onProgress(std::optional<int64_t> newCost, int64_t newBound) {
  std::unique_lock<std::mutex> lock(mutex);
  if (newCost && (!cost || *newCost < *cost)) {
    cost = newCost;
    isNew = true;
  }
  if (!bound || newBound > *bound) {
    bound = newBound;
    isNew = true;
  }
}

void SearchWatch::tick() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, kTick, [this] { return isOver; }))
    if (isTerminal || (isNew && Clock::now() - shown >= kBetweenLines))
      show();
}

std::string SearchWatch::getLine() const {
  std::string line = program + ": " + (topic.empty() ? "" : topic + ": ");
  char text[32];
  if (cost)
    line += "best " + write(*cost);
  else
    line += bound ? "nothing yet" : "searching";
  if (bound) {
    const int64_t least = cost ? std::min(*bound, *cost) : *bound;
    line += ", bound " + write(least);
    if (cost) {
      const double gap = *cost > 0 ? 100 * static_cast<double>(*cost - least) /
                                         static_cast<double>(*cost)
                                   : 0;
      std::snprintf(text, sizeof text, ", gap %.2f%%", gap);
      line += text;
    }
  }
  const std::chrono::duration<double> elapsed = Clock::now() - begun;
  std::snprintf(text, sizeof text, ", %.1f s", elapsed.count());
  return line + text;
}

/// With the mutex held, or after the ticker has ended.
void SearchWatch::show() {
  const std::string line =
      isTerminal ? "\r" + getLine() + "\033[K" : getLine() + "\n";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  hasLine = isTerminal;
  isNew = false;
  shown = Clock::now();
}
