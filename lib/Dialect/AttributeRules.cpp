//===- AttributeRules.cpp - what Pebble's discardable attributes may be ---===//
//
// Rules D11 to D20, D33, D34, D40 to D43, D55 to D58, D68 to D71 and D80
// of docs/PebbleGame.md: the type and the place of every attribute in
// PebbleAttrNames.h.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleDialect.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"
#include "pebble/Dialect/Range.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pebble;

/// "; did you mean 'x'?" where an attribute of another name is near to `name`.
static std::string suggestAttribute(StringRef name) {
  constexpr unsigned kFar = 3;
  StringRef nearest;
  unsigned least = kFar;
  for (StringRef known :
       {attr::kHierarchy,  attr::kDonated,       attr::kRange,
        attr::kKeep,       attr::kRecompute,     attr::kOffload,
        attr::kCost,       attr::kOrder,         attr::kTier,
        attr::kName,       attr::kReversal,      attr::kRuns,
        attr::kResult,     attr::kExtent,        attr::kOffset,
        attr::kLives,      attr::kFallback,      attr::kStitched,
        attr::kAdjoint,    attr::kCallMode,      attr::kStage,
        attr::kMicroBatch, attr::kResultPlace,   attr::kPath,
        attr::kInverse,    attr::kAllowRounding, attr::kRecursionDepth}) {
    unsigned edits = name.edit_distance(known, true, kFar);
    if (edits > 0 && edits < least) {
      least = edits;
      nearest = known;
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

static LogicalResult verifyHierarchy(Operation *op, Attribute value) {
  auto hierarchy = dyn_cast<HierarchyAttr>(value);
  if (!hierarchy)
    return op->emitError("[D11] 'pebble.hierarchy' must be a "
                         "#pebble.hierarchy<[...]>");
  if (!op->hasTrait<OpTrait::SymbolTable>())
    return op->emitError("[D11] 'pebble.hierarchy' stands on a module");
  return verifyPlacements(op, hierarchy);
}

static std::string listTiers(HierarchyAttr hierarchy) {
  std::string names;
  for (TierAttr tier : hierarchy.getTiers())
    names += (names.empty() ? "'" : ", '") + tier.getName().str() + "'";
  return names;
}

/// Rules that `tier` obeys wherever it is named: D9, with `rule` in front of
/// what is wrong with the attribute itself.
static LogicalResult verifyTierName(Operation *op, StringRef rule,
                                    StringRef attrName, StringAttr tier) {
  if (tier.getValue().empty())
    return op->emitError() << "[" << rule << "] '" << attrName
                           << "' names a tier";
  HierarchyAttr hierarchy = lookupHierarchy(op);
  if (!hierarchy)
    return success();
  TierAttr found = hierarchy.getTier(tier.getValue());
  if (!found)
    return op->emitError()
           << "[D9] the hierarchy has no tier '" << tier.getValue()
           << "', which '" << attrName << "' names; it has "
           << listTiers(hierarchy)
           << (attrName == attr::kExtent
                   ? "; the plan is one for another machine: plan the program "
                     "for this one"
                   : "");
  if (found.isCache())
    return op->emitError() << "[D9] nothing can be placed in cache tier '"
                           << tier.getValue() << "', which '" << attrName
                           << "' names";
  return success();
}

/// True for an op whose results may have become buffers that it is handed, or
/// that its regions capture.
static bool mayHaveHadResults(Operation *op) {
  return op->getNumRegions() ||
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// `pebble.keep`, `pebble.recompute`, `pebble.offload`: at most one of them, on
/// an op with a result. Any bufferization takes results away and leaves the
/// attributes.
static LogicalResult verifyWish(Operation *op, StringRef name,
                                Attribute value) {
  bool isOffload = name == attr::kOffload;
  if (!isa<UnitAttr>(value) && !(isOffload && isa<StringAttr>(value)))
    return op->emitError() << "[D15] '" << name << "' is a unit attribute"
                           << (isOffload ? " or the name of a tier" : "");
  if (op->getNumResults() == 0 && !mayHaveHadResults(op))
    return op->emitError() << "[D15] '" << name
                           << "' is a wish for a result, and '" << op->getName()
                           << "' has none";
  for (StringRef other : {attr::kKeep, attr::kRecompute, attr::kOffload})
    if (other != name && op->hasAttr(other))
      return op->emitError() << "[D15] '" << name << "' contradicts '" << other
                             << "' on the same op";
  auto tier = dyn_cast<StringAttr>(value);
  if (!tier)
    return success();
  if (failed(verifyTierName(op, "D15", name, tier)))
    return failure();
  HierarchyAttr hierarchy = lookupHierarchy(op);
  if (hierarchy && hierarchy.getComputeTier().getName() == tier.getValue())
    return op->emitError() << "[D15] '" << name << "' names '"
                           << tier.getValue()
                           << "', which is the compute tier itself";
  return success();
}

static LogicalResult verifyNonNegative(Operation *op, StringRef rule,
                                       StringRef name, Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || !(integer.getType().isIndex() ||
                    integer.getType().isSignlessInteger(32) ||
                    integer.getType().isSignlessInteger(64)))
    return op->emitError() << "[" << rule << "] '" << name
                           << "' must be an integer (i64, i32 or index)";
  if (integer.getValue().isNegative())
    return op->emitError() << "[" << rule << "] '" << name << "' is "
                           << integer.getInt() << ", which may not be negative";
  return success();
}

static LogicalResult verifyName(Operation *op, Attribute value,
                                unsigned numValues) {
  if (isa<StringAttr>(value) && numValues <= 1)
    return success();
  auto names = dyn_cast<ArrayAttr>(value);
  bool isOneEach = names && (names.size() == numValues ||
                             (numValues == 0 && mayHaveHadResults(op)));
  if (isOneEach && llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return success();
  return op->emitError("[D19] 'pebble.name' must be a string for each of ")
         << numValues << " result(s)";
}

static LogicalResult verifyResult(Operation *op, Attribute value) {
  auto result = dyn_cast<DictionaryAttr>(value);
  if (!result)
    return op->emitError("[D20] 'pebble.result' must be a dictionary");
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("[D20] 'pebble.result' stands on a function");
  if (Attribute status = result.get("status")) {
    auto name = dyn_cast<StringAttr>(status);
    if (!name || (name != "optimal" && name != "feasible"))
      return op->emitError("[D20] the status in 'pebble.result' must be "
                           "\"optimal\" or \"feasible\"");
  }
  return success();
}

static LogicalResult verifyStitched(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError("[D33] 'pebble.stitched' stands on a function");
  auto halves = dyn_cast<DictionaryAttr>(value);
  auto hasName = [&](StringRef key) {
    auto name = halves.getAs<StringAttr>(key);
    return name && !name.getValue().empty();
  };
  auto counts = [&](StringRef key, size_t most) {
    auto count = halves.getAs<IntegerAttr>(key);
    return count && count.getType().isSignlessInteger(64) &&
           count.getInt() >= 0 && static_cast<size_t>(count.getInt()) <= most;
  };
  if (!halves || !hasName("forward") || !hasName("backward") ||
      !counts("arguments", function.getNumArguments()) ||
      !counts("results", function.getNumResults()))
    return op->emitError(
        "[D33] 'pebble.stitched' must be {forward = name, backward = name, "
        "arguments = n, results = n}, with no more than the function has");
  return success();
}

static LogicalResult verifyAdjoint(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function && op->getNumRegions() == 0)
    return op->emitError("[D55] 'pebble.adjoint' stands on a function, or on "
                         "an operation with regions");
  auto adjoint = dyn_cast<DictionaryAttr>(value);
  auto results = adjoint ? adjoint.getAs<IntegerAttr>("results") : nullptr;
  const int64_t most =
      function ? function.getNumResults() : op->getNumResults();
  const bool isCounted = results && results.getType().isSignlessInteger(64) &&
                         results.getInt() >= 0 && results.getInt() <= most;
  if (!function && (!isCounted || adjoint.size() != 1))
    return op->emitError("[D55] 'pebble.adjoint' on an operation must be "
                         "{results = n}, n (i64) no more than it has");
  if (function && (!isCounted || !adjoint.getAs<FlatSymbolRefAttr>("backward")))
    return op->emitError("[D55] 'pebble.adjoint' must be {backward = @name, "
                         "results = n}, n (i64) no more than the function has");
  return success();
}

static LogicalResult verifyCallMode(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface, CallOpInterface>(op) &&
      !op->hasAttr(attr::kAdjoint))
    return op->emitError("[D56] 'pebble.call_mode' stands on a function, a "
                         "call, or an operation with 'pebble.adjoint'");
  auto mode = dyn_cast<StringAttr>(value);
  if (!mode || (mode.getValue() != "split" && mode.getValue() != "joint"))
    return op->emitError(
        "[D56] 'pebble.call_mode' must be \"split\" or \"joint\"");
  return success();
}

static LogicalResult verifyRecursionDepth(Operation *op, Attribute value) {
  auto depth = dyn_cast<IntegerAttr>(value);
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("[D80] 'pebble.recursion_depth' stands on a function");
  if (!depth || !depth.getType().isSignlessInteger(64) || depth.getInt() < 1)
    return op->emitError(
        "[D80] 'pebble.recursion_depth' must be a number from 1 (i64)");
  return success();
}

static LogicalResult verifyStage(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface, CallOpInterface>(op))
    return op->emitError("[D57] 'pebble.stage' stands on a function or a call");
  auto stage = dyn_cast<IntegerAttr>(value);
  if (!stage || !stage.getType().isSignlessInteger(64) || stage.getInt() < 0)
    return op->emitError("[D57] 'pebble.stage' must be a number from 0 (i64)");
  return success();
}

/// Of argument or result `index`, as `what` says.
static LogicalResult verifyMicroBatch(Operation *op, Attribute value,
                                      StringRef what, unsigned index) {
  if (isa<UnitAttr>(value))
    return success();
  return op->emitError("[D58] 'pebble.micro_batch' on ")
         << what << " " << index << " must be a unit attribute";
}

static LogicalResult verifyInverse(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError("[D70] 'pebble.inverse' stands on a function");
  auto inverse = dyn_cast<DictionaryAttr>(value);
  auto operand = inverse ? inverse.getAs<IntegerAttr>("operand") : nullptr;
  if (!operand || !operand.getType().isSignlessInteger(64) ||
      operand.getInt() < 0 || operand.getInt() >= function.getNumArguments() ||
      !inverse.getAs<FlatSymbolRefAttr>("function"))
    return op->emitError("[D70] 'pebble.inverse' must be {function = @name, "
                         "operand = n}, n (i64) one of the arguments");
  return success();
}

static LogicalResult verifyAllowRounding(Operation *op, Attribute value) {
  if (!isa<UnitAttr>(value))
    return op->emitError(
        "[D71] 'pebble.allow_rounding' must be a unit attribute");
  if (!op->hasTrait<OpTrait::SymbolTable>())
    return op->emitError("[D71] 'pebble.allow_rounding' stands on a module");
  return success();
}

static LogicalResult verifyFallback(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("[D34] 'pebble.fallback' stands on a function");
  auto fallback = dyn_cast<DictionaryAttr>(value);
  auto bound = fallback ? fallback.getAs<IntegerAttr>("dim_bound") : nullptr;
  if (!bound || !bound.getType().isSignlessInteger(64) || bound.getInt() < 1 ||
      !fallback.getAs<FlatSymbolRefAttr>("function"))
    return op->emitError("[D34] 'pebble.fallback' must be {function = @name, "
                         "dim_bound = n}, n at least 1 (i64)");
  return success();
}

static LogicalResult verifyReversal(Operation *op, Attribute value) {
  auto counts = dyn_cast<DictionaryAttr>(value);
  bool isCounts = counts && llvm::all_of(counts, [](NamedAttribute entry) {
                    auto count = dyn_cast<IntegerAttr>(entry.getValue());
                    return count && count.getType().isSignlessInteger(64) &&
                           count.getInt() >= 0;
                  });
  if (!isCounts)
    return op->emitError("[D40] 'pebble.reversal' must be a dictionary of "
                         "counts (i64) that are not negative");
  if (!isa<LoopLikeOpInterface>(op))
    return op->emitError("[D40] 'pebble.reversal' stands on a loop");
  return success();
}

/// An i64 that a buffer may begin at, or a block end at.
static bool isAddress(Attribute value) {
  auto address = dyn_cast<IntegerAttr>(value);
  return address && address.getType().isSignlessInteger(64) &&
         address.getInt() >= 0 && address.getInt() % 64 == 0;
}

static LogicalResult verifyExtent(Operation *op, Attribute value) {
  auto extents = dyn_cast<DictionaryAttr>(value);
  if (!extents || !isa<FunctionOpInterface>(op))
    return op->emitError("[D42] 'pebble.extent' is a dictionary on a function");
  for (NamedAttribute tier : extents) {
    if (!isAddress(tier.getValue()))
      return op->emitError("[D42] the extent of tier '")
             << tier.getName().getValue()
             << "' in 'pebble.extent' must be a multiple of 64 (i64)";
    if (failed(verifyTierName(op, "D42", attr::kExtent, tier.getName())))
      return failure();
  }
  return success();
}

static LogicalResult verifyLives(Operation *op, Attribute value) {
  if (!isa<StringAttr>(value) || !op->hasAttr(attr::kExtent))
    return op->emitError("[D50] 'pebble.lives' is a string on a function with "
                         "'pebble.extent'");
  return success();
}

/// The buffer of `type` in tier `tier` at `offset`: within the extent that
/// `function` states.
static LogicalResult verifyOffset(Operation *op, FunctionOpInterface function,
                                  Type type, StringRef tier, Attribute value) {
  if (!isAddress(value))
    return op->emitError(
        "[D41] 'pebble.offset' must be a multiple of 64 (i64)");
  auto extents = function
                     ? function->getAttrOfType<DictionaryAttr>(attr::kExtent)
                     : DictionaryAttr();
  if (!extents)
    return op->emitError("[D43] 'pebble.offset' means something in a function "
                         "with 'pebble.extent' alone");
  HierarchyAttr hierarchy = lookupHierarchy(function);
  if (tier.empty())
    tier = hierarchy ? hierarchy.getComputeTier().getName() : "default";
  auto extent = extents.getAs<IntegerAttr>(tier);
  if (!extent)
    return op->emitError("[D43] 'pebble.offset' in tier '")
           << tier << "', which 'pebble.extent' lacks";
  int64_t bytes = getStaticBytes(type).value_or(0);
  int64_t offset = cast<IntegerAttr>(value).getInt();
  if (offset > extent.getInt() || bytes > extent.getInt() - offset)
    return op->emitError("[D43] ")
           << bytes << " bytes at 'pebble.offset' " << offset
           << " end beyond the extent of tier '" << tier << "', "
           << extent.getInt() << " bytes";
  return success();
}

/// `pebble.offset` on an op: the one that allocates a buffer.
static LogicalResult verifyAllocationOffset(Operation *op, Attribute value) {
  StringRef name = op->getName().getStringRef();
  bool isAllocation = name == "bufferization.alloc_tensor" ||
                      name == "memref.alloc" || name == "memref.alloca" ||
                      (isa<StoreOp, LoadOp>(op) && op->getNumResults() == 2 &&
                       op->getNumOperands() == 1);
  if (!isAllocation)
    return op->emitError("[D41] 'pebble.offset' stands on what allocates a "
                         "buffer, and '")
           << name << "' does not";
  Value buffer = op->getResult(0);
  return verifyOffset(op, op->getParentOfType<FunctionOpInterface>(),
                      buffer.getType(), getTierName(buffer), value);
}

LogicalResult
PebbleDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  if (name == attr::kHierarchy)
    return verifyHierarchy(op, value);
  if (name == attr::kPath)
    return isa<StringAttr>(value) && isa<ModuleOp>(op)
               ? success()
               : op->emitError("[D68] 'pebble.path' is a string on a module");
  if (name == attr::kKeep || name == attr::kRecompute || name == attr::kOffload)
    return verifyWish(op, name, value);
  if (name == attr::kCost)
    return verifyNonNegative(op, "D16", name, value);
  if (name == attr::kOrder)
    return verifyNonNegative(op, "D17", name, value);
  if (name == attr::kRuns)
    return verifyNonNegative(op, "D40", name, value);
  if (name == attr::kTier) {
    auto tier = dyn_cast<StringAttr>(value);
    if (!tier)
      return op->emitError("[D18] 'pebble.tier' must be a string");
    return verifyTierName(op, "D18", name, tier);
  }
  if (name == attr::kName)
    return verifyName(op, value, op->getNumResults());
  if (name == attr::kResult)
    return verifyResult(op, value);
  if (name == attr::kStitched)
    return verifyStitched(op, value);
  if (name == attr::kFallback)
    return verifyFallback(op, value);
  if (name == attr::kAdjoint)
    return verifyAdjoint(op, value);
  if (name == attr::kCallMode)
    return verifyCallMode(op, value);
  if (name == attr::kRecursionDepth)
    return verifyRecursionDepth(op, value);
  if (name == attr::kStage)
    return verifyStage(op, value);
  if (name == attr::kInverse)
    return verifyInverse(op, value);
  if (name == attr::kAllowRounding)
    return verifyAllowRounding(op, value);
  if (name == attr::kReversal)
    return verifyReversal(op, value);
  if (name == attr::kExtent)
    return verifyExtent(op, value);
  if (name == attr::kLives)
    return verifyLives(op, value);
  if (name == attr::kOffset)
    return verifyAllocationOffset(op, value);
  return op->emitError() << "[D12] '" << name
                         << "' is not an attribute that Pebble knows on an op"
                         << suggestAttribute(name);
}

