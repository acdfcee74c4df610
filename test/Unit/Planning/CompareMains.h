//===- CompareMains.h - two programs, compared by the proof of calls ------===//

#ifndef PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H
#define PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H

#include "mlir/Support/LLVM.h"

#include <string>

/// Compares the two @main; returns what is said against `after`. That begins
/// with "does not parse" if one of the programs does not.
std::string compareMains(mlir::StringRef before, mlir::StringRef after);

#endif // PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H
