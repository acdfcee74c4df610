//===- SplitBackward.cpp - one function into forward and backward ---------===//
//
// The way back from StitchBackward.cpp, after a schedule has decided what is
// kept and what is computed again: what the backward half still reads of the
// forward half is saved, and nothing else. Decides no schedule: within each
// half operations keep their order.
//
//===----------------------------------------------------------------------===//

#include "pebble/Transforms/Passes.h"

#include "Halves.h"

#include "pebble/Analysis/AdjointCalls.h"
#include "pebble/Analysis/Storage.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/PlanAddresses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

namespace pebble {
#define GEN_PASS_DEF_SPLITBACKWARDPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
/// Splits one function. `run()` leaves it calling the two that it makes.
class Splitter {
public:
  Splitter(func::FuncOp function, ProgramContext &context, StringRef forward,
           StringRef backward)
      : function(function), forwardName(forward), backwardName(backward),
        body(function.getBody().front()), storage(body, context) {
    auto stitched = function->getAttrOfType<DictionaryAttr>(attr::kStitched);
    numArguments = stitched.getAs<IntegerAttr>("arguments").getInt();
    numResults = stitched.getAs<IntegerAttr>("results").getInt();
  }

  LogicalResult run();
  unsigned getNumSaved() const { return saved.size(); }
  int64_t getSavedBytes() const;

private:
  void placeDrops();
  void dropUnusedNames();
  void collectSaved();
  bool isOfForward(Value value) const;
  bool isMadeAgain(Value value) const;
  bool isGivenAway(Value value) const;
  void nameSaved();
  Value resolve(Value value, OpBuilder &builder, IRMapping &mapping);
  func::FuncOp create(StringRef name, TypeRange arguments, TypeRange results);
  func::FuncOp buildForward();
  func::FuncOp buildBackward();

  func::FuncOp function;
  StringRef forwardName, backwardName;
  Block &body;
  StorageAnalysis storage;
  /// Of the forward half: its arguments and results come first.
  unsigned numArguments, numResults;
  llvm::DenseSet<Operation *> forwardOps;
  llvm::SetVector<Value> saved;
  SmallVector<std::string> savedNames;
  /// Slices of what is saved anyway.
  llvm::DenseSet<Value> sliceAgain;
};
} // namespace

bool Splitter::isOfForward(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &body &&
           argument.getArgNumber() < numArguments;
  return forwardOps.contains(value.getDefiningOp());
}

/// A storage that the backward half would only drop ends in the forward half,
/// which has used it last.
void Splitter::placeDrops() {
  llvm::DenseSet<StorageId> used;
  for (Operation &op : body)
    if (!forwardOps.contains(&op) && !isDrop(&op))
      forEachUse(&op, [&](Value value) {
        for (StorageId id : storage.lookup(value))
          used.insert(id);
      });
  for (Operation &op : body.without_terminator())
    if (isDrop(&op) && !forwardOps.contains(&op) &&
        isOfForward(op.getOperand(0)) &&
        llvm::none_of(storage.lookup(op.getOperand(0)),
                      [&](StorageId id) { return used.contains(id); }))
      forwardOps.insert(&op);
}

/// True if a value of the forward half costs nothing to make in the backward
/// half, given what it is made of: constants, empty destinations, and other
/// names of a storage.
bool Splitter::isMadeAgain(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isOfForward(value))
    return false;
  if (sliceAgain.contains(value))
    return true;
  if (isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::CastOp, bufferization::AllocTensorOp, OpaqueOp>(op))
    return StorageAnalysis::isFree(op);
  // A reshape of another dialect.
  if (StorageAnalysis::isFree(op) && op->getNumOperands() == 1 &&
      !isa<tensor::ExtractSliceOp>(op) &&
      StorageAnalysis::getViewSource(op) == op->getOperand(0))
    return true;
  return StorageAnalysis::isFree(op) && op->getNumOperands() == 0 &&
         isa<TensorType, IntegerType, FloatType, IndexType>(value.getType());
}

