//===- PresetsTest.cpp - the presets are machines -------------------------===//

#include "pebble/Target/Presets.h"
#include "pebble/Target/TargetHierarchy.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace pebble;

TEST(Presets, EveryNameGivesAValidHierarchyOfThatName) {
  mlir::MLIRContext context;
  EXPECT_EQ(getPresetNames().size(), 13u);
  for (std::string_view name : getPresetNames()) {
    HierarchyAttr hierarchy = getPreset(&context, name);
    ASSERT_TRUE(hierarchy) << name;
    EXPECT_EQ(hierarchy.getName().str(), name);
    EXPECT_TRUE(hasEnergies(hierarchy)) << name;
    // What the attribute's verifier would say of it.
    EXPECT_TRUE(succeeded(HierarchyAttr::verifyInvariants(
        [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); },
        hierarchy.getTiers(), hierarchy.getInclusion(), hierarchy.getCompute(),
        hierarchy.getSpeed(), hierarchy.getName(), hierarchy.getTopology())));
  }
}

TEST(Presets, AHostRunsAsManyProcessesAsItsNameSays) {
  mlir::MLIRContext context;
  HierarchyAttr one = getPreset(&context, "host");
  EXPECT_FALSE(one.getTopology());
  for (int64_t count : {1, 2, 16, 4096}) {
    HierarchyAttr host = getPreset(&context, "host-" + std::to_string(count));
    ASSERT_TRUE(host);
    EXPECT_EQ(host.getTopology().getRanks(), count);
    EXPECT_EQ(host.getTier("ram").getCapacity(),
              one.getTier("ram").getCapacity() / count);
  }
  for (const char *name : {"host-", "host-0", "host-02", "host-4097", "host-x",
                           "host-2x", "host--2", "host-99999999999"})
    EXPECT_FALSE(getPreset(&context, name)) << name;
}

TEST(Presets, APodConsistsOfNodes) {
  mlir::MLIRContext context;
  TopologyAttr pod = getPreset(&context, "h100-pod").getTopology();
  TopologyAttr node = getPreset(&context, "h100-node").getTopology();
  EXPECT_EQ(pod.getGroups().front(), node.getGroups().front());
  EXPECT_EQ(pod.getRanks(), 256);
  EXPECT_EQ(node.getRanks(), 8);
}

TEST(Presets, AnUnknownNameGivesNothing) {
  mlir::MLIRContext context;
  EXPECT_FALSE(getPreset(&context, "abacus"));
  EXPECT_FALSE(getPresetTable(""));
}

TEST(Presets, SutroPricesAFloatAsPublished) {
  std::optional<Preset> sutro = getPresetTable("sutro");
  ASSERT_TRUE(sutro);
  const int64_t picojoules[] = {5, 20, 100, 640};
  ASSERT_EQ(sutro->tiers.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sutro->tiers[i].read * 4, picojoules[i] * 1000);
    EXPECT_EQ(sutro->tiers[i].write * 4, picojoules[i] * 1000);
  }
  // Thresholds in floats: 64, 64 + 16,384, and 65,536 more.
  int64_t threshold = 0;
  const int64_t floats[] = {64, 16448, 81984};
  for (size_t i = 0; i < 3; ++i) {
    threshold += sutro->tiers[i].capacity / 4;
    EXPECT_EQ(threshold, floats[i]);
  }
  EXPECT_FALSE(sutro->inclusive);
}

TEST(Presets, EyerissKeepsThePublishedRatios) {
  std::optional<Preset> eyeriss = getPresetTable("eyeriss-65nm");
  ASSERT_TRUE(eyeriss);
  // A multiply-accumulate is two operations, an access 16 bits.
  const int64_t mac = 2 * eyeriss->compute;
  const int64_t ratios[] = {1, 2, 6, 200};
  ASSERT_EQ(eyeriss->tiers.size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(2 * eyeriss->tiers[i].read, ratios[i] * mac);
}

TEST(Presets, PoetFollowsItsPublishedDeviceTable) {
  std::optional<Preset> poet = getPresetTable("poet-m4f");
  ASSERT_TRUE(poet);
  const double watts = 0.1 * 3.3, femto = 1e15;
  EXPECT_NEAR(poet->tiers[1].read, watts / 4616510 * femto, 1);
  EXPECT_NEAR(poet->tiers[1].write, watts / 4440000 * femto, 1);
  EXPECT_NEAR(poet->compute, 255.6237 * 0.003328 * 3.3 / 1628300000 * femto, 1);
  std::optional<Preset> pi = getPresetTable("poet-rpi");
  ASSERT_TRUE(pi);
  EXPECT_NEAR(pi->tiers[1].read, 0.03 * 5 / 45500000 * femto, 1);
  EXPECT_NEAR(pi->tiers[1].write, 0.03 * 5 / 24500000 * femto, 1);
  EXPECT_NEAR(pi->compute, 13.53 * 0.6 * 5 / 1628300000 * femto, 1);
  std::optional<Preset> uncached = getPresetTable("poet-rpi-nocache");
  ASSERT_TRUE(uncached);
  EXPECT_NEAR(uncached->tiers[1].write, 0.03 * 5 / 17100000 * femto, 1);
  EXPECT_EQ(uncached->tiers[1].read, pi->tiers[1].read);
  EXPECT_EQ(uncached->compute, pi->compute);
  std::optional<Preset> m0 = getPresetTable("poet-m0");
  ASSERT_TRUE(m0);
  EXPECT_EQ(m0->tiers[1].read, poet->tiers[1].read);
  EXPECT_NEAR(m0->compute, 0.012 * 0.020 * 3.3 / 2000 * femto, 1);
}
