//===- CostModels.cpp - costs of upstream ops -----------------------------===//
//
// One model per dialect, attached to all of its ops when it is loaded. What
// depends on an op is looked up by name, so that a dialect costs no more than a
// table. linalg and scf go by their interfaces.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/Trips.h"
#include "pebble/Target/OpCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace pebble;

/// A function that is computed by a polynomial or a series.
constexpr int64_t kSeries = 10;

int64_t pebble::getScalarFlops(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("arith."))
    return llvm::StringSwitch<int64_t>(name)
        .Cases({"constant", "bitcast", "extf", "extsi", "extui", "truncf"}, 0)
        .Cases({"trunci", "sitofp", "uitofp", "fptosi", "fptoui"}, 0)
        .Cases({"index_cast", "index_castui", "scaling_extf"}, 0)
        .Case("scaling_truncf", 0)
        .Default(1);
  if (name.consume_front("math."))
    return llvm::StringSwitch<int64_t>(name)
        .Cases({"absf", "absi", "ceil", "floor", "round", "roundeven"}, 1)
        .Cases({"trunc", "copysign", "ctlz", "cttz", "ctpop", "isnan"}, 1)
        .Cases({"isinf", "isfinite", "isnormal", "sqrt", "rsqrt"}, 1)
        .Cases({"fma", "clampf"}, 2)
        .Case("sincos", 2 * kSeries)
        .Default(kSeries);
  return 0;
}

namespace {

/// Sums sizes, and remembers if one of them was not known.
class Counter {
public:
  explicit Counter(OpCostModel &model) : bounds(model.getBounds()) {}

  int64_t bytes(Type type) {
    // Scalars are in registers.
    return isa<ShapedType>(type) ? take(getStaticBytes(type, bounds)) : 0;
  }
  int64_t elements(Type type) {
    return isa<ShapedType>(type) ? take(getStaticElements(type, bounds)) : 1;
  }
  /// Size of dimension `index` of a ranked shaped type.
  int64_t dim(Type type, unsigned index) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank() || index >= shaped.getRank())
      return take(std::nullopt);
    return take(bounds.getSize(shaped.getDimSize(index)));
  }
  int64_t size(int64_t dim) { return take(bounds.getSize(dim)); }

  void read(Type type) {
    cost.bytesRead = addCounts(cost.bytesRead, bytes(type));
  }
  void write(Type type) {
    cost.bytesWritten = addCounts(cost.bytesWritten, bytes(type));
  }
  void readAll(Operation *op) {
    for (Type type : op->getOperandTypes())
      read(type);
  }
  void writeAll(Operation *op) {
    for (Type type : op->getResultTypes())
      write(type);
  }
  void compute(int64_t count, int64_t each) {
    cost.flops = addCounts(cost.flops, multiplyCounts(count, each));
  }

  OpCost finish() {
    if (!isSized && cost.doubt.empty())
      cost.doubt = "a dynamic dimension without a bound";
    return cost;
  }

  OpCost cost;

private:
  int64_t take(std::optional<int64_t> size) {
    isSized &= size.has_value();
    return size.value_or(1);
  }
  DimBounds bounds;
  bool isSized = true;
};

/// arith and math: one scalar operation per element.
struct ElementwiseCost
    : public CostOpInterface::FallbackModel<ElementwiseCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    Counter counter(model);
    if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() == 0)
      return counter.finish();
    counter.readAll(op);
    counter.writeAll(op);
    counter.compute(counter.elements(op->getResult(0).getType()),
                    getScalarFlops(op));
    return counter.finish();
  }
};

