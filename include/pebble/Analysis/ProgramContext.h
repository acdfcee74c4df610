//===- ProgramContext.h - what an analysis knows beyond its block -*- C++ -*-=//
//
// Facts that belong to the module or to the user and not to one block: symbol
// tables, summaries of callees, bounds of dynamic dimensions, and which
// unregistered ops may be taken as free of effects. One context serves all
// analyses of a module, so that each callee is summarised once.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_PROGRAMCONTEXT_H
#define PEBBLE_ANALYSIS_PROGRAMCONTEXT_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <limits>
#include <memory>
#include <optional>

namespace pebble {

class CostProfile;
class InnerMemoryTable;
struct InnerMoves;

/// What the user says about the program.
struct AnalysisOptions {
  /// Dialects ("tt"), ops ("tt.add") or targets of custom calls whose
  /// unregistered operations are free of effects.
  llvm::StringSet<> pure;
  /// Size taken for every dynamic dimension; without one, a dynamic shape is
  /// an error.
  std::optional<int64_t> dynamicDimBound;
  /// File of measured costs (Target/CostProfile.h); empty for none.
  std::string costsFile;
  /// What it says, once someone has read it; null before.
  std::shared_ptr<const CostProfile> costs;
  /// What the first context that they were given to has found inside of ops,
  /// for those that follow it; null before.
  std::shared_ptr<InnerMemoryTable> innerMemory;

  /// Reads `costsFile`, if there is one. Emits an error at `loc` and fails if
  /// it cannot be read.
  llvm::LogicalResult readCosts(mlir::Location loc);

  /// What the command line of the running tool said (CommandLine.h); empty if
  /// it said nothing.
  static AnalysisOptions getDefault();
};

/// What a call does to its caller's storages.
struct FunctionSummary {
  enum class ResultOrigin { Fresh, Argument, Unknown };
  struct Argument {
    bool read = false;
    bool written = false;
    /// The callee owns it and frees it.
    bool donated = false;
    /// Something that is not looked through gets hold of it.
    bool escapes = false;
  };
  struct Result {
    ResultOrigin origin = ResultOrigin::Unknown;
    /// The argument whose storage the result is (origin Argument).
    unsigned argument = 0;
    /// A number that holds an address (origin Unknown).
    bool isAddress = false;
  };
  llvm::SmallVector<Argument> arguments;
  llvm::SmallVector<Result> results;
  /// Symbols of globals that it reads or writes.
  llvm::SmallVector<std::pair<mlir::StringAttr, Argument>> globals;
  /// Its body was looked at. Of one of several blocks only the peaks and the
  /// moves are known, as bounds.
  bool isKnown = false;
  /// Has effects that are not accesses of arguments and globals (or its body
  /// is not known): a barrier.
  bool barrier = true;
  /// Peak footprint of the storages that it allocates or that were given to it
  /// (fresh results and donated arguments included).
  int64_t localPeak = 0;
  /// The same of the other tiers, by their names.
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>, 0> slowPeaks;
  /// What a run of it moves between tiers; null: nothing is known.
  std::shared_ptr<const InnerMoves> moves;
};

class ProgramContext {
public:
  explicit ProgramContext(
      AnalysisOptions options = AnalysisOptions::getDefault());
  ~ProgramContext();

  const AnalysisOptions &getOptions() const { return options; }

  /// True if `op` is unregistered and the user declared it, its dialect, or the
  /// target of the custom call that it is, free of effects. An op without
  /// results is never taken as pure: nothing but an effect could be its
  /// purpose.
  bool isDeclaredPureByUser(mlir::Operation *op) const;

  /// The same, or free of effects by the table of StableHLO's ops, with all
  /// that stands inside of it.
  bool isDeclaredPure(mlir::Operation *op) const;

  /// A count that overflowed is no size, and sums of footprints must not
  /// overflow either.
  static constexpr int64_t kLargestBytes =
      std::numeric_limits<int64_t>::max() / 1024;

  /// Bytes of a value of this shaped type, elements packed row-major (i1 takes
  /// a byte, as in memory); nothing if it has a dynamic dimension without a
  /// bound or elements of unknown size.
  std::optional<int64_t> getBytes(mlir::Type type) const;

  /// The type of the memref or ml_program global that `symbol` names at `from`;
  /// null if it names none.
  mlir::Type getGlobalType(mlir::Operation *from, mlir::StringAttr symbol);

  /// The function that `call` calls; null if it is not known.
  mlir::Operation *resolveCallee(mlir::CallOpInterface call);

  /// The symbol that `name` means at `from`; null if there is none.
  mlir::Operation *lookupSymbol(mlir::Operation *from,
                                mlir::SymbolRefAttr name);

  /// The summary of the callee; a barrier if it is unknown or recursive.
  const FunctionSummary &getSummary(mlir::CallOpInterface call);

  /// True if the body of what `call` calls is there to be looked at.
  bool hasKnownCallee(mlir::CallOpInterface call);

  /// Where getInnerMemory keeps what it finds: for this context alone, or for
  /// all that are given its options.
  InnerMemoryTable &getInnerMemoryTable(bool shared);

private:
  AnalysisOptions options;
  mlir::SymbolTableCollection symbolTables;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<FunctionSummary>> summaries;
  std::unique_ptr<InnerMemoryTable> innerMemory;
  FunctionSummary unknown;
};

/// Bytes that a storage of `bytes` occupies: rounded up to 64.
inline int64_t getFootprint(int64_t bytes) { return (bytes + 63) / 64 * 64; }

} // namespace pebble

#endif // PEBBLE_ANALYSIS_PROGRAMCONTEXT_H
