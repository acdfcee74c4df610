//===- Codec.cpp - values of zeros, and of zeros and ones -----------------===//

#include "Codec.h"

#include <cstring>

using namespace pebble::runtime;

namespace {

/// Elements of one width, wherever they lie: values may begin at any address.
template <typename Element>
class Elements {
public:
  static Element get(const char *data, size_t index) {
    Element element;
    std::memcpy(&element, data + index * sizeof(Element), sizeof(Element));
    return element;
  }

  static void set(char *data, size_t index, Element element) {
    std::memcpy(data + index * sizeof(Element), &element, sizeof(Element));
  }

  static std::optional<size_t> count(const Coding &coding, const char *dense) {
    size_t nonzero = 0;
    if (coding.codec == PEBBLE_RT_BITMASK) {
      for (size_t i = 0; i < coding.elements; ++i)
        nonzero += get(dense, i) != 0;
    } else {
      const auto one = static_cast<Element>(coding.one);
      for (size_t i = 0; i < coding.elements; ++i)
        if (Element element = get(dense, i); element != 0 && element != one)
          return std::nullopt;
    }
    size_t bytes = coding.maskBytes() + nonzero * sizeof(Element);
    if (bytes >= coding.denseBytes() && coding.elements)
      return std::nullopt;
    return bytes;
  }

  static void encode(const Coding &coding, const char *dense, char *encoded) {
    char *mask = encoded;
    char *values = encoded + coding.maskBytes();
    const bool writesValues = coding.codec == PEBBLE_RT_BITMASK;
    for (size_t begin = 0; begin < coding.elements; begin += 8) {
      unsigned byte = 0;
      for (size_t i = begin; i < coding.elements && i < begin + 8; ++i) {
        Element element = get(dense, i);
        if (element == 0)
          continue;
        byte |= 1U << (i - begin);
        if (writesValues) {
          set(values, 0, element);
          values += sizeof(Element);
        }
      }
      *mask++ = static_cast<char>(byte);
    }
  }

  static void decode(const Coding &coding, const char *encoded, char *dense) {
    const char *mask = encoded;
    const char *values = encoded + coding.maskBytes();
    const bool readsValues = coding.codec == PEBBLE_RT_BITMASK;
    const auto one = static_cast<Element>(coding.one);
    for (size_t i = 0; i < coding.elements; ++i) {
      Element element = 0;
      if (static_cast<unsigned char>(mask[i / 8]) >> (i % 8) & 1U) {
        element = one;
        if (readsValues) {
          element = get(values, 0);
          values += sizeof(Element);
        }
      }
      set(dense, i, element);
    }
  }
};

} // namespace

/// Calls `function` with an Elements of the coding's width.
template <typename Function>
static auto withWidth(const Coding &coding, Function function) {
  switch (coding.width) {
  case 1:
    return function(Elements<uint8_t>());
  case 2:
    return function(Elements<uint16_t>());
  case 4:
    return function(Elements<uint32_t>());
  default:
    return function(Elements<uint64_t>());
  }
}

std::optional<size_t> pebble::runtime::encodedBytes(const Coding &coding,
                                                    const char *dense) {
  return withWidth(coding,
                   [&](auto each) { return each.count(coding, dense); });
}

void pebble::runtime::encode(const Coding &coding, const char *dense,
                             char *encoded) {
  withWidth(coding, [&](auto each) { each.encode(coding, dense, encoded); });
}

void pebble::runtime::decode(const Coding &coding, const char *encoded,
                             char *dense) {
  withWidth(coding, [&](auto each) { each.decode(coding, encoded, dense); });
}
