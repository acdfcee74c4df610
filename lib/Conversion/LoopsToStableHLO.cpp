//===- LoopsToStableHLO.cpp - the pass pebble-loops-to-stablehlo ----------===//
//
// The drivers of reversed loops are written in scf, arith and tensor. Where the
// steps are StableHLO, this writes the drivers as StableHLO too: loops become
// whiles, numbers tensors without dimensions, arrays of states tensors that are
// updated in place. A while takes all that its regions use.
//
//===----------------------------------------------------------------------===//

#include "pebble/Conversion/Passes.h"

#include "DriverCost.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/Trips.h"
#include "pebble/Target/OpCost.h"
#include "pebble/Target/StableHLO.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace pebble {
#define GEN_PASS_DEF_LOOPSTOSTABLEHLOPASS
#include "pebble/Conversion/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes one function anew.
class HLOWriter {
public:
  HLOWriter(func::FuncOp function, OpCostModel &model)
      : block(function.getFunctionBody().front()), b(block.getTerminator()),
        costs(model) {}

  LogicalResult run() {
    SmallVector<Operation *> old;
    for (Operation &op : block.without_terminator())
      old.push_back(&op);
    for (Operation *op : old)
      if (failed(write(op)))
        return failure();
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      operand.set(get(operand.get()));
    for (Operation *op : llvm::reverse(old))
      op->erase();
    return success();
  }

private:
  using Values = SmallVector<Value>;
  using Fill = llvm::function_ref<FailureOr<Values>(ValueRange)>;

  Value get(Value value) const { return mapping.lookupOrDefault(value); }
  Values getAll(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value each) { return get(each); });
  }

  LogicalResult write(Operation *op);
  bool writeNumber(Operation *op);
  bool writeArray(Operation *op);
  LogicalResult writeFor(scf::ForOp loop);
  LogicalResult writeWhile(scf::WhileOp loop);
  LogicalResult writeBody(Block &body) {
    for (Operation &op : body.without_terminator())
      if (failed(write(&op)))
        return failure();
    return success();
  }
  FailureOr<Operation *> makeWhile(Location loc, ValueRange inits,
                                   Fill condition, Fill body);
  Block *makeBlock(Region &region, ValueRange inits, Location loc, Fill fill);

  /// A number is a tensor without dimensions, an index one of 64 bits.
  /// What is in a slower tier says so by calls, and not by its type.
  Type convert(Type type) {
    if (getPlacement(type))
      type = withPlacement(type, {});
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor.getElementType().isIndex() ? tensor.clone(b.getI64Type())
                                               : tensor;
    return RankedTensorType::get({}, type.isIndex() ? b.getI64Type() : type);
  }

  Operation *make(Location loc, StringRef name, ValueRange operands,
                  TypeRange types, ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(loc, ("stablehlo." + name).str());
    state.addOperands(operands);
    state.addTypes(types);
    if (!attributes.empty())
      state.propertiesAttr = b.getDictionaryAttr(attributes);
    return b.create(state);
  }
  Value makeOne(Location loc, StringRef name, ValueRange operands, Type type,
                ArrayRef<NamedAttribute> attributes = {}) {
    return make(loc, name, operands, type, attributes)->getResult(0);
  }
  Value makeConstant(Location loc, TypedAttr value) {
    return makeOne(loc, "constant", {}, value.getType(),
                   b.getNamedAttr("value", value));
  }
  Value makeIndex(Location loc, int64_t value) {
    auto type = RankedTensorType::get({}, b.getI64Type());
    return makeConstant(loc, DenseElementsAttr::get(type, value));
  }
  Value makeZeros(Location loc, RankedTensorType type);
  Value compare(Location loc, StringRef direction, Value x, Value y);
  Value reshape(Location loc, Value value, ArrayRef<int64_t> shape);
  Values getOffsets(Location loc, ArrayRef<OpFoldResult> offsets);
  Value place(Location loc, Value value, StringRef memory);
  Value slice(Location loc, Value source, ValueRange offsets,
              ArrayRef<int64_t> sizes, RankedTensorType type);
  Value update(Location loc, Value into, Value part, ValueRange offsets,
               ArrayRef<int64_t> sizes);
  bool writeSnapshot(Operation *op);

  Block &block;
  OpBuilder b;
  DriverCost costs;
  IRMapping mapping;
};
} // namespace

