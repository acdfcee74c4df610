//===- RunValues.h - what is known of values while functions run *- C++ -*-===//

#ifndef PEBBLE_LIB_ANALYSIS_RUNVALUES_H
#define PEBBLE_LIB_ANALYSIS_RUNVALUES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace pebble {

/// The expressions of both runs: equal ones have one number.
class Expressions {
public:
  using Id = uint64_t;
  Id get(llvm::StringRef kind, llvm::ArrayRef<int64_t> parts) {
    std::string key = kind.str();
    key.push_back('\0');
    key.append(reinterpret_cast<const char *>(parts.data()),
               parts.size() * sizeof(int64_t));
    return ids.try_emplace(std::move(key), ids.size()).first->second;
  }

private:
  std::unordered_map<std::string, Id> ids;
};

struct Write;

/// What a value is while a function runs.
struct Known {
  Expressions::Id id = 0;
  /// Of an array that parts were written to: what it was before the first of
  /// `writes`. Otherwise, `id`.
  Expressions::Id base = 0;
  /// The latest first.
  const Write *writes = nullptr;
  /// Of an integer.
  std::optional<int64_t> number;
  /// Of a constant array of integers: what `base` holds.
  mlir::DenseIntElementsAttr numbers;
};

/// A part of an array, written at a known place.
struct Write {
  llvm::SmallVector<int64_t, 4> offsets, sizes;
  Known value;
  const Write *before;
};

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_RUNVALUES_H
