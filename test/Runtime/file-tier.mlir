// Arguments and results in a tier of files, and what can go wrong.
// RUN: rm -rf %t && mkdir -p %t/slow
// RUN: pebble-run %s --json=%t/memory.json --output-dir=%t/memory
// RUN: pebble-run %s --json=%t/files.json --output-dir=%t/files --slow-dir=%t/slow --poison
// RUN: pebble-run %s --json=%t/plain.json --output-dir=%t/plain --slow-dir=%t/slow --no-overlap
// RUN: diff -r %t/memory %t/files && diff -r %t/memory %t/plain
// RUN: FileCheck %s --input-file=%t/files.json
// RUN: FileCheck %s --input-file=%t/plain.json
// CHECK: "peak_bytes": {
// CHECK-NEXT: "red": 8064,
// CHECK-NEXT: "blue": 8064
// CHECK: "moved_bytes": {
// CHECK-NEXT: "red->blue": 4000,
// CHECK-NEXT: "blue->red": 4000
// CHECK: "predicted_peak_bytes": {
// CHECK-NEXT: "red": 8064,
// CHECK-NEXT: "blue": 8064
// CHECK: "transfer_seconds": {{[0-9.e-]+}},
// CHECK-NEXT: "stall_seconds": {{[0-9.e-]+}}

// Where nothing runs beside the program, all of every transfer is a stall.
// RUN: %python -c "import json,sys; r = json.load(open(sys.argv[1])); assert r['transfer_seconds'] == r['stall_seconds'] > 0" %t/plain.json

// The trace shows when bytes moved.
// RUN: pebble-run %s --trace=%t/trace.json --slow-dir=%t/slow && FileCheck %s --check-prefix=TRACE < %t/trace.json
// TRACE: "dur":{{[0-9.e-]+}},"ph":"X","name":"blue->red"

// Files may be asked for of single tiers.
// RUN: pebble-run %s --slow-dir=%t/slow --file-tier=blue
// RUN: not pebble-run %s --slow-dir=%t/slow --file-tier=red 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: error: --file-tier=red: no explicit tier behind the compute tier is called so
// RUN: not pebble-run %s --file-tier=blue 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: error: --file-tier needs --slow-dir

// A tier can be as slow as the hierarchy says.
// RUN: pebble-run %s --pace --json=%t/slow.json
// RUN: %python -c "import json,sys; r = json.load(open(sys.argv[1])); assert r['transfer_seconds'] >= 0.021" %t/slow.json

// What cannot be written is named.
// RUN: not env sh -c 'ulimit -f 2; pebble-run %s --slow-dir=%t/slow' 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: argument 0: cannot store buffer 0 'argument 0' of 4000 bytes in tier 'blue': cannot write {{.*}}/slow/pebble-{{.*}}/blue-0, bytes 0 to 4000: File too large
// RUN: not env sh -c 'ulimit -f 6; pebble-run %s --entry=grows --slow-dir=%t/slow' 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: cannot store buffer {{[0-9]+}} 'y' of 8000 bytes in tier 'blue': cannot write {{.*}}blue-{{[0-9]+}}, bytes 0 to 8000: File too large; buffer {{[0-9]+}} of 8000 bytes in tier 'red' still holds it

// Before the run: no directory, or no room in it.
// RUN: not pebble-run %s --slow-dir=%t/nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: --slow-dir: cannot make a directory {{.*}}nowhere/pebble-{{.*}}: No such file or directory
// RUN: not pebble-run %s --slow-dir=/dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: --slow-dir: cannot make a directory /dev/null/pebble-{{.*}}: Not a directory
// Nor one that may not be written; root may, unless it gives that up.
// RUN: mkdir -p %t/sealed && chmod 555 %t/sealed
// RUN: not env sh -c 'if [ $(id -u) = 0 ]; then exec setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search "$0" "$@"; fi; exec "$0" "$@"' pebble-run %s --slow-dir=%t/sealed 2>&1 | FileCheck %s --check-prefix=SEALED
// SEALED: error: --slow-dir: cannot make a directory {{.*}}sealed/pebble-{{.*}}: Permission denied
// RUN: not pebble-run %s --entry=huge --slow-dir=%t/slow 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: --slow-dir: the program keeps 4000000000000000 bytes in files, and there is room for {{[0-9]+}} in {{.*}}slow

