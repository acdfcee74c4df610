//===- TrafficTest.cpp - energies of the published training step ----------===//
//
// The figures are those published with cybertronai/SutroYaro, and the `lru`
// figures were recomputed independently of this code.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Target/Presets.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace pebble;
using pebble::test::Program;

namespace {

// One op per row of the published table; each initialises its result, and the
// updates write the donated weights in place.
constexpr const char *kSparseParity = R"mlir(
func.func private @upd_W1(%w: tensor<20000xf32> {pebble.donated}, %d: tensor<20000xf32>) -> tensor<20000xf32> {
  %n = linalg.sub ins(%w, %d : tensor<20000xf32>, tensor<20000xf32>) outs(%w : tensor<20000xf32>) -> tensor<20000xf32>
  return %n : tensor<20000xf32>
}
func.func private @upd_b1(%w: tensor<1000xf32> {pebble.donated}, %d: tensor<1000xf32>) -> tensor<1000xf32> {
  %n = linalg.sub ins(%w, %d : tensor<1000xf32>, tensor<1000xf32>) outs(%w : tensor<1000xf32>) -> tensor<1000xf32>
  return %n : tensor<1000xf32>
}
func.func private @upd_W2(%w: tensor<1000xf32> {pebble.donated}, %d: tensor<1000xf32>) -> tensor<1000xf32> {
  %n = linalg.sub ins(%w, %d : tensor<1000xf32>, tensor<1000xf32>) outs(%w : tensor<1000xf32>) -> tensor<1000xf32>
  return %n : tensor<1000xf32>
}
func.func private @upd_b2(%w: tensor<1xf32> {pebble.donated}, %d: tensor<1xf32>) -> tensor<1xf32> {
  %n = linalg.sub ins(%w, %d : tensor<1xf32>, tensor<1xf32>) outs(%w : tensor<1xf32>) -> tensor<1xf32>
  return %n : tensor<1xf32>
}
func.func @step(%W1: tensor<20000xf32> {pebble.donated}, %b1: tensor<1000xf32> {pebble.donated},
                %W2: tensor<1000xf32> {pebble.donated}, %b2: tensor<1xf32> {pebble.donated},
                %x: tensor<20xf32>, %y: tensor<1xf32>)
    -> (tensor<20000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>) {
  %h_pre = "t.fwd_linear1"(%W1, %x, %b1) : (tensor<20000xf32>, tensor<20xf32>, tensor<1000xf32>) -> tensor<1000xf32> loc("fwd_linear1")
  %h = "t.fwd_relu"(%h_pre) : (tensor<1000xf32>) -> tensor<1000xf32> loc("fwd_relu")
  %y_hat = "t.fwd_linear2"(%W2, %h, %b2) : (tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>) -> tensor<1xf32> loc("fwd_linear2")
  %loss = "t.fwd_loss"(%y_hat, %y) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32> loc("fwd_loss")
  %dy = "t.bwd_loss"(%loss, %y_hat, %y) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32> loc("bwd_loss")
  %dW2 = "t.bwd_dW2"(%dy, %h) : (tensor<1xf32>, tensor<1000xf32>) -> tensor<1000xf32> loc("dW2")
  %db2 = "t.bwd_db2"(%dy) : (tensor<1xf32>) -> tensor<1xf32> loc("db2")
  %dh = "t.bwd_dh"(%W2, %dy) : (tensor<1000xf32>, tensor<1xf32>) -> tensor<1000xf32> loc("dh")
  %dh_pre = "t.bwd_relu"(%dh, %h_pre) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> loc("relu")
  %dW1 = "t.bwd_dW1"(%dh_pre, %x) : (tensor<1000xf32>, tensor<20xf32>) -> tensor<20000xf32> loc("dW1")
  %db1 = "t.bwd_db1"(%dh_pre) : (tensor<1000xf32>) -> tensor<1000xf32> loc("db1")
  %W1n = call @upd_W1(%W1, %dW1) : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xf32> loc("upd_W1")
  %b1n = call @upd_b1(%b1, %db1) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> loc("upd_b1")
  %W2n = call @upd_W2(%W2, %dW2) : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32> loc("upd_W2")
  %b2n = call @upd_b2(%b2, %db2) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32> loc("upd_b2")
  return %W1n, %b1n, %W2n, %b2n : tensor<20000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1xf32>
}
)mlir";

struct Published {
  const char *name;
  std::vector<const char *> backward;
  bool isLegal;
  /// Picojoules.
  int64_t sutro, l2, l1, reg, lru;
  /// Floats.
  double distance;
};