/// The op of StableHLO with the name that `op` has there; empty if it has none.
static StringRef getNumberOp(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("arith.addi", "add")
      .Case("arith.subi", "subtract")
      .Case("arith.muli", "multiply")
      .Case("arith.divsi", "divide")
      .Case("arith.remsi", "remainder")
      .Case("arith.maxsi", "maximum")
      .Case("arith.minsi", "minimum")
      .Case("arith.andi", "and")
      .Case("arith.ori", "or")
      .Case("arith.select", "select")
      .Cases({"arith.index_cast", "arith.index_castui"}, "convert")
      .Default("");
}

static StringRef getDirection(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "EQ";
  case arith::CmpIPredicate::ne:
    return "NE";
  case arith::CmpIPredicate::slt:
    return "LT";
  case arith::CmpIPredicate::sle:
    return "LE";
  case arith::CmpIPredicate::sgt:
    return "GT";
  case arith::CmpIPredicate::sge:
    return "GE";
  default:
    return "";
  }
}

Value HLOWriter::compare(Location loc, StringRef direction, Value x, Value y) {
  auto parse = [&](const Twine &text) {
    return parseAttribute(text.str(), b.getContext());
  };
  NamedAttribute attributes[] = {
      b.getNamedAttr("compare_type",
                     parse("#stablehlo<comparison_type SIGNED>")),
      b.getNamedAttr(
          "comparison_direction",
          parse("#stablehlo<comparison_direction " + direction + ">"))};
  return makeOne(loc, "compare", {x, y},
                 RankedTensorType::get({}, b.getI1Type()), attributes);
}

Value HLOWriter::reshape(Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return makeOne(loc, "reshape", value,
                 RankedTensorType::get(shape, type.getElementType()));
}

Value HLOWriter::makeZeros(Location loc, RankedTensorType type) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto zero = cast<TypedAttr>(b.getZeroAttr(scalar));
  return makeOne(
      loc, "broadcast_in_dim", makeConstant(loc, zero), type,
      b.getNamedAttr("broadcast_dimensions", b.getDenseI64ArrayAttr({})));
}

SmallVector<Value> HLOWriter::getOffsets(Location loc,
                                         ArrayRef<OpFoldResult> offsets) {
  Values values;
  for (OpFoldResult offset : offsets)
    if (std::optional<int64_t> known = getConstantIntValue(offset))
      values.push_back(makeIndex(loc, *known));
    else
      values.push_back(get(cast<Value>(offset)));
  return values;
}

/// `value` in a memory that XLA's host offloader is told by its name.
Value HLOWriter::place(Location loc, Value value, StringRef memory) {
  Value placed = makeOne(
      loc, "custom_call", value, value.getType(),
      {b.getNamedAttr("call_target_name", b.getStringAttr(hlo::kPlacementCall)),
       b.getNamedAttr("has_side_effect", b.getBoolAttr(true))});
  placed.getDefiningOp()->setAttr(
      "mhlo.frontend_attributes",
      b.getDictionaryAttr(
          b.getNamedAttr("_xla_buffer_placement", b.getStringAttr(memory))));
  return placed;
}

Value HLOWriter::slice(Location loc, Value source, ValueRange offsets,
                       ArrayRef<int64_t> sizes, RankedTensorType type) {
  Values operands = {get(source)};
  llvm::append_range(operands, offsets);
  Value part =
      makeOne(loc, "dynamic_slice", operands,
              RankedTensorType::get(sizes, type.getElementType()),
              b.getNamedAttr("slice_sizes", b.getDenseI64ArrayAttr(sizes)));
  return reshape(loc, part, type.getShape());
}

