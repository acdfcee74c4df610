//===- RefusalTest.cpp - plans that are not proven are given up -----------===//
//
// An op that says of its effects one thing where it stands and another one
// where a plan puts it. No rewrite that moves it can be proven.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "pebble/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace pebble;

namespace {

/// It writes memory if something has been reduced before it.
class MoodyOp
    : public Op<MoodyOp, OpTrait::OneOperand, OpTrait::OneResult,
                OpTrait::ZeroRegions, MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MoodyOp)
  using Op::Op;

  static StringRef getOperationName() { return "moody.look"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    for (Operation *op = getOperation()->getPrevNode(); op;
         op = op->getPrevNode())
      if (isa<linalg::ReduceOp>(op))
        return effects.push_back(
            MemoryEffects::EffectInstance(MemoryEffects::Write::get()));
  }
};

class MoodyDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MoodyDialect)
  static StringRef getDialectNamespace() { return "moody"; }
  explicit MoodyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<MoodyDialect>()) {
    addOperations<MoodyOp>();
  }
};

class Listener : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Listener(std::string &heard) : heard(heard) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    llvm::raw_string_ostream(heard) << remark.getMsg() << "\n";
  }

private:
  std::string &heard;
};

/// The best order reduces %a before it makes %b.
const char *kProgram = R"mlir(
func.func @main(%x: tensor<1024xf32>) -> (tensor<f32>, tensor<f32>, f32) {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<f32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %s = "moody.look"(%b) : (tensor<1024xf32>) -> f32
  %p = linalg.reduce {arith.maximumf} ins(%a : tensor<1024xf32>) outs(%f : tensor<f32>) dimensions = [0]
  %q = linalg.reduce {arith.maximumf} ins(%b : tensor<1024xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %p, %q, %s : tensor<f32>, tensor<f32>, f32
})mlir";

class Refusals : public ::testing::Test {
protected:
  Refusals() {
    DialectRegistry registry;
    registerUpstream(registry);
    registerAllDialects(registry);
    registry.insert<MoodyDialect>();
    context.appendDialectRegistry(registry);
    context.loadDialect<MoodyDialect, PebbleDialect>();
    module = parseSourceString<ModuleOp>(kProgram, &context);
    EXPECT_TRUE(module);
    (void)remark::enableOptimizationRemarks(
        context, std::make_unique<Listener>(heard),
        std::make_unique<remark::RemarkEmittingPolicyAll>(),
        {std::nullopt, std::nullopt, std::string(".*"), std::nullopt,
         std::nullopt});
  }

  bool run(std::unique_ptr<Pass> pass) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      for (Diagnostic &note : diagnostic.getNotes())
        errors += note.str() + "\n";
      return success();
    });
    PassManager manager(&context);
    manager.addPass(std::move(pass));
    return succeeded(manager.run(*module));
  }

  /// The names of the ops that compute, in order.
  std::string getOrder() {
    std::string order;
    module->walk([&](Operation *op) {
      StringRef name = op->getName().stripDialect();
      if (isa<linalg::LinalgOp, MoodyOp>(op))
        order += (order.empty() ? "" : " ") + name.str();
    });
    return order;
  }

  const std::string given = "exp abs look reduce reduce";
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string heard, errors;
};

TEST_F(Refusals, OrdersThatAreNotProvenAreGivenUp) {
  EXPECT_TRUE(run(createOrderOperationsPass()));
  EXPECT_EQ(errors, "");
  EXPECT_EQ(getOrder(), given);
  EXPECT_NE(heard.find("'main' stays as it is, for the plan that was found is "
                       "not proven: the rewrite changed"),
            std::string::npos)
      << heard;
}

TEST_F(Refusals, SchedulesThatAreNotProvenAreGivenUp) {
  SchedulePassOptions options;
  options.budget = "min";
  options.means = ScheduleMeans::None;
  EXPECT_TRUE(run(createSchedulePass(options)));
  EXPECT_EQ(errors, "");
  EXPECT_EQ(getOrder(), given);
  EXPECT_NE(heard.find("'main' stays as it is"), std::string::npos) << heard;
}

/// The plan that is found first is refused; the one of the fewest bytes is not.
TEST_F(Refusals, TheLeanestScheduleIsTriedBeforeABudgetIsAnError) {
  SchedulePassOptions options;
  options.budget = "10000"; // as it is, 12288 and a word
  EXPECT_TRUE(run(createSchedulePass(options)));
  EXPECT_EQ(errors, "");
  EXPECT_NE(getOrder(), given);
  EXPECT_NE(heard.find("'main' takes the fewest bytes that were found at any "
                       "cost, for the plan that was found is not proven"),
            std::string::npos)
      << heard;
}

/// No error names a budget that only a schedule keeps that is not proven.
TEST_F(Refusals, BudgetsThatErrorsNameHoldWhenAskedFor) {
  OwningOpRef<ModuleOp> original(module->clone());
  size_t refused = 0, unproven = 0;
  for (ScheduleMeans means : {ScheduleMeans::None, ScheduleMeans::Recompute})
    for (int64_t budget = 64; budget < 12400; budget += 448) {
      SchedulePassOptions options;
      options.means = means;
      auto plan = [&](int64_t bytes) {
        module = OwningOpRef<ModuleOp>(original->clone());
        errors.clear();
        options.budget = std::to_string(bytes);
        return run(createSchedulePass(options));
      };
      if (plan(budget))
        continue;
      ++refused;
      unproven += StringRef(errors).contains("is not proven to be the same");
      SmallVector<StringRef> found;
      llvm::Regex named("smallest [a-z ]*budget[a-z ]* is ([0-9]+) bytes");
      ASSERT_TRUE(named.match(errors, &found)) << errors;
      const int64_t does = std::stoll(found[1].str());
      EXPECT_GT(does, budget);
      EXPECT_TRUE(plan(does)) << errors;
      EXPECT_EQ(errors, "");
    }
  EXPECT_GT(refused, 10u);
  EXPECT_GT(unproven, 10u);
}

} // namespace
