//===- ChecksumTest.cpp - XXH64 against published values ------------------===//

#include "../../../lib/Runtime/Checksum.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

using pebble::runtime::checksum;

namespace {

uint64_t of(const char *text) { return checksum(text, std::strlen(text)); }

TEST(Checksum, IsXXH64) {
  EXPECT_EQ(of(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(of("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(of("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(of("The quick brown fox jumps over the lazy dog"),
            0x0B242D361FDA71BCu);
}

TEST(Checksum, EveryBitCounts) {
  std::string data(100, 'x');
  const uint64_t before = checksum(data.data(), data.size());
  for (size_t i = 0; i < data.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      data[i] = static_cast<char>(data[i] ^ (1 << bit));
      EXPECT_NE(checksum(data.data(), data.size()), before);
      data[i] = static_cast<char>(data[i] ^ (1 << bit));
    }
  EXPECT_NE(checksum(data.data(), data.size() - 1), before);
}

} // namespace