/// Structured ops: the iteration space times the operations of the body.
struct LinalgCost : public CostOpInterface::FallbackModel<LinalgCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    Counter counter(model);
    auto linalgOp = cast<linalg::LinalgOp>(op);
    int64_t iterations = 1;
    for (int64_t range : linalgOp.getStaticLoopRanges())
      iterations = multiplyCounts(iterations, counter.size(range));
    int64_t perIteration = 0;
    for (Operation &inner : linalgOp.getBlock()->without_terminator()) {
      OpCost scalar = model.estimate(&inner);
      if (inner.getName().getDialectNamespace() == "linalg")
        continue; // linalg.index is a register.
      counter.cost.add({scalar.given ? *scalar.given : 0,
                        0,
                        0,
                        {},
                        scalar.isKnown() ? "" : scalar.doubt},
                       iterations);
      perIteration += scalar.given ? 0 : scalar.flops;
    }
    counter.compute(iterations, perIteration);
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      counter.read(input->get().getType());
    for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
      if (linalgOp.payloadUsesValueFromOperand(&init))
        counter.read(init.get().getType());
      counter.write(init.get().getType());
    }
    return counter.finish();
  }
};

/// The rest of linalg.
struct UnstructuredLinalgCost
    : public CostOpInterface::FallbackModel<UnstructuredLinalgCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    Counter counter(model);
    StringRef name = op->getName().stripDialect();
    if (name == "index" || name == "yield")
      return counter.finish();
    if (name != "softmax" && name != "pack" && name != "unpack")
      return OpCost::unknown(op, model.getBounds(),
                             "no cost model for 'linalg." + name + "'");
    counter.read(op->getOperand(0).getType());
    for (Value init : cast<DestinationStyleOpInterface>(op).getDpsInits())
      counter.write(init.getType());
    // Maximum, difference, exponential, sum, quotient.
    if (name == "softmax")
      counter.compute(counter.elements(op->getOperand(0).getType()),
                      4 + kSeries);
    return counter.finish();
  }
};

/// tensor, memref and bufferization: bytes that are moved; views move none.
struct DataCost : public CostOpInterface::FallbackModel<DataCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    Counter counter(model);
    StringRef name = op->getName().stripDialect();
    auto elementBytes = [&](Type shaped) {
      return getElementBytes(cast<ShapedType>(shaped).getElementType())
          .value_or(0);
    };
    if (name == "insert_slice" || name == "parallel_insert_slice") {
      counter.read(op->getOperand(0).getType());
      counter.cost.bytesWritten = counter.cost.bytesRead;
    } else if (name == "extract" || name == "load") {
      counter.cost.bytesRead = elementBytes(op->getOperand(0).getType());
    } else if (name == "insert" || name == "store") {
      counter.cost.bytesWritten = elementBytes(op->getOperand(1).getType());
    } else if (name == "copy" || name == "materialize_in_destination") {
      counter.read(op->getOperand(0).getType());
      counter.cost.bytesWritten = counter.cost.bytesRead;
    } else if (name == "generate") {
      counter.writeAll(op);
      counter.cost.add(model.estimateRegion(op->getRegion(0)),
                       counter.elements(op->getResult(0).getType()));
    } else if (name == "pad" || name == "concat" || name == "clone") {
      counter.readAll(op);
      counter.writeAll(op);
    } else if (name == "splat" || name == "from_elements") {
      counter.writeAll(op);
    } else if (name == "gather") {
      counter.read(op->getResult(0).getType());
      counter.read(op->getOperand(1).getType());
      counter.writeAll(op);
    } else if (name == "scatter") {
      counter.read(op->getOperand(0).getType());
      counter.cost.bytesWritten = counter.cost.bytesRead;
      counter.read(op->getOperand(2).getType());
    } else if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
      if (alloc.getCopy()) {
        counter.read(alloc.getType());
        counter.write(alloc.getType());
      }
    } else if (name == "atomic_rmw" || name == "generic_atomic_rmw") {
      Type memref = op->getOperand(name == "atomic_rmw" ? 1 : 0).getType();
      counter.cost.bytesRead = counter.cost.bytesWritten = elementBytes(memref);
      counter.compute(1, 1);
    }
    // Everything else names bytes, or makes room for them.
    return counter.finish();
  }
};