/// Takes out of the forward half what only the backward half makes of its
/// values, and makes again.
void Splitter::dropUnusedNames() {
  auto isUsed = [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      Operation *ancestor = body.findAncestorOpInBlock(*user);
      return ancestor && forwardOps.contains(ancestor);
    });
  };
  auto isReturned = [&](Value value) {
    return llvm::is_contained(
        body.getTerminator()->getOperands().take_front(numResults), value);
  };
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (forwardOps.contains(&op) && op.getNumResults() == 1 &&
        isMadeAgain(op.getResult(0)) && !isUsed(&op) &&
        !isReturned(op.getResult(0)))
      forwardOps.erase(&op);
}

void Splitter::collectSaved() {
  llvm::SetVector<Value> read;
  SmallVector<Value> work;
  for (Operation &op : body) {
    if (forwardOps.contains(&op))
      continue;
    bool isTerminator = &op == body.getTerminator();
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      if (!isTerminator || i >= numResults)
        work.push_back(operand);
    for (Region &region : op.getRegions())
      for (Operation &nested : region.getOps())
        forEachUse(&nested, [&](Value value) { work.push_back(value); });
  }
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!isOfForward(value))
      continue;
    if (isMadeAgain(value))
      llvm::append_range(work, value.getDefiningOp()->getOperands());
    else
      read.insert(value);
  }
  for (Value value : read) {
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || llvm::any_of(slice->getOperands().drop_front(),
                               [&](Value v) { return !read.contains(v); }))
      continue;
    if (read.contains(slice.getSource()))
      sliceAgain.insert(value);
  }
  // In the order of the forward half, whatever order they were found in.
  for (BlockArgument argument : body.getArguments())
    if (read.contains(argument))
      saved.insert(argument);
  for (Operation &op : body)
    for (Value result : op.getResults())
      if (read.contains(result) && !sliceAgain.contains(result))
        saved.insert(result);
}

/// True if nobody but the backward function needs the storage of `value` once
/// the forward function has returned it.
bool Splitter::isGivenAway(Value value) const {
  ArrayRef<StorageId> ids = storage.lookup(value);
  if (!isa<TensorType>(value.getType()) || ids.size() != 1)
    return false;
  StorageKind kind = storage.getStorage(ids.front()).kind;
  if (kind != StorageKind::Local && kind != StorageKind::Donated)
    return false;
  auto sharesStorage = [&](Value other) {
    return other != value &&
           llvm::is_contained(storage.lookup(other), ids.front());
  };
  ValueRange ownResults =
      body.getTerminator()->getOperands().take_front(numResults);
  return llvm::none_of(saved, sharesStorage) &&
         !llvm::is_contained(ownResults, value) &&
         llvm::none_of(ownResults, sharesStorage);
}

/// Gives each saved value a name of its own, which pairs result and argument.
void Splitter::nameSaved() {
  llvm::StringSet<> taken;
  auto take = [&](DictionaryAttr attrs) {
    if (attrs)
      if (auto name = attrs.getAs<StringAttr>(attr::kName))
        taken.insert(name.getValue());
  };
  for (unsigned i = 0; i != numResults; ++i)
    take(function.getResultAttrDict(i));
  for (auto [i, value] : llvm::enumerate(saved)) {
    StringAttr given;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      given = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    attr::kName);
    } else {
      Operation *op = value.getDefiningOp();
      unsigned number = cast<OpResult>(value).getResultNumber();
      given = op->getAttrOfType<StringAttr>(attr::kName);
      if (auto names = op->getAttrOfType<ArrayAttr>(attr::kName);
          names && number < names.size())
        given = dyn_cast<StringAttr>(names[number]);
    }
    std::string base = given ? given.str() : "saved" + std::to_string(i);
    std::string name = base;
    for (unsigned n = 1; !taken.insert(name).second; ++n)
      name = base + "_" + std::to_string(n);
    savedNames.push_back(name);
  }
}

int64_t Splitter::getSavedBytes() const {
  int64_t bytes = 0;
  llvm::DenseSet<StorageId> counted;
  for (Value value : saved)
    for (StorageId id : storage.lookup(value))
      if (storage.getStorage(id).isCounted() && counted.insert(id).second)
        bytes += storage.getStorage(id).getFootprint();
  return bytes;
}

