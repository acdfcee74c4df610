// Each run has arguments of its own, also where the program takes them for itself
// or writes to them, and leaves nothing behind that another one would see.

// RUN: split-file %s %t
// RUN: pebble-run %t/step.mlir --json=%t/once.json
// RUN: pebble-run %t/step.mlir --repeat=3 --json=%t/more.json
// RUN: grep -v seconds %t/once.json > %t/once.txt
// RUN: grep -v seconds %t/more.json | diff %t/once.txt -
// RUN: pebble-run %t/step.mlir --opt-level=0 --json=%t/fast.json
// RUN: grep -v seconds %t/fast.json | diff %t/once.txt -
// RUN: mkdir %t/files
// RUN: pebble-run %t/step.mlir --repeat=3 --slow-dir=%t/files --json=%t/files.json
// RUN: grep -v seconds %t/files.json | diff %t/once.txt -
// RUN: rmdir %t/files
// RUN: FileCheck %s --check-prefix=REPORT < %t/more.json

// The trace is that of the last run, and begins with it.
// RUN: pebble-run %t/step.mlir --repeat=3 --trace=%t/trace.json --output-dir=%t/results
// RUN: %python -c "import json,sys; e = json.load(open(sys.argv[1])); assert sum(x['ph'] == 'b' for x in e) == 2, e; assert 0 <= e[0]['ts'] < e[-1]['ts'], e" %t/trace.json
// RUN: pebble-run %t/step.mlir --output-dir=%t/once && diff -r %t/once %t/results

// REPORT:      "peak_bytes": {
// REPORT-NEXT:   "ram": 8192,
// REPORT-NEXT:   "disk": 4096
// REPORT:      "moved_bytes": {
// REPORT-NEXT:   "ram->disk": 4096,
// REPORT-NEXT:   "disk->ram": 4096

// RUN: not pebble-run %t/counter.mlir --repeat=2 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: pebble-run %t/counter.mlir
// RUN: not pebble-run %t/once.mlir --repeat=2 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: ran before (in run 2 of 2)
// STATE: pebble-run: error: results differ from run to run: the program keeps a state

// RUN: not pebble-run %t/counter.mlir --repeat=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: for the --repeat option: '0' is not a whole number from 1 to 1000000

//--- step.mlir
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func @main(%a: tensor<1024xf32> {pebble.donated}, %m: memref<1024xf32>) -> tensor<1024xf32> {
    %away, %t = pebble.store %a : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"disk">>
    %there = pebble.wait %t for %away : tensor<1024xf32, #pebble.at<"disk">>
    linalg.add ins(%m, %m : memref<1024xf32>, memref<1024xf32>) outs(%m : memref<1024xf32>)
    %back, %u = pebble.load %there : tensor<1024xf32, #pebble.at<"disk">> -> tensor<1024xf32>
    %r = pebble.wait %u for %back : tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
}

//--- counter.mlir
memref.global "private" @count : memref<1xf32> = dense<0.0>
func.func @main(%out: memref<1xf32>) {
  %i = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %global = memref.get_global @count : memref<1xf32>
  %before = memref.load %global[%i] : memref<1xf32>
  %after = arith.addf %before, %one : f32
  memref.store %after, %global[%i] : memref<1xf32>
  memref.store %after, %out[%i] : memref<1xf32>
  return
}

//--- once.mlir
memref.global "private" @ran : memref<1xi1> = dense<false>
func.func @main() {
  %i = arith.constant 0 : index
  %true = arith.constant true
  %global = memref.get_global @ran : memref<1xi1>
  %before = memref.load %global[%i] : memref<1xi1>
  %is_first = arith.xori %before, %true : i1
  cf.assert %is_first, "ran before"
  memref.store %true, %global[%i] : memref<1xi1>
  return
}
