//===- Formats.h - reports as tables and JSON -------------------*- C++ -*-===//

#ifndef PEBBLE_REPORT_FORMATS_H
#define PEBBLE_REPORT_FORMATS_H

#include "pebble/Report/Comparison.h"

#include "llvm/Support/JSON.h"

namespace pebble {

/// The object documented in docs/Reports.md. What does not apply is null; tiers
/// stand in their order, the compute tier first among peaks.
void writeJson(llvm::json::OStream &out, const FunctionReport &report);
/// `{"before": ..., "after": ..., "change": ...}`.
void writeJson(llvm::json::OStream &out, const Comparison &comparison);

void printTable(llvm::raw_ostream &os, const FunctionReport &report);
/// Both and the differences, side by side.
void printTable(llvm::raw_ostream &os, const Comparison &comparison);

} // namespace pebble

#endif // PEBBLE_REPORT_FORMATS_H
