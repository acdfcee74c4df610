//===- CommandLine.h - what a tool's user says of the program ---*- C++ -*-===//
//
// `--pure=NAME` and `--dim-bound=N`, the same in every tool; and
// `--costs=FILE`, the same in every tool that estimates times. In another
// compiler, through the plugin, the names begin with `--pebble-`; our tools
// take those as well.
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
/// number of times. A tool of ours names the category that its help lists.
void registerAnalysisCLOptions(llvm::cl::OptionCategory *category = nullptr);

/// Adds `--costs` likewise. A tool that estimates no times must not: it would
/// take the file in silence.
void registerCostsCLOption(llvm::cl::OptionCategory *category = nullptr);

/// Takes `size` for `--dim-bound` from here on, whatever the line said:
/// for a tool that has learnt more. After registerAnalysisCLOptions.
void setDynamicDimBound(int64_t size);

/// Warns of each name that `--pure` gives and no operation in `root`
/// has: it may be misspelt, and then it says nothing.
void warnOfUnmatchedPure(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_COMMANDLINE_H