Value HLOWriter::update(Location loc, Value into, Value part,
                        ValueRange offsets, ArrayRef<int64_t> sizes) {
  Values operands = {get(into), reshape(loc, part, sizes)};
  llvm::append_range(operands, offsets);
  return makeOne(loc, "dynamic_update_slice", operands, operands[0].getType());
}

/// States that go to slots in the host's memory and come back: a part of an
/// array there is updated by what was brought there, and what is read of it is
/// brought back. False if `op` is something else, or compresses.
bool HLOWriter::writeSnapshot(Operation *op) {
  Location loc = op->getLoc();
  auto save = dyn_cast<SaveOp>(op);
  auto restore = dyn_cast<RestoreOp>(op);
  if (!save && !restore)
    return false;
  Value array = save ? save.getDest() : restore.getSource();
  AtAttr at = getPlacement(array.getType());
  if (at && at.isCompressed())
    return false;
  auto type = cast<RankedTensorType>(convert(array.getType()));
  SmallVector<int64_t> sizes(type.getShape());
  sizes.front() = 1;
  Values offsets(type.getRank(), makeIndex(loc, 0));
  offsets.front() = get(save ? save.getNumber() : restore.getNumber());
  Value made;
  if (save)
    made = update(loc, array, place(loc, get(save.getSource()), "pinned_host"),
                  offsets, sizes);
  else
    made = place(loc,
                 slice(loc, array, offsets, sizes,
                       cast<RankedTensorType>(restore.getResult().getType())),
                 "device");
  mapping.map(op->getResult(0), made);
  return true;
}

/// Numbers; false if `op` is something else.
bool HLOWriter::writeNumber(Operation *op) {
  Location loc = op->getLoc();
  if (op->getNumResults() != 1 ||
      !isa_and_present<arith::ArithDialect>(op->getDialect()))
    return false;
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(convert(result.getType()));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    TypedAttr value = constant.getValue();
    if (auto number = dyn_cast<IntegerAttr>(value))
      value = DenseElementsAttr::get(
          type, number.getValue().sextOrTrunc(type.getElementTypeBitWidth()));
    else if (auto number = dyn_cast<FloatAttr>(value))
      value = DenseElementsAttr::get(type, number.getValue());
    else if (auto table = dyn_cast<DenseIntElementsAttr>(value);
             table && table.getElementType().isIndex())
      value = table.bitcast(b.getI64Type());
    mapping.map(result, makeConstant(loc, value));
    return true;
  }
  if (auto test = dyn_cast<arith::CmpIOp>(op)) {
    StringRef direction = getDirection(test.getPredicate());
    if (direction.empty() || !type.getShape().empty())
      return false;
    mapping.map(result, compare(loc, direction, get(test.getLhs()),
                                get(test.getRhs())));
    return true;
  }
  StringRef name = getNumberOp(op);
  // As a signed number, a bit that is set is minus one.
  if (name.empty() ||
      (isa<arith::IndexCastOp>(op) && op->getOperand(0).getType().isInteger(1)))
    return false;
  Values operands = getAll(op->getOperands());
  bool isSame = name == "convert" && operands[0].getType() == type;
  mapping.map(result,
              isSame ? operands[0] : makeOne(loc, name, operands, type));
  return true;
}