func::FuncOp Splitter::create(StringRef name, TypeRange arguments,
                              TypeRange results) {
  OpBuilder builder(function);
  auto half = func::FuncOp::create(builder, function.getLoc(), name,
                                   builder.getFunctionType(arguments, results));
  half.setPrivate();
  half.addEntryBlock();
  return half;
}

func::FuncOp Splitter::buildForward() {
  SmallVector<Type> results(function.getResultTypes().take_front(numResults));
  for (Value value : saved)
    results.push_back(value.getType());
  func::FuncOp half =
      create(forwardName, function.getArgumentTypes().take_front(numArguments),
             results);
  IRMapping mapping;
  auto isOwnResult = [&](unsigned result) {
    return result < numResults ? std::optional(result) : std::nullopt;
  };
  for (unsigned i = 0; i != numArguments; ++i) {
    half.setArgAttrs(i, carryArgumentAttrs(function, i, isOwnResult));
    half.getArgument(i).setLoc(body.getArgument(i).getLoc());
    mapping.map(body.getArgument(i), half.getArgument(i));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&half.getBody().front());
  for (Operation &op : body)
    if (forwardOps.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> returned;
  Operation *terminator = body.getTerminator();
  for (Value value : terminator->getOperands().take_front(numResults))
    returned.push_back(mapping.lookup(value));
  for (Value value : saved)
    returned.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, terminator->getLoc(), returned);
  for (unsigned i = 0; i != numResults; ++i)
    if (DictionaryAttr attrs = function.getResultAttrDict(i))
      half.setResultAttrs(i, attrs);
  for (auto [i, name] : llvm::enumerate(savedNames))
    half.setResultAttr(numResults + i, attr::kName,
                       builder.getStringAttr(name));
  return half;
}

/// What `value` is in the backward half; makes again what costs nothing.
Value Splitter::resolve(Value value, OpBuilder &builder, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  // Views may form long chains.
  SmallVector<Value> chain = {value};
  while (!chain.empty()) {
    Operation *op = chain.back().getDefiningOp();
    bool isReady = true;
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand)) {
        chain.push_back(operand);
        isReady = false;
      }
    if (!isReady)
      continue;
    if (!mapping.contains(chain.back()))
      builder.clone(*op, mapping);
    chain.pop_back();
  }
  return mapping.lookup(value);
}

func::FuncOp Splitter::buildBackward() {
  SmallVector<Type> arguments;
  for (Value value : saved)
    arguments.push_back(value.getType());
  llvm::append_range(arguments,
                     function.getArgumentTypes().drop_front(numArguments));
  func::FuncOp half = create(backwardName, arguments,
                             function.getResultTypes().drop_front(numResults));
  MLIRContext *mlirContext = function.getContext();
  IRMapping mapping;
  for (auto [i, value] : llvm::enumerate(saved)) {
    half.setArgAttr(i, attr::kName,
                    StringAttr::get(mlirContext, savedNames[i]));
    if (isGivenAway(value))
      half.setArgAttr(i, attr::kDonated, UnitAttr::get(mlirContext));
    half.getArgument(i).setLoc(value.getLoc());
    mapping.map(value, half.getArgument(i));
  }
  unsigned end = function.getNumResults();
  auto isOwnResult = [&](unsigned result) {
    return result < numResults ? std::nullopt
                               : std::optional(result - numResults);
  };
  for (unsigned i = numArguments, e = body.getNumArguments(); i != e; ++i) {
    unsigned argument = saved.size() + i - numArguments;
    half.setArgAttrs(argument, carryArgumentAttrs(function, i, isOwnResult));
    half.getArgument(argument).setLoc(body.getArgument(i).getLoc());
    mapping.map(body.getArgument(i), half.getArgument(argument));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&half.getBody().front());
  for (Operation &op : body.without_terminator()) {
    if (forwardOps.contains(&op))
      continue;
    forEachUse(&op, [&](Value value) {
      if (isOfForward(value))
        resolve(value, builder, mapping);
    });
    builder.clone(op, mapping);
  }
  SmallVector<Value> returned;
  Operation *terminator = body.getTerminator();
  for (Value value : terminator->getOperands().drop_front(numResults))
    returned.push_back(resolve(value, builder, mapping));
  func::ReturnOp::create(builder, terminator->getLoc(), returned);
  for (unsigned i = numResults; i != end; ++i)
    if (DictionaryAttr attrs = function.getResultAttrDict(i))
      half.setResultAttrs(i - numResults, attrs);
  return half;
}

