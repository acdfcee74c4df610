//===- Transfers.cpp - copies that run beside the program -----------------===//

#include "Transfers.h"

#include <cstring>

using namespace pebble::runtime;

void pebble::runtime::copyBytes(void *destination, const void *source,
                                size_t bytes) {
  if (bytes)
    std::memmove(destination, source, bytes);
}

Transfers::~Transfers() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  if (worker.joinable())
    worker.join();
}

int64_t Transfers::start(void *destination, const void *source, size_t bytes) {
  int64_t ticket;
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back({destination, source, bytes});
    ticket = ++started;
    if (!worker.joinable())
      worker = std::thread([this] { work(); });
  }
  changed.notify_all();
  return ticket;
}

void Transfers::wait(int64_t ticket) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return done >= ticket; });
}

void Transfers::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stopping || !queue.empty(); });
    if (queue.empty())
      return;
    Job job = queue.front();
    queue.pop_front();
    lock.unlock();
    copyBytes(job.destination, job.source, job.bytes);
    lock.lock();
    ++done;
    changed.notify_all();
  }
}
