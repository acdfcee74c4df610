//===- CheckInverses.cpp - run what is undone, and compare ----------------===//

#include "CheckInverses.h"

#include "Arguments.h"
#include "Entry.h"
#include "Invocation.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Pipelines/Pipelines.h"
#include "pebble/Runtime/Runtime.h"
#include "pebble/Target/Inverses.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace pebble;

/// Times that each pair runs, each on data of its own.
static constexpr unsigned kRounds = 4;

namespace {

/// An operation and what undoes it.
struct Pair {
  Operation *op;
  unsigned operand;
  Inversion inversion;
  /// Takes what the operation is given, and returns what comes back.
  func::FuncOp function;
};

class PairWriter {
public:
  explicit PairWriter(ModuleOp module) : module(module) {}

  std::vector<Pair> run() {
    // Inverses write into destinations of their own.
    module.getContext()
        ->getOrLoadDialect<bufferization::BufferizationDialect>();
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      for (Block &block : function.getBody())
        for (Operation &op : block)
          if (isa<InvertibleOpInterface>(op))
            for (OpOperand &operand : op.getOpOperands())
              visit(op, operand);
    return std::move(pairs);
  }

private:
  void visit(Operation &op, OpOperand &operand) {
    const Inversion inversion = pebble::getInversion(operand);
    if (inversion == Inversion::None || isMadeHere(operand.get()))
      return;
    func::FuncOp function = write(op, operand);
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os);
    if (!seen.insert(text).second)
      return function.erase();
    function.setName("pebble_undone_" + std::to_string(pairs.size()));
    pairs.push_back({&op, operand.getOperandNumber(), inversion, function});
  }

  func::FuncOp write(Operation &op, OpOperand &operand) {
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    llvm::SetVector<mlir::Value> reads;
    reads.insert_range(op.getOperands());
    getUsedValuesDefinedAbove(op.getRegions(), reads);
    SmallVector<mlir::Value> arguments;
    for (mlir::Value value : reads)
      if (!isMadeHere(value))
        arguments.push_back(value);
    SmallVector<Type> types;
    for (mlir::Value value : arguments)
      types.push_back(value.getType());
    auto function = func::FuncOp::create(
        builder, op.getLoc(), "pebble_undone",
        builder.getFunctionType(types, operand.get().getType()));
    function->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping mapping;
    for (auto [value, argument] : llvm::zip(arguments, body->getArguments()))
      mapping.map(value, argument);
    for (mlir::Value value : reads)
      if (isMadeHere(value))
        builder.clone(*value.getDefiningOp(), mapping);
    Operation *copy = builder.clone(op, mapping);
    copy->setDiscardableAttrs(ArrayRef<NamedAttribute>());
    mlir::Value back = pebble::buildInverse(
        builder, op.getLoc(), copy->getOpOperand(operand.getOperandNumber()),
        copy->getResults());
    func::ReturnOp::create(builder, op.getLoc(), back);
    setRanges(op, arguments, function);
    return function;
  }

  /// Constants, and destinations.
  static bool isMadeHere(mlir::Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getNumOperands() == 0 &&
           (op->hasTrait<OpTrait::ConstantLike>() ||
            op->getName().getStringRef() == "tensor.empty" ||
            op->getName().getStringRef() == "bufferization.alloc_tensor");
  }

  /// Draws whole numbers from all that there are, unless a function says what
  /// it is given.
  static void setRanges(Operation &op, ArrayRef<mlir::Value> arguments,
                        func::FuncOp function) {
    Builder builder(op.getContext());
    FunctionOpInterface callee;
    if (auto call = dyn_cast<func::CallOp>(op))
      callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
          &op, call.getCalleeAttr());
    for (auto [index, value] : llvm::enumerate(arguments)) {
      Attribute range;
      for (OpOperand &operand : op.getOpOperands())
        if (callee && operand.get() == value)
          range = callee.getArgAttr(operand.getOperandNumber(), attr::kRange);
      auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
      if (!range && type && type.isSignless() && type.getWidth() > 1 &&
          type.getWidth() <= 64)
        range = builder.getI64ArrayAttr(
            {llvm::minIntN(type.getWidth()), llvm::maxIntN(type.getWidth())});
      if (range)
        function.setArgAttr(index, attr::kRange, range);
    }
  }

  ModuleOp module;
  std::vector<Pair> pairs;
  llvm::StringSet<> seen;
};

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// Elements of an array as the type says.
class Elements {
public:
  Elements(Type type, const NpyArray &array) : type(type), array(array) {
    bytes = std::max<size_t>(1, (type.getIntOrFloatBitWidth() + 7) / 8);
  }
  size_t size() const { return array.bytes.size() / bytes; }
  APInt getBits(size_t index) const {
    uint64_t word = 0;
    std::memcpy(&word, array.bytes.data() + index * bytes, bytes);
    return APInt(type.getIntOrFloatBitWidth(), word, false, true);
  }
  double getNumber(size_t index) const {
    if (auto number = dyn_cast<FloatType>(type)) {
      APFloat value(number.getFloatSemantics(), getBits(index));
      bool isLost = false;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &isLost);
      return value.convertToDouble();
    }
    return getBits(index).signedRoundToDouble();
  }
  void print(llvm::raw_ostream &os, size_t index) const {
    if (isa<FloatType>(type))
      os << getNumber(index);
    else
      getBits(index).print(os, /*isSigned=*/true);
  }
  double getLargest() const {
    double largest = 0;
    for (size_t i = 0; i < size(); ++i)
      largest = std::max(largest, std::fabs(getNumber(i)));
    return largest;
  }

private:
  Type type;
  const NpyArray &array;
  size_t bytes;
};

