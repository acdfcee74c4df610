//===- CostProfileTest.cpp - measured costs, and what is near them --------===//

#include "ParsedModule.h"

#include "pebble/Target/CostProfile.h"

#include "llvm/Support/Error.h"

using namespace pebble;

namespace {
OpSignature signatureIn(const std::string &text) {
  ParsedModule parsed(text);
  mlir::Operation *op = parsed.find();
  return op ? OpSignature::get(op) : OpSignature();
}

/// A product of n x k and k x n.
std::string matmul(int n, int k, const std::string &attributes = "") {
  std::string N = std::to_string(n), K = std::to_string(k);
  std::string a = "tensor<" + N + "x" + K + "xf32>",
              b = "tensor<" + K + "x" + N + "xf32>",
              c = "tensor<" + N + "x" + N + "xf32>";
  return "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c +
         ") {\n %0 = linalg.matmul {test" + attributes + "} ins(%a, %b : " + a +
         ", " + b + ") outs(%c : " + c + ") -> " + c + "\n return\n}";
}

MeasuredOp measured(const char *op, const char *kind, int64_t operations,
                    int64_t bytes, int64_t nanoseconds) {
  MeasuredOp result;
  result.signature = {op, kind, std::to_string(operations)};
  result.operations = operations;
  result.bytes = bytes;
  result.nanoseconds = nanoseconds;
  result.runs = 3;
  return result;
}

OpCost cost(int64_t operations, int64_t bytes) {
  OpCost result;
  result.flops = operations;
  result.bytesRead = bytes;
  return result;
}

CostProfile example() {
  CostProfile profile;
  profile.machine = {"a cpu", "0123456789abcdef"};
  profile.tiers = {{"ram", "memory", {20000, 0}, {20000, 0}, {0, 70}},
                   {"disk", "file", {1000, 4000}, {3000, 2000}, {0, 9000}}};
  profile.add(measured("a.mul", "1", 100, 1000, 50));
  profile.add(measured("a.mul", "1", 100000, 1000, 40000));
  profile.add(measured("a.mul", "2", 1000, 1000, 7));
  profile.add(measured("a.copy", "3", 0, 4096, 1000));
  return profile;
}

std::string errorOf(const std::string &text) {
  auto profile = CostProfile::fromJson(text, "costs.json");
  return profile ? "" : llvm::toString(profile.takeError());
}
} // namespace

TEST(OpSignature, SizesTellShapesApartAndNotKinds) {
  OpSignature a = signatureIn(matmul(4, 8)), b = signatureIn(matmul(16, 2));
  EXPECT_EQ(a.op, "linalg.matmul");
  EXPECT_EQ(a.kind.size(), 16u);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_NE(a.shape, b.shape);
  EXPECT_EQ(a.shape, "tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32> -> "
                     "tensor<4x4xf32>");
}

TEST(OpSignature, NamesAndWishesDoNotCount) {
  EXPECT_EQ(
      signatureIn(matmul(4, 8)).kind,
      signatureIn(matmul(4, 8, ", pebble.name = \"x\", pebble.keep")).kind);
}

TEST(OpSignature, TheBodyTellsKindsApart) {
  auto generic = [](const std::string &op) {
    return signatureIn(R"mlir(
      #id = affine_map<(d0) -> (d0)>
      func.func @f(%a: tensor<8xf32>) {
        %d = bufferization.alloc_tensor() : tensor<8xf32>
        %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
            ins(%a : tensor<8xf32>) outs(%d : tensor<8xf32>) attrs = {test} {
        ^bb0(%x: f32, %out: f32):
          %1 = )mlir" + op +
                       R"mlir( %x : f32
          linalg.yield %1 : f32
        } -> tensor<8xf32>
        return
      })mlir");
  };
  EXPECT_NE(generic("math.exp").kind, generic("math.sin").kind);
  EXPECT_EQ(generic("math.exp").shape,
            "tensor<8xf32>, tensor<8xf32> -> tensor<8xf32> new");
}

TEST(OpSignature, ASlicesSizesAreAShape) {
  auto insert = [](const std::string &at) {
    return signatureIn(
        "func.func @f(%a: tensor<2xf32>, %b: tensor<8xf32>) {\n"
        "%0 = tensor.insert_slice %a into %b[" +
        at + "] [2] [1] {test} : tensor<2xf32> into tensor<8xf32>\nreturn\n}");
  };
  EXPECT_EQ(insert("0").kind, insert("3").kind);
  EXPECT_NE(insert("0").shape, insert("3").shape);
}

TEST(OpSignature, ACallNamesAFunctionOfItsModule) {
  auto kindIn = [](const std::string &opening, const std::string &closing) {
    return signatureIn(opening +
                       "func.func private @g()\n"
                       "func.func @f() {\n func.call @g() {test} : () -> ()\n"
                       " return\n}\n" +
                       closing)
        .kind;
  };
  std::string inner = kindIn("module { module @a {", "} }");
  EXPECT_EQ(kindIn("", ""), kindIn("module @b {}\n", ""));
  EXPECT_NE(kindIn("", ""), inner);
  EXPECT_NE(kindIn("module { module @b {", "} }"), inner);
  // Taken out of its program it is the same call.
  EXPECT_EQ(kindIn("module attributes {pebble.path = \"a\"} {", "}"), inner);
}

