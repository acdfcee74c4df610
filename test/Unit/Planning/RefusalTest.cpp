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

TEST_F(Refusals, BudgetsThatOnlySuchSchedulesKeepAreErrors) {
  SchedulePassOptions options;
  options.budget = "10000"; // as it is, 12288 and three words
  EXPECT_FALSE(run(createSchedulePass(options)));
  EXPECT_NE(errors.find("is not proven to be the same program: the rewrite"),
            std::string::npos)
      << errors;
}

} // namespace
