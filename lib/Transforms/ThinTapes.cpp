//===- ThinTapes.cpp - the pass pebble-thin-tapes -------------------------===//
//
// Looks for loops with tapes between them, has it chosen which values of a step
// the tapes keep within a budget, and has the loops written anew.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "BudgetOption.h"
#include "PlanPasses.h"
#include "TapeWriter.h"

#include "pebble/Analysis/Remarks.h"
#include "pebble/Planning/OutlineSegments.h"
#include "pebble/Planning/TapeGraph.h"

#include "mlir/IR/Remarks.h"

#include <deque>

namespace pebble {
#define GEN_PASS_DEF_THINTAPESPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct ThinTapesPass : pebble::impl::ThinTapesPassBase<ThinTapesPass> {
  using ThinTapesPassBase::ThinTapesPassBase;

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    FailureOr<std::optional<graph::Budget>> read =
        readBudget(loc, budget, budgetBytes, budgetPercent);
    if (failed(read))
      return signalPassFailure();
    if (!*read) {
      emitError(loc) << "no budget: say in budget what tapes may take";
      return signalPassFailure();
    }
    ProgramContext context(getAnalysisOptions(pure, 0));
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.isPublic() ||
          !function.getFunctionBody().hasOneBlock())
        continue;
      OwningOpRef<func::FuncOp> before = function.clone();
      FailureOr<bool> isThinner = thin(function, **read, context);
      if (failed(isThinner))
        return signalPassFailure();
      if (!*isThinner)
        function.getFunctionBody().takeBody((*before).getFunctionBody());
    }
    if (!isFound)
      remarkOnNothing(getOperation(), getArgument(),
                      "there are no two loops in the block of a function of "
                      "which the second one reads a tape that the first one "
                      "writes");
  }

private:
  FailureOr<bool> thin(func::FuncOp function, const graph::Budget &budget,
                       ProgramContext &context);
  std::deque<LoopPair> findPairs(Block &block, RecurrenceAnalysis &analysis,
                                 ProgramContext &context);
  void report(func::FuncOp function, const TapeGraph &graph,
              const graph::ResidualChoice &choice, int64_t least);
  void miss(Operation *op, const Twine &why);
  bool isFound = false;
};
} // namespace

/// Opens calls of functions in which there are loops: a forward loop and its
/// adjoint may stand in two functions. Then those in the loops.
static void openCalls(func::FuncOp function) {
  constexpr int kDepth = 8;
  auto isLoop = [](Operation *op) {
    return RecurrenceAnalysis::isLoop(op) ? WalkResult::interrupt()
                                          : WalkResult::advance();
  };
  for (int depth = 0; depth < kDepth; ++depth) {
    SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
    function.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      bool isInLoop = call->getParentOp() != function;
      if (callee && callee != function && !callee.isExternal() &&
          callee.getFunctionBody().hasOneBlock() &&
          (isInLoop || callee.walk(isLoop).wasInterrupted()))
        calls.push_back({call, callee});
    });
    for (auto [call, callee] : calls)
      inlineCall(call, callee);
  }
}

void ThinTapesPass::miss(Operation *op, const Twine &why) {
  auto missed = remark::missed(
      op->getLoc(), remark::RemarkOpts::name("tapes").category(getArgument()));
  if (missed)
    missed << why.str();
}

/// Each loop is in one of them at most.
std::deque<LoopPair> ThinTapesPass::findPairs(Block &block,
                                              RecurrenceAnalysis &analysis,
                                              ProgramContext &context) {
  std::deque<LoopPair> pairs;
  SmallVector<Operation *> loops;
  for (Operation &op : block)
    if (RecurrenceAnalysis::isLoop(&op))
      loops.push_back(&op);
  llvm::DenseSet<Operation *> taken;
  for (size_t j = 1; j < loops.size(); ++j)
    for (size_t i = j; i-- > 0;) {
      if (taken.contains(loops[i]) || taken.contains(loops[j]) ||
          !shareTape(loops[i], loops[j]))
        continue;
      isFound = true;
      LoopPair pair;
      std::optional<std::string> why =
          findTapes(loops[i], loops[j], analysis, context, pair);
      if (!why)
        why = whyTapesStay(pair, analysis);
      if (why) {
        miss(loops[j], "its tapes stay as they are: " + *why);
        continue;
      }
      taken.insert_range(ArrayRef<Operation *>{loops[i], loops[j]});
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

void ThinTapesPass::report(func::FuncOp function, const TapeGraph &graph,
                           const graph::ResidualChoice &choice, int64_t least) {
  auto remark =
      remark::passed(function.getLoc(),
                     remark::RemarkOpts::name("tapes").category(getArgument()));
  if (!remark)
    return;
  using Arg = remark::detail::Remark::Arg;
  remark << "tapes keep other values" << Arg("tape_bytes", graph.getTapeBytes())
         << Arg("kept_bytes", choice.bytes) << Arg("least_bytes", least)
         << Arg("cost", choice.cost) << Arg("bound", choice.bound);
}

/// Within the budget; false where the function stays as it is.
FailureOr<bool> ThinTapesPass::thin(func::FuncOp function,
                                    const graph::Budget &budget,
                                    ProgramContext &context) {
  openCalls(function);
  RecurrenceAnalysis analysis;
  std::deque<LoopPair> pairs =
      findPairs(function.getFunctionBody().front(), analysis, context);
  if (pairs.empty())
    return false;
  TapeGraph graph(analysis, context);
  for (const LoopPair &pair : pairs)
    graph.add(pair);
  if (!graph.isBounded()) {
    miss(pairs.front().forward->op,
         "its tapes stay as they are: sums of bytes, or of arithmetic, are too "
         "large to be told apart");
    return false;
  }
  const graph::ResidualProblem &problem = graph.getProblem();
  std::optional<int64_t> least = graph::getLeastResidualBytes(problem);
  if (!least)
    return function.emitError("what a tape holds can neither be kept nor made");
  int64_t bytes = budget.isLeast() ? *least : budget.of(graph.getTapeBytes());
  if (bytes >= graph.getTapeBytes())
    return false;
  std::optional<graph::ResidualChoice> choice =
      graph::chooseResiduals(problem, bytes);
  if (!choice)
    return emitError(function.getLoc(),
                     "no choice of what tapes keep fits in the budget of ")
           << bytes << " bytes; the smallest feasible budget is " << *least
           << " bytes (proven)";
  if (!graph::isChoiceOf(problem, *choice))
    return function.emitError("what tapes are to keep is not enough");
  report(function, graph, *choice, *least);
  for (const LoopPair &pair : pairs)
    writeTapes(pair, analysis, context,
               [&](Value value) { return graph.isKept(value, *choice); });
  return true;
}
