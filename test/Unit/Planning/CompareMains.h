//===- CompareMains.h - two programs, compared by the proof of calls ------===//

#ifndef PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H
#define PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H

#include "mlir/Support/LLVM.h"

#include <string>
#include <utility>
#include <vector>

/// Compares the two @main; returns what is said against `after`. That begins
/// with "does not parse" if one of the programs does not.
std::string compareMains(mlir::StringRef before, mlir::StringRef after);

/// What stands in a program, and what stands there instead.
using Changes = std::vector<std::pair<mlir::StringRef, mlir::StringRef>>;

/// Expects that `program` is itself, and with none of `faults`: each is several
/// replacements, each of the first place.
void expectRefused(mlir::StringRef program, const std::vector<Changes> &faults);

#endif // PEBBLE_TEST_UNIT_PLANNING_COMPAREMAINS_H
