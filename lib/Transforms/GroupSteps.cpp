//===- GroupSteps.cpp - the pass pebble-group-steps -----------------------===//
//
// Opens calls, asks StepGroups.h which operations belong together, writes the
// steps down, and has it proven that the function computes what it did.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "PlanPasses.h"
#include "ResultPlaces.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/SameValues.h"
#include "pebble/Analysis/StepGroups.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Target/StrictJson.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace pebble {
#define GEN_PASS_DEF_GROUPSTEPSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Puts the bodies of functions in the place of their calls.
class CallOpener {
public:
  explicit CallOpener(ModuleOp module) : module(module) {}

  LogicalResult run() {
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(open(function)))
        return failure();
    eraseUnused();
    return success();
  }

private:
  LogicalResult open(func::FuncOp function) {
    if (done.contains(function) || function.isExternal())
      return success();
    active.push_back(function);
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (!callee || callee.isExternal() ||
          !callee.getFunctionBody().hasOneBlock())
        continue; // stays a call, and a step by itself
      if (llvm::is_contained(active, callee))
        return call.emitError("a recursive call cannot be planned");
      if (failed(open(callee)))
        return failure();
      replace(call, callee);
    }
    active.pop_back();
    done.insert(function);
    return success();
  }

  static void replace(func::CallOp call, func::FuncOp callee) {
    Block &body = callee.getFunctionBody().front();
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }

  /// Upstream's search for uses gives up on unregistered operations, which may
  /// be symbol tables; any attribute that names a function counts here.
  void eraseUnused() {
    bool isChanged = true;
    while (std::exchange(isChanged, false)) {
      llvm::DenseSet<StringAttr> used;
      module.walk([&](Operation *op) {
        op->getAttrDictionary().walk(
            [&](SymbolRefAttr name) { used.insert(name.getRootReference()); });
      });
      for (auto function :
           llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
        if (function.isPrivate() && !function.isExternal() &&
            !used.contains(function.getSymNameAttr())) {
          function.erase();
          isChanged = true;
        }
    }
  }

  ModuleOp module;
  SmallVector<func::FuncOp> active;
  llvm::DenseSet<Operation *> done;
};

/// Writes the steps of one function down.
class StepWriter {
public:
  StepWriter(func::FuncOp function, const Backend &backend,
             const llvm::StringMap<int64_t> &scratch, ProgramContext &context)
      : function(function), block(function.getFunctionBody().front()),
        backend(backend), scratch(scratch), context(context) {}

  void run() {
    openBarriers();
    SmallVector<StepGroup, 0> groups = groupSteps(block, backend, context);
    OpBuilder builder(block.getTerminator());
    for (const StepGroup &group : groups)
      write(group, builder);
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      operand.set(made.lookupOrDefault(operand.get()));
    eraseOld();
  }

private:
  /// The plan decides what is kept apart.
  void openBarriers() {
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      const hlo::Op *row = hlo::lookup(&op);
      if (!row || row->kind != hlo::Kind::Identity ||
          op.getNumOperands() != op.getNumResults())
        continue;
      op.replaceAllUsesWith(op.getOperands());
      op.erase();
    }
  }

  void write(const StepGroup &group, OpBuilder &builder) {
    std::string barrier = collectEffects(group.root, context).barrier;
    if (!barrier.empty())
      emitRemark(group.root->getLoc())
          << barrier << "; it runs once, and keeps its place among such steps";
    SmallVector<Value> inputs;
    SmallVector<Type> inputTypes, resultTypes;
    SmallVector<Location> locations;
    for (Value input : group.inputs) {
      inputs.push_back(made.lookupOrDefault(input));
      inputTypes.push_back(input.getType());
      locations.push_back(input.getLoc());
    }
    for (Value result : group.results)
      resultTypes.push_back(result.getType());
    auto step =
        StepOp::create(builder, group.root->getLoc(), resultTypes, inputs,
                       /*scratch=*/IntegerAttr(), DenseI64ArrayAttr());
    if (llvm::any_of(group.overwrites,
                     [](int64_t input) { return input >= 0; }))
      step.setOverwrites(group.overwrites);
    Block *body = new Block();
    step.getBody().push_back(body);
    body->addArguments(inputTypes, locations);
    IRMapping inside;
    inside.map(group.inputs, body->getArguments());
    OpBuilder nested = OpBuilder::atBlockEnd(body);
    for (Operation *op : group.ops)
      nested.clone(*op, inside);
    SmallVector<Value> yielded;
    for (Value result : group.results)
      yielded.push_back(inside.lookup(result));
    auto yield = YieldOp::create(nested, group.root->getLoc());
    yield.getValuesMutable().append(yielded);
    made.map(group.results, step.getResults());
    setScratch(step, group);
  }

  void setScratch(StepOp step, const StepGroup &group) {
    auto found = scratch.find(getStepDigest(step));
    int64_t bytes = 0;
    if (found != scratch.end())
      bytes = found->second;
    else
      for (Operation *op : group.ops)
        if (op->getNumRegions() && isLoopOrBranch(op))
          bytes = std::max(bytes, getInnerMemory(op, context).peak);
    if (bytes > 0)
      step.setScratch(bytes);
  }

  static bool isLoopOrBranch(Operation *op) {
    const hlo::Op *row = hlo::lookup(op);
    return !row || row->kind == hlo::Kind::Loop ||
           row->kind == hlo::Kind::Branch;
  }

  void eraseOld() {
    SmallVector<Operation *> old;
    for (Operation &op : block.without_terminator())
      if (!isa<StepOp>(op))
        old.push_back(&op);
    for (Operation *op : llvm::reverse(old))
      op->erase();
  }

  func::FuncOp function;
  Block &block;
  const Backend &backend;
  const llvm::StringMap<int64_t> &scratch;
  ProgramContext &context;
  /// From values of the function that came in to results of steps.
  IRMapping made;
};

