//===- LimitsTest.cpp - deadlines, who looks on, and budgets as text ------===//

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/Budget.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

using namespace pebble::graph;

namespace {

constexpr int64_t kMinute = 60000;

TEST(Limits, APartIsThatShareOfWhatIsLeft) {
  const Limits all(kMinute);
  EXPECT_TRUE(all.isTimed());
  EXPECT_NEAR(static_cast<double>(all.part(6).left()), 10000, 1000);
  EXPECT_NEAR(static_cast<double>(all.share(3, 4).left()), 45000, 1000);
  EXPECT_NEAR(static_cast<double>(all.part(1, 20000).left()), 40000, 1000);
  // More than all is all.
  EXPECT_NEAR(static_cast<double>(all.share(5, 0).left()), kMinute, 1000);
}

TEST(Limits, TheDefaultCutsOffNothingInItsFirstThird) {
  const Limits all = Limits::byDefault();
  EXPECT_FALSE(all.isTimed());
  EXPECT_NEAR(static_cast<double>(all.left()), Limits::kDefaultMs, 1000);
  EXPECT_NEAR(static_cast<double>(all.part(100).left()), Limits::kUncutMs,
              1000);
  EXPECT_NEAR(static_cast<double>(all.part(100).part(100).left()),
              Limits::kUncutMs, 1000);
  EXPECT_NEAR(static_cast<double>(all.part(2).left()), 30000, 1000);
  EXPECT_FALSE(all.part(100).isTimed());
  // Somebody's own deadline holds.
  EXPECT_NEAR(static_cast<double>(all.within(500).left()), 500, 100);
  EXPECT_TRUE(all.within(500).isTimed());
}

TEST(Limits, NoDeadlineHasNoParts) {
  const Limits all(0);
  EXPECT_FALSE(all.isTimed());
  EXPECT_EQ(all.part(8).left(), 0);
  EXPECT_FALSE(all.part(8).isOver());
}

TEST(Limits, AnInterruptEndsEachPart) {
  std::atomic<bool> flag{false};
  const Limits all = Limits().interruptedBy(&flag);
  const StopSign part(all.part(4).within(kMinute));
  EXPECT_FALSE(part.isUp());
  flag = true;
  EXPECT_TRUE(part.isUp());
  EXPECT_TRUE(all.isOver());
  EXPECT_EQ(all.left(), 1);
}

struct Listener : Observer {
  void onProgress(std::optional<int64_t> cost, int64_t bound) override {
    heard.emplace_back(cost, bound);
  }
  std::vector<std::pair<std::optional<int64_t>, int64_t>> heard;
};

TEST(Limits, AnObserverHearsOfEachPartUnlessItIsTakenAway) {
  Listener listener;
  const Limits all = Limits(kMinute).observedBy(&listener);
  all.part(2).report(7, 5);
  all.part(2).observedBy(nullptr).report(3, 1);
  all.report(std::nullopt, 6);
  ASSERT_EQ(listener.heard.size(), 2u);
  EXPECT_EQ(listener.heard[0].first, 7);
  EXPECT_EQ(listener.heard[0].second, 5);
  EXPECT_EQ(listener.heard[1].first, std::nullopt);
}

TEST(Budget, IsANumberOfUnits) {
  const std::vector<std::pair<const char *, int64_t>> cases = {
      {"0", 0},
      {"1000", 1000},
      {"7MiB", 7 << 20},
      {"7GB", 7000000000},
      {"9223372036854775807", INT64_MAX}};
  for (auto [text, units] : cases) {
    const auto budget = parseBudget(text);
    ASSERT_TRUE(budget) << text;
    EXPECT_EQ(budget->kind, Budget::Kind::Units);
    EXPECT_EQ(budget->of(3), units) << text;
  }
}

TEST(Budget, IsAShareOfThePeak) {
  const std::vector<std::pair<const char *, int64_t>> cases = {
      {"50%", 50}, {"12.5%", 12}, {"100%", 101}, {"0.999%", 1}, {"250%", 252}};
  for (auto [text, units] : cases)
    EXPECT_EQ(parseBudget(text).value().of(101), units) << text;
  EXPECT_EQ(parsePercent("50").value().of(101), 50);
  EXPECT_EQ(parsePercent("50%").value().of(101), 50);
  // No overflow: rounded down at any size.
  EXPECT_EQ(parsePercent("99.999").value().of(INT64_MAX),
            INT64_MAX / 100000 * 99999 + INT64_MAX % 100000 * 99999 / 100000);
}

TEST(Budget, MayBeTheLeast) {
  EXPECT_TRUE(parseBudget("min").value().isLeast());
  EXPECT_FALSE(parsePercent("min"));
}

TEST(Budget, IsNothingElse) {
  for (const char *text : {"",
                           "-1",
                           "-5%",
                           "%",
                           "5 %",
                           "5.%",
                           ".5%",
                           "1.2345%",
                           "5.5",
                           "7 MiB",
                           "7mib",
                           "Min",
                           "1e3",
                           "nan",
                           "0x10",
                           "50%%",
                           "99999999999999999999",
                           "9223372036854775808",
                           "8589934592GiB",
                           "1234567890%"})
    EXPECT_FALSE(parseBudget(text)) << text;
  for (const char *text : {"", "-1", "%", "7MiB", "1.", "min", "1,5"})
    EXPECT_FALSE(parsePercent(text)) << text;
}

} // namespace
