//===- Backing.h - where the bytes of a tier come from ----------*- C++ -*-===//
//
// Memory of the process, or a file behind addresses that cannot be touched.
// Knows nothing of counting.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_BACKING_H
#define PEBBLE_LIB_RUNTIME_BACKING_H

#include "Compressed.h"
#include "FileStore.h"

#include "pebble/Runtime/Runtime.h"

#include <cstddef>
#include <memory>
#include <string>

namespace pebble::runtime {

/// A range of addresses that can be given back.
struct Range {
  char *data = nullptr;
  size_t bytes = 0;
  /// What the addresses stand for, where it is not memory.
  std::shared_ptr<StoredValue> file;
  std::shared_ptr<CompressedValues> values;
  /// The addresses are numbers to reckon with, not memory.
  bool isNumbers = false;

  bool isMemory() const { return !isNumbers; }
};

/// `bytes` bytes of memory, aligned to 64 or to a larger power of two. data is
/// null if there is none. Profilers of the heap find what tiers hold by its
/// name, so it stays a call.
[[gnu::noinline]] Range takeMemory(size_t bytes,
                                   size_t alignment = PEBBLE_RT_GRANULE);

/// Addresses for `bytes` bytes of `file`, aligned to a page: numbers to reckon
/// with. Whoever reads or writes there is stopped by the system. data is null
/// if there are none.
Range takeAddresses(size_t bytes, std::shared_ptr<StoredValue> file);

/// The same for `bytes` bytes that `values` keeps in fewer.
Range takeAddresses(size_t bytes, std::shared_ptr<CompressedValues> values);

/// The same for what stands there by itself.
Range takeRoom(size_t bytes);

/// Gives back what takeMemory, takeRoom or takeAddresses returned.
void giveBack(Range &range);

/// A place in memory or in a file, or one of some compressed values.
struct Place {
  char *memory = nullptr;
  StoredValue *file = nullptr;
  CompressedSlot *slot = nullptr;
  size_t offset = 0; ///< in the file
};

/// Copies `bytes` bytes; ranges in memory may overlap. False, and the reason in
/// `error`, if a file does not take or give them.
bool copyBytes(const Place &destination, const Place &source, size_t bytes,
               std::string &error);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_BACKING_H