TEST(CostProfile, WhatWasMeasuredIsTakenAsItIs) {
  CostProfile profile = example();
  EstimatedTime time = profile.estimate({"a.mul", "1", "100"}, cost(100, 1000));
  EXPECT_TRUE(time.isExact);
  EXPECT_EQ(time.nanoseconds, 50);
}

TEST(CostProfile, TheNearestOfTheSameKindIsScaledByOperations) {
  CostProfile profile = example();
  // Another kind is nearer, but it is another kind.
  EstimatedTime time =
      profile.estimate({"a.mul", "1", "1000"}, cost(1000, 1000));
  EXPECT_FALSE(time.isExact);
  EXPECT_EQ(time.from->operations, 100);
  EXPECT_EQ(time.nanoseconds, 500);
  time = profile.estimate({"a.mul", "1", "50000"}, cost(50000, 1000));
  EXPECT_EQ(time.from->operations, 100000);
  EXPECT_EQ(time.nanoseconds, 20000);
}

TEST(CostProfile, AnotherKindOfTheSameOpGoesBeforeOthers) {
  CostProfile profile = example();
  EXPECT_EQ(profile.estimate({"a.mul", "9", "?"}, cost(1000, 1000)).nanoseconds,
            7);
  EXPECT_EQ(profile.estimate({"b.move", "9", "?"}, cost(0, 8192)).nanoseconds,
            2000);
}

TEST(CostProfile, WithoutMeasurementsThereIsNoTime) {
  EXPECT_EQ(CostProfile().estimate({"a", "1", ""}, cost(1, 1)).from, nullptr);
}

TEST(CostProfile, IsReadBackAsItWasWritten) {
  std::string text = example().toJson();
  auto read = CostProfile::fromJson(text, "costs.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->toJson(), text);
  EXPECT_EQ(read->machine, example().machine);
  EXPECT_TRUE(read->contains({"a.copy", "3", "0"}));
}

TEST(CostProfile, BadFilesAreErrorsThatSayWhy) {
  EXPECT_EQ(errorOf("[]"),
            "costs in 'costs.json': this is no file of costs: no "
            "\"format\": \"pebble-costs\"");
  EXPECT_NE(errorOf("{").find("costs in 'costs.json': "), std::string::npos);
  EXPECT_EQ(errorOf(R"({"format": "pebble-costs", "version": 99})"),
            "costs in 'costs.json': version 99, and this is version 1; measure "
            "again with pebble-run --profile");
  std::string text = example().toJson();
  size_t at = text.find("\"latency\": 4000");
  EXPECT_NE(errorOf(text.replace(at, 15, "\"latency\": -4000"))
                .find("must not be negative"),
            std::string::npos);
  text = example().toJson();
  at = text.find("\"latency\": 4000");
  EXPECT_NE(errorOf(text.replace(at, 15, "\"latency\": 9223372036854775807"))
                .find("must be at most 10^15 nanoseconds"),
            std::string::npos);
  text = example().toJson();
  at = text.find("\"nanoseconds\": ") + 15;
  EXPECT_NE(errorOf(text.insert(at, "1000000000000000"))
                .find("must be at most 10^15 nanoseconds"),
            std::string::npos);
  text = example().toJson();
  at = text.find("\"nanoseconds\"");
  EXPECT_NE(errorOf(text.replace(at, 13, "\"milliseconds\""))
                .find("missing value at costs.ops[0].nanoseconds"),
            std::string::npos)
      << errorOf(text);
}

TEST(CostProfile, TiersTakeTheMeanOfBothDirections) {
  ParsedModule parsed("func.func @f() { return }");
  mlir::MLIRContext *context = &parsed.context;
  context->getOrLoadDialect<PebbleDialect>();
  auto tier = [&](const char *name) {
    return TierAttr::get(context, name, TierKind::Explicit, 4096, 1, 2, 7, 9);
  };
  auto before = HierarchyAttr::get(
      context, {tier("ram"), tier("disk"), tier("tape")}, Inclusion::Exclusive,
      5, 1000, "board", TopologyAttr());
  HierarchyAttr after = example().applyTo(before);
  EXPECT_EQ(after.getTiers()[0].getBandwidth(), 20000);
  EXPECT_EQ(after.getTiers()[1].getBandwidth(), 1500);
  EXPECT_EQ(after.getTiers()[1].getLatency(), 3000);
  EXPECT_EQ(after.getTiers()[1].getCapacity(), 4096);
  EXPECT_EQ(after.getTiers()[2], before.getTiers()[2]);
  EXPECT_EQ(after.getSpeed(), 1000);
  EXPECT_EQ(after.getCompute(), 5);
  EXPECT_FALSE(example().applyTo({}));
}

TEST(Machine, TheHostIsItself) {
  Machine host = Machine::getHost();
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_EQ(host.fingerprint.size(), 16u);
  EXPECT_EQ(host, Machine::getHost());
}
