//===- FileBytes.h - reads and writes by position ---------------*- C++ -*-===//

#ifndef PEBBLE_LIB_RUNTIME_FILEBYTES_H
#define PEBBLE_LIB_RUNTIME_FILEBYTES_H

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pebble::runtime {

/// ": " and what errno says.
std::string because();

/// Keeps SIGXFSZ from ending the process while it lives: a write beyond the
/// limit on the size of files is to be an error like a full disk. The signal
/// goes to the thread that wrote, so it is taken from this one's queue.
class NoFileSizeSignal {
public:
  NoFileSizeSignal();
  ~NoFileSizeSignal();
  NoFileSizeSignal(const NoFileSizeSignal &) = delete;

private:
  sigset_t set, before;
  bool wasPending;
};

/// Writes all of it; false with errno where the system takes no more.
bool writeAll(int file, const char *from, size_t bytes, size_t offset);

/// Reads until the file ends; the number of bytes, or -1 with errno.
int64_t readAll(int file, char *to, size_t bytes, size_t offset);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_FILEBYTES_H