/// Arrays of states, and numbers in tensors; false if `op` is something else.
bool HLOWriter::writeArray(Operation *op) {
  Location loc = op->getLoc();
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(convert(result.getType()));
  if (!type || !type.hasStaticShape())
    return false;
  auto isUnit = [](ArrayRef<OpFoldResult> strides) {
    return llvm::all_of(strides, [](OpFoldResult stride) {
      return isConstantIntValue(stride, 1);
    });
  };
  Value made =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<bufferization::AllocTensorOp>([&](auto alloc) -> Value {
            return alloc.getCopy() ? get(alloc.getCopy())
                                   : makeZeros(loc, type);
          })
          .Case<tensor::EmptyOp>(
              [&](auto) -> Value { return makeZeros(loc, type); })
          .Case<linalg::CopyOp>([&](linalg::CopyOp copy) -> Value {
            return get(copy.getInputs().front());
          })
          .Case<tensor::FromElementsOp>([&](auto elements) -> Value {
            return type.getRank() == 0 ? get(elements.getElements().front())
                                       : Value();
          })
          .Case<tensor::ExtractOp>([&](auto extract) -> Value {
            SmallVector<int64_t> ones(extract.getIndices().size(), 1);
            return ones.empty()
                       ? get(extract.getTensor())
                       : slice(loc, extract.getTensor(),
                               getAll(extract.getIndices()), ones, type);
          })
          .Case<tensor::InsertOp>([&](auto insert) -> Value {
            SmallVector<int64_t> ones(type.getRank(), 1);
            return update(loc, insert.getDest(), get(insert.getScalar()),
                          getAll(insert.getIndices()), ones);
          })
          .Case<tensor::ExtractSliceOp>([&](auto extract) -> Value {
            if (!isUnit(extract.getMixedStrides()))
              return Value();
            return slice(loc, extract.getSource(),
                         getOffsets(loc, extract.getMixedOffsets()),
                         extract.getStaticSizes(), type);
          })
          .Case<tensor::InsertSliceOp>([&](auto insert) -> Value {
            if (!isUnit(insert.getMixedStrides()))
              return Value();
            return update(loc, insert.getDest(), get(insert.getSource()),
                          getOffsets(loc, insert.getMixedOffsets()),
                          insert.getStaticSizes());
          })
          .Default([](Operation *) { return Value(); });
  if (made)
    mapping.map(result, made);
  return made != nullptr;
}

LogicalResult HLOWriter::write(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return writeFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return writeWhile(loop);
  if (hlo::isOfTable(op) || isa<func::CallOp>(op)) {
    b.clone(*op, mapping);
    return success();
  }
  if (writeNumber(op) || writeSnapshot(op) || writeArray(op))
    return success();
  // What was there before the loops were reversed, and knows no numbers.
  auto isTensor = [](Type type) {
    return isa<RankedTensorType>(type) && !getElementTypeOrSelf(type).isIndex();
  };
  if (!op->getDialect() && llvm::all_of(op->getOperandTypes(), isTensor) &&
      llvm::all_of(op->getResultTypes(), isTensor)) {
    b.clone(*op, mapping);
    return success();
  }
  return op->emitError("StableHLO has no form for this; drivers of loops with "
                       "a known number of steps, that compress no states, "
                       "have one");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Block *HLOWriter::makeBlock(Region &region, ValueRange inits, Location loc,
                            Fill fill) {
  Block *made = &region.emplaceBlock();
  for (Value init : inits)
    made->addArgument(init.getType(), loc);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(made);
  FailureOr<Values> yielded = fill(made->getArguments());
  if (failed(yielded))
    return nullptr;
  make(loc, "return", *yielded, {});
  return made;
}

/// What `region` uses and does not make. Constants are made there anew.
static void collectUsed(Region &region, llvm::SetVector<Value> &used) {
  OpBuilder builder(region.getContext());
  llvm::DenseMap<Value, Value> constants;
  region.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (region.isAncestor(value.getParentRegion()))
        continue;
      Operation *maker = value.getDefiningOp();
      const hlo::Op *row = maker ? hlo::lookup(maker) : nullptr;
      if (!row || row->kind != hlo::Kind::Constant) {
        used.insert(value);
        continue;
      }
      Value &constant = constants[value];
      if (!constant) {
        builder.setInsertionPointToStart(&region.front());
        constant = builder.clone(*maker)->getResult(0);
      }
      operand.set(constant);
    }
  });
}

