// Costs are measured, kept, and used.
// RUN: rm -rf %t && mkdir -p %t/slow
// RUN: pebble-run %s --profile=%t/costs.json --slow-dir=%t/slow --quiet --json=%t/plain.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=COSTS < %t/costs.json
// COSTS: "format": "pebble-costs",
// COSTS-NEXT: "version": 1,
// COSTS: "cpu": "{{.+}}",
// COSTS-NEXT: "fingerprint": "{{[0-9a-f]+}}"
// COSTS: "name": "red",
// COSTS-NEXT: "backing": "memory",
// COSTS: "name": "blue",
// COSTS-NEXT: "backing": "file",
// COSTS-NEXT: "store": {
// COSTS-NEXT: "bandwidth": {{[1-9][0-9]*}},
// COSTS-NEXT: "latency": {{[1-9][0-9]*}}
// Of two equal operations one is measured; the copy of another shape as well.
// COSTS: "op": "linalg.exp",
// COSTS: "shape": "tensor<1000xf32>, tensor<1000xf32> -> tensor<1000xf32> new",
// COSTS-NEXT: "operations": 10000,
// COSTS-NEXT: "bytes": 8000,
// COSTS-NEXT: "nanoseconds": {{[1-9][0-9]*}},
// COSTS-NOT: "op": "linalg.exp"
// COSTS: "op": "linalg.add",
// COSTS: "shape": "tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32> -> tensor<1000xf32>",
// COSTS-NOT: "op"

// The run predicts its time from them; without costs it does not.
// RUN: FileCheck %s --check-prefix=PLAIN < %t/plain.json
// PLAIN-NOT: predicted_seconds
// RUN: pebble-run %s --costs=%t/costs.json --slow-dir=%t/slow --json=%t/run.json
// RUN: FileCheck %s --check-prefix=PREDICTED < %t/run.json
// PREDICTED: "predicted_seconds": {{[0-9.e-]+}},
// PREDICTED-NEXT: "predicted_stall_seconds": {{[0-9.e-]+}},

// Figures that can be checked: exp takes 700 ns, add 300, a transfer of 4000
// bytes 5000 and room for it 500.
// RUN: %python %S/Inputs/set-costs.py %t/costs.json linalg.exp=700 linalg.add=300 red=9:9 blue=1000:1000 > %t/set.json
// RUN: pebble-run %s --costs=%t/set.json --slow-dir=%t/slow --no-overlap --json=%t/set-run.json
// RUN: FileCheck %s --check-prefix=SET < %t/set-run.json
// SET: "predicted_seconds": {{1[.]30*[0-9]?e-05|1[.]29+[0-9]*e-05}}
// SET-NEXT: "predicted_stall_seconds": {{1([.]0+[0-9]*)?e-05|9[.]9+[0-9]*e-06}}

// Two steps of exp, two additions, and the two transfers that the program makes.
// RUN: pebble-opt %s --pebble-schedule="objective=time budget-bytes=100000 costs=%t/set.json" --remarks-filter=pebble-schedule -o %t/planned.mlir 2> %t/remarks.txt
// RUN: FileCheck %s --check-prefix=TIME < %t/planned.mlir
// TIME-LABEL: func.func @main
// TIME-SAME: cost = 12000 : i64
// TIME-LABEL: func.func @given
// TIME-SAME: cost = 42 : i64
// TIME-LABEL: func.func @larger
// TIME-SAME: cost = 1400 : i64
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks.txt
// REMARK-NOT: Remark="linalg.{{.*}} was not measured
// REMARK: Remark="linalg.exp larger was not measured; its time is scaled from the same operation on tensor<1000xf32>, tensor<1000xf32> -> tensor<1000xf32> new

// The same as an option of the tool, for every pass.
// RUN: pebble-opt %s --pebble-costs=%t/set.json --pebble-schedule="objective=time budget-bytes=100000" | FileCheck %s --check-prefix=TIME

// A profile grows: what is known is not measured again, what is not is added.
// RUN: pebble-run %s --entry=larger --costs=%t/set.json --profile=%t/grown.json
// RUN: FileCheck %s --check-prefix=GROWN < %t/grown.json
// GROWN: "op": "linalg.exp",
// GROWN: "nanoseconds": 700,
// GROWN: "op": "linalg.add",
// GROWN: "nanoseconds": 300,
// GROWN: "op": "linalg.exp",
// GROWN: "shape": "tensor<2000xf32>

