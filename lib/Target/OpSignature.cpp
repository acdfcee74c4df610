//===- OpSignature.cpp - what an op is known by in a profile --------------===//

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Target/CostProfile.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Dialect/Placement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace pebble;

/// Whether two ops that differ in it may still be of one kind.
static bool isSize(NamedAttribute attribute) {
  return attribute.getName().strref().starts_with("static_") &&
         isa<DenseI64ArrayAttr>(attribute.getValue());
}

static Type withoutSizes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || isa<VectorType>(type))
    return type;
  SmallVector<int64_t> shape(shaped.getRank(), ShapedType::kDynamic);
  if (isa<MemRefType>(type))
    return MemRefType::get(shape, shaped.getElementType());
  return RankedTensorType::get(shape, shaped.getElementType());
}

/// Takes off `op` and what is inside what does not tell kinds apart.
static void strip(Operation *op) {
  op->walk([](Operation *nested) {
    // All that is known of an unregistered op is its attributes.
    if (nested->isRegistered())
      nested->setDiscardableAttrs(DictionaryAttr::get(nested->getContext()));
    for (NamedAttribute attribute : llvm::to_vector(nested->getAttrs()))
      if (isSize(attribute)) {
        size_t count = cast<DenseI64ArrayAttr>(attribute.getValue()).size();
        nested->setAttr(attribute.getName(),
                        DenseI64ArrayAttr::get(nested->getContext(),
                                               SmallVector<int64_t>(count, 0)));
      }
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType type) -> std::optional<Type> {
    return withoutSizes(type);
  });
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    return withoutSizes(type);
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// The op as text, with all that makes no difference taken off.
static std::string describeKind(Operation *op) {
  // What comes from outside is to have types without sizes, too.
  Block outside;
  IRMapping mapping;
  auto stand = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, outside.addArgument(withoutSizes(value.getType()),
                                             value.getLoc()));
  };
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         captured.takeVector()))
    stand(value);
  Operation *clone = op->clone(mapping);
  strip(clone);
  std::string text;
  llvm::raw_string_ostream os(text);
  // A name means a function of the module that the call stands in.
  if (isa<CallOpInterface>(op))
    os << getModulePath(op);
  clone->print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
  clone->destroy();
  return text;
}

static Type inComputeTier(Type type) {
  return getPlacement(type) ? withPlacement(type, {}) : type;
}

/// Whether `value` is a buffer that holds nothing yet.
static bool isFresh(Value value) {
  while (auto opaque = value.getDefiningOp<OpaqueOp>())
    value = opaque.getInput();
  auto alloc = value.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && !alloc.getCopy();
}

OpSignature OpSignature::get(Operation *op) {
  OpSignature signature;
  signature.op = op->getName().getStringRef().str();
  signature.kind = llvm::utohexstr(llvm::xxh3_64bits(describeKind(op)),
                                   /*LowerCase=*/true, /*Width=*/16);
  llvm::raw_string_ostream os(signature.shape);
  llvm::ListSeparator comma;
  for (Type type : op->getOperandTypes()) {
    os << comma << inComputeTier(type);
  }
  os << " ->";
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpResult result : op->getResults()) {
    os << " " << inComputeTier(result.getType());
    if (!isa<ShapedType>(result.getType()))
      continue;
    OpOperand *init = dps ? dps.getTiedOpOperand(result) : nullptr;
    if (!init || isFresh(init->get()))
      os << " new";
  }
  for (NamedAttribute attribute : op->getAttrs())
    if (isSize(attribute))
      os << " " << attribute.getName().strref() << " " << attribute.getValue();
  return signature;
}
