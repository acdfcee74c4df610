//===- StableHLOCosts.cpp - what the ops of StableHLO cost ----------------===//
//
// Counts by kind of op. What a count rests on and an op does not say (a shape
// that is not known, an attribute that is missing) makes it a doubtful one,
// never a wrong one in silence.
//
//===----------------------------------------------------------------------===//

#include "pebble/Target/StableHLO.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace pebble::hlo {

namespace {
class Estimate {
public:
  Estimate(Operation *op, const Op &row, OpCostModel &model)
      : op(op), row(row), model(model), bounds(model.getBounds()) {}

  OpCost get() {
    switch (row.kind) {
    case Kind::Constant:
    case Kind::View:
    case Kind::Identity:
    case Kind::Tuple:
    case Kind::Return:
      return cost;
    case Kind::Loop:
      return getLoop();
    case Kind::Branch:
      return getBranch();
    case Kind::CustomCall:
      return OpCost::unknown(op, bounds,
                             "no cost model for custom call '" +
                                 getCallTarget(op) + "'");
    default:
      break;
    }
    addBytes();
    compute(getOperations());
    if (!isSized && cost.doubt.empty())
      cost.doubt = "a dynamic dimension without a bound";
    return cost;
  }

private:
  int64_t getOperations() {
    switch (row.kind) {
    case Kind::Elementwise:
      return row.name == "map" ? times(elementsOfResult(), getRegionFlops())
                               : times(elementsOfResult(), row.operations);
    case Kind::Reduction:
    case Kind::Collective:
      return times(elementsOf(0),
                   row.operations ? row.operations : getRegionFlops());
    case Kind::Product:
      return row.name == "convolution" ? getConvolution() : getProduct();
    case Kind::Window:
      return getWindow();
    case Kind::Scatter:
      // For each element of the updates, which come last.
      return times(elementsOf(op->getNumOperands() - 1), getRegionFlops());
    case Kind::Algorithm:
      return getAlgorithm();
    case Kind::Random:
    case Kind::Draw:
      return times(elementsOf(op->getResult(op->getNumResults() - 1)),
                   row.operations);
    default:
      return 0;
    }
  }

  //===--------------------------------------------------------------------===//
  // Sizes
  //===--------------------------------------------------------------------===//

  int64_t take(std::optional<int64_t> size) {
    isSized &= size.has_value();
    return size.value_or(1);
  }
  int64_t elementsOf(Value value) {
    return isa<ShapedType>(value.getType())
               ? take(getStaticElements(value.getType(), bounds))
               : 1;
  }
  int64_t elementsOf(unsigned operand) {
    return operand < op->getNumOperands() ? elementsOf(op->getOperand(operand))
                                          : take(std::nullopt);
  }
  int64_t elementsOfResult() {
    return op->getNumResults() ? elementsOf(op->getResult(0))
                               : take(std::nullopt);
  }
  int64_t dimOf(unsigned operand, int64_t dim) {
    auto type = operand < op->getNumOperands()
                    ? dyn_cast<ShapedType>(op->getOperand(operand).getType())
                    : ShapedType();
    if (!type || !type.hasRank() || dim < 0 || dim >= type.getRank())
      return take(std::nullopt);
    return take(bounds.getSize(type.getDimSize(dim)));
  }
  static int64_t times(int64_t a, int64_t b) { return multiplyCounts(a, b); }

  void compute(int64_t operations) {
    cost.flops = addCounts(cost.flops, operations);
  }
  void addBytes() {
    // What reads at places does not read all there is.
    bool isPart = row.kind == Kind::Gather || row.name == "dynamic_slice" ||
                  row.name == "slice" || row.name == "real_dynamic_slice";
    bool isUpdate = row.kind == Kind::Update || row.kind == Kind::Scatter;
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      if (index != 0 || !(isPart || isUpdate))
        cost.bytesRead =
            addCounts(cost.bytesRead, getStaticBytes(type, bounds).value_or(0));
    // An update writes what it is given.
    if (isUpdate) {
      cost.bytesWritten = cost.bytesRead;
      return;
    }
    for (Type type : op->getResultTypes())
      cost.bytesWritten = addCounts(cost.bytesWritten,
                                    getStaticBytes(type, bounds).value_or(0));
    if (isPart)
      cost.bytesRead = addCounts(cost.bytesRead, cost.bytesWritten);
  }

