//===- LifetimeTest.cpp - lifetimes in orders other than the block's ------===//

#include "Program.h"

#include "pebble/Analysis/Lifetime.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace pebble;
using pebble::test::Program;

namespace {

TEST(Lifetime, AnOrderOfOnesOwnMovesThePeak) {
  Program program(R"mlir(
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %a = "t.a"(%x) : (tensor<16xf32>) -> tensor<256xf32>
      %b = "t.b"(%x) : (tensor<16xf32>) -> tensor<256xf32>
      %c = "t.c"(%a) : (tensor<256xf32>) -> tensor<16xf32>
      %d = "t.d"(%b, %c) : (tensor<256xf32>, tensor<16xf32>) -> tensor<16xf32>
      return %d : tensor<16xf32>
    })mlir");
  ASSERT_TRUE(program);
  StorageAnalysis storage = program.analyse("f");
  LifetimeAnalysis given(storage);
  EXPECT_EQ(given.getPeakBytes(), 64 + 2 * 1024 + 64);
  EXPECT_EQ(given.getPeakPosition(), 2u);
  LifetimeAnalysis depthFirst(storage, {0, 2, 1, 3});
  EXPECT_EQ(depthFirst.getPeakBytes(), 64 + 1024 + 2 * 64);
  EXPECT_EQ(depthFirst.getPeakPosition(), 3u);
  EXPECT_EQ(depthFirst.getIntermediatesPeakBytes(), 1024 + 2 * 64);
}

/// A chain in which every op also reads the first value, `count` times over.
std::string makeWideProgram(unsigned count) {
  std::string text = "func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {\n";
  std::string last = "%x";
  for (unsigned i = 0; i < count; ++i) {
    std::string name = "%v" + std::to_string(i);
    text += name + " = \"t.op\"(%x, " + last +
            ") : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>\n";
    last = name;
  }
  return text + "return " + last + " : tensor<16xf32> }\n";
}

TEST(Lifetime, ManyReadersOfOneStorage) {
  Program program(makeWideProgram(5000));
  ASSERT_TRUE(program);
  StorageAnalysis storage = program.analyse("f");
  LifetimeAnalysis lifetime(storage);
  EXPECT_EQ(lifetime.getPeakBytes(), 3 * 64);
}

} // namespace
