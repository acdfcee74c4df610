//===- FunctionReport.h - what is known of one function's run ---*- C++ -*-===//
//
// The figures of one block, taken out of the analyses once: peak, energy,
// dependences, who is live when. Plain data without IR, so that tables, JSON,
// pictures, traces and comparisons are written from it alone.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_REPORT_FUNCTIONREPORT_H
#define PEBBLE_REPORT_FUNCTIONREPORT_H

#include "pebble/Analysis/LoopTraffic.h"

namespace pebble {

/// What a storage is for. See docs/Reports.md for how it is found out.
enum class Role {
  Argument,   ///< given by the caller, overwritten or not
  Activation, ///< made before the turning point
  Gradient,   ///< made from the turning point on
  Result      ///< made here, outlives the block
};
llvm::StringRef toString(Role role);

struct StorageEntry {
  std::string name;
  StorageKind kind;
  Role role;
  /// An activation that is still needed after the turning point.
  bool isSaved = false;
  /// Index into FunctionReport::tiers.
  unsigned tier = 0;
  int64_t bytes = 0;     ///< unrounded
  int64_t footprint = 0; ///< rounded up to 64
  /// Positions, both inclusive; `first > last` if it is never live or not
  /// counted (constants, globals).
  LiveRange range;
};

/// One access as the hierarchy prices it.
struct AccessEntry {
  std::string storage;
  bool isWrite;
  int64_t bytes;
  std::optional<int64_t> reuseDistance;
  unsigned tier; ///< index into FunctionReport::tiers
  int64_t energy;
};

struct StepEntry {
  std::string name;
  std::string op;
  std::string barrier; ///< the reason; empty if it is none
  int64_t scratch = 0;
  /// Equal for ops that compute the same expression of the same arguments in
  /// one MLIRContext, whatever the order and the names.
  uint64_t fingerprint = 0;
  /// Storages that it reads and writes, as indices.
  llvm::SmallVector<unsigned, 2> read, written;
  /// Empty without a hierarchy.
  std::vector<AccessEntry> accesses;
};

struct TierEntry {
  std::string name;
  bool isCache = false;
  /// Bytes that it holds; nothing: no limit is known.
  std::optional<int64_t> capacity;
  int64_t peakBytes = 0;
  unsigned peakPosition = 0;
  /// Live bytes at each position, scratch included; empty for caches.
  std::vector<int64_t> liveBytes;
  int64_t energy = 0;
};

/// What caches of lines serve when the function is called in a loop; bytes are
/// those of FunctionReport::tiers.
struct LoopEntry {
  int64_t calls;
  ServedBytes firstCall, allCalls;
};

/// What a planned function says of its plan (`pebble.result`).
struct PlanEntry {
  int64_t cost = 0, bound = 0;
  std::optional<int64_t> inputPeakBytes;
  /// Of every step once; nothing for an order.
  std::optional<int64_t> onceCost;
};

/// A call that pebble-checkpoint-calls decided on, in the function or in what
/// it calls.
struct CallEntry {
  std::string callee;
  /// Calls around it.
  unsigned depth = 0;
  /// It runs again before its adjoint; otherwise its tape is kept.
  bool isJoint = false;
  /// What the callee calls was listed further up.
  bool isRepeated = false;
};

struct FunctionReport {
  std::string name;
  std::vector<StepEntry> steps; ///< in order
  std::vector<StorageEntry> storages;
  /// Those of the hierarchy, fastest first; without one, `default` and whatever
  /// tiers the program names.
  std::vector<TierEntry> tiers;
  unsigned computeTier = 0;
  /// More than one: only the entry block is reported.
  int64_t blocks = 1;

  int64_t intermediatesPeakBytes = 0;
  int64_t constantBytes = 0;
  int64_t flow = 0, anti = 0, output = 0, effect = 0;
  /// Nothing without a hierarchy.
  std::optional<CacheModel> cacheModel;
  std::optional<int64_t> energy;        ///< fJ, accesses and moves
  std::optional<int64_t> computeEnergy; ///< fJ
  /// Arithmetic operations or `pebble.cost` of all steps; bytes of those that
  /// only move data.
  int64_t work = 0;
  /// Of all steps, one after the other, messages included; nothing without
  /// measured costs.
  std::optional<int64_t> nanoseconds;
  /// Of all messages, one after the other; nothing without a topology.
  std::optional<int64_t> messageNanoseconds;
  /// What all ranks together send over the links of each group of the topology,
  /// the smallest group first.
  std::vector<std::pair<std::string, int64_t>> messageBytes;
  std::optional<PlanEntry> plan;
  std::map<std::string, int64_t> movedBytes;
  std::optional<double> averageReuseDistance; ///< bytes
  /// Orders that keep every dependence, and those that keep flow alone. Nothing
  /// if not asked for, or too many to count.
  std::optional<uint64_t> legalOrders, flowOrders;
  /// Names of ops whose arithmetic nothing is known of; computeEnergy leaves
  /// them out.
  std::vector<std::string> unknownCosts;
  /// Nothing if not asked for, or without a hierarchy.
  std::optional<LoopEntry> loop;
  /// The tree of calls with adjoints, callers first.
  std::vector<CallEntry> calls;
  /// First position of the backward half; nothing if there is none.
  std::optional<unsigned> turningPoint;

  const TierEntry &getComputeTier() const { return tiers[computeTier]; }
  /// Energy of the accesses of each storage, the largest first; empty without a
  /// hierarchy.
  std::vector<std::pair<std::string, int64_t>> getEnergyByStorage() const;
  /// Storages live at `position` in `tier`, largest first.
  std::vector<unsigned> getLiveStorages(unsigned position, unsigned tier) const;
};

struct ReportOptions {
  /// Null: one unbounded tier, no energies.
  HierarchyAttr hierarchy;
  CacheModel cacheModel = CacheModel::Lru;
  /// Counting takes time exponential in the width of the program.
  bool countOrders = false;
  /// Calls in a loop to account for besides; 0: none.
  int64_t calls = 0;
};

/// The report of the entry block of `function`, as it stands. Fails after
/// located errors if a size is not known. The function must have a body.
llvm::FailureOr<FunctionReport>
reportFunction(mlir::Operation *function, ProgramContext &context,
               const ReportOptions &options = {});

} // namespace pebble

#endif // PEBBLE_REPORT_FUNCTIONREPORT_H