struct TosaCost : public CostOpInterface::FallbackModel<TosaCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    StringRef name = op->getName().stripDialect();
    Counter counter(model);
    bool isFree =
        llvm::StringSwitch<bool>(name)
            .Cases({"const", "const_shape", "yield", "identity"}, true)
            .Cases({"reshape", "dim", "variable"}, true)
            .Default(name.ends_with("_shape"));
    if (isFree)
      return counter.finish();
    if (op->getNumRegions() != 0)
      return nested(op, model, name);
    counter.readAll(op);
    counter.writeAll(op);
    if (op->getNumResults() == 0)
      return counter.finish();
    if (name == "custom" || name.ends_with("fft2d") ||
        name.contains("block_scaled"))
      return OpCost::unknown(op, model.getBounds(),
                             "no cost model for 'tosa." + name + "'");
    Type in = op->getNumOperands() ? op->getOperand(0).getType() : Type();
    Type out = op->getResult(0).getType();
    counter.compute(counter.elements(out), perResult(op, name, in, counter));
    if (name.starts_with("reduce_") || name == "argmax")
      counter.compute(counter.elements(in), 1);
    return counter.finish();
  }

private:
  /// Operations per element of the result.
  static int64_t perResult(Operation *op, StringRef name, Type in,
                           Counter &counter) {
    auto product = [&](Type type, std::initializer_list<unsigned> dims) {
      int64_t result = 1;
      for (unsigned dim : dims)
        result = multiplyCounts(result, counter.dim(type, dim));
      return result;
    };
    if (name == "matmul")
      return multiplyCounts(2, counter.dim(in, 2));
    // Weights are [OC, KH, KW, IC], [OC, KD, KH, KW, IC], [KH, KW, C, M].
    if (name == "conv2d")
      return multiplyCounts(2, product(op->getOperand(1).getType(), {1, 2, 3}));
    if (name == "conv3d")
      return multiplyCounts(2,
                            product(op->getOperand(1).getType(), {1, 2, 3, 4}));
    if (name == "depthwise_conv2d")
      return multiplyCounts(2, product(op->getOperand(1).getType(), {0, 1}));
    if (name == "transpose_conv2d") {
      // Each input meets each weight once; spread over the results.
      int64_t total =
          multiplyCounts(multiplyCounts(2, counter.elements(in)),
                         product(op->getOperand(1).getType(), {0, 1, 2}));
      int64_t results = counter.elements(op->getResult(0).getType());
      return results ? (total + results - 1) / results : 0;
    }
    if (name == "avg_pool2d" || name == "max_pool2d") {
      auto kernel = op->getAttrOfType<DenseI64ArrayAttr>("kernel");
      return kernel && kernel.size() == 2 ? kernel[0] * kernel[1] : 1;
    }
    return llvm::StringSwitch<int64_t>(name)
        .Cases({"cast", "transpose", "concat", "pad", "slice", "tile"}, 0)
        .Cases({"reverse", "gather", "scatter", "table", "argmax"}, 0)
        .Cases({"variable_read", "reduce_all", "reduce_any"}, 0)
        .Cases({"reduce_max", "reduce_min", "reduce_sum"}, 0)
        .Case("reduce_product", 0)
        .Cases({"exp", "log", "tanh", "sigmoid", "erf", "pow"}, kSeries)
        .Cases({"sin", "cos"}, kSeries)
        .Cases({"clamp", "rescale", "apply_scale"}, 2)
        // Bilinear: three interpolations of three operations each.
        .Case("resize", 9)
        .Default(1);
  }

  static OpCost nested(Operation *op, OpCostModel &model, StringRef name) {
    OpCost most, sum;
    for (Region &region : op->getRegions()) {
      OpCost cost = model.estimateRegion(region);
      if (cost.getWork() >= most.getWork())
        most = cost;
      sum.add(cost);
    }
    if (name == "cond_if")
      return most;
    if (name == "while_loop" && sum.doubt.empty())
      sum.doubt = "a loop whose trip count is not known, counted once";
    return sum;
  }
};

