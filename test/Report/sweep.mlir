// What each budget costs, of every function with a body or of one.
// RUN: pebble-report %s --sweep --sweep-points=3 -o %t.dir | FileCheck %s
// RUN: %python -c "import sys, xml.dom.minidom as m; print(len(m.parse(sys.argv[1]).getElementsByTagName('circle')))" %t.dir/main.sweep.svg | FileCheck %s --check-prefix=MARKS
// RUN: pebble-report %s --sweep --sweep-points=3 --json --function=main | %python -m json.tool | FileCheck %s --check-prefix=JSON
// Each budget is one that planning meets at that cost, and less than the first
// one is not.
// RUN: pebble-opt %s --pebble-schedule=budget=12352 | FileCheck %s --check-prefix=LEAST
// RUN: pebble-opt %s --pebble-schedule=budget=14368 | FileCheck %s --check-prefix=LEAST
// RUN: not pebble-opt %s --pebble-schedule=budget=12351 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not pebble-report %s %s --sweep 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not pebble-report %s --sweep --function=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not pebble-report %s --sweep --sweep-points=1 2>&1 | FileCheck %s --check-prefix=POINTS
// RUN: not pebble-report %s --sweep --time-limit-ms=-1 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not pebble-report %s --sweep --objective=energy 2>&1 | FileCheck %s --check-prefix=ENERGY

// CHECK: @main
// CHECK-NEXT: budget of peak
// CHECK-NEXT: 12352   75.4%                34912   +41.50%                34912  {{.*}}, optimal
// CHECK-NEXT: 14368   87.7%                34912   +41.50%                34912  {{.*}}, optimal{{$}}
// CHECK-NEXT: 16384  100.0%                24672    +0.00%                24672  given, optimal
// CHECK-NEXT: nothing fits in a smaller budget (proven)
// CHECK: @plain
// CHECK: 128  100.0%                   16    +0.00%                   16  given, optimal
// MARKS: 3
// JSON: "main": {
// JSON-NEXT: "given_peak": 16384,
// JSON-NEXT: "once": 24672,
// JSON-NEXT: "least_budget": 12352,
// JSON-NEXT: "least_is_proven": true,
// A curve that nowhere lies below the line between its ends has no knee.
// JSON-NEXT: "knee_budget": null,
// JSON-NOT: plain
// LEAST: cost = 34912 : i64
// LESS: error: no schedule fits in the budget of 12351 bytes; the smallest feasible budget is 12352 bytes (proven)
// TWO: error: a sweep is of one file
// NOBODY: error: no function is named 'nobody'
// POINTS: '1' is not a whole number from 2 to 10000
// TIME: error: 'time-limit-ms' takes a whole number from 0 to 9223372036854775807, got -1
// ENERGY: error: an energy objective needs a memory hierarchy with energies

func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

func.func @plain(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

func.func private @elsewhere(tensor<16xf32>) -> tensor<16xf32>