const Published kOrders[] = {
    {"standard",
     {"dW2", "db2", "dh", "relu", "dW1", "db1", "upd_W1", "upd_b1", "upd_W2",
      "upd_b2"},
     true,
     11'004'490,
     10'704'400,
     300'040,
     50,
     11'002'890,
     45'275.2118},
    {"fused",
     {"dW2", "upd_W2", "db2", "upd_b2", "dh", "relu", "dW1", "upd_W1", "db1",
      "upd_b1"},
     false,
     10'844'330,
     10'504'200,
     340'080,
     50,
     10'762'715,
     42'248.2712},
    {"per-layer",
     {"dW2", "db2", "upd_W2", "upd_b2", "dh", "relu", "dW1", "db1", "upd_W1",
      "upd_b1"},
     false,
     10'844'330,
     10'504'200,
     340'080,
     50,
     10'842'730,
     43'328.6347},
    {"published optimal",
     {"dW2", "db2", "upd_b2", "dh", "relu", "upd_W2", "db1", "upd_b1", "dW1",
      "upd_W1"},
     true,
     10'764'315,
     10'404'200,
     360'060,
     55,
     10'602'715,
     42'033.7568},
    {"least energy under lru",
     {"db2", "upd_b2", "dW2", "dh", "relu", "db1", "upd_b1", "upd_W2", "dW1",
      "upd_W1"},
     true,
     0,
     0,
     0,
     0,
     10'602'685,
     0},
};

class SparseParity : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(program);
    storage.emplace(program.getBody("step"), context);
    ASSERT_TRUE(succeeded(storage->verify()));
    ASSERT_EQ(storage->getSteps().size(), 15u);
    hierarchy = getPreset(program.getContext(), "sutro");
    ASSERT_TRUE(hierarchy);
  }

  std::vector<unsigned> getOrder(const Published &published) {
    std::vector<unsigned> order = {0, 1, 2, 3, 4};
    for (const char *name : published.backward)
      for (unsigned step = 5; step < 15; ++step)
        if (storage->getStepName(step) == name)
          order.push_back(step);
    EXPECT_EQ(order.size(), 15u) << published.name;
    return order;
  }

  static AnalysisOptions getOptions() {
    AnalysisOptions options;
    options.pure.insert("t");
    return options;
  }

  Program program{kSparseParity};
  ProgramContext context{getOptions()};
  std::optional<StorageAnalysis> storage;
  HierarchyAttr hierarchy;
};

TEST_F(SparseParity, EnergiesOfTheSutroModelAreThePublishedOnes) {
  for (const Published &published : kOrders) {
    if (!published.sutro)
      continue;
    LifetimeAnalysis lifetime(*storage, getOrder(published));
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy),
                            CacheModel::Sutro);
    EXPECT_EQ(traffic.getEnergy(), published.sutro * 1000) << published.name;
    EXPECT_EQ(traffic.getEnergyPerTier()[0], published.reg * 1000);
    EXPECT_EQ(traffic.getEnergyPerTier()[1], published.l1 * 1000);
    EXPECT_EQ(traffic.getEnergyPerTier()[2], published.l2 * 1000);
    EXPECT_EQ(traffic.getEnergyPerTier()[3], 0);
  }
}

TEST_F(SparseParity, EnergiesOfTheLruModel) {
  for (const Published &published : kOrders) {
    LifetimeAnalysis lifetime(*storage, getOrder(published));
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy),
                            CacheModel::Lru);
    EXPECT_EQ(traffic.getEnergy(), published.lru * 1000) << published.name;
  }
}

TEST_F(SparseParity, AverageReuseDistancesAreThePublishedOnes) {
  for (const Published &published : kOrders) {
    if (published.distance == 0)
      continue;
    for (CacheModel model : {CacheModel::Lru, CacheModel::Sutro}) {
      LifetimeAnalysis lifetime(*storage, getOrder(published));
      TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy), model);
      ASSERT_TRUE(traffic.getAverageReuseDistance());
      EXPECT_NEAR(*traffic.getAverageReuseDistance() / 4, published.distance,
                  0.00005)
          << published.name;
    }
  }
}

TEST_F(SparseParity, OrdersThatUpdateW2BeforeItsLastReaderAreRejected) {
  DependenceGraph graph(*storage);
  for (const Published &published : kOrders) {
    std::optional<Dependence> broken = graph.findViolation(getOrder(published));
    EXPECT_EQ(!broken, published.isLegal) << published.name;
    if (!broken)
      continue;
    EXPECT_EQ(broken->kind, DependenceKind::Anti);
    EXPECT_EQ(storage->getStepName(broken->before), "dh");
    EXPECT_EQ(storage->getStepName(broken->after), "upd_W2");
    EXPECT_EQ(storage->getStorage(*broken->storage).root,
              program.getBody("step").getArgument(2));
  }
}

TEST_F(SparseParity, UpdatesTakeNoSecondStorage) {
  int64_t locals = llvm::count_if(storage->getStorages(), [](const Storage &s) {
    return s.kind == StorageKind::Local;
  });
  EXPECT_EQ(locals, 11);
}

} // namespace
