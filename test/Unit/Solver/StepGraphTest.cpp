//===- StepGraphTest.cpp - orders and lifetimes of a problem --------------===//

#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Game/Schedule.h"

#include "SparseParity.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;

namespace {

TEST(StepGraph, AntiDependencesAreEdgesUnlessLeftOut) {
  Problem p = test::sparseParity();
  Id dh = test::orderByNames(p, {"bwd_dh"})[0];
  Id upd = test::orderByNames(p, {"upd_W2"})[0];
  auto hasEdge = [&](const StepGraph &g) {
    for (Id s : g.successors(dh))
      if (s == upd)
        return true;
    return false;
  };
  EXPECT_TRUE(hasEdge(StepGraph(p)));
  EXPECT_FALSE(hasEdge(StepGraph(p, false)));
}

TEST(StepGraph, LegalOrders) {
  Problem p = test::sparseParity();
  StepGraph g(p);
  std::vector<Id> order = givenOrder(p);
  EXPECT_TRUE(g.isLegal(order));
  std::swap(order[0], order[1]);
  EXPECT_FALSE(g.isLegal(order));
  order = givenOrder(p);
  order.pop_back();
  EXPECT_FALSE(g.isLegal(order));
  order.push_back(0);
  EXPECT_FALSE(g.isLegal(order));
}

TEST(StepGraph, ReachabilityIsTransitive) {
  Problem p = test::sparseParity();
  Reachability r{StepGraph(p)};
  // upd_W1 (11) comes after bwd_loss (4) through dh, relu and dW1.
  EXPECT_TRUE(r.ancestors.test(11, 4));
  EXPECT_TRUE(r.descendants.test(4, 11));
  EXPECT_FALSE(r.ancestors.test(4, 11));
  EXPECT_EQ(r.ancestors.count(0), 0u);
  EXPECT_EQ(r.descendants.count(0), 14u);
}

TEST(LiveStorages, PeakIsWhatTheReplayMeasures) {
  Problem p = test::sparseParity();
  LiveStorages live(p);
  std::vector<Id> order = test::orderByNames(
      p, {"fwd_linear1", "fwd_relu", "fwd_linear2", "fwd_loss", "bwd_loss",
          "bwd_db2", "upd_b2", "bwd_dW2", "bwd_dh", "bwd_relu", "bwd_db1",
          "upd_b1", "upd_W2", "bwd_dW1", "upd_W1"});
  Replay r = verify(p, scheduleOfOrder(p, order));
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(live.peak(order), r.peak[0]);
  EXPECT_EQ(live.initial(), 4 * 22022);
}

TEST(LiveStorages, AResultWithoutReadersEndsWithItsRun) {
  Problem p;
  for (Id i = 0; i < 2; ++i) {
    p.storages.push_back({"s", 8, 8, false, false});
    p.values.push_back({"v", i, i, kNone, false, true});
    p.steps.emplace_back();
    p.steps.back().writes.push_back({i, 8});
  }
  EXPECT_EQ(LiveStorages(p).peak({0, 1}), 8);
  p.values[0].required = true;
  EXPECT_EQ(LiveStorages(p).peak({0, 1}), 16);
}

} // namespace
