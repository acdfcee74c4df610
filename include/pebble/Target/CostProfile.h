//===- CostProfile.h - what was measured of a machine -----------*- C++ -*-===//
//
// Times of operations, and speeds of tiers, as `pebble-run --profile` measured
// them and as it wrote them down; and the answer to how long an operation will
// take that was measured, or one like it. Knows no solver and no IR but the op
// that is asked about. docs/Profiling.md has the format.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_COSTPROFILE_H
#define PEBBLE_TARGET_COSTPROFILE_H

#include "pebble/Target/OpCost.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace pebble {

/// What an op is known by in a profile.
struct OpSignature {
  /// "linalg.matmul".
  std::string op;
  /// Sixteen hexadecimal digits that ops share if they differ in sizes alone:
  /// of name, attributes, body, ranks and element types. Names, wishes and
  /// tiers do not count.
  std::string kind;
  /// The sizes, for people and to tell one from the other: types of operands
  /// and results, static offsets and sizes; "new" behind a result that does not
  /// overwrite an operand.
  std::string shape;

  static OpSignature get(mlir::Operation *op);
};

/// The machine that a profile is of.
struct Machine {
  std::string cpu; ///< as the system calls it
  /// Sixteen hexadecimal digits of model, number of cores, caches and features.
  std::string fingerprint;

  /// The one that this process runs on.
  static Machine getHost();
  bool operator==(const Machine &other) const {
    return cpu == other.cpu && fingerprint == other.fingerprint;
  }
};

/// How fast data moves in one direction.
struct MeasuredSpeed {
  int64_t bandwidth = 0; ///< bytes per microsecond
  int64_t latency = 0;   ///< nanoseconds

  /// Nanoseconds of one transfer.
  double getTime(double bytes) const;
};

struct MeasuredTier {
  std::string name;
  std::string backing; ///< "memory" or "file"
  /// From the compute tier and to it. Of the compute tier itself: a copy within
  /// it, bytes read and written counted both.
  MeasuredSpeed store, load;
  /// Making room in this tier for what a transfer brings, and giving it back:
  /// what the program does itself.
  MeasuredSpeed alloc;
};

struct MeasuredOp {
  OpSignature signature;
  int64_t operations = 0, bytes = 0; ///< OpCost, of one run
  int64_t nanoseconds = 0;           ///< the least of `runs` runs
  int64_t runs = 0;
};

/// How long an op takes, and how that is known.
struct EstimatedTime {
  int64_t nanoseconds = 0;
  /// The measurement that it comes from; null if there is none at all.
  const MeasuredOp *from = nullptr;
  /// The very same op was measured.
  bool isExact = false;
};

class CostProfile {
public:
  static constexpr int64_t kVersion = 1;

  Machine machine;
  std::vector<MeasuredTier> tiers;

  /// Adds a measurement; one of the same signature is kept as it was.
  void add(MeasuredOp op);
  const std::vector<MeasuredOp> &getOps() const { return ops; }
  bool contains(const OpSignature &signature) const;

  /// The time of one run of an op of this signature and cost. Where it was not
  /// measured, the nearest measurement of the same kind (else of the same op,
  /// else of any) is taken, near in the logarithms of arithmetic operations and
  /// bytes, and scaled by operations, or by bytes where one of the two has no
  /// operations. Deterministic.
  EstimatedTime estimate(const OpSignature &signature,
                         const OpCost &cost) const;

  /// `hierarchy` with the measured bandwidth and latency of the tiers that were
  /// measured. A store and a load of a value take as long as they do together.
  HierarchyAttr applyTo(HierarchyAttr hierarchy) const;

  /// Where a measured bandwidth is more than a quarter off the one that
  /// `hierarchy` states, which it takes the place of: a sentence for each tier.
  std::vector<std::string> findConflicts(HierarchyAttr hierarchy) const;

  std::string toJson() const;
  /// Fails on text of another format or version, or with figures that make no
  /// sense; `file` is for the message.
  static llvm::Expected<CostProfile> fromJson(llvm::StringRef text,
                                              llvm::StringRef file);

private:
  std::vector<MeasuredOp> ops;
  /// By kind and shape.
  llvm::StringMap<size_t> known;
};

/// Reads a profile. Emits an error at `loc` and fails if it cannot be read;
/// warns if it is of another machine.
mlir::FailureOr<std::shared_ptr<const CostProfile>>
readCosts(llvm::StringRef file, mlir::Location loc);

} // namespace pebble

#endif // PEBBLE_TARGET_COSTPROFILE_H
