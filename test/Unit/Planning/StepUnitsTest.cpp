//===- StepUnitsTest.cpp - steps that run again together ------------------===//

#include "Programs.h"

#include "pebble/Analysis/RunAgain.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Portfolio/StepUnits.h"
#include "pebble/Transforms/MaterializeStorage.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::portfolio;
using namespace pebble::test;

namespace {

struct Units {
  explicit Units(const std::string &text, Grouping grouping = Grouping::Full)
      : program(text) {
    EXPECT_TRUE(succeeded(materializeStorage(*program.module, {})));
    storage.emplace(program.getBlock(), context);
    DependenceGraph dependences(*storage);
    reasons = getRunOnceReasons(*storage);
    built = buildProblem(dependences);
    result = buildUnitProblem(built.problem, reasons, grouping);
    game::Verdict verdict = game::check(result.problem);
    EXPECT_TRUE(verdict.ok()) << verdict.rule << " " << verdict.message;
    EXPECT_EQ(result.problem.steps.size(), result.units.size());
  }
  std::vector<std::vector<game::Id>> getSteps() const {
    std::vector<std::vector<game::Id>> steps;
    for (const StepUnit &unit : result.units)
      steps.push_back(unit.steps);
    return steps;
  }

  Program program;
  ProgramContext context;
  std::optional<StorageAnalysis> storage;
  std::vector<std::string> reasons;
  BlockProblem built;
  UnitProblem result;
};

using Steps = std::vector<std::vector<game::Id>>;

const char *const kProduct = R"mlir(
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
})mlir";

TEST(StepUnits, FillAndProductAreOne) {
  Units units(kProduct);
  EXPECT_EQ(units.getSteps(), (Steps{{1}, {0, 2}}));
  EXPECT_FALSE(units.result.losesSchedules);
  const game::Step &unit = units.result.problem.steps[1];
  EXPECT_TRUE(unit.recomputable);
  // Reads a and x, writes one content without a past.
  EXPECT_EQ(unit.reads.size(), 2u);
  ASSERT_EQ(unit.writes.size(), 1u);
  const game::Value &product =
      units.result.problem.values[unit.writes[0].value];
  EXPECT_EQ(product.overwrites, game::kNone);
  EXPECT_TRUE(product.required);
  EXPECT_EQ(expandUnits(units.result, {0, 1, 0}),
            (std::vector<game::Id>{1, 0, 2, 1}));
}

/// `second` updates in place what `first` makes; `second` reads `late`, which
/// could be made after `first` has freed what it reads.
std::string makeChain(const char *between) {
  return std::string(R"mlir(
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %first = linalg.abs ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
)mlir") + between +
         R"mlir(
  %second = linalg.add ins(%first, %late : tensor<8xf32>, tensor<8xf32>) outs(%first : tensor<8xf32>) -> tensor<8xf32>
  return %second, %late : tensor<8xf32>, tensor<8xf32>
})mlir";
}

const char *const kApart = "%late = linalg.exp ins(%x : tensor<8xf32>) "
                           "outs(%e : tensor<8xf32>) -> tensor<8xf32>";

TEST(StepUnits, ChainsThatMightBeRunApartSayIt) {
  Units full(makeChain(kApart));
  EXPECT_EQ(full.getSteps(), (Steps{{0}, {2}, {1, 3}}));
  EXPECT_TRUE(full.result.losesSchedules);
  Units lossless(makeChain(kApart), Grouping::Lossless);
  EXPECT_EQ(lossless.getSteps(), (Steps{{0}, {1}, {2}, {3}}));
  EXPECT_FALSE(lossless.result.losesSchedules);
  EXPECT_EQ(lossless.result.units[1].reason, "");
  EXPECT_NE(lossless.result.units[3].reason.find("in place"),
            std::string::npos);
}

TEST(StepUnits, ContentThatOthersReadKeepsItsWriterApart) {
  Units units(makeChain("%late = linalg.exp ins(%first : tensor<8xf32>) "
                        "outs(%e : tensor<8xf32>) -> tensor<8xf32>"));
  EXPECT_EQ(units.getSteps(), (Steps{{0}, {1}, {2}, {3}}));
}

TEST(StepUnits, NoChainIsDrawnTogetherAroundAnotherStep) {
  // `first` reads w before the update of w, which `second` reads.
  Units units(R"mlir(
func.func @main(%w: tensor<8xf32> {pebble.donated}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %first = linalg.abs ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %new = linalg.sub ins(%w, %x : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) -> tensor<8xf32>
  %second = linalg.add ins(%first, %new : tensor<8xf32>, tensor<8xf32>) outs(%first : tensor<8xf32>) -> tensor<8xf32>
  return %second, %new : tensor<8xf32>, tensor<8xf32>
})mlir");
  EXPECT_EQ(units.getSteps(), (Steps{{0}, {1}, {2}}));
}

TEST(StepUnits, WhatMustRunOnceSaysWhy) {
  Units units(R"mlir(
func.func private @unknown(memref<8xf32>)
func.func @main(%x: tensor<8xf32>, %m: memref<8xf32>) -> (tensor<8xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %a = "some.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %v = memref.load %m[%c0] : memref<8xf32>
  func.call @unknown(%m) : (memref<8xf32>) -> ()
  %n = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%n : memref<8xf32>)
  %w = memref.load %n[%c0] : memref<8xf32>
  return %a, %v, %w : tensor<8xf32>, f32, f32
})mlir");
  ASSERT_EQ(units.reasons.size(), 5u);
  EXPECT_NE(units.reasons[0].find("it has effects"), std::string::npos);
  EXPECT_EQ(units.reasons[1], "it reads memory that may have changed since");
  EXPECT_NE(units.reasons[2].find("it has effects"), std::string::npos);
  EXPECT_EQ(units.reasons[3], "it writes a buffer that has a name of its own");
}

TEST(StepUnits, ReadingMemoryThatNobodyWritesMayRunAgain) {
  Units units(R"mlir(
func.func @main(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<8xf32>
  return %v : f32
})mlir");
  EXPECT_EQ(units.reasons, std::vector<std::string>{""});
}

class ContractedProgram : public testing::TestWithParam<NamedProgram> {};

/// The order that came in costs the same in both games, and what runs unit by
/// unit needs no more than the contracted game says.
TEST_P(ContractedProgram, IsAValidGame) {
  for (Grouping grouping : {Grouping::Full, Grouping::Lossless}) {
    Units units(GetParam().text, grouping);
    std::vector<game::Id> order = game::givenOrder(units.result.problem);
    game::Replay whole = game::verify(
        units.result.problem, scheduleOfOrder(units.result.problem, order));
    EXPECT_TRUE(whole.verdict.ok()) << whole.verdict.message;
    game::Replay parts = game::verify(
        units.built.problem,
        scheduleOfOrder(units.built.problem, expandUnits(units.result, order)));
    EXPECT_TRUE(parts.verdict.ok()) << parts.verdict.message;
    EXPECT_EQ(parts.cost, whole.cost);
    EXPECT_LE(parts.peak[0], whole.peak[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ContractedProgram,
                         testing::ValuesIn(kPrograms), [](const auto &info) {
                           std::string name = info.param.name;
                           name.erase(
                               std::remove(name.begin(), name.end(), '-'),
                               name.end());
                           return name;
                         });

} // namespace
