//===- MilpModelTest.cpp - models, their text, and HiGHS ------------------===//

#include "pebble/Solver/Milp/Highs.h"
#include "pebble/Solver/Milp/Model.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace pebble::milp;

namespace {

/// max 5a + 4b + 3c (as a minimum) with 2a + 3b + c <= 5, 4a + b + 2c <= 11 and
/// 3 <= 3a + 4b + 2c <= 8, b whole: a = 2, c = 1, of value 13.
Model small(bool negativeConstant = false) {
  Model m("small");
  Index a = m.addColumn({"a", 0, kInfinity, -5, false});
  Index b = m.addColumn({"b", 0, 10, -4, true});
  Index c = m.addColumn({"c", 0, kInfinity, -3, false});
  m.addRow({"r1", -kInfinity, 5, {{a, 2}, {b, 3}, {c, 1}}});
  m.addRow({"r2", -11, kInfinity, {{a, -4}, {b, -1}, {c, -2}}});
  m.addRow({"r3", 3, 8, {{c, 2}, {a, 3}, {b, 4}}});
  m.addConstant(negativeConstant ? -7 : 7);
  return m;
}

/// Knapsack: the relaxation takes half of the second thing.
Model knapsack() {
  Model m("knapsack");
  Index a = m.addColumn({"a", 0, 1, -10, true});
  Index b = m.addColumn({"b", 0, 1, -7, true});
  Index c = m.addColumn({"c", 0, 1, -1, true});
  m.addRow({"weight", -kInfinity, 10, {{a, 8}, {b, 4}, {c, 2}}});
  return m;
}

TEST(MilpModel, terms_of_one_column_add_up_and_vanish_at_zero) {
  Model m;
  Index a = m.addColumn({"a"}), b = m.addColumn({"b"});
  m.addRow({"r", 0, 1, {{b, 1}, {a, 2}, {b, -1}, {a, 3}}});
  ASSERT_EQ(m.rows()[0].terms.size(), 1u);
  EXPECT_EQ(m.rows()[0].terms[0].column, a);
  EXPECT_EQ(m.rows()[0].terms[0].factor, 5);
  EXPECT_EQ(m.termCount(), 1u);
}

TEST(MilpModel, violation_sees_bounds_rows_and_fractions) {
  Model m = small();
  EXPECT_EQ(m.violation({2, 0, 1}), 0);
  EXPECT_EQ(m.objective({2, 0, 1}), -6);
  EXPECT_EQ(m.violation({2, 0.25, 0}), 0.25);
  EXPECT_EQ(m.violation({-2, 3, 0}), 2);
  EXPECT_EQ(m.violation({3, 0, 1}), 3);
}

TEST(MilpModel, any_multipliers_bound_the_relaxation) {
  Model m = knapsack();
  // Exact at the price of the fractional thing; weaker, but true, at others.
  EXPECT_DOUBLE_EQ(m.lagrangianBound({-1.25}), -14.5);
  for (double y : {0.0, -0.5, -1.0, -2.0, -5.0, 3.0})
    EXPECT_LE(m.lagrangianBound({y}), -14.5) << y;
  Model open = small();
  EXPECT_EQ(open.lagrangianBound({0, 0, 0}), -kInfinity);
}

TEST(MilpModel, mps_has_every_section) {
  EXPECT_EQ(writeMps(small()), R"(NAME small
ROWS
 N cost
 L r1
 G r2
 L r3
COLUMNS
 a cost -5
 a r1 2
 a r2 -4
 a r3 3
 MARKER0 'MARKER' 'INTORG'
 b cost -4
 b r1 3
 b r2 -1
 b r3 4
 MARKER1 'MARKER' 'INTEND'
 c cost -3
 c r1 1
 c r2 -2
 c r3 2
RHS
 rhs cost -7
 rhs r1 5
 rhs r2 -11
 rhs r3 8
RANGES
 range r3 5
BOUNDS
 PL bound a
 UP bound b 10
 PL bound c
ENDATA
)");
}

class Highs : public testing::Test {
protected:
  void SetUp() override {
    if (!highsMissing().empty())
      GTEST_SKIP() << highsMissing();
  }
};

TEST_F(Highs, solves_what_is_known) {
  HighsAnswer a = solveWithHighs(small(), {});
  ASSERT_EQ(a.outcome, Outcome::Optimal);
  EXPECT_NEAR(a.objective, -6, 1e-6);
  EXPECT_NEAR(a.bound, -6, 1e-6);
  EXPECT_LT(small().violation(a.values), 1e-6);
}

TEST_F(Highs, is_not_handed_what_takes_too_much) {
  HighsOptions o;
  o.limits = pebble::graph::Limits(0, small().countBytes());
  EXPECT_EQ(solveWithHighs(small(), o).outcome, Outcome::Optimal);
  o.limits = pebble::graph::Limits(0, small().countBytes() - 1);
  EXPECT_EQ(solveWithHighs(small(), o).outcome, Outcome::Limited);
}

TEST_F(Highs, relaxes_and_bounds_by_its_multipliers) {
  HighsOptions o;
  o.relax = true;
  HighsAnswer a = solveWithHighs(knapsack(), o);
  ASSERT_EQ(a.outcome, Outcome::Optimal);
  EXPECT_NEAR(a.objective, -14.5, 1e-6);
  EXPECT_NEAR(knapsack().lagrangianBound(a.multipliers), -14.5, 1e-6);
  EXPECT_NEAR(solveWithHighs(knapsack(), {}).objective, -11, 1e-6);
}

TEST_F(Highs, says_that_nothing_fits) {
  Model m = knapsack();
  m.fixColumn(0, 1);
  m.fixColumn(1, 1);
  HighsAnswer a = solveWithHighs(m, {});
  EXPECT_EQ(a.outcome, Outcome::Infeasible);
  EXPECT_TRUE(a.values.empty());
}

TEST_F(Highs, reads_back_what_is_written) {
  for (bool negative : {false, true}) {
    std::string file = testing::TempDir() + "/pebble-milp-model.mps";
    std::ofstream(file) << writeMps(small(negative));
    HighsAnswer read = solveMpsWithHighs(file, {});
    HighsAnswer passed = solveWithHighs(small(negative), {});
    std::remove(file.c_str());
    ASSERT_EQ(read.outcome, Outcome::Optimal);
    EXPECT_NEAR(read.objective, passed.objective, 1e-6);
    EXPECT_NEAR(read.objective, negative ? -20 : -6, 1e-6);
    EXPECT_EQ(read.values.size(), 3u);
  }
}

} // namespace
