//===- Highs.h - solve a model with HiGHS -----------------------*- C++ -*-===//
//
// The only place that knows HiGHS. The library is loaded when it is first asked
// for, through its C interface, so that nothing else links it and programs
// start without it. Where it was not there at build time, or cannot be loaded,
// highsMissing() says so and what to do.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_MILP_HIGHS_H
#define PEBBLE_SOLVER_MILP_HIGHS_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Milp/Model.h"

#include <vector>

namespace pebble::milp {

struct HighsOptions {
  /// An interrupt ends it, too. A model that takes more bytes than tables may
  /// (Model::countBytes) is not handed over: Limited.
  graph::Limits limits;
  /// Nodes of the tree; 0: no limit.
  uint64_t nodeLimit = 0;
  uint64_t seed = 0;
  /// Leave integrality out.
  bool relax = false;
  /// For relaxations of many rows: interior point instead of simplex.
  bool interiorPoint = false;
  /// Stop when the best solution is less than this above the bound.
  double absoluteGap = 0;
  /// Solutions that cost more beyond the model's constant are of no interest:
  /// the answer may then be that there are none.
  double cutoff = kInfinity;
  /// A solution to begin with; may be empty.
  std::vector<double> start;
};

enum class Outcome {
  Optimal,    ///< within the gap asked for
  Infeasible, ///< proven
  Limited,    ///< a limit ended it; there may be a solution
  Failed      ///< HiGHS gave up or refused the model
};

struct HighsAnswer {
  Outcome outcome = Outcome::Failed;
  /// Values of all columns; empty if there is no solution.
  std::vector<double> values;
  /// Dual values of all rows, for relaxations.
  std::vector<double> multipliers;
  double objective = kInfinity;
  /// No solution is below this, as far as floating-point numbers can tell.
  double bound = -kInfinity;
  /// The same beyond the model's constant, whose digits it does not have to
  /// share.
  double boundBeyond = -kInfinity;
  int64_t nodes = 0;
};

/// Why HiGHS cannot be used, and how to get it; empty if it can. Loads it.
const std::string &highsMissing();

/// The version of the library in use; empty where it is missing.
std::string highsVersion();

/// Solves `model`. One thread: with the same model and options and no time
/// limit, the same answer. HiGHS must not be missing.
HighsAnswer solveWithHighs(const Model &model, const HighsOptions &options);

/// Reads an MPS file with HiGHS and solves it: for tests of writeMps().
HighsAnswer solveMpsWithHighs(const std::string &file,
                              const HighsOptions &options);

} // namespace pebble::milp

#endif // PEBBLE_SOLVER_MILP_HIGHS_H
