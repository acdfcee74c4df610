//===- Codec.h - values of zeros, and of zeros and ones ---------*- C++ -*-===//
//
// Two lossless codecs. `bitmask` writes a bit for each element, set where any
// bit of the element is, and behind them the elements that have one: bit
// patterns, so that -0.0 and NaN come back as they were. `bits` writes a bit
// for each element of a value in which every element is exactly 0 or 1.
//
// Bit i is bit i % 8 of byte i / 8. Knows neither tiers nor files.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_RUNTIME_CODEC_H
#define PEBBLE_LIB_RUNTIME_CODEC_H

#include "pebble/Runtime/Runtime.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pebble::runtime {

/// What the elements of a value are.
struct Coding {
  pebble_rt_codec codec = PEBBLE_RT_BITMASK;
  size_t elements = 0;
  size_t width = 1; ///< bytes of an element: 1, 2, 4 or 8
  uint64_t one = 1; ///< bit pattern of 1 (bits)

  size_t denseBytes() const { return elements * width; }
  size_t maskBytes() const { return (elements + 7) / 8; }
};

/// Bytes that `dense` takes encoded; nothing if the codec cannot write it, or
/// not in less than the value takes as it is.
std::optional<size_t> encodedBytes(const Coding &coding, const char *dense);

/// Writes `dense` to `encoded`, as many bytes as encodedBytes says.
void encode(const Coding &coding, const char *dense, char *encoded);

/// The reverse.
void decode(const Coding &coding, const char *encoded, char *dense);

} // namespace pebble::runtime

#endif // PEBBLE_LIB_RUNTIME_CODEC_H
