//===- Transfers.cpp - copies that run beside the program -----------------===//

#include "Transfers.h"

#include <algorithm>

using namespace pebble::runtime;

/// Sleeps most of the time and looks at the clock for the rest: a sleeper is
/// woken late.
static void waitUntil(Clock::time_point time) {
  constexpr std::chrono::microseconds kLate(100);
  if (time - Clock::now() > kLate)
    std::this_thread::sleep_until(time - kLate);
  while (Clock::now() < time)
    std::this_thread::yield();
}

Outcome pebble::runtime::perform(const Transfer &transfer) {
  Outcome outcome;
  outcome.begin = Clock::now();
  copyBytes(transfer.destination, transfer.source, transfer.bytes,
            outcome.error);
  if (transfer.least.count() > 0)
    waitUntil(outcome.begin + transfer.least);
  outcome.end = Clock::now();
  return outcome;
}

/// Looks again and again for a while: a thread that sleeps is woken tens of
/// microseconds late, which is what a copy of some hundred kilobytes takes.
template <typename Condition>
static void watch(std::chrono::microseconds time, Condition isMet) {
  Clock::time_point end = Clock::now() + time;
  while (!isMet() && Clock::now() < end)
    std::this_thread::yield();
}

int64_t Transfers::start(const Transfer &transfer) {
  int64_t ticket;
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(transfer);
    ticket = ++started;
    if (!worker.joinable())
      worker = std::thread([this] { work(); });
  }
  changed.notify_all();
  return ticket;
}

std::chrono::nanoseconds Transfers::getBusy(Clock::time_point now) const {
  return underWay && now > *underWay ? busy + (now - *underWay) : busy;
}

Outcome Transfers::wait(int64_t ticket, std::chrono::nanoseconds &stall) {
  std::chrono::nanoseconds before;
  {
    std::lock_guard<std::mutex> lock(mutex);
    before = getBusy(Clock::now());
  }
  auto isMade = [&] { return done >= ticket; };
  watch(std::chrono::microseconds(1000), isMade);
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, isMade);
  auto it = outcomes.find(ticket);
  if (it == outcomes.end())
    return {};
  Outcome outcome = std::move(it->second);
  outcomes.erase(it);
  stall = std::max(std::chrono::nanoseconds(0), outcome.busy - before);
  return outcome;
}

void Transfers::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  if (worker.joinable())
    worker.join();
  stopping = false;
}

void Transfers::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    if (queue.empty()) {
      lock.unlock();
      watch(std::chrono::microseconds(100),
            [&] { return stopping || started > done; });
      lock.lock();
    }
    changed.wait(lock, [&] { return stopping || !queue.empty(); });
    if (queue.empty())
      return;
    Transfer transfer = queue.front();
    queue.pop_front();
    underWay = Clock::now();
    lock.unlock();
    Outcome outcome = perform(transfer);
    lock.lock();
    underWay.reset();
    busy += outcome.end - outcome.begin;
    outcome.busy = busy;
    outcomes[done + 1] = std::move(outcome);
    ++done;
    changed.notify_all();
  }
}
