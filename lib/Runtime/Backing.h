//===- Backing.h - where the bytes of a tier come from ----------*- C++ -*-===//
//
// Memory of the process, or a file mapped into it. Knows nothing of counting.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_BACKING_H
#define PEBBLE_LIB_RUNTIME_BACKING_H

#include <cstddef>
#include <string>

namespace pebble::runtime {

/// A range of bytes that can be given back.
struct Range {
  void *data = nullptr;
  size_t bytes = 0;
  bool mapped = false;
};

/// `bytes` bytes of memory, aligned to 64. data is null if there is none.
Range takeMemory(size_t bytes);

/// `bytes` bytes of a fresh file in `directory` (TMPDIR if empty) mapped into
/// the process. The file has no name any more when this returns, so it ends
/// with the mapping. On failure data is null and `error` says why.
Range takeFile(size_t bytes, const std::string &directory, std::string &error);

/// Gives back what takeMemory or takeFile returned.
void giveBack(const Range &range);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_BACKING_H
