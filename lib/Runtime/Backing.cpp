//===- Backing.cpp - where the bytes of a tier come from ------------------===//

#include "Backing.h"

#include "pebble/Runtime/Runtime.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace pebble::runtime;

static size_t roundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

Range pebble::runtime::takeMemory(size_t bytes) {
  // An empty buffer still needs an address of its own.
  size_t size = roundUp(bytes ? bytes : 1, PEBBLE_RT_GRANULE);
  return {std::aligned_alloc(PEBBLE_RT_GRANULE, size), size, false};
}

Range pebble::runtime::takeFile(size_t bytes, const std::string &directory,
                                std::string &error) {
  std::string path = directory;
  if (path.empty()) {
    const char *tmp = std::getenv("TMPDIR");
    path = tmp && *tmp ? tmp : "/tmp";
  }
  path += "/pebble-tier-XXXXXX";
  std::vector<char> name(path.begin(), path.end());
  name.push_back('\0');
  int file = mkstemp(name.data());
  if (file < 0) {
    error = "cannot create " + path + ": " + std::strerror(errno);
    return {};
  }
  unlink(name.data());
  size_t size = roundUp(bytes ? bytes : 1, 4096);
  void *data = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(size)) == 0)
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    error = "cannot map " + path + ": " + std::strerror(errno);
    close(file);
    return {};
  }
  close(file);
  return {data, size, true};
}

void pebble::runtime::giveBack(const Range &range) {
  if (range.mapped)
    munmap(range.data, range.bytes);
  else
    std::free(range.data);
}
