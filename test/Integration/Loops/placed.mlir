// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/placed.mlir --placed --options="slots=3 slow-slots=6"
// Steps that work in place allocate nothing, so that every buffer of the loop has a
// planned address, and what is kept compressed in the slower tier too. The gradient
// of the sum of x[40] by x[0], where x[i+1] = sin(max(x[i], 0)).
// RUN: %python %S/reverse.py %s --placed --options=slots=3 --options="slots=3 slow-slots=6" | FileCheck %s
// CHECK: slots=3: peak {'hbm': 24192}, extent {'hbm': 24192}, forward
// CHECK: slots=3 slow-slots=6: peak {'hbm': 24256, 'host': 24000}, extent {'hbm': 24256, 'host': 24000}, moved {'hbm->host': 68000, 'host->hbm': 92000}
// Half of a state is zero; what moves is no more than what was reserved.
// RUN: %python %S/reverse.py %s --placed --at-most --options="slots=3 slow-slots=6 slow-compress=bitmask slow-density-percent=60" | FileCheck %s --check-prefix=MASK
// MASK: peak {'hbm': 24256, 'host': 15168}, extent {'hbm': 24256, 'host': 15168}, moved {'hbm->host': 35853, 'host->hbm': 48507}
// Where it does not fit, the six dense slots of 4,032 bytes lie outside of the block.
// RUN: pebble-opt %s --pebble-checkpoint-loops="slots=3 slow-slots=6 slow-compress=bitmask slow-density-percent=10" --pebble-plan-addresses -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.json && FileCheck %s --check-prefix=FALLS < %t.json
// RUN: pebble-run %s --json=%t.plain.json
// RUN: %python -c "import json; a, b = (json.load(open(f)) for f in ('%t.json', '%t.plain.json')); assert a['results_sha256'] == b['results_sha256']"
// FALLS: "peak_bytes": {
// FALLS: "host": 27392
// FALLS: "extent_bytes": {
// FALLS: "host": 3200
// FALLS: "predicted_extent_bytes": {
// FALLS: "host": 3200
// FALLS: "fallbacks": {{[1-9]}}
// Of the states of four periods the first stays and the last is not kept: two move.
// RUN: %python %S/reverse.py %s --placed --at-most --options="schedule=periodic period=10 slots=9 slow-compress=bitmask slow-density-percent=100" | FileCheck %s --check-prefix=PERIODIC
// PERIODIC: peak {'hbm': 52352, 'host': 8000}, extent {'hbm': 52352, 'host': 8000}
// A step that allocates has no planned addresses, and a remark says so.
// RUN: %python %S/spiking.py --steps=20 --neurons=8 --inputs=4 > %t.spiking.mlir
// RUN: pebble-opt %t.spiking.mlir --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=none,bits" --pebble-plan-addresses --remarks-filter=pebble-plan-addresses -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: spiking.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: {{.*}}addresses are not planned: 'scf.for' allocates inside
#device = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>], name = "device">
#id = affine_map<(i) -> (i)>
module attributes {pebble.hierarchy = #device} {
  func.func @main(%x: tensor<1000xf32> {pebble.range = [-1.0, 1.0]}) -> (tensor<1000xf32>, tensor<1000xf32>) {
    %n = arith.constant 40 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<1000xf32>
    %a0 = linalg.fill ins(%one : f32) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
    %y, %dx = pebble.adjoint_loop %n states(%x : tensor<1000xf32>) adjoints(%a0 : tensor<1000xf32>) primal {
    ^bb0(%i: index, %s: tensor<1000xf32>):
      %next = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%s : tensor<1000xf32>) {
      ^bb0(%v: f32):
        %r = arith.maximumf %v, %zero : f32
        %t = math.sin %r : f32
        linalg.yield %t : f32
      } -> tensor<1000xf32>
      pebble.yield %next : tensor<1000xf32>
    } adjoint {
    ^bb0(%i: index, %s: tensor<1000xf32>, %a: tensor<1000xf32>):
      %da = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<1000xf32>) outs(%a : tensor<1000xf32>) {
      ^bb0(%v: f32, %d: f32):
        %r = arith.maximumf %v, %zero : f32
        %c = math.cos %r : f32
        %is = arith.cmpf ogt, %v, %zero : f32
        %p = arith.mulf %c, %d : f32
        %t = arith.select %is, %p, %zero : f32
        linalg.yield %t : f32
      } -> tensor<1000xf32>
      pebble.yield %da : tensor<1000xf32>
    }
    return %y, %dx : tensor<1000xf32>, tensor<1000xf32>
  }
}
