//===- Checksum.h - whether bytes came back as they went --------*- C++ -*-===//

#ifndef PEBBLE_LIB_RUNTIME_CHECKSUM_H
#define PEBBLE_LIB_RUNTIME_CHECKSUM_H

#include <cstddef>
#include <cstdint>

namespace pebble::runtime {

/// XXH64 of `bytes` bytes with seed 0 (Y. Collet, "xxHash fast digest
/// algorithm", specification 0.1.1). No table and no instruction that some
/// processors lack; not meant to withstand an adversary.
uint64_t checksum(const void *data, size_t bytes);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_CHECKSUM_H