  /// What the region computes for one element.
  int64_t getRegionFlops() {
    OpCost inside;
    for (Region &region : op->getRegions())
      inside.add(model.estimateRegion(region));
    if (cost.doubt.empty())
      cost.doubt = inside.doubt;
    return inside.flops;
  }

  //===--------------------------------------------------------------------===//
  // Attributes, which no registered dialect parsed
  //===--------------------------------------------------------------------===//

  std::string getText(StringRef name) {
    std::string text;
    if (Attribute attribute = op->getAttr(name)) {
      llvm::raw_string_ostream os(text);
      attribute.print(os);
    }
    return text;
  }

  /// The numbers of `key = [1, 2]` in `text`.
  static std::optional<SmallVector<int64_t>> getList(StringRef text,
                                                     StringRef key) {
    size_t at = text.find((key + " = [").str());
    if (at == StringRef::npos)
      return std::nullopt;
    text = text.substr(at + key.size() + 4);
    SmallVector<int64_t> numbers;
    for (StringRef part :
         llvm::split(text.take_until([](char c) { return c == ']'; }), ',')) {
      int64_t number;
      if (part.trim().empty())
        continue;
      if (part.trim().getAsInteger(10, number))
        return std::nullopt;
      numbers.push_back(number);
    }
    return numbers;
  }

  void doubt(const Twine &why) {
    if (cost.doubt.empty())
      cost.doubt = why.str();
  }

  //===--------------------------------------------------------------------===//
  // Kinds
  //===--------------------------------------------------------------------===//

  int64_t getProduct() {
    int64_t contracted = 1;
    if (row.name == "dot") {
      auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
      contracted = dimOf(0, type && type.hasRank() ? type.getRank() - 1 : -1);
    } else {
      // Empty lists are left out.
      std::string text = getText("dot_dimension_numbers");
      if (text.empty())
        doubt("a product without dimension numbers");
      for (int64_t dim : getList(text, "lhs_contracting_dimensions")
                             .value_or(SmallVector<int64_t>()))
        contracted = times(contracted, dimOf(0, dim));
    }
    return times(2, times(elementsOfResult(), contracted));
  }

  /// Each element of the result sums one kernel: all of it but the dimension of
  /// output features. Zeros between dilated elements are no operations.
  int64_t getConvolution() {
    std::string text = getText("dimension_numbers");
    // [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
    StringRef kernel = StringRef(text).split("]x[").second.split(']').first;
    SmallVector<StringRef> dims;
    kernel.split(dims, ',');
    int64_t features = -1;
    for (auto [index, dim] : llvm::enumerate(dims))
      if (dim.trim() == "o")
        features = index;
    if (features < 0)
      doubt("a convolution without dimension numbers");
    int64_t outputs = features < 0 ? 1 : dimOf(1, features);
    int64_t taps = outputs ? elementsOf(1) / outputs : 0;
    int64_t all = times(2, times(elementsOfResult(), taps));
    if (auto dilation = op->getAttrOfType<DenseI64ArrayAttr>("lhs_dilation"))
      for (int64_t factor : dilation.asArrayRef())
        all /= std::max<int64_t>(factor, 1);
    return all;
  }

  int64_t getWindow() {
    auto window = op->getAttrOfType<DenseI64ArrayAttr>("window_dimensions");
    int64_t size = 1;
    if (window)
      for (int64_t extent : window.asArrayRef())
        size = times(size, extent);
    else
      doubt("a window without dimensions");
    // A comparison and a sum for each element of each window of the source.
    if (row.name == "select_and_scatter")
      return times(elementsOf(1), addCounts(size, 1));
    return times(elementsOfResult(), times(size, getRegionFlops()));
  }

  int64_t getAlgorithm() {
    int64_t count = elementsOf(0);
    if (row.name == "triangular_solve") {
      // n * n for each column of the right-hand side.
      auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
      return times(elementsOf(1),
                   dimOf(0, type && type.hasRank() ? type.getRank() - 1 : -1));
    }
    auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
    int64_t last = dimOf(0, type && type.hasRank() ? type.getRank() - 1 : -1);
    if (row.name == "cholesky") // n^3 / 3 for n * n elements
      return times(count, last) / 3;
    if (row.name == "fft") // 5 n log n
      return times(5 * count, llvm::Log2_64_Ceil(std::max<int64_t>(2, last)));
    int64_t levels = llvm::Log2_64_Ceil(std::max<int64_t>(2, last));
    return times(count, times(levels, std::max<int64_t>(1, getRegionFlops())));
  }

