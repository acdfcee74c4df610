//===- AddressFaults.cpp - buffers at wrong places ------------------------===//

#include "Faults.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Planning/PlanAddresses.h"

using namespace mlir;
using namespace pebble;

namespace {
/// Buffers of `function` that it allocates at planned addresses.
std::vector<FunctionBuffer> getPlaced(func::FuncOp function) {
  if (!hasAddresses(function))
    return {};
  ProgramContext context;
  return collectBuffers(function, context).buffers;
}

/// A buffer at the place of another one that is live at the same time.
std::vector<Fault> placeOfAnother(func::FuncOp function) {
  std::vector<Fault> faults;
  std::vector<FunctionBuffer> buffers = getPlaced(function);
  for (const FunctionBuffer &one : buffers)
    for (const FunctionBuffer &other : buffers) {
      if (&one == &other || !one.allocation || !one.size || !other.size ||
          one.tier != other.tier || one.lower >= other.upper ||
          other.lower >= one.upper || one.size > other.size)
        continue;
      faults.push_back([op = one.allocation, place = *other.getOffset()] {
        Builder builder(op->getContext());
        op->setAttr(attr::kOffset, builder.getI64IntegerAttr(place));
      });
    }
  return faults;
}

/// A buffer that has no place.
std::vector<Fault> noPlace(func::FuncOp function) {
  std::vector<Fault> faults;
  for (const FunctionBuffer &buffer : getPlaced(function))
    if (Operation *op = buffer.allocation)
      faults.push_back([op] { op->removeAttr(attr::kOffset); });
  return faults;
}
} // namespace

std::vector<ProgramFaultKind> pebble::getAddressFaults() {
  auto kind = ProgramFaultKind::get;
  return {kind("place of another buffer", placeOfAnother),
          kind("buffer without a place", noPlace)};
}
