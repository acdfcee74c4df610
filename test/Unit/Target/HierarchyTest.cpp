//===- HierarchyTest.cpp - where a module says its machine ----------------===//

#include "ParsedModule.h"

#include "pebble/Target/TargetHierarchy.h"

using namespace pebble;

namespace {
std::string name(mlir::FailureOr<HierarchyAttr> hierarchy) {
  if (failed(hierarchy))
    return "failed";
  return *hierarchy ? (*hierarchy).getName().str() : "none";
}
} // namespace

TEST(Hierarchy, StandsOnTheNearestModule) {
  ParsedModule outer(R"mlir(
    module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>], name = "outer">} {
      module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>], name = "inner">} {
        "any.op"() {deep} : () -> ()
      }
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(outer.find())), "outer");
  EXPECT_EQ(name(getHierarchy(outer.find("deep"))), "inner");
}

TEST(Hierarchy, ComesFromAnUpstreamMap) {
  ParsedModule parsed(R"mlir(
    module attributes {dlti.map = #dlti.map<"pebble.hierarchy" = #pebble.hierarchy<[<"a", kind = explicit>], name = "map">>} {
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "map");
}

TEST(Hierarchy, ComesFromADeviceOfAnUpstreamSystem) {
  ParsedModule parsed(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : ui32>,
        "NPU" = #dlti.target_device_spec<"pebble.hierarchy" = #pebble.hierarchy<[<"a", kind = explicit>], name = "npu">>>} {
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "npu");
}

TEST(Hierarchy, TheModulesOwnWordComesFirst) {
  ParsedModule parsed(R"mlir(
    module attributes {
        pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>], name = "own">,
        dlti.map = #dlti.map<"pebble.hierarchy" = #pebble.hierarchy<[<"a", kind = explicit>], name = "map">>} {
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "own");
}

TEST(Hierarchy, TwoDevicesThatDisagreeAreAnError) {
  ParsedModule parsed(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "A" = #dlti.target_device_spec<"pebble.hierarchy" = #pebble.hierarchy<[<"a", kind = explicit>], name = "a">>,
        "B" = #dlti.target_device_spec<"pebble.hierarchy" = #pebble.hierarchy<[<"b", kind = explicit>], name = "b">>>} {
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "failed");
  EXPECT_NE(parsed.diagnostics.find("different hierarchies"),
            std::string::npos);
}

TEST(Hierarchy, AnEntryThatIsNoHierarchyIsAnError) {
  ParsedModule parsed(R"mlir(
    module attributes {dlti.map = #dlti.map<"pebble.hierarchy" = "sutro">} {
      "any.op"() {test} : () -> ()
    })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "failed");
  EXPECT_NE(parsed.diagnostics.find("[D11]"), std::string::npos);
}

TEST(Hierarchy, WithoutOneThereIsOneUnboundedTier) {
  ParsedModule parsed(R"mlir(module { "any.op"() {test} : () -> () })mlir");
  EXPECT_EQ(name(getHierarchy(parsed.find())), "none");
  mlir::FailureOr<HierarchyAttr> fallback =
      getHierarchyOrDefault(parsed.find());
  ASSERT_TRUE(succeeded(fallback));
  EXPECT_EQ((*fallback).getTiers().size(), 1u);
  EXPECT_EQ((*fallback).getComputeTier().getName(), "default");
  EXPECT_FALSE((*fallback).getComputeTier().isBounded());
  EXPECT_FALSE(hasEnergies(*fallback));
}
