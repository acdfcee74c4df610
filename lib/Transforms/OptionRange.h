//===- OptionRange.h - the numbers that a pass's option takes ---*- C++ -*-===//
//
// A pass's number is any that fits its type; one that means nothing is an error
// that names the option, what was given, and which numbers it takes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_OPTIONRANGE_H
#define PEBBLE_LIB_TRANSFORMS_OPTIONRANGE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassOptions.h"

#include <cstdint>
#include <limits>

namespace pebble {

/// An error unless `option` is from `first` to `last`, or is `unset`, which is
/// its default. The default may be said, too: pipelines are printed with it.
template <typename Option>
mlir::LogicalResult
checkRange(mlir::Location loc, const Option &option, int64_t unset,
           int64_t first, int64_t last = std::numeric_limits<int64_t>::max()) {
  int64_t value = option.getValue();
  if (value == unset || (value >= first && value <= last))
    return mlir::success();
  return mlir::emitError(loc, "'")
         << option.ArgStr << "' takes a whole number from " << first << " to "
         << last << ", got " << value;
}

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_OPTIONRANGE_H