/// scf: loops are their body times the trips, a branch is its dearer side.
struct ScfCost : public CostOpInterface::FallbackModel<ScfCost> {
  OpCost getOpCost(Operation *op, OpCostModel &model) const {
    OpCost cost;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<llvm::APInt> trips = getStaticTrips(loop);
      std::optional<int64_t> count;
      if (trips)
        count = trips->getSExtValue();
      return times(model.estimateRegion(loop.getRegion()), count);
    }
    if (auto loop = dyn_cast<scf::ForallOp>(op))
      return times(model.estimateRegion(loop.getRegion()),
                   countTrips(loop.getMixedLowerBound(),
                              loop.getMixedUpperBound(), loop.getMixedStep()));
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return times(model.estimateRegion(loop.getRegion()),
                   countTrips(getAsOpFoldResult(loop.getLowerBound()),
                              getAsOpFoldResult(loop.getUpperBound()),
                              getAsOpFoldResult(loop.getStep())));
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      OpCost most;
      for (Region &region : op->getRegions()) {
        OpCost branch = model.estimateRegion(region);
        if (branch.getWork() >= most.getWork())
          most = branch;
      }
      return most;
    }
    for (Region &region : op->getRegions())
      cost.add(model.estimateRegion(region));
    return isa<scf::WhileOp>(op) ? times(cost, std::nullopt) : cost;
  }

private:
  static OpCost times(const OpCost &body, std::optional<int64_t> trips) {
    OpCost cost;
    cost.add(body, trips.value_or(1));
    if (!trips && cost.doubt.empty())
      cost.doubt = "a loop whose trip count is not known, counted once";
    return cost;
  }

  static std::optional<int64_t> countTrips(ArrayRef<OpFoldResult> lower,
                                           ArrayRef<OpFoldResult> upper,
                                           ArrayRef<OpFoldResult> step) {
    int64_t trips = 1;
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
      std::optional<int64_t> low = getConstantIntValue(from);
      std::optional<int64_t> high = getConstantIntValue(to);
      std::optional<int64_t> stride = getConstantIntValue(by);
      if (!low || !high || !stride || *stride <= 0)
        return std::nullopt;
      trips = multiplyCounts(
          trips,
          std::max<int64_t>(0, llvm::divideCeilSigned(*high - *low, *stride)));
    }
    return trips;
  }
};

/// Calls `attach` with every op of a dialect that has no model of its own. Goes
/// through all ops, because MLIRContext::getRegisteredOperationsByDialect of
/// MLIR 22 finds none of most dialects (measured).
template <typename AttachFn>
void forEachOp(MLIRContext *context, Dialect *dialect, AttachFn &&attach) {
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == dialect->getNamespace() &&
        !name.hasInterface<CostOpInterface>())
      attach(name);
}

template <typename DialectT, typename Model>
void attachToAll(MLIRContext *context, DialectT *dialect) {
  forEachOp(context, dialect, [](RegisteredOperationName name) {
    name.attachInterface<Model>();
  });
}

void attachToLinalg(MLIRContext *context, linalg::LinalgDialect *dialect) {
  forEachOp(context, dialect, [](RegisteredOperationName name) {
    if (name.hasInterface<linalg::LinalgOp>())
      name.attachInterface<LinalgCost>();
    else
      name.attachInterface<UnstructuredLinalgCost>();
  });
}

} // namespace

void pebble::registerCostModels(DialectRegistry &registry) {
  registry.addExtension(attachToAll<arith::ArithDialect, ElementwiseCost>);
  registry.addExtension(attachToAll<math::MathDialect, ElementwiseCost>);
  registry.addExtension(attachToAll<tensor::TensorDialect, DataCost>);
  registry.addExtension(attachToAll<memref::MemRefDialect, DataCost>);
  registry.addExtension(
      attachToAll<bufferization::BufferizationDialect, DataCost>);
  registry.addExtension(attachToAll<tosa::TosaDialect, TosaCost>);
  registry.addExtension(attachToAll<scf::SCFDialect, ScfCost>);
  registry.addExtension(attachToLinalg);
}