// Costs of another machine are used, with a warning.
// RUN: sed 's/"cpu": ".*"/"cpu": "Z80"/' %t/set.json > %t/foreign.json
// RUN: pebble-opt %s --pebble-schedule="objective=time budget-bytes=100000 costs=%t/foreign.json" -o %t/foreign.mlir 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: FileCheck %s --check-prefix=TIME < %t/foreign.mlir
// RUN: pebble-run %s --costs=%t/foreign.json 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: warning: the costs in '{{.*}}foreign.json' were measured on another machine ('Z80'), this one is '{{.+}}'

// RUN: not pebble-opt %s --pebble-schedule="objective=time budget-bytes=100000 costs=%s" 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not pebble-run %s --costs=%s 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: error: costs in '{{.*}}profile.mlir': {{.+}}
// RUN: not pebble-run %s --costs=%t/nowhere.json 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: cannot read costs from '{{.*}}nowhere.json': No such file or directory
// RUN: sed 's/"version": 1/"version": 2/' %t/costs.json > %t/newer.json
// RUN: not pebble-run %s --costs=%t/newer.json 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: costs in '{{.*}}newer.json': version 2, and this is version 1; measure again with pebble-run --profile
// RUN: ls %t/slow | count 0

// What cannot be run by itself on made-up data is named.
// RUN: pebble-run %s --entry=depends --profile=%t/depends.json 2>&1 | FileCheck %s --check-prefix=SKIPPED
// SKIPPED: note: 'scf.for' was not measured: a loop that depends on the data
// SKIPPED: note: 'linalg.generic' was not measured: a division by integers of the data
// SKIPPED-NOT: note
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
    %d = tensor.empty() : tensor<1000xf32>
    %y = linalg.exp ins(%x : tensor<1000xf32>) outs(%d : tensor<1000xf32>) -> tensor<1000xf32>
    %z = linalg.exp ins(%y : tensor<1000xf32>) outs(%d : tensor<1000xf32>) -> tensor<1000xf32>
    %away, %t = pebble.store %z : tensor<1000xf32> -> tensor<1000xf32, #pebble.at<"blue">>
    %there = pebble.wait %t for %away : tensor<1000xf32, #pebble.at<"blue">>
    %back, %u = pebble.load %there : tensor<1000xf32, #pebble.at<"blue">> -> tensor<1000xf32>
    %again = pebble.wait %u for %back : tensor<1000xf32>
    %s = linalg.add ins(%z, %again : tensor<1000xf32>, tensor<1000xf32>) outs(%again : tensor<1000xf32>) -> tensor<1000xf32>
    %r = linalg.add ins(%y, %s : tensor<1000xf32>, tensor<1000xf32>) outs(%s : tensor<1000xf32>) -> tensor<1000xf32>
    return %r : tensor<1000xf32>
  }
  func.func @given(%x: tensor<1000xf32>) -> tensor<1000xf32> {
    %d = tensor.empty() : tensor<1000xf32>
    %y = linalg.exp {pebble.cost = 42 : i64} ins(%x : tensor<1000xf32>) outs(%d : tensor<1000xf32>) -> tensor<1000xf32>
    return %y : tensor<1000xf32>
  }
  func.func @larger(%x: tensor<2000xf32>) -> tensor<2000xf32> {
    %d = tensor.empty() : tensor<2000xf32>
    %y = linalg.exp {pebble.name = "larger"} ins(%x : tensor<2000xf32>) outs(%d : tensor<2000xf32>) -> tensor<2000xf32>
    return %y : tensor<2000xf32>
  }
  func.func @depends(%n: index, %x: tensor<8xf32>, %i: tensor<8xi32> {pebble.range = [1, 9]}) -> (tensor<8xf32>, tensor<8xi32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %e = tensor.empty() : tensor<8xf32>
    %r = scf.for %k = %zero to %n step %one iter_args(%a = %x) -> tensor<8xf32> {
      %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %b : tensor<8xf32>
    }
    %j = tensor.empty() : tensor<8xi32>
    %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%i : tensor<8xi32>) outs(%j : tensor<8xi32>) {
    ^bb0(%a: i32, %o: i32):
      %d = arith.divsi %a, %a : i32
      linalg.yield %d : i32
    } -> tensor<8xi32>
    return %r, %q : tensor<8xf32>, tensor<8xi32>
  }
}
