//===- CompressedCalls.cpp - the C interface: compressed values -----------===//

#include "State.h"

#include <algorithm>

using namespace pebble::runtime;

PEBBLE_RT_API int64_t pebble_rt_compressed_bytes(enum pebble_rt_codec codec,
                                                 int64_t elements,
                                                 int32_t width,
                                                 int32_t densityPercent) {
  bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
  if (elements < 0 || elements > INT64_MAX / 1024 || !isWidth ||
      (codec != PEBBLE_RT_BITMASK && codec != PEBBLE_RT_BITS) ||
      densityPercent < 0 || densityPercent > 100)
    return -1;
  int64_t bytes = (elements + 7) / 8;
  if (codec == PEBBLE_RT_BITMASK)
    bytes += (elements * densityPercent + 99) / 100 * width;
  return std::min(bytes, elements * width);
}

/// The slots of `count` values, which take `reserved` bytes each.
static Range takeValues(const Tier &tier, int64_t count, const Coding &coding,
                        int64_t reserved, char *place, std::string &error) {
  const auto values = static_cast<size_t>(count);
  auto kept =
      std::make_shared<CompressedValues>(coding, static_cast<size_t>(reserved));
  CompressedValues::MakeFile makeFile;
  if (tier.backing == PEBBLE_RT_FILE) {
    place = nullptr;
    makeFile = [&](size_t index, std::string &why) {
      return state().makeFile(tier, "-" + std::to_string(index),
                              static_cast<size_t>(reserved), why);
    };
  }
  if (!kept->make(values, state().poison ? kPoison : 0, place, makeFile, error))
    return {};
  return takeAddresses(values * coding.denseBytes(), std::move(kept));
}

/// A fresh buffer, at `offset` of a block if that is not null; null and
/// state().error on failure.
static void *allocateValues(int32_t tier, const int64_t *offset, int64_t count,
                            const Coding &coding, int64_t reserved) {
  Take take = [&](const Tier &t, int64_t, char *place, std::string &error) {
    return takeValues(t, count, coding, reserved, place, error);
  };
  int64_t bytes = count * reserved;
  // What is empty is so at any offset.
  return offset && tier >= 0 && bytes > 0
             ? allocateAt(tier, *offset, bytes, take)
             : allocate(tier, bytes, take);
}

static void *allocateChecked(int32_t tier, const int64_t *offset, int64_t count,
                             int64_t elements, int32_t width,
                             enum pebble_rt_codec codec, int32_t densityPercent,
                             uint64_t one) {
  int64_t reserved =
      pebble_rt_compressed_bytes(codec, elements, width, densityPercent);
  int64_t dense = reserved < 0 ? -1 : elements * width;
  if (reserved < 0 || count < 0 || (dense && count > INT64_MAX / dense))
    pebble_rt_fail("a buffer of compressed values is asked for whose number, "
                   "size or density makes no sense");
  Coding coding;
  coding.codec = codec;
  coding.elements = static_cast<size_t>(elements);
  coding.width = static_cast<size_t>(width);
  coding.one = one;
  void *data = allocateValues(tier, offset, count, coding, reserved);
  if (!data)
    leave();
  return data;
}

PEBBLE_RT_API void *pebble_rt_alloc_compressed(int32_t tier, int64_t count,
                                               int64_t elements, int32_t width,
                                               enum pebble_rt_codec codec,
                                               int32_t densityPercent,
                                               uint64_t one) {
  return allocateChecked(tier, nullptr, count, elements, width, codec,
                         densityPercent, one);
}

PEBBLE_RT_API void *
pebble_rt_alloc_compressed_at(int32_t tier, int64_t offset, int64_t count,
                              int64_t elements, int32_t width,
                              enum pebble_rt_codec codec,
                              int32_t densityPercent, uint64_t one) {
  return allocateChecked(tier, &offset, count, elements, width, codec,
                         densityPercent, one);
}