/// Two numbers, the first below the second.
static bool isRange(ArrayAttr bounds) {
  if (!bounds || bounds.size() != 2)
    return false;
  auto asDouble = [](Attribute bound) -> std::optional<double> {
    if (auto integer = dyn_cast<IntegerAttr>(bound))
      return integer.getValue().signedRoundToDouble();
    if (auto number = dyn_cast<FloatAttr>(bound))
      return number.getValueAsDouble();
    return std::nullopt;
  };
  if (isa<IntegerAttr>(bounds[0]) && isa<IntegerAttr>(bounds[1])) {
    std::optional<IntegerRange> exact = getIntegerRange(bounds[0], bounds[1]);
    return exact && !exact->isEmpty();
  }
  std::optional<double> low = asDouble(bounds[0]), high = asDouble(bounds[1]);
  return low && high && *low < *high;
}

/// Whether a float type can hold the number without turning it infinite.
static bool holds(FloatType type, Attribute bound) {
  APFloat number(0.0);
  bool losesInfo;
  if (auto integer = dyn_cast<IntegerAttr>(bound))
    number = APFloat(integer.getValue().signedRoundToDouble());
  else
    number = cast<FloatAttr>(bound).getValue();
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.isFinite();
}

static LogicalResult verifyRange(FunctionOpInterface func, unsigned argument,
                                 Attribute value) {
  auto bounds = dyn_cast<ArrayAttr>(value);
  if (!isRange(bounds))
    return func->emitError(
        "[D14] 'pebble.range' must be [lo, hi], two numbers with lo < hi");
  Type element = getElementTypeOrSelf(func.getArgumentTypes()[argument]);
  if (auto complex = dyn_cast<ComplexType>(element)) // of both its parts
    element = complex.getElementType();
  if (auto number = dyn_cast<FloatType>(element)) {
    if (holds(number, bounds[0]) && holds(number, bounds[1]))
      return success();
  } else if (element.isIntOrIndex()) {
    std::optional<IntegerRange> range = getIntegerRange(bounds[0], bounds[1]);
    if (range && range->isEmpty())
      return func->emitError("[D14] 'pebble.range' on argument ")
             << argument << " holds no integer, and its elements are "
             << element;
    if (range && range->fits(element))
      return success();
  } else {
    return success();
  }
  return func->emitError("[D14] 'pebble.range' on argument ")
         << argument << " holds numbers that " << element << " cannot";
}