/// What is given and what comes back, with room for rounding.
struct Comparison {
  Elements given, back;
  double room = 0;

  std::optional<std::string> findDifference() const {
    for (size_t i = 0; i < given.size(); ++i) {
      if (given.getBits(i) == back.getBits(i) ||
          std::fabs(given.getNumber(i) - back.getNumber(i)) <= room * hasRoom())
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "element " << i << " was ";
      given.print(os, i);
      os << " and comes back as ";
      back.print(os, i);
      if (given.getNumber(i) == back.getNumber(i))
        os << " (other bits)";
      return text;
    }
    return std::nullopt;
  }

private:
  /// Numbers may be equal and have other bits, as zeros do.
  double hasRoom() const {
    return room > 0 ? 1 : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Runs one pair on data of its own.
class PairRun {
public:
  PairRun(const Pair &pair, const Signature &signature)
      : pair(pair), signature(signature) {}
  ~PairRun() {
    auto free = [](const Slot &slot, HostValue &value) {
      if (slot.isShaped() && pebble_rt_is_live(value.pointer()))
        pebble_rt_free(value.pointer());
    };
    for (auto [slot, value] : llvm::zip(signature.arguments, arguments))
      free(slot, value);
    for (auto [slot, value] : llvm::zip(signature.results, results))
      free(slot, value);
  }

  llvm::Expected<std::optional<std::string>> run(Jit::Entry entry,
                                                 uint64_t seed) {
    std::vector<NpyArray> given;
    for (auto [index, slot] : llvm::enumerate(signature.arguments)) {
      auto value = makeArgument(slot, index, seed, nullptr);
      if (!value)
        return value.takeError();
      arguments.push_back(*value);
      auto array = readBack(slot, arguments.back());
      if (!array)
        return array.takeError();
      given.push_back(std::move(*array));
    }
    Invocation invocation(signature, arguments);
    if (!invocation.run(entry))
      return llvm::createStringError(pebble_rt_error());
    results = invocation.getResults();
    auto back = readBack(signature.results[0], results[0]);
    if (!back)
      return back.takeError();
    const unsigned index = getGiven();
    Type type = signature.results[0].getElementType();
    Comparison comparison{{type, given[index]}, {type, *back}};
    if (auto number = dyn_cast<FloatType>(type);
        number && pair.inversion == Inversion::Rounded) {
      // A few units in the last place of what goes in.
      constexpr double kUnits = 8;
      double most = 0;
      for (auto [slot, array] : llvm::zip(signature.arguments, given))
        if (slot.getElementType().isIntOrFloat())
          most += Elements(slot.getElementType(), array).getLargest();
      comparison.room =
          kUnits * most *
          std::ldexp(1.0, 1 - static_cast<int>(APFloat::semanticsPrecision(
                                  number.getFloatSemantics())));
    }
    return comparison.findDifference();
  }

private:
  /// Which argument is to come back.
  unsigned getGiven() const {
    Operation *copy = nullptr;
    func::FuncOp function = pair.function;
    for (Operation &op : function.getBody().front())
      if (op.getName() == pair.op->getName() && !copy)
        copy = &op;
    return cast<BlockArgument>(copy->getOperand(pair.operand)).getArgNumber();
  }

  const Pair &pair;
  const Signature &signature;
  std::vector<HostValue> arguments, results;
};
} // namespace

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static InFlightDiagnostic reportWrong(const Pair &pair) {
  if (auto call = dyn_cast<func::CallOp>(pair.op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        call, call.getCalleeAttr());
    auto name = callee->getAttrOfType<DictionaryAttr>(attr::kInverse)
                    .getAs<FlatSymbolRefAttr>("function");
    auto inverse =
        SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(call, name);
    return inverse.emitError("@")
           << inverse.getName() << " does not undo @" << callee.getName();
  }
  return pair.op->emitError("'")
         << pair.op->getName() << "' is not undone by what its interface says";
}

LogicalResult pebble::checkInverses(ModuleOp module, uint64_t seed,
                                    const JitOptions &options,
                                    unsigned &checked) {
  checked = 0;
  if (failed(checkDeclaredInverses(module)))
    return failure();
  // The program stays what errors point into.
  std::vector<Pair> pairs = PairWriter(module).run();
  if (pairs.empty())
    return success();
  std::vector<Signature> signatures;
  std::vector<std::string> names;
  for (const Pair &pair : pairs) {
    FailureOr<Signature> signature = Signature::get(pair.function);
    if (failed(signature))
      return failure();
    names.push_back(signature->name);
    signatures.push_back(std::move(*signature));
  }
  OwningOpRef<ModuleOp> lowered = module.clone();
  SmallVector<FunctionOpInterface> entries;
  for (const std::string &name : names)
    entries.push_back(lowered->lookupSymbol<func::FuncOp>(name));
  eraseUnreachable(*lowered, entries);
  PassManager lowering(module.getContext());
  buildToLLVMPipeline(lowering);
  if (failed(lowering.run(*lowered)))
    return failure();
  auto jit = Jit::create(*lowered, names, options);
  if (!jit)
    return emitError(module.getLoc(), llvm::toString(jit.takeError()));
  bool isRight = true;
  for (auto [index, pair] : llvm::enumerate(pairs))
    for (unsigned round = 0; round < kRounds; ++round) {
      auto difference = PairRun(pair, signatures[index])
                            .run((*jit)->getEntry(index), seed + round);
      if (!difference)
        return pair.op->emitError(llvm::toString(difference.takeError()));
      if (!*difference)
        continue;
      isRight = false;
      reportWrong(pair) << ": of operand " << pair.operand << " "
                        << **difference << " (seed " << seed + round << ")";
      break;
    }
  checked = pairs.size();
  return success(isRight);
}