struct GroupStepsPass : pebble::impl::GroupStepsPassBase<GroupStepsPass> {
  using GroupStepsPassBase::GroupStepsPassBase;

  void runOnOperation() override {
    FailureOr<Backend> rules = readBackend(backend, getOperation().getLoc());
    llvm::StringMap<int64_t> bytes;
    if (failed(rules))
      return signalPassFailure();
    (void)hasFunctions(getOperation(), getArgument());
    OwningOpRef<ModuleOp> before = getOperation().clone();
    if (failed(readScratch(bytes)))
      return signalPassFailure();
    for (auto [old, module] :
         llvm::zip_equal(getModules(*before), getModules(getOperation())))
      if (failed(group(old, module, *rules, bytes)))
        return signalPassFailure();
  }

private:
  /// Groups the functions of `module`, which was `old`.
  LogicalResult group(ModuleOp old, ModuleOp module, const Backend &rules,
                      const llvm::StringMap<int64_t> &bytes) {
    if (failed(checkForm(module)) || failed(CallOpener(module).run()))
      return failure();
    AnalysisOptions options = getAnalysisOptions(pure, /*dimBound=*/0);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      ProgramContext context(options);
      StepWriter(function, rules, bytes, context).run();
      ProgramContext fresh(options);
      if (failed(checkSameValues(old.lookupSymbol(function.getNameAttr()),
                                 function, fresh)))
        return failure();
      if (placeResults)
        addResultPlaces(function);
    }
    return success();
  }

  /// Functions of values, in one block each.
  static LogicalResult checkForm(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (!function.getFunctionBody().hasOneBlock())
        return function.emitError("only functions of one block have steps");
      for (Operation &op : function.getFunctionBody().front())
        if (isa<StepOp>(op) || isMoveOrMark(&op))
          return op.emitError("the function has been grouped or planned "
                              "already");
    }
    return success();
  }

  LogicalResult readScratch(llvm::StringMap<int64_t> &bytes) {
    if (scratch.empty())
      return success();
    Location loc = getOperation().getLoc();
    auto buffer = llvm::MemoryBuffer::getFile(scratch);
    if (!buffer)
      return emitError(loc) << "cannot read " << scratch << ": "
                            << buffer.getError().message();
    llvm::Expected<llvm::json::Value> parsed =
        parseStrictJson((*buffer)->getBuffer());
    if (!parsed)
      return emitError(loc)
             << scratch << ": " << llvm::toString(parsed.takeError());
    llvm::json::Object *object = parsed->getAsObject();
    if (!object)
      return emitError(loc) << scratch << ": not an object of bytes by digest";
    for (auto &[digest, value] : *object) {
      std::optional<int64_t> count = value.getAsInteger();
      if (!count || *count < 0)
        return emitError(loc) << scratch << ": '" << digest.str()
                              << "' has no number of bytes";
      bytes[digest.str()] = *count;
    }
    return success();
  }
};
} // namespace
