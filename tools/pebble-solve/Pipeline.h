//===- Pipeline.h - pipelines of stages in pebble-solve ---------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_SOLVE_PIPELINE_H
#define PEBBLE_TOOLS_PEBBLE_SOLVE_PIPELINE_H

#include "Options.h"

#include "pebble/Solver/Pipeline/Pipeline.h"

namespace pebble::solve_tool {

/// Plans the pipeline of a file, or judges a schedule. The exit code.
int runPipeline(const pipeline::ParsedPipeline &parsed, const Options &options);

} // namespace pebble::solve_tool

#endif // PEBBLE_TOOLS_PEBBLE_SOLVE_PIPELINE_H
