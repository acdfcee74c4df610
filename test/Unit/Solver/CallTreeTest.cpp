//===- CallTreeTest.cpp - which calls keep their tape ---------------------===//

#include "pebble/Solver/Calls/CallTree.h"

#include "Solver/Graph/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace pebble;
using namespace pebble::calls;

namespace {

constexpr int64_t kNone = Site::kNone;

/// A call of a tree that is written out.
struct Call {
  Mode mode;
  std::vector<Call> inside;
};

/// What a caller sees of a half that ran.
struct Ran {
  int64_t peak = kNone, kept = 0;
  std::set<unsigned> needs;
  int64_t cost = 0;
};

/// Runs a tree that is written out, event by event, and knows nothing of
/// variants: bytes are added when something is kept and taken away when its
/// adjoint has run.
class Player {
public:
  explicit Player(const CallTree &tree) : tree(tree) {}

  Ran forward(const Function &function, const std::vector<Call> &calls) const {
    Ran ran;
    ran.peak = function.forwardHead;
    for (size_t i = 0; i < calls.size(); ++i) {
      const Site &site = function.sites[i];
      const Function &callee = tree.functions[site.callee];
      Ran inner = forward(callee, calls[i].inside);
      bool isJoint = calls[i].mode == Mode::Joint;
      ran.peak =
          std::max(ran.peak, ran.kept + site.forwardLive +
                                 (isJoint ? site.snapshots + callee.plainPeak
                                          : inner.peak));
      ran.cost += inner.cost + (isJoint ? callee.plainCost : 0);
      ran.kept += getKept(site, calls[i], inner);
      for (unsigned argument : getNeeded(site, calls[i], inner))
        if (auto passed = site.arguments[argument].passed)
          ran.needs.insert(*passed);
      ran.peak = std::max(ran.peak, ran.kept + site.forwardGap);
    }
    ran.kept += function.tape;
    ran.needs.insert(function.needs.begin(), function.needs.end());
    return ran;
  }

  /// The peak of the backward half.
  int64_t backward(const Function &function,
                   const std::vector<Call> &calls) const {
    int64_t kept = forward(function, calls).kept - function.tape;
    int64_t peak = kNone;
    for (size_t i = calls.size(); i-- > 0;) {
      const Site &site = function.sites[i];
      peak = std::max(peak, kept + site.backwardGap);
      Ran inner = forward(tree.functions[site.callee], calls[i].inside);
      kept -= getKept(site, calls[i], inner);
      peak = std::max(peak, kept + reverse(site, calls[i], inner));
    }
    EXPECT_EQ(kept, 0);
    return std::max(peak, function.backwardTail);
  }

  /// The peak and the cost of a root's sites from `first` on that stand inside
  /// of `parent`.
  std::pair<int64_t, int64_t> root(const std::vector<Call> &calls,
                                   int parent = -1) const {
    int64_t peak = parent < 0 ? tree.outside : kNone, cost = 0;
    for (size_t i = 0; i < calls.size(); ++i) {
      const RootSite &at = tree.sites[i];
      if (at.parent != parent)
        continue;
      const Function &callee = tree.functions[at.site.callee];
      Ran inner = forward(callee, calls[i].inside);
      int64_t kept = getKept(at.site, calls[i], inner);
      auto [within, more] = root(calls, static_cast<int>(i));
      bool isJoint = calls[i].mode == Mode::Joint;
      peak = std::max(
          {peak,
           at.site.forwardLive +
               (isJoint ? at.site.snapshots + callee.plainPeak : inner.peak),
           kept + at.gap, kept + within, reverse(at.site, calls[i], inner)});
      cost += more + inner.cost + (isJoint ? callee.plainCost : 0);
    }
    return {peak, cost};
  }

private:
  std::set<unsigned> getNeeded(const Site &site, const Call &call,
                               const Ran &inner) const {
    if (call.mode == Mode::Split)
      return inner.needs;
    const auto &reads = tree.functions[site.callee].reads;
    return {reads.begin(), reads.end()};
  }

  int64_t getArguments(const Site &site, const Call &call,
                       const Ran &inner) const {
    int64_t bytes = 0;
    for (unsigned argument : getNeeded(site, call, inner))
      bytes += site.arguments[argument].bytes;
    return bytes;
  }

