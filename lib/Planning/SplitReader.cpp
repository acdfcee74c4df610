//===- SplitReader.cpp - a comparison apart from its use ------------------===//

#include "SplitReader.h"

#include "pebble/Dialect/Flags.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace pebble {

namespace {
/// A number in a payload that says true or false, and what it follows from.
struct Slice {
  Operation *last = nullptr;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<unsigned> inputs;
};

class Splitter {
public:
  Splitter(OpBuilder &builder, linalg::GenericOp reader,
           llvm::function_ref<bool(Value)> isWanted)
      : builder(builder), reader(reader), isWanted(isWanted),
        body(*reader.getBlock()) {}

  std::optional<SplitReader> run() {
    if (!isPlain())
      return std::nullopt;
    for (Operation &op : llvm::reverse(body.without_terminator())) {
      if (!op.getResult(0).getType().isInteger(1))
        continue;
      Slice slice;
      slice.last = &op;
      if (!collect(&op, slice) || slice.inputs.empty())
        continue;
      SmallVector<unsigned, 2> spared = getSpared(slice);
      if (spared.empty() || !isSmall(slice, spared))
        continue;
      return write(slice, spared);
    }
    return std::nullopt;
  }

private:
  bool isPlain() {
    return reader.hasPureTensorSemantics() &&
           llvm::none_of(reader.getStaticLoopRanges(), ShapedType::isDynamic) &&
           llvm::all_of(body.without_terminator(), [](Operation &op) {
             return op.getNumResults() == 1 && op.getNumRegions() == 0 &&
                    isPure(&op) && !hasFlags(&op);
           });
  }