LogicalResult Splitter::run() {
  if (failed(storage.verify()))
    return failure();
  FailureOr<llvm::DenseSet<Operation *>> divided =
      divideHalves(storage, numArguments, numResults);
  if (failed(divided))
    return failure();
  forwardOps = std::move(*divided);
  placeDrops();
  dropUnusedNames();
  collectSaved();
  nameSaved();
  func::FuncOp forward = buildForward(), backward = buildBackward();
  setAdjoint(forward, backward, numResults);

  Block *calls = new Block;
  function.getBody().push_back(calls);
  for (BlockArgument argument : body.getArguments())
    calls->addArgument(argument.getType(), argument.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(calls);
  Location loc = function.getLoc();
  auto first = func::CallOp::create(
      builder, loc, forward, calls->getArguments().take_front(numArguments));
  SmallVector<Value> passed(first.getResults().drop_front(numResults));
  llvm::append_range(passed, calls->getArguments().drop_front(numArguments));
  auto second = func::CallOp::create(builder, loc, backward, passed);
  SmallVector<Value> results(first.getResults().take_front(numResults));
  llvm::append_range(results, second.getResults());
  func::ReturnOp::create(builder, loc, results);
  return success();
}

namespace {
struct SplitBackwardPass
    : pebble::impl::SplitBackwardPassBase<SplitBackwardPass> {
  using SplitBackwardPassBase::SplitBackwardPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    getOperation().walk([&](func::FuncOp function) {
      if (function->hasAttr(attr::kStitched))
        functions.push_back(function);
    });
    if (functions.empty()) {
      emitError(getOperation().getLoc(),
                "no function has the attribute pebble.stitched, "
                "which pebble-stitch-backward leaves");
      return signalPassFailure();
    }
    if (functions.size() > 1 && !(forward.empty() && backward.empty())) {
      emitError(
          getOperation().getLoc(),
          "several functions are stitched, and forward=NAME and backward=NAME "
          "name the halves of one");
      return signalPassFailure();
    }
    for (func::FuncOp function : functions)
      if (failed(split(function)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp function);
};
} // namespace

LogicalResult SplitBackwardPass::split(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(function.getLoc(),
                     "only a function of a single block can be split");
  auto stitched = function->getAttrOfType<DictionaryAttr>(attr::kStitched);
  std::string names[] = {forward.getValue(), backward.getValue()};
  StringRef keys[] = {"forward", "backward"};
  for (auto [name, key] : llvm::zip(names, keys)) {
    if (name.empty())
      name = stitched.getAs<StringAttr>(key).str();
    if (function->getParentOfType<ModuleOp>().lookupSymbol(name))
      return emitError(function.getLoc())
             << "there is a symbol '" << name << "' already; name the " << key
             << " function by " << key << "=NAME";
  }
  if (names[0] == names[1])
    return emitError(function.getLoc())
           << "both halves cannot be called '" << names[0] << "'";

  eraseAddresses(function);
  ProgramContext context;
  Splitter splitter(function, context, names[0], names[1]);
  if (failed(splitter.run()))
    return failure();
  int64_t bytes = splitter.getSavedBytes();
  // The body that the halves were copied from.
  Block &old = function.getBody().front();
  old.dropAllReferences();
  old.erase();
  function->removeAttr(attr::kStitched);
  function->removeAttr(attr::kResult);
  if (auto remark = remark::passed(
          function.getLoc(),
          remark::RemarkOpts::name("split").category(getArgument())))
    remark << "'" + names[0] + "' saves " +
                  std::to_string(splitter.getNumSaved()) + " value(s) for '" +
                  names[1] + "', " + std::to_string(bytes) + " bytes";
  return success();
}