  OpCost getLoop() {
    std::optional<int64_t> trips = getTrips(op);
    for (Region &region : op->getRegions())
      cost.add(model.estimateRegion(region), trips.value_or(1));
    if (!trips)
      doubt("a loop whose trip count is not known, counted once");
    return cost;
  }

  OpCost getBranch() {
    for (Region &region : op->getRegions()) {
      OpCost branch = model.estimateRegion(region);
      if (branch.getWork() >= cost.getWork())
        cost = branch;
    }
    return cost;
  }

  Operation *op;
  const Op &row;
  OpCostModel &model;
  DimBounds bounds;
  OpCost cost;
  bool isSized = true;
};

/// A constant that is one number, through what only shapes it.
std::optional<int64_t> getNumber(Value value) {
  Operation *op = value.getDefiningOp();
  const Op *row = op ? lookup(op) : nullptr;
  if (row && row->kind == Kind::Constant) {
    auto numbers = op->getAttrOfType<DenseIntElementsAttr>("value");
    if (numbers && numbers.isSplat())
      return numbers.getSplatValue<APInt>().trySExtValue();
    return std::nullopt;
  }
  APInt number;
  if (op && matchPattern(op, m_ConstantInt(&number)))
    return number.trySExtValue();
  return std::nullopt;
}

/// Which argument of the block that ends with `end` is `value`.
std::optional<unsigned> getArgument(Value value, Block &block) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &block)
    return std::nullopt;
  return argument.getArgNumber();
}

bool isOp(Operation *op, StringRef name) {
  const Op *row = op ? lookup(op) : nullptr;
  return row && row->name == name;
}
} // namespace

std::optional<int64_t> getTrips(Operation *loop) {
  if (!isOp(loop, "while") || loop->getNumRegions() != 2 ||
      !loop->getRegion(0).hasOneBlock() || !loop->getRegion(1).hasOneBlock())
    return std::nullopt;
  Block &condition = loop->getRegion(0).front();
  Block &body = loop->getRegion(1).front();
  if (condition.empty() || body.empty() ||
      condition.back().getNumOperands() != 1)
    return std::nullopt;
  Operation *compare = condition.back().getOperand(0).getDefiningOp();
  if (!isOp(compare, "compare") || compare->getNumOperands() != 2)
    return std::nullopt;
  std::string direction;
  llvm::raw_string_ostream os(direction);
  if (Attribute attribute = compare->getAttr("comparison_direction"))
    attribute.print(os);
  bool includes = StringRef(direction).contains("LE");
  if (!includes && !StringRef(direction).contains("LT"))
    return std::nullopt;
  // What a block takes that it hands on unchanged is what the loop began with.
  auto getBound = [&](Value value) -> std::optional<int64_t> {
    std::optional<unsigned> index = getArgument(value, condition);
    if (!index)
      return getNumber(value);
    if (*index >= body.back().getNumOperands() ||
        getArgument(body.back().getOperand(*index), body) != index)
      return std::nullopt;
    return getNumber(loop->getOperand(*index));
  };
  std::optional<unsigned> counter =
      getArgument(compare->getOperand(0), condition);
  if (!counter || *counter >= loop->getNumOperands() ||
      *counter >= body.back().getNumOperands())
    return std::nullopt;
  std::optional<int64_t> first = getNumber(loop->getOperand(*counter));
  std::optional<int64_t> end = getBound(compare->getOperand(1));
  Operation *next = body.back().getOperand(*counter).getDefiningOp();
  if (!first || !end || !isOp(next, "add") || next->getNumOperands() != 2)
    return std::nullopt;
  for (auto [mine, other] : {std::pair(0, 1), std::pair(1, 0)}) {
    std::optional<int64_t> step = getNumber(next->getOperand(other));
    if (getArgument(next->getOperand(mine), body) != counter || !step ||
        *step <= 0)
      continue;
    int64_t stop = includes ? *end + 1 : *end;
    return stop <= *first ? 0 : llvm::divideCeil(stop - *first, *step);
  }
  return std::nullopt;
}

OpCost estimate(Operation *op, const Op &row, OpCostModel &model) {
  return Estimate(op, row, model).get();
}

} // namespace pebble::hlo
