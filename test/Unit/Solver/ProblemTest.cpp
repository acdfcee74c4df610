//===- ProblemTest.cpp - every rule G* broken on purpose ------------------===//

#include "SparseParity.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;

namespace {

Problem parity() { return test::sparseParity(); }

Id valueNamed(const Problem &p, const std::string &name) {
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].name == name)
      return v;
  return kNone;
}

Id stepNamed(const Problem &p, const std::string &name) {
  return test::orderByNames(p, {name}).at(0);
}

TEST(Problem, SparseParityIsWellFormed) {
  Verdict v = check(parity());
  EXPECT_TRUE(v.ok()) << v.rule << ": " << v.message;
}

TEST(Problem, EmptyIsWellFormed) { EXPECT_TRUE(check(Problem()).ok()); }

TEST(Problem, G1UnknownStorage) {
  Problem p = parity();
  p.values[3].storage = 99;
  EXPECT_EQ(check(p).rule, "G1");
}

TEST(Problem, G1UnknownProducer) {
  Problem p = parity();
  p.values[8].producer = 99;
  EXPECT_EQ(check(p).rule, "G1");
}

TEST(Problem, G1OverwritesItself) {
  Problem p = parity();
  Id v = valueNamed(p, "W1'");
  p.values[v].overwrites = v;
  EXPECT_EQ(check(p).rule, "G1");
}

TEST(Problem, G1UnknownAccess) {
  Problem p = parity();
  p.steps[2].reads[0].value = 99;
  Verdict v = check(p);
  EXPECT_EQ(v.rule, "G1");
  EXPECT_EQ(v.at, 2u);
}

TEST(Problem, G1UnknownPrecedence) {
  Problem p = parity();
  p.precedences.push_back({0, 99, DependenceKind::Effect, kNone});
  EXPECT_EQ(check(p).rule, "G1");
  p.precedences.back() = {0, 1, DependenceKind::Effect, 99};
  EXPECT_EQ(check(p).rule, "G1");
}

TEST(Problem, G2NegativeSizes) {
  Problem p = parity();
  p.storages[0].footprint = -1;
  EXPECT_EQ(check(p).rule, "G2");
  p = parity();
  p.steps[1].cost = -1;
  EXPECT_EQ(check(p).rule, "G2");
  p = parity();
  p.steps[1].scratch = -1;
  EXPECT_EQ(check(p).rule, "G2");
  p = parity();
  p.steps[1].reads[0].bytes = -4;
  EXPECT_EQ(check(p).rule, "G2");
}

TEST(Problem, G2SumsStayWithin64Bits) {
  Problem p = parity();
  for (Storage &s : p.storages)
    s.footprint = INT64_MAX / 8;
  EXPECT_EQ(check(p).rule, "G2");
}

TEST(Problem, G3WrittenTwice) {
  Problem p = parity();
  p.steps[1].writes.push_back(p.steps[0].writes[0]);
  EXPECT_EQ(check(p).rule, "G3");
}

TEST(Problem, G3WrongProducer) {
  Problem p = parity();
  p.values[valueNamed(p, "h")].producer = 2;
  EXPECT_EQ(check(p).rule, "G3");
}

TEST(Problem, G4TwoFirstContents) {
  Problem p = parity();
  p.values[valueNamed(p, "h")].storage =
      p.values[valueNamed(p, "h_pre")].storage;
  EXPECT_EQ(check(p).rule, "G4");
}

TEST(Problem, G4OverwrittenTwice) {
  Problem p = parity();
  Id w1 = valueNamed(p, "W1");
  Id h = valueNamed(p, "h");
  p.values[h].storage = p.values[w1].storage;
  p.values[h].overwrites = w1;
  EXPECT_EQ(check(p).rule, "G4");
}

TEST(Problem, G4OverwritesAnotherStorage) {
  Problem p = parity();
  p.values[valueNamed(p, "W1'")].overwrites = valueNamed(p, "b1");
  EXPECT_EQ(check(p).rule, "G4");
}

TEST(Problem, G5NotThereFromTheStart) {
  Problem p = parity();
  p.storages[0].initial = false;
  EXPECT_EQ(check(p).rule, "G5");
}

TEST(Problem, G5InitialWithoutContent) {
  Problem p = parity();
  p.storages[p.values[valueNamed(p, "h")].storage].initial = true;
  EXPECT_EQ(check(p).rule, "G5");
}

