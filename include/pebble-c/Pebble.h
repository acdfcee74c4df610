/*===- pebble-c/Pebble.h - Pebble for other languages ------------*- C -*-===*\
|*                                                                            *|
|* Registers Pebble, plans a module for a budget of bytes, runs its passes,   *|
|* and reads what a plan came to. Errors are diagnostics of the context: a    *|
|* handler that mlirContextAttachDiagnosticHandler() attached hears of them,  *|
|* with their places. A call that fails leaves the module as it was.          *|
|*                                                                            *|
|* Link libPebbleCAPI: it carries upstream's C API of IR and passes with it.  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef PEBBLE_C_PEBBLE_H
#define PEBBLE_C_PEBBLE_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Registration
\*===----------------------------------------------------------------------===*/

/** Adds the pebble dialect and Pebble's models of upstream operations. */
MLIR_CAPI_EXPORTED void pebbleRegisterAllDialects(MlirDialectRegistry registry);

/** Adds the upstream dialects and models that Pebble's tools read and lower. */
MLIR_CAPI_EXPORTED void
pebbleRegisterUpstreamDialects(MlirDialectRegistry registry);

/** Registers passes and pipelines under the names that pebble-opt has. */
MLIR_CAPI_EXPORTED void pebbleRegisterAllPasses(void);

/*===----------------------------------------------------------------------===*\
|* Passes
\*===----------------------------------------------------------------------===*/

/**
 * Runs a pipeline in MLIR's own form on the module, as
 * "builtin.module(pebble-order-operations{objective=peak})" or
 * "pebble-to-llvm". Fails with a diagnostic where the text is none, a pass is
 * not known, or a pass fails. Needs pebbleRegisterAllPasses().
 * Where it succeeds, operations and values of the module that were at hand
 * before are gone; ask the module for them again.
 */
MLIR_CAPI_EXPORTED MlirLogicalResult pebbleRunPipeline(MlirModule module,
                                                       MlirStringRef pipeline);

/*===----------------------------------------------------------------------===*\
|* Plans
\*===----------------------------------------------------------------------===*/

/** What is to be as little as possible. */
enum PebbleObjective {
  /** Arithmetic operations, or pebble.cost, of all runs. */
  PebbleObjectiveRecompute,
  /** Nanoseconds. */
  PebbleObjectiveTime,
  /** Femtojoules. */
  PebbleObjectiveEnergy
};
typedef enum PebbleObjective PebbleObjective;

/** What may be done besides ordering. */
enum PebbleMeans {
  PebbleMeansNone,
  /** Operations may run again. */
  PebbleMeansRecompute,
  /** Values may move to a slower tier and back. */
  PebbleMeansOffload,
  PebbleMeansBoth
};
typedef enum PebbleMeans PebbleMeans;

struct PebblePlanOptions {
  /** Bytes for each function: "7000000", "7MiB", "50%" of the peak as it came
      in, or "min", the least that is found. Empty: the capacity of the compute
      tier. */
  MlirStringRef budget;
  /** A preset, or a file with a #pebble.hierarchy. Empty: what the module
      says. */
  MlirStringRef target;
  PebbleObjective objective;
  PebbleMeans means;
  /** Empty: whatever suits. */
  MlirStringRef solver;
  /** Updates in place may write storages of their own where that pays. */
  bool outOfPlace;
  /** The same seed gives the same plan. */
  uint64_t seed;
  /** For all searches together. 0: no limit; negative: pebble-schedule's own.
   */
  int64_t timeLimitMs;
};
typedef struct PebblePlanOptions PebblePlanOptions;

/** What pebble-schedule does without options. */
MLIR_CAPI_EXPORTED PebblePlanOptions pebblePlanOptionsGetDefault(void);

/**
 * Fits the functions of a module into a budget, as the pass pebble-schedule
 * does, and writes the schedules into it. Fails with a diagnostic where nothing
 * fits; it names the smallest budget that is known to do. Where it succeeds,
 * operations and values of the module that were at hand before are gone; ask
 * the module for them again.
 */
MLIR_CAPI_EXPORTED MlirLogicalResult pebblePlan(MlirModule module,
                                                PebblePlanOptions options);

/** What was planned for a function, and what it costs. */
struct PebblePlanResult {
  /** No schedule within the budget costs less. */
  bool isOptimal;
  /** In the unit of the objective. No schedule costs less than `bound`;
      `onceCost` is that of every step once. */
  int64_t cost, bound, onceCost;
  /** Live bytes, as planned and as the function came in. */
  int64_t peakBytes, inputPeakBytes;
  /** Bytes of one block of memory that holds the compute tier; -1 where
      addresses are not planned. */
  int64_t extentBytes;
  /** Values that stay in the compute tier, that are made again, and that move;
      and what they take. */
  int64_t keptValues, keptBytes;
  int64_t recomputedValues, recomputedBytes;
  int64_t movedValues, movedBytes;
  /** Updates in place that write storages of their own. */
  int64_t outOfPlaceValues, outOfPlaceBytes;
  /** Belongs to the context. */
  MlirStringRef solver;
};
typedef struct PebblePlanResult PebblePlanResult;

/**
 * Reads the plan of a function that pebblePlan() or pebble-schedule planned.
 * False, and nothing written, where `function` carries none.
 */
MLIR_CAPI_EXPORTED bool pebbleGetPlanResult(MlirOperation function,
                                            PebblePlanResult *result);

#ifdef __cplusplus
}
#endif

#endif /* PEBBLE_C_PEBBLE_H */
