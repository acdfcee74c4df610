//===- Checksum.cpp - whether bytes came back as they went ----------------===//

#include "Checksum.h"

#include <cstring>
#include <initializer_list>

using namespace pebble::runtime;

namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ull;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Full;
constexpr uint64_t kPrime3 = 0x165667B19E3779F9ull;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63ull;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5ull;

uint64_t rotate(uint64_t value, int bits) {
  return (value << bits) | (value >> (64 - bits));
}

/// The next word of the data in the byte order of this machine: a checksum
/// never leaves the process.
template <typename Word>
uint64_t take(const unsigned char *&data) {
  Word word;
  std::memcpy(&word, data, sizeof(word));
  data += sizeof(word);
  return word;
}

uint64_t round(uint64_t lane, uint64_t word) {
  return rotate(lane + word * kPrime2, 31) * kPrime1;
}

uint64_t merge(uint64_t hash, uint64_t lane) {
  return (hash ^ round(0, lane)) * kPrime1 + kPrime4;
}

} // namespace

uint64_t pebble::runtime::checksum(const void *start, size_t bytes) {
  const auto *data = static_cast<const unsigned char *>(start);
  size_t left = bytes;
  uint64_t hash = kPrime5;
  if (left >= 32) {
    uint64_t a = kPrime1 + kPrime2, b = kPrime2, c = 0, d = 0 - kPrime1;
    for (; left >= 32; left -= 32) {
      a = round(a, take<uint64_t>(data));
      b = round(b, take<uint64_t>(data));
      c = round(c, take<uint64_t>(data));
      d = round(d, take<uint64_t>(data));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    for (uint64_t lane : {a, b, c, d})
      hash = merge(hash, lane);
  }
  hash += bytes;
  for (; left >= 8; left -= 8)
    hash =
        rotate(hash ^ round(0, take<uint64_t>(data)), 27) * kPrime1 + kPrime4;
  if (left >= 4) {
    hash =
        rotate(hash ^ take<uint32_t>(data) * kPrime1, 23) * kPrime2 + kPrime3;
    left -= 4;
  }
  for (; left; --left)
    hash = rotate(hash ^ take<unsigned char>(data) * kPrime5, 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}
