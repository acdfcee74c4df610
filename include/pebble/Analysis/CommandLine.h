//===- CommandLine.h - what a tool's user says of the program ---*- C++ -*-===//
//
// `--pebble-pure=NAME` and `--pebble-dim-bound=N`, the same in every tool and,
// through the plugin, in a stock mlir-opt; and `--pebble-costs=FILE`, the same
// in every tool that estimates times.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_COMMANDLINE_H
#define PEBBLE_ANALYSIS_COMMANDLINE_H

#include <cstdint>

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl
namespace mlir {
class Operation;
} // namespace mlir

namespace pebble {

/// Adds the options to the command line; they reach every analysis through
/// AnalysisOptions::getDefault(). To be called before the line is parsed, any
/// number of times. `category`, if any, lists them in the tool's help.
void registerAnalysisCLOptions(llvm::cl::OptionCategory *category = nullptr);

/// Adds `--pebble-costs` likewise. A tool that estimates no times must not: it
/// would take the file in silence.
void registerCostsCLOption();

/// Takes `size` for `--pebble-dim-bound` from here on, whatever the line said:
/// for a tool that has learnt more. After registerAnalysisCLOptions.
void setDynamicDimBound(int64_t size);

/// Warns of each name that `--pebble-pure` gives and no operation in `root`
/// has: it may be misspelt, and then it says nothing.
void warnOfUnmatchedPure(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_COMMANDLINE_H