static LogicalResult verifyResultPlace(FunctionOpInterface func,
                                       unsigned argument, Attribute value) {
  auto index = dyn_cast<IntegerAttr>(value);
  if (!index || !index.getType().isInteger(64) || index.getInt() < 0 ||
      index.getInt() >= static_cast<int64_t>(func.getNumResults()))
    return func->emitError("[D69] 'pebble.result_place' on argument ")
           << argument << " must be the number of a result (i64)";
  if (func.getResultTypes()[index.getInt()] !=
      func.getArgumentTypes()[argument])
    return func->emitError("[D69] 'pebble.result_place' on argument ")
           << argument << " names result " << index.getInt()
           << ", which has another type";
  return success();
}

LogicalResult
PebbleDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                        unsigned argIndex,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << "[D12] '" << name
                           << "' stands on arguments of functions only";
  if (name == attr::kDonated) {
    if (!isa<UnitAttr>(value))
      return op->emitError("[D13] 'pebble.donated' is a unit attribute");
    if (!isa<TensorType, BaseMemRefType>(func.getArgumentTypes()[argIndex]))
      return op->emitError("[D13] 'pebble.donated' on argument ")
             << argIndex << ", which is neither a tensor nor a memref";
    return success();
  }
  if (name == attr::kRange)
    return verifyRange(func, argIndex, value);
  if (name == attr::kOffset) {
    Type type = func.getArgumentTypes()[argIndex];
    if (!isa<ShapedType>(type))
      return func->emitError("[D41] 'pebble.offset' on argument ")
             << argIndex << ", which is no buffer";
    AtAttr at = getPlacement(type);
    StringRef tier = at ? at.getTier() : StringRef();
    if (auto given = func.getArgAttrOfType<StringAttr>(argIndex, attr::kTier))
      tier = given.getValue();
    return verifyOffset(op, func, type, tier, value);
  }
  if (name == attr::kTier) {
    auto tier = dyn_cast<StringAttr>(value);
    if (!tier)
      return op->emitError("[D18] 'pebble.tier' must be a string");
    return verifyTierName(op, "D18", name, tier);
  }
  if (name == attr::kName)
    return verifyName(op, value, 1);
  if (name == attr::kMicroBatch)
    return verifyMicroBatch(op, value, "argument", argIndex);
  if (name == attr::kResultPlace)
    return verifyResultPlace(func, argIndex, value);
  return op->emitError() << "[D12] '" << name
                         << "' is not an attribute that Pebble knows on an "
                            "argument"
                         << suggestAttribute(name);
}

LogicalResult
PebbleDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                           unsigned resultIndex,
                                           NamedAttribute attribute) {
  if (attribute.getName() == attr::kName)
    return verifyName(op, attribute.getValue(), 1);
  if (attribute.getName() == attr::kMicroBatch)
    return verifyMicroBatch(op, attribute.getValue(), "result", resultIndex);
  if (attribute.getName() == attr::kTier) {
    auto tier = dyn_cast<StringAttr>(attribute.getValue());
    if (!tier)
      return op->emitError("[D18] 'pebble.tier' must be a string");
    return verifyTierName(op, "D18", attr::kTier, tier);
  }
  return op->emitError() << "[D12] '" << attribute.getName().getValue()
                         << "' is not an attribute that Pebble knows on a "
                            "result";
}