  int64_t getKept(const Site &site, const Call &call, const Ran &inner) const {
    return getArguments(site, call, inner) +
           (call.mode == Mode::Split ? inner.kept : site.snapshots);
  }

  /// Live while the adjoint of `call` runs, without what other calls keep.
  int64_t reverse(const Site &site, const Call &call, const Ran &inner) const {
    const Function &callee = tree.functions[site.callee];
    int64_t peak = backward(callee, call.inside);
    if (call.mode == Mode::Joint)
      peak = site.snapshots + site.restored +
             callee.wholePeak.value_or(std::max(peak, inner.peak));
    return site.backwardLive + getArguments(site, call, inner) + peak;
  }

  const CallTree &tree;
};

class Writer {
public:
  explicit Writer(const CallTree &tree) : tree(tree) {}

  /// All ways to run the sites of a root.
  std::vector<std::vector<Call>> writeRoot() const {
    std::vector<const Site *> sites;
    for (const RootSite &at : tree.sites)
      sites.push_back(&at.site);
    return write(sites);
  }

private:
  std::vector<std::vector<Call>>
  write(const std::vector<const Site *> &sites) const {
    std::vector<std::vector<Call>> all(1);
    for (const Site *site : sites) {
      std::vector<const Site *> inner;
      for (const Site &other : tree.functions[site->callee].sites)
        inner.push_back(&other);
      std::vector<std::vector<Call>> longer;
      for (const auto &inside : write(inner))
        for (Mode mode : {Mode::Split, Mode::Joint}) {
          if (mode == Mode::Split ? !site->maySplit : !site->mayJoin)
            continue;
          for (const auto &before : all) {
            longer.push_back(before);
            longer.back().push_back({mode, inside});
          }
        }
      all = std::move(longer);
    }
    return all;
  }

  const CallTree &tree;
};

std::vector<Call> writeOut(const std::vector<Choice> &choices) {
  std::vector<Call> calls;
  for (const Choice &choice : choices)
    calls.push_back({choice.mode, writeOut(choice.variant->choices)});
  return calls;
}

class RandomTree {
public:
  explicit RandomTree(uint64_t seed) : random(seed * 977 + 3) {}

  CallTree get() {
    CallTree tree;
    std::vector<unsigned> weights;
    const unsigned count = 1 + draw(4);
    for (unsigned f = 0; f < count; ++f) {
      Function function;
      unsigned weight = 1;
      for (unsigned n = f ? draw(3) : 0; n > 0; --n) {
        unsigned callee = draw(f);
        if (weight + weights[callee] > 5)
          continue;
        weight += weights[callee];
        function.sites.push_back(getSite(callee, /*mayPass=*/true));
      }
      weights.push_back(weight);
      function.forwardHead = draw(3) ? draw(9) : kNone;
      function.backwardTail = draw(3) ? draw(9) : kNone;
      function.tape = draw(12);
      if (draw(4) == 0)
        function.needs = {draw(2)};
      function.plainPeak = draw(10);
      function.plainCost = 1 + draw(9);
      if (function.sites.empty() && draw(2))
        function.wholePeak = draw(12);
      function.reads = draw(3) ? std::vector<unsigned>{0, 1}
                               : std::vector<unsigned>{draw(2)};
      tree.functions.push_back(std::move(function));
    }
    tree.outside = draw(15);
    unsigned sum = 0;
    for (unsigned n = 1 + draw(3); n > 0; --n) {
      unsigned callee = draw(count);
      if (!tree.sites.empty() && sum + weights[callee] > 8)
        continue;
      sum += weights[callee];
      RootSite at;
      at.site = getSite(callee, /*mayPass=*/false);
      at.parent = static_cast<int>(draw(unsigned(tree.sites.size()) + 1)) - 1;
      at.gap = draw(4) ? draw(10) : kNone;
      tree.sites.push_back(at);
    }
    return tree;
  }

private:
  unsigned draw(unsigned below) {
    return static_cast<unsigned>(random.below(below));
  }

