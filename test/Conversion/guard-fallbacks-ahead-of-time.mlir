// Any caller of a compiled object gets the schedule that its data calls for: the
// plan up to the bound, at its peak, and the leanest one above. Results are
// those of the program before it was planned, to the bit.

// UNSUPPORTED: sanitized
// RUN: sed 's/func.func @main(\(.*\)) -> tensor<?xf32> {/func.func @step(\1) -> tensor<?xf32> attributes {llvm.emit_c_interface} {/' %S/../Transforms/schedule-fallback.mlir > %t.step.mlir
// RUN: sed 's/@step/@unplanned/' %t.step.mlir > %t.unplanned.mlir
// RUN: pebble-opt %t.unplanned.mlir --symbol-dce --canonicalize --pebble-to-llvm | mlir-translate --mlir-to-llvmir | llc -O2 -filetype=obj -relocation-model=pic -o %t.unplanned.o
// RUN: pebble-opt %t.step.mlir --symbol-dce --pebble-schedule="budget-percent=95 dim-bound=64" --canonicalize -o %t.planned.mlir
// RUN: FileCheck %s --input-file=%t.planned.mlir --check-prefix=PLAN
// RUN: pebble-opt %t.planned.mlir --pebble-to-llvm | mlir-translate --mlir-to-llvmir | llc -O2 -filetype=obj -relocation-model=pic -o %t.o
// RUN: %cxx -std=c++17 -I%pebble_source/include %S/Inputs/fallback.cpp %t.o %t.unplanned.o -L%pebble_lib -lpebble_runtime -Wl,-rpath,%pebble_lib -o %t.exe
// RUN: %t.exe 32 64 65 96 2> %t.notes | FileCheck %s
// RUN: FileCheck %s --input-file=%t.notes --check-prefix=NOTES --match-full-lines

// Bytes at 64.
// PLAN: func.func @step(
// PLAN-SAME: input_peak_bytes = 2816 : i64, peak_bytes = 2560 : i64
// PLAN: func.func private @step.leanest(
// PLAN-SAME: input_peak_bytes = 2816 : i64, peak_bytes = 2304 : i64

// What pebble-run predicts for each size.
// CHECK: size 32 peak 1280 equal
// CHECK-NEXT: size 64 peak 2560 equal
// CHECK-NEXT: size 65 peak 2496 equal
// CHECK-NEXT: size 96 peak 3456 equal

// NOTES-NOT: {{.}}
// NOTES: pebble runtime: note: a dimension of 65 is over the bound of 64 that the plan of 'step' rests on: running the leanest, 'step.leanest'
// NOTES-NEXT: pebble runtime: note: a dimension of 96 is over the bound of 64 that the plan of 'step' rests on: running the leanest, 'step.leanest'
// NOTES-NOT: {{.}}
