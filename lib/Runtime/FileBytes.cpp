//===- FileBytes.cpp - reads and writes by position -----------------------===//

#include "FileBytes.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace pebble::runtime {

std::string because() { return std::string(": ") + strerror(errno); }

NoFileSizeSignal::NoFileSizeSignal() {
  sigset_t pending;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  sigpending(&pending);
  wasPending = sigismember(&pending, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &set, &before);
}

NoFileSizeSignal::~NoFileSizeSignal() {
  int saved = errno, signal;
  sigset_t pending;
  sigpending(&pending);
  if (!wasPending && sigismember(&pending, SIGXFSZ) == 1)
    sigwait(&set, &signal);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = saved;
}

bool writeAll(int file, const char *from, size_t bytes, size_t offset) {
  while (bytes) {
    ssize_t done = pwrite(file, from, bytes, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0) {
      errno = done < 0 ? errno : ENOSPC;
      return false;
    }
    from += done;
    offset += static_cast<size_t>(done);
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

int64_t readAll(int file, char *to, size_t bytes, size_t offset) {
  size_t got = 0;
  while (got < bytes) {
    ssize_t done =
        pread(file, to + got, bytes - got, static_cast<off_t>(offset + got));
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return -1;
    if (done == 0)
      break;
    got += static_cast<size_t>(done);
  }
  return static_cast<int64_t>(got);
}

} // namespace pebble::runtime