TEST(Problem, G6ReadsItsOwnResult) {
  Problem p = parity();
  p.steps[1].reads.push_back(p.steps[1].writes[0]);
  EXPECT_EQ(check(p).rule, "G6");
}

TEST(Problem, G7RequiredButOverwritten) {
  Problem p = parity();
  p.values[valueNamed(p, "W2")].required = true;
  Verdict v = check(p);
  EXPECT_EQ(v.rule, "G7");
  EXPECT_NE(v.message.find("upd_W2"), std::string::npos);
}

TEST(Problem, G8FlowAgainstTheOrder) {
  Problem p = parity();
  p.steps[0].reads.push_back({valueNamed(p, "db1"), 4});
  EXPECT_EQ(check(p).rule, "G8");
}

TEST(Problem, G8AntiDependenceNamesBothStepsAndTheStorage) {
  // bwd_dh reads W2 after upd_W2 has overwritten it.
  Problem p = parity();
  p.precedences.push_back({stepNamed(p, "upd_W2"), stepNamed(p, "bwd_dh"),
                           DependenceKind::Effect, kNone});
  EXPECT_EQ(check(p).rule, "G8");
  p = parity();
  Id late = stepNamed(p, "upd_b2");
  p.steps[late].reads.push_back({valueNamed(p, "W2"), 4000});
  Verdict v = check(p);
  EXPECT_EQ(v.rule, "G8");
  EXPECT_NE(v.message.find("upd_b2"), std::string::npos);
  EXPECT_NE(v.message.find("upd_W2"), std::string::npos);
  EXPECT_NE(v.message.find("anti dependence on storage 'W2'"),
            std::string::npos);
}

TEST(Problem, G8StepBeforeItself) {
  Problem p = parity();
  p.precedences.push_back({4, 4, DependenceKind::Effect, kNone});
  EXPECT_EQ(check(p).rule, "G8");
}

TEST(Problem, G9InPlaceIsNotRecomputable) {
  Problem p = parity();
  p.steps[stepNamed(p, "upd_b1")].recomputable = true;
  EXPECT_EQ(check(p).rule, "G9");
}

TEST(Problem, G10Tiers) {
  auto withTiers = [](std::vector<Tier> tiers) {
    Problem p = parity();
    p.hierarchy.tiers = std::move(tiers);
    return check(p).rule;
  };
  Tier cache{"l1", TierKind::Cache, 64, 1, 1, 0, 0};
  Tier memory{"hbm", TierKind::Explicit, kUnbounded, 9, 9, 0, 0};
  EXPECT_EQ(withTiers({cache, memory}), "");
  EXPECT_EQ(withTiers({memory, memory}), "G10");
  EXPECT_EQ(withTiers({memory, cache}), "G10");
  EXPECT_EQ(withTiers({cache}), "G10");
  Tier empty = memory;
  empty.capacity = 0;
  EXPECT_EQ(withTiers({empty}), "G10");
  Tier odd = memory;
  odd.readEnergy = -1;
  EXPECT_EQ(withTiers({odd}), "G10");
  Tier dear = memory;
  dear.writeEnergy = INT64_MAX / 100;
  EXPECT_EQ(withTiers({dear}), "G10");
}

TEST(Problem, PrecedencesOfSparseParity) {
  Problem p = parity();
  size_t flow = 0, anti = 0, output = 0;
  bool hazard = false;
  for (const Precedence &d : allPrecedences(p)) {
    flow += d.kind == DependenceKind::Flow;
    anti += d.kind == DependenceKind::Anti;
    output += d.kind == DependenceKind::Output;
    hazard |=
        d.kind == DependenceKind::Anti && p.steps[d.before].name == "bwd_dh" &&
        p.steps[d.after].name == "upd_W2" && p.storages[d.storage].name == "W2";
  }
  EXPECT_TRUE(hazard);
  EXPECT_EQ(flow, 17u);
  // fwd_linear1 reads W1 and b1, fwd_linear2 reads W2 and b2, bwd_dh reads W2.
  EXPECT_EQ(anti, 5u);
  EXPECT_EQ(output, 0u);
}

TEST(Problem, RepeatedReadIsOneDependence) {
  Problem p = parity();
  p.steps[1].reads.push_back(p.steps[1].reads[0]);
  size_t before = allPrecedences(parity()).size();
  EXPECT_EQ(allPrecedences(p).size(), before);
}

} // namespace
