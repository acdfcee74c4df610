//===- GroupSteps.cpp - the pass pebble-group-steps -----------------------===//
//
// Opens calls, asks StepGroups.h which operations belong together, writes the
// steps down, and has it proven that the function computes what it did.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "CopiedOperands.h"
#include "PlanPasses.h"
#include "ResultPlaces.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/InnerMemory.h"
#include "pebble/Analysis/Remarks.h"
#include "pebble/Analysis/SameValues.h"
#include "pebble/Analysis/StepGroups.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Planning/OutlineSegments.h"
#include "pebble/Target/StrictJson.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
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
      inlineCall(call, callee);
    }
    active.pop_back();
    done.insert(function);
    return success();
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
             ProgramContext &context)
      : function(function), block(function.getFunctionBody().front()),
        backend(backend), context(context) {}

  void run() {
    openBarriers();
    SmallVector<StepGroup, 0> groups = groupSteps(block, backend, context);
    findCopied(groups);
    OpBuilder builder(block.getTerminator());
    for (const StepGroup &group : groups) {
      for (Value input : group.inputs)
        if (copied.contains(input) && !copies.contains(input))
          copies[input] = writeCopy(input, builder);
      write(group, builder);
    }
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

  /// An argument that the caller keeps and that a step works in place in is
  /// copied. Where other steps read it too, the backend makes the copy for the
  /// first of them, and all read that.
  void findCopied(ArrayRef<StepGroup> groups) {
    llvm::DenseMap<Value, unsigned> readers;
    llvm::SmallSetVector<Value, 4> overwritten;
    for (const StepGroup &group : groups) {
      for (Value input : group.inputs)
        ++readers[input];
      for (int64_t input : group.overwrites)
        if (input >= 0)
          overwritten.insert(group.inputs[input]);
    }
    for (Value value : overwritten) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == &block && readers[value] > 1 &&
          !isDonatedArgument(function, argument.getArgNumber()))
        copied.insert(value);
    }
  }

  Value writeCopy(Value value, OpBuilder &builder) {
    auto step = StepOp::create(builder, value.getLoc(), value.getType(), value,
                               /*scratch=*/IntegerAttr(), DenseI64ArrayAttr());
    auto *body = new Block();
    step.getBody().push_back(body);
    body->addArgument(value.getType(), value.getLoc());
    OpBuilder nested = OpBuilder::atBlockEnd(body);
    auto yield = YieldOp::create(nested, value.getLoc());
    yield.getValuesMutable().append(ValueRange(body->getArguments()));
    // The backend would make one copy of two.
    step->setAttr(attr::kKeep, builder.getUnitAttr());
    return step.getResult(0);
  }

  Value getMade(Value value) const {
    auto copy = copies.find(value);
    return copy == copies.end() ? made.lookupOrDefault(value) : copy->second;
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
      inputs.push_back(getMade(input));
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
    setInnerMemory(step, group);
  }

  /// What a step takes inside as long as nobody has measured it.
  void setInnerMemory(StepOp step, const StepGroup &group) {
    int64_t bytes = 0;
    for (Operation *op : group.ops)
      if (hasInnerBlocks(op))
        bytes = std::max(bytes, getInnerMemory(op, context).peak);
    if (bytes > 0)
      step.setScratch(bytes);
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
  ProgramContext &context;
  /// From values of the function that came in to results of steps.
  IRMapping made;
  /// Arguments that steps read from a copy, and the copies that there are yet.
  llvm::SmallDenseSet<Value> copied;
  llvm::SmallDenseMap<Value, Value> copies;
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
    AnalysisOptions options = getAnalysisOptions(pure);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      ProgramContext context(options);
      StepWriter(function, rules, context).run();
      ProgramContext fresh(options);
      if (failed(checkSameValues(old.lookupSymbol(function.getNameAttr()),
                                 function, fresh)))
        return failure();
      if (placeResults)
        addResultPlaces(function);
      setScratch(function, bytes, rules, fresh);
    }
    return success();
  }

  /// What was measured of the functions that `pebble-steps-to-functions` makes
  /// of steps holds their inner results as well.
  static void setScratch(func::FuncOp function,
                         const llvm::StringMap<int64_t> &measured,
                         const Backend &rules, ProgramContext &context) {
    for (auto step : llvm::make_early_inc_range(
             function.getFunctionBody().getOps<StepOp>())) {
      auto found = measured.find(getStepDigest(step));
      if (found == measured.end())
        continue;
      int64_t bytes = found->second;
      for (OpResult result : getInnerResults(step))
        bytes -= context.getBytes(result.getType()).value_or(0);
      step = freeCopiedOperand(step, bytes, rules, context);
      if (bytes > 0)
        step.setScratch(bytes);
      else
        step.removeScratchAttr();
    }
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