  Site getSite(unsigned callee, bool mayPass) {
    Site site;
    site.callee = callee;
    if (draw(6) == 0)
      (draw(2) ? site.maySplit : site.mayJoin) = false;
    site.forwardLive = draw(10);
    site.backwardLive = draw(10);
    site.forwardGap = draw(3) ? draw(10) : kNone;
    site.backwardGap = draw(3) ? draw(10) : kNone;
    site.arguments.resize(2);
    for (Site::Argument &argument : site.arguments)
      if (mayPass && draw(2))
        argument.passed = draw(2);
      else
        argument.bytes = draw(8);
    if (draw(3) == 0) {
      site.snapshots = draw(8);
      site.restored = draw(8);
    }
    return site;
  }

  graph::Random random;
};

TEST(CallTree, NoChoiceIsBetterThanTheCurve) {
  size_t plans = 0, isCheaper = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    CallTree tree = RandomTree(seed).get();
    Player player(tree);
    std::vector<std::pair<int64_t, int64_t>> all;
    for (const auto &calls : Writer(tree).writeRoot())
      all.push_back(player.root(calls));
    std::sort(all.begin(), all.end());
    // Those that no other is better than.
    std::vector<std::pair<int64_t, int64_t>> best;
    for (const auto &one : all)
      if (best.empty() || one.second < best.back().second)
        best.push_back(one);
    Curve curve = solve(tree);
    ASSERT_TRUE(curve.isExact);
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const Plan &plan : curve.plans) {
      found.emplace_back(plan.peak, plan.extraCost);
      EXPECT_EQ(player.root(writeOut(plan.choices)), found.back()) << seed;
    }
    EXPECT_EQ(found, best) << "seed " << seed;
    plans += found.size();
    isCheaper += found.size() > 1;
  }
  // The trees are worth a choice.
  EXPECT_GT(plans, 1500u);
  EXPECT_GT(isCheaper, 300u);
}

/// Each function calls the one below it twice; a leaf has a tape of 64.
CallTree getBalanced(unsigned depth) {
  CallTree tree;
  for (unsigned level = 0; level <= depth; ++level) {
    Function function;
    function.plainPeak = 8;
    function.plainCost = int64_t(1) << level;
    function.reads = {0};
    if (level == 0) {
      function.tape = 64;
      function.forwardHead = function.backwardTail = 64;
    } else {
      Site site;
      site.callee = level - 1;
      site.arguments.resize(1);
      site.arguments[0].bytes = 1;
      function.sites.assign(2, site);
    }
    tree.functions.push_back(function);
  }
  RootSite at;
  at.site.callee = depth;
  at.site.arguments.resize(1);
  tree.sites.push_back(at);
  return tree;
}

TEST(CallTree, ABalancedTreeTakesTheLogarithm) {
  for (unsigned depth : {1, 2, 3, 6, 10}) {
    CallTree tree = getBalanced(depth);
    EXPECT_EQ(getUniform(tree, Mode::Split).peak, int64_t(64) << depth);
    Plan joint = getUniform(tree, Mode::Joint);
    // A leaf, and a snapshot of each call on the way to it and beside it.
    EXPECT_EQ(joint.peak, 64 + 2 * int64_t(depth));
    EXPECT_EQ(joint.extraCost, int64_t(depth + 1) << depth);
    Curve curve = solve(tree);
    EXPECT_EQ(curve.plans.back().peak, int64_t(64) << depth);
    EXPECT_EQ(curve.plans.back().extraCost, 0);
    // The root need not run twice: nothing else is kept.
    EXPECT_LE(curve.plans.front().peak, joint.peak);
    EXPECT_LE(curve.plans.front().extraCost,
              joint.extraCost - (int64_t(1) << depth));
  }
}

TEST(CallTree, AThinnedCurveSaysSo) {
  CallTree tree = getBalanced(8);
  Curve some = solve(tree, 4);
  EXPECT_FALSE(some.isExact);
  for (const Plan &plan : some.plans)
    EXPECT_EQ(Player(tree).root(writeOut(plan.choices)),
              std::pair(plan.peak, plan.extraCost));
  EXPECT_EQ(some.plans.back().extraCost, 0);
  EXPECT_LT(some.plans.front().peak, getUniform(tree, Mode::Split).peak / 4);
}

} // namespace