// A copy within a slower tier is the runtime's business, too, and no move.
// RUN: pebble-run %s --entry=copies --json=%t/copies.json --output-dir=%t/copies --slow-dir=%t/slow
// RUN: pebble-run %s --entry=copies --output-dir=%t/copies-memory && diff -r %t/copies %t/copies-memory
// RUN: FileCheck %s --check-prefix=COPIES < %t/copies.json
// COPIES: "moved_bytes": {},

// Operations do not reach into slower tiers, whatever stands behind them.
// RUN: not pebble-run %s --entry=reaches 2>&1 | FileCheck %s --check-prefix=REACHES
// REACHES: file-tier.mlir:[[#@LINE+46]]:8: error: an operation reads and writes the compute tier alone, and this one has an operand in tier 'blue'; bring it there by pebble.load

// No run leaves anything behind, also if it fails, crashes or is interrupted.
// RUN: not pebble-run %s --entry=crashes --slow-dir=%t/slow 2>&1 | FileCheck %s --check-prefix=CRASH
// CRASH: the program crashed (signal SIGFPE)
// RUN: not timeout -s INT 1 pebble-run %s --entry=waits --slow-dir=%t/slow --pace
// RUN: ls %t/slow | count 0
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"red", kind = explicit>, <"blue", kind = explicit, bandwidth = 8, latency = 10000000>]>} {
  func.func @main(%x: tensor<1000xf32, #pebble.at<"blue">>) -> (tensor<1000xf32>, tensor<1000xf32, #pebble.at<"blue">>) {
    %near, %t = pebble.load %x : tensor<1000xf32, #pebble.at<"blue">> -> tensor<1000xf32>
    %a = pebble.wait %t for %near : tensor<1000xf32>
    %d = tensor.empty() : tensor<1000xf32>
    %y = linalg.exp ins(%a : tensor<1000xf32>) outs(%d : tensor<1000xf32>) -> tensor<1000xf32>
    pebble.drop %a : tensor<1000xf32>
    %away, %u = pebble.store %y : tensor<1000xf32> -> tensor<1000xf32, #pebble.at<"blue">>
    %there = pebble.wait %u for %away : tensor<1000xf32, #pebble.at<"blue">>
    return %y, %there : tensor<1000xf32>, tensor<1000xf32, #pebble.at<"blue">>
  }
  func.func @grows(%x: tensor<2000xf32>) -> tensor<2000xf32> {
    %d = tensor.empty() : tensor<2000xf32>
    %y = linalg.exp {pebble.name = "y"} ins(%x : tensor<2000xf32>) outs(%d : tensor<2000xf32>) -> tensor<2000xf32>
    %away, %u = pebble.store %y : tensor<2000xf32> -> tensor<2000xf32, #pebble.at<"blue">>
    %there = pebble.wait %u for %away : tensor<2000xf32, #pebble.at<"blue">>
    pebble.drop %there : tensor<2000xf32, #pebble.at<"blue">>
    return %y : tensor<2000xf32>
  }
  func.func @copies(%a: memref<8xf32, #pebble.at<"blue">>, %b: memref<8xf32, #pebble.at<"blue">>) {
    memref.copy %a, %b : memref<8xf32, #pebble.at<"blue">> to memref<8xf32, #pebble.at<"blue">>
    return
  }
  func.func @waits(%x: memref<10000000xf32>, %y: memref<10000000xf32, #pebble.at<"blue">>) {
    %t = pebble.store %x into %y : memref<10000000xf32> -> memref<10000000xf32, #pebble.at<"blue">>
    pebble.wait %t
    return
  }
  func.func @huge(%x: tensor<1000000000000000xf32, #pebble.at<"blue">>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %z = math.exp %y : tensor<4xf32>
    return %z : tensor<4xf32>
  }
  func.func @crashes(%x: tensor<4xf32, #pebble.at<"blue">>, %n: i32, %zero: i32 {pebble.range = [0, 1]}) -> i32 {
    %r = arith.divsi %n, %zero : i32
    return %r : i32
  }
  func.func @reaches(%x: tensor<4xf32, #pebble.at<"blue">>) -> tensor<4xf32> {
    %d = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32, #pebble.at<"blue">>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
