//===- EqualChainTest.cpp - chains of equal steps inside a problem --------===//

#include "Solver/Remat/EqualChain.h"
#include "Solver/Remat/RematSearch.h"

#include "gtest/gtest.h"

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

constexpr int64_t kSize = 64;

/// A chain of `layers` steps and its reversal, as BuildProblem makes it of a
/// function whose argument is the first state.
class Chain {
public:
  Chain(int layers, bool both, bool pinned, int64_t forward = 2,
        int64_t backward = 3) {
    p.hierarchy.tiers.resize(2);
    p.hierarchy.tiers[0].name = "fast";
    p.hierarchy.tiers[1].name = "slow";
    const Id input = addValue("N0", game::kNone);
    p.storages[input].initial = true;
    p.storages[input].pinned = pinned;
    p.values[input].required = pinned;
    std::vector<Id> states = {input};
    for (int i = 1; i <= layers; ++i)
      states.push_back(
          addStep("F" + std::to_string(i), {states.back()}, forward));
    Id adjoint = addStep("L", {states.back()}, 0);
    for (int i = layers; i >= 1; --i) {
      std::vector<Id> reads = {adjoint, states[i - 1]};
      if (both)
        reads.push_back(states[i]);
      adjoint = addStep("B" + std::to_string(i), reads, backward);
    }
    p.values[adjoint].required = true;
  }
  Problem p;

private:
  Id addValue(const std::string &name, Id producer) {
    const Id id = p.values.size();
    p.storages.push_back({name, kSize, kSize, false, false});
    game::Value v;
    v.name = name;
    v.storage = id;
    v.producer = producer;
    p.values.push_back(v);
    return id;
  }
  Id addStep(const std::string &name, const std::vector<Id> &reads,
             int64_t cost) {
    game::Step s;
    s.name = name;
    s.cost = cost;
    for (Id r : reads)
      s.reads.push_back({r, kSize});
    const Id id = addValue(name, p.steps.size());
    s.writes.push_back({id, kSize});
    p.steps.push_back(s);
    return id;
  }
};

LeastCostOptions within(int64_t slots) {
  LeastCostOptions o;
  o.budget = slots * kSize;
  return o;
}

TEST(EqualChain, IsWhatExactSearchFindsOnShortChains) {
  int answers = 0;
  for (int layers = 2; layers <= 5; ++layers)
    for (bool both : {false, true})
      for (bool pinned : {false, true})
        for (int64_t slots = 2; slots <= layers + 3; ++slots)
          for (int64_t rate : {-1, 0, 1}) {
            const Chain chain(layers, both, pinned);
            LeastCostOptions o = within(slots);
            o.means.offload = rate >= 0;
            if (rate >= 0)
              o.means.offloadRate = rate;
            // The argument of a caller takes its place by itself.
            ASSERT_EQ(equalChainRefusal(chain.p, o), "");
            const Schedule found = equalChain(chain.p, o);
            RematSearchOptions exact;
            exact.means = o.means;
            exact.budget = o.budget;
            const Schedule right = rematSearch(chain.p, exact);
            ASSERT_EQ(found.status, right.status)
                << layers << both << pinned << slots << " " << rate;
            if (right.status != Status::Optimal)
              continue;
            ++answers;
            EXPECT_EQ(found.cost, right.cost)
                << layers << both << pinned << slots << " " << rate;
            EXPECT_TRUE(
                game::verify(chain.p, found.moves, o.budget).verdict.ok());
          }
  EXPECT_GT(answers, 100);
}

TEST(EqualChain, NamesTheSmallestBudget) {
  const Chain chain(20, false, true);
  const Schedule none = equalChain(chain.p, within(3));
  EXPECT_EQ(none.status, Status::Infeasible);
  EXPECT_EQ(none.minBudget, 4 * kSize);
  EXPECT_EQ(equalChain(chain.p, within(4)).status, Status::Optimal);
}

TEST(EqualChain, RefusesWhatIsNoSuchChain) {
  auto refusal = [](const Problem &p) {
    return equalChainRefusal(p, within(5));
  };
  Chain chain(4, false, true);
  EXPECT_EQ(refusal(chain.p), "");
  Problem unequal = chain.p;
  unequal.steps[1].cost = 7;
  EXPECT_EQ(refusal(unequal),
            "has steps that cost differently or must not run again");
  Problem larger = chain.p;
  larger.storages[2].footprint = 2 * kSize;
  EXPECT_EQ(refusal(larger), "makes values of several sizes");
  Problem skips = chain.p;
  skips.steps[6].reads.push_back({1, kSize});
  EXPECT_EQ(refusal(skips), "has a step that reads something else than an "
                            "adjoint and the states beside its step");
  Problem wish = chain.p;
  wish.steps[1].pin = game::Pin::Keep;
  EXPECT_EQ(refusal(wish),
            "has a step with several results, scratch or a wish");
}

} // namespace
