//===- BindExtentTest.cpp - schedules whose buffers fit as one block ------===//

#include "Programs.h"

#include "Transforms/BindExtent.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pebble;
using namespace pebble::test;

namespace {

/// What a planner does with so many live bytes: its buffers take `extent`.
struct Plan {
  int64_t peak, extent, cost;
};

/// Stands in for a planner whose schedules are `plans`, the cheapest first:
/// writes one buffer in place of the function's body.
class FakePlanner {
public:
  FakePlanner(FunctionOpInterface function, std::vector<Plan> plans)
      : function(function), plans(std::move(plans)) {}

  FailureOr<PlannedWithin> operator()(const ExtentTry &next) {
    limits.push_back(next.limit);
    EXPECT_EQ(getExtent(), 64) << "the function is not as it was given";
    for (const Plan &plan : plans)
      if (plan.peak <= next.limit) {
        auto old =
            *function.getFunctionBody().getOps<memref::AllocOp>().begin();
        OpBuilder builder(old);
        auto type = MemRefType::get({plan.extent}, builder.getI8Type());
        auto made = memref::AllocOp::create(builder, old.getLoc(), type);
        for (Operation *user : llvm::make_early_inc_range(old->getUsers()))
          if (isa<memref::DeallocOp>(user))
            user->replaceUsesOfWith(old, made);
        old.erase();
        return PlannedWithin{plan.peak, plan.cost, false};
      }
    return failure();
  }

  int64_t getExtent() {
    auto buffer = *function.getFunctionBody().getOps<memref::AllocOp>().begin();
    return buffer.getType().getNumElements();
  }

  std::vector<int64_t> limits;

private:
  FunctionOpInterface function;
  std::vector<Plan> plans;
};

struct Bound {
  std::optional<BoundExtent> answer;
  int64_t extent = 0;
  bool hasOffset = false;
  std::vector<int64_t> limits;
};

Bound bind(std::vector<Plan> plans, int64_t budget) {
  Program program(R"(
    func.func @f() {
      %0 = memref.alloc() : memref<64xi8>
      memref.dealloc %0 : memref<64xi8>
      return
    })");
  FunctionOpInterface function = program.getFunction("f");
  FakePlanner planner(function, std::move(plans));
  ExtentRequest request;
  request.budget = budget;
  FailureOr<BoundExtent> answer = bindExtent(function, request, planner);
  Bound result;
  if (succeeded(answer))
    result.answer = *answer;
  result.extent = planner.getExtent();
  function->walk([&](memref::AllocOp buffer) {
    result.hasOffset = buffer->hasAttr(attr::kOffset);
  });
  result.limits = planner.limits;
  return result;
}

TEST(BindExtent, KeepsTheFirstPlanThatFits) {
  Bound bound = bind({{768, 768, 1}, {512, 512, 2}}, 768);
  ASSERT_TRUE(bound.answer);
  EXPECT_EQ(bound.answer->chosen, 0u);
  EXPECT_EQ(bound.extent, 768);
  EXPECT_EQ(bound.limits.size(), 1u);
}

// 1,088 bytes are 320 too many, so the next plan may have 704 - 320 live ones.
// Between 384 and 704 there are cheaper ones, and one of them fits.
TEST(BindExtent, LooksForCheaperPlansOnceOneFits) {
  Bound bound =
      bind({{704, 1088, 1}, {620, 896, 2}, {520, 704, 3}, {320, 320, 9}}, 768);
  ASSERT_TRUE(bound.answer);
  EXPECT_EQ(bound.limits, (std::vector<int64_t>{768, 384, 544, 624, 582}));
  EXPECT_EQ(bound.extent, 704);
  EXPECT_EQ(bound.answer->extent, 704);
  EXPECT_TRUE(bound.hasOffset);
}

// A plan of more live bytes that costs no less does not replace one that fits.
TEST(BindExtent, PutsTheCheapestPlanBack) {
  Bound bound = bind({{704, 1088, 1}, {520, 704, 9}, {320, 320, 2}}, 768);
  ASSERT_TRUE(bound.answer);
  EXPECT_EQ(bound.extent, 320);
  EXPECT_EQ(bound.answer->chosen, 1u);
  EXPECT_TRUE(bound.hasOffset);
}

TEST(BindExtent, FailsWhereNothingFits) {
  Bound bound = bind({{704, 1088, 1}, {320, 832, 2}}, 768);
  EXPECT_FALSE(bound.answer);
}

} // namespace
