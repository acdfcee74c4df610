//===- Trace.h - a program as a Chrome/Perfetto trace -----------*- C++ -*-===//

#ifndef PEBBLE_REPORT_TRACE_H
#define PEBBLE_REPORT_TRACE_H

#include "pebble/Report/FunctionReport.h"

namespace pebble {

/// Writes trace events that chrome://tracing and ui.perfetto.dev open: a slice
/// for each step, a counter of live bytes by role for each tier, and each
/// storage's life as an asynchronous slice. One step takes one microsecond.
void writeTrace(llvm::raw_ostream &os, const FunctionReport &report);

} // namespace pebble

#endif // PEBBLE_REPORT_TRACE_H
