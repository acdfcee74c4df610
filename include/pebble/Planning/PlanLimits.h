//===- PlanLimits.h - the limits of a planning pass -------------*- C++ -*-===//
//
// Limits as users write them, on a pass or (`--memory-limit=4GB`) on a tool;
// and whoever waits at the tool for what its passes plan.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_PLANLIMITS_H
#define PEBBLE_PLANNING_PLANLIMITS_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "pebble/Solver/Graph/Limits.h"

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace pebble {

/// Puts `--memory-limit` on the command line of the tool that asks, whose help
/// lists it under `category`.
void registerPlanningCLOptions(llvm::cl::OptionCategory *category = nullptr);

/// Sees what is planned, and may end a search. A tool's own: passes in other
/// compilers have none.
class PlanWatch : public graph::Observer {
public:
  /// A pass plans from now on; it has planned all. Passes may plan at once.
  virtual void begin() = 0;
  virtual void end() = 0;
  /// What is planned now.
  virtual void enter(llvm::StringRef what) = 0;
  /// What a pass has to say of a plan that it made, in one line.
  virtual void tell(llvm::StringRef line) = 0;
  /// Set to end the search.
  virtual const std::atomic<bool> *getInterrupt() const = 0;
};

/// Before any pass runs: `watch` outlives them all.
void setPlanWatch(PlanWatch *watch);

/// For as long as a pass plans.
class PlanScope {
public:
  PlanScope();
  ~PlanScope();
  PlanScope(const PlanScope &) = delete;
  PlanScope &operator=(const PlanScope &) = delete;
  /// What is planned from now on.
  void enter(llvm::StringRef what) const;
  /// Says something of a plan, to whoever watches; passes in other compilers
  /// say nothing.
  void tell(llvm::StringRef line) const;
  /// Since the pass began.
  double getSeconds() const;

private:
  graph::Limits::Clock::time_point begun = graph::Limits::Clock::now();
};

/// The limits of all that a pass plans from now on: `timeLimitMs` as its option
/// says it (empty: the default; 0: no deadline), memory as getTableBytes() has
/// it, and whoever watches. Emits an error and fails if the time is none.
llvm::FailureOr<graph::Limits> getPlanLimits(mlir::Location loc,
                                             llvm::StringRef timeLimitMs,
                                             llvm::StringRef memoryLimit);

/// The bytes that tables of searches may take: what the pass says, else what
/// the command line says, else the default. Emits an error and fails if it is
/// no number of bytes.
llvm::FailureOr<uint64_t> getTableBytes(mlir::Location loc,
                                        llvm::StringRef ofPass);

} // namespace pebble

#endif // PEBBLE_PLANNING_PLANLIMITS_H
