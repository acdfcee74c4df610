//===- Backing.cpp - where the bytes of a tier come from ------------------===//

#include "Backing.h"

#include "pebble/Runtime/Runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>

using namespace pebble::runtime;

static size_t roundUp(size_t bytes, size_t to) {
  return (bytes + to - 1) / to * to;
}

Range pebble::runtime::takeMemory(size_t bytes, size_t alignment) {
  // An empty buffer still needs an address of its own.
  size_t size = roundUp(bytes ? bytes : 1, PEBBLE_RT_GRANULE);
  void *data = nullptr;
  if (posix_memalign(&data, alignment, size))
    return {};
  return {static_cast<char *>(data), size, nullptr, nullptr, false};
}

Range pebble::runtime::takeRoom(size_t bytes) {
  size_t size = roundUp(bytes ? bytes : 1, 4096);
  void *data = mmap(nullptr, size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return {};
  return {static_cast<char *>(data), size, nullptr, nullptr, true};
}

Range pebble::runtime::takeAddresses(size_t bytes,
                                     std::shared_ptr<StoredValue> file) {
  Range range = takeRoom(bytes);
  range.file = std::move(file);
  return range;
}

Range pebble::runtime::takeAddresses(size_t bytes,
                                     std::shared_ptr<CompressedValues> values) {
  Range range = takeRoom(bytes);
  range.values = std::move(values);
  return range;
}

void pebble::runtime::giveBack(Range &range) {
  if (range.isMemory())
    std::free(range.data);
  else
    munmap(range.data, range.bytes);
  range = {};
}

bool pebble::runtime::copyBytes(const Place &destination, const Place &source,
                                size_t bytes, std::string &error) {
  if (destination.slot || source.slot) {
    // A compressed value is all of a transfer, or no part of it.
    if (source.slot && destination.memory)
      return source.slot->load(destination.memory, error);
    if (destination.slot && source.memory)
      return destination.slot->store(source.memory, error);
    std::vector<char> dense(bytes);
    Place between;
    between.memory = dense.data();
    return copyBytes(between, source, bytes, error) &&
           copyBytes(destination, between, bytes, error);
  }
  if (destination.file && source.file) {
    std::vector<char> between(std::min(bytes, size_t(1) << 20));
    for (size_t done = 0; done < bytes;) {
      size_t part = std::min(between.size(), bytes - done);
      if (!source.file->load(source.offset + done, between.data(), part,
                             error) ||
          !destination.file->store(destination.offset + done, between.data(),
                                   part, error))
        return false;
      done += part;
    }
    return true;
  }
  if (destination.file)
    return destination.file->store(destination.offset, source.memory, bytes,
                                   error);
  if (source.file)
    return source.file->load(source.offset, destination.memory, bytes, error);
  if (bytes)
    std::memmove(destination.memory, source.memory, bytes);
  return true;
}