FailureOr<Operation *> HLOWriter::makeWhile(Location loc, ValueRange inits,
                                            Fill condition, Fill body) {
  // What the regions use is known once they are written, and they are written
  // where they stand.
  OperationState draft(loc, "stablehlo.while");
  draft.addOperands(inits);
  draft.addTypes(inits.getTypes());
  draft.addRegion();
  draft.addRegion();
  Operation *first = b.create(draft);
  MutableArrayRef<Region> regions = first->getRegions();
  if (!makeBlock(regions[0], inits, loc, condition) ||
      !makeBlock(regions[1], inits, loc, body))
    return failure();
  llvm::SetVector<Value> used;
  for (Region &region : regions)
    collectUsed(region, used);
  Values operands(inits);
  llvm::append_range(operands, used);
  Operation *end = &regions[1].front().back();
  for (Value value : used) {
    for (Region &region : regions) {
      Value inside = region.front().addArgument(value.getType(), loc);
      value.replaceUsesWithIf(inside, [&](OpOperand &use) {
        return region.isAncestor(use.getOwner()->getParentRegion());
      });
    }
    end->insertOperands(end->getNumOperands(),
                        regions[1].front().getArguments().back());
  }
  OperationState state(loc, "stablehlo.while");
  state.addOperands(operands);
  state.addTypes(ValueRange(operands).getTypes());
  for (Region &region : regions)
    state.addRegion()->takeBody(region);
  Operation *made = b.create(state);
  first->erase();
  return made;
}

LogicalResult HLOWriter::writeFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value high = get(loop.getUpperBound()), step = get(loop.getStep());
  Values inits = {get(loop.getLowerBound())};
  llvm::append_range(inits, getAll(loop.getInitArgs()));
  FailureOr<Operation *> made = makeWhile(
      loc, inits,
      [&](ValueRange carried) -> FailureOr<Values> {
        return Values{compare(loc, "LT", carried[0], high)};
      },
      [&](ValueRange carried) -> FailureOr<Values> {
        mapping.map(loop.getBody()->getArguments(), carried);
        if (failed(writeBody(*loop.getBody())))
          return failure();
        Values next = {
            makeOne(loc, "add", {carried[0], step}, carried[0].getType())};
        llvm::append_range(
            next, getAll(loop.getBody()->getTerminator()->getOperands()));
        return next;
      });
  if (failed(made))
    return failure();
  mapping.map(loop.getResults(),
              (*made)->getResults().slice(1, loop.getNumResults()));
  if (isa<func::FuncOp>(loop->getParentOp()))
    (*made)->setAttr(attr::kCost, b.getI64IntegerAttr(costs.get(loop)));
  return success();
}

/// A search in numbers: its condition hands on what it is given.
LogicalResult HLOWriter::writeWhile(scf::WhileOp loop) {
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  auto end = cast<scf::ConditionOp>(before.getTerminator());
  if (!llvm::equal(end.getArgs(), before.getArguments()))
    return loop.emitError("StableHLO has no form for a while whose condition "
                          "makes what the body takes");
  FailureOr<Operation *> made = makeWhile(
      loop.getLoc(), getAll(loop.getInits()),
      [&](ValueRange carried) -> FailureOr<Values> {
        mapping.map(before.getArguments(), carried);
        if (failed(writeBody(before)))
          return failure();
        return Values{get(end.getCondition())};
      },
      [&](ValueRange carried) -> FailureOr<Values> {
        mapping.map(after.getArguments(), carried);
        if (failed(writeBody(after)))
          return failure();
        return getAll(after.getTerminator()->getOperands());
      });
  if (failed(made))
    return failure();
  mapping.map(loop.getResults(),
              (*made)->getResults().take_front(loop.getNumResults()));
  return success();
}

namespace {
struct LoopsToStableHLOPass
    : pebble::impl::LoopsToStableHLOPassBase<LoopsToStableHLOPass> {
  using LoopsToStableHLOPassBase::LoopsToStableHLOPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    getOperation().walk([&](func::FuncOp function) {
      bool hasLoop = function
                         ->walk([](Operation *op) {
                           return isa<scf::ForOp, scf::WhileOp>(op)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
      if (hasLoop)
        functions.push_back(function);
    });
    OpCostModel model;
    for (func::FuncOp function : functions) {
      if (!function.getFunctionBody().hasOneBlock()) {
        function.emitError("only functions of one block become StableHLO");
        return signalPassFailure();
      }
      if (failed(HLOWriter(function, model).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