  /// Adds `op` and what it follows from; false if that are not inputs alone.
  bool collect(Operation *op, Slice &slice) {
    if (!slice.ops.insert(op))
      return true;
    if (isa<linalg::IndexOp>(op))
      return false;
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner() == &body) {
        if (argument.getArgNumber() >= reader.getNumDpsInputs())
          return false;
        slice.inputs.insert(argument.getArgNumber());
      } else if (Operation *maker = operand.getDefiningOp();
                 maker && maker->getBlock() == &body &&
                 !collect(maker, slice)) {
        return false;
      }
    }
    return true;
  }

  /// Inputs that nothing but `slice` reads.
  SmallVector<unsigned, 2> getSpared(const Slice &slice) {
    llvm::DenseSet<Value> read;
    for (Operation *op : getNeeded(slice))
      read.insert(op->operand_begin(), op->operand_end());
    SmallVector<unsigned, 2> spared;
    for (unsigned input : slice.inputs)
      if (!read.contains(body.getArgument(input)) &&
          isWanted(reader.getInputs()[input]))
        spared.push_back(input);
    return spared;
  }

  AffineMap getMap(unsigned input) {
    return reader.getIndexingMapsArray()[input];
  }

  /// The loops that the slice's inputs move with, in order.
  SmallVector<unsigned> getLoops(const Slice &slice) {
    SmallVector<unsigned> loops;
    for (unsigned loop = 0; loop < reader.getNumLoops(); ++loop)
      if (llvm::any_of(slice.inputs, [&](unsigned input) {
            return getMap(input).isFunctionOfDim(loop);
          }))
        loops.push_back(loop);
    return loops;
  }

  /// Whether the mask has no more elements than what it spares, so that it is
  /// smaller.
  bool isSmall(const Slice &slice, ArrayRef<unsigned> spared) {
    SmallVector<int64_t> ranges = reader.getStaticLoopRanges();
    int64_t elements = 1, most = 0;
    for (unsigned loop : getLoops(slice))
      elements *= ranges[loop];
    for (unsigned input : spared) {
      auto type = cast<ShapedType>(reader.getInputs()[input].getType());
      if (type.getElementTypeBitWidth() > 8)
        most += type.getNumElements();
    }
    return elements <= most;
  }

  SplitReader write(const Slice &slice, ArrayRef<unsigned> spared) {
    SplitReader result;
    writeMask(slice, result);
    if (!makesMask(slice, result))
      writeRest(slice, spared, result);
    for (unsigned input : spared)
      if (Value value = reader.getInputs()[input];
          !llvm::is_contained(result.spared, value))
        result.spared.push_back(value);
    return result;
  }

  void writeMask(const Slice &slice, SplitReader &result) {
    SmallVector<unsigned> loops = getLoops(slice);
    SmallVector<int64_t> ranges = reader.getStaticLoopRanges(), shape;
    SmallVector<AffineExpr> places(reader.getNumLoops(),
                                   builder.getAffineConstantExpr(0));
    for (auto [index, loop] : llvm::enumerate(loops)) {
      shape.push_back(ranges[loop]);
      places[loop] = builder.getAffineDimExpr(index);
    }
    AffineMap inReader =
        AffineMap::get(loops.size(), 0, places, builder.getContext());
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (unsigned input : slice.inputs) {
      inputs.push_back(reader.getInputs()[input]);
      maps.push_back(getMap(input).compose(inReader));
    }
    maps.push_back(builder.getMultiDimIdentityMap(loops.size()));
    auto type = RankedTensorType::get(shape, builder.getI1Type());
    Value destination = bufferization::AllocTensorOp::create(
        builder, reader.getLoc(), type, ValueRange(), Value());
    SmallVector<utils::IteratorType> kinds(loops.size(),
                                           utils::IteratorType::parallel);
    result.mask = linalg::GenericOp::create(
        builder, reader.getLoc(), TypeRange(type), inputs, destination, maps,
        kinds, [&](OpBuilder &inside, Location loc, ValueRange arguments) {
          IRMapping mapping;
          for (auto [input, argument] : llvm::zip(slice.inputs, arguments))
            mapping.map(body.getArgument(input), argument);
          for (Operation &op : body)
            if (slice.ops.contains(&op))
              inside.clone(op, mapping);
          linalg::YieldOp::create(inside, loc,
                                  mapping.lookup(slice.last->getResult(0)));
        });
  }

  /// Whether the mask is all that the reader makes.
  bool makesMask(const Slice &slice, const SplitReader &result) {
    return reader->getNumResults() == 1 &&
           reader->getResultTypes()[0] == result.mask->getResultTypes()[0] &&
           body.getTerminator()->getOperand(0) == slice.last->getResult(0) &&
           reader.getIndexingMapsArray().back().isIdentity();
  }

  /// The reader, with the mask in place of the first input that it spares.
  void writeRest(const Slice &slice, ArrayRef<unsigned> spared,
                 SplitReader &result) {
    SmallVector<AffineExpr> places;
    for (unsigned loop : getLoops(slice))
      places.push_back(builder.getAffineDimExpr(loop));
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    /// By argument of the reader: that of the rest; by its own, the mask's.
    SmallVector<std::optional<unsigned>> old;
    unsigned at = 0;
    for (unsigned i = 0; i < body.getNumArguments(); ++i) {
      const bool isFirst = i == spared.front();
      if (!isFirst && llvm::is_contained(spared, i))
        continue;
      old.push_back(isFirst ? std::nullopt : std::optional(i));
      at = isFirst ? old.size() - 1 : at;
      maps.push_back(isFirst ? AffineMap::get(reader.getNumLoops(), 0, places,
                                              builder.getContext())
                             : getMap(i));
      if (i < reader.getNumDpsInputs())
        inputs.push_back(isFirst ? result.mask->getResult(0)
                                 : reader.getInputs()[i]);
    }
    llvm::SetVector<Operation *> needed = getNeeded(slice);
    result.rest = linalg::GenericOp::create(
        builder, reader.getLoc(), reader->getResultTypes(), inputs,
        reader.getOutputs(), maps, reader.getIteratorTypesArray(),
        [&](OpBuilder &inside, Location, ValueRange arguments) {
          IRMapping mapping;
          for (auto [from, argument] : llvm::zip(old, arguments))
            mapping.map(from ? Value(body.getArgument(*from))
                             : Value(slice.last->getResult(0)),
                        argument);
          for (Operation &op : body)
            if (needed.contains(&op))
              inside.clone(op, mapping);
        });
    result.rest->setDiscardableAttrs(reader->getDiscardableAttrDictionary());
    result.use = &result.rest->getOpOperand(at);
  }

  /// What the results follow from, the comparison aside.
  llvm::SetVector<Operation *> getNeeded(const Slice &slice) {
    llvm::SetVector<Operation *> needed;
    needed.insert(body.getTerminator());
    for (unsigned i = 0; i < needed.size(); ++i)
      for (Value operand : needed[i]->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == &body && maker != slice.last)
          needed.insert(maker);
    return needed;
  }

  OpBuilder &builder;
  linalg::GenericOp reader;
  llvm::function_ref<bool(Value)> isWanted;
  Block &body;
};
} // namespace

std::optional<SplitReader>
splitReader(OpBuilder &builder, linalg::GenericOp reader,
            llvm::function_ref<bool(Value)> isWanted) {
  return Splitter(builder, reader, isWanted).run();
}

} // namespace pebble
