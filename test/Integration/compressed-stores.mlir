// Values that are stored compressed come back as they were; what moves and what
// is live is predicted where they fit.
// RUN: pebble-run %s --json=%t.json && FileCheck %s < %t.json
// RUN: mkdir -p %t.dir
// RUN: pebble-run %s --slow-dir=%t.dir --json=%t.json && FileCheck %s < %t.json
// RUN: pebble-run %s --no-overlap --poison --json=%t.json && FileCheck %s < %t.json
// RUN: sed 's/, compress = [a-z]*\(, density_percent = [0-9]*\)\?//' %s > %t.mlir
// RUN: pebble-run %t.mlir --json=%t.plain.json && FileCheck %s --check-prefix=PLAIN < %t.plain.json
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ('%t.json', '%t.plain.json')); assert a['results_sha256'] == b['results_sha256']"
// A mask of 1000 f32 in bits takes 125 bytes; a tenth of 1000 f64 takes 125 and
// 800 bytes, of which 792 are there.
// CHECK:      "moved_bytes": {
// CHECK-NEXT:   "hbm->host": 1042,
// CHECK-NEXT:   "host->hbm": 1042
// CHECK:      "predicted_peak_bytes": {
// CHECK:        "host": 1088
// CHECK:      "predicted_moved_bytes": {
// CHECK-NEXT:   "hbm->host": 1050,
// CHECK-NEXT:   "host->hbm": 1050
// CHECK:      "compressed": {
// CHECK-NEXT:   "stores": 2,
// CHECK-NEXT:   "loads": 2,
// CHECK-NEXT:   "dense_bytes": 24000,
// CHECK-NEXT:   "moved_bytes": 2084,
// CHECK-NEXT:   "fallbacks": 0
// PLAIN:      "hbm->host": 12000
// PLAIN-NOT:  compressed
// With a density of 1% the sparse value takes a dense slot beside its own.
// RUN: sed 's/density_percent = 10/density_percent = 1/' %s > %t.mlir
// RUN: pebble-run %t.mlir --json=%t.json && FileCheck %s --check-prefix=DENSER < %t.json
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ('%t.json', '%t.plain.json')); assert a['results_sha256'] == b['results_sha256']"
// DENSER: "host": 8384
// DENSER: "hbm->host": 8125
// DENSER: "fallbacks": 1
// Each has its place where addresses are planned; a dense slot is outside.
// RUN: pebble-opt %S/compressed-stores.mlir --pebble-plan-addresses -o %t.placed.mlir
// RUN: pebble-opt %t.placed.mlir --pebble-to-llvm | FileCheck %s --check-prefix=PLACES
// RUN: pebble-run %t.placed.mlir --poison --json=%t.json && FileCheck %s --check-prefix=PLACED < %t.json
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ('%t.json', '%t.plain.json')); assert a['results_sha256'] == b['results_sha256']; assert a['extent_bytes'] == a['predicted_extent_bytes']"
// RUN: pebble-run %t.placed.mlir --slow-dir=%t.dir --json=%t.json && FileCheck %s --check-prefix=PLACED < %t.json
// RUN: pebble-opt %t.mlir --pebble-plan-addresses -o %t.placed.mlir
// RUN: pebble-run %t.placed.mlir --poison --json=%t.json
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ('%t.json', '%t.plain.json')); assert a['results_sha256'] == b['results_sha256']; assert a['extent_bytes'] == a['predicted_extent_bytes']; assert a['peak_bytes']['host'] == 8384"
// PLACES-COUNT-2: llvm.call @pebble_rt_alloc_compressed_at
// PLACED:      "peak_bytes": {
// PLACED:        "host": 1088
// PLACED:      "extent_bytes": {
// PLACED:        "host": 1088
// A tier without room for it stops the program.
// RUN: sed 's/"host", kind = explicit/"host", kind = explicit, capacity = 4000/' %t.mlir > %t.full.mlir
// RUN: not pebble-run %t.full.mlir 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: cannot store buffer {{[0-9]+}} 'sparse' of 205 bytes in tier 'host': it does not fit into its compressed slot, and tier 'host' is full: capacity 4000 bytes, live 384 bytes, requested 8000 bytes; buffer {{[0-9]+}} of 8000 bytes in tier 'hbm' still holds it
#device = #pebble.hierarchy<[
  <"hbm", kind = explicit, read = 160000, write = 160000>,
  <"host", kind = explicit, read = 640000, write = 640000>
], name = "device">
module attributes {pebble.hierarchy = #device} {
  func.func @main(%x: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf64>) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %zerod = arith.constant 0.0 : f64
    %minus = arith.constant -0.0 : f64
    %99 = arith.constant 99 : index
    %10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<1000xf32>
    %d = tensor.empty() : tensor<1000xf64>
    %mask = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
    ^bb0(%a: f32, %o: f32):
      %is = arith.cmpf ogt, %a, %half : f32
      %1 = arith.select %is, %one, %zero : f32
      linalg.yield %1 : f32
    } -> tensor<1000xf32>
    // Every tenth element but the first is -0.0 or a number.
    %sparse = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%d : tensor<1000xf64>) attrs = {pebble.name = "sparse"} {
    ^bb0(%o: f64):
      %i = linalg.index 0 : index
      %r = arith.remui %i, %10 : index
      %c0 = arith.constant 0 : index
      %tenth = arith.cmpi eq, %r, %c0 : index
      %i32 = arith.index_cast %i : index to i32
      %n = arith.sitofp %i32 : i32 to f64
      %third = arith.constant 300 : index
      %late = arith.cmpi ugt, %i, %third : index
      %v = arith.select %late, %minus, %n : f64
      %1 = arith.select %tenth, %v, %zerod : f64
      linalg.yield %1 : f64
    } -> tensor<1000xf64>
    %copy, %t = pebble.store %mask : tensor<1000xf32> -> tensor<1000xf32, #pebble.at<"host", compress = bits>>
    %away = pebble.wait %t for %copy : tensor<1000xf32, #pebble.at<"host", compress = bits>>
    %copy2, %t2 = pebble.store %sparse : tensor<1000xf64> -> tensor<1000xf64, #pebble.at<"host", compress = bitmask, density_percent = 10>>
    %away2 = pebble.wait %t2 for %copy2 : tensor<1000xf64, #pebble.at<"host", compress = bitmask, density_percent = 10>>
    pebble.drop %mask : tensor<1000xf32>
    pebble.drop %sparse : tensor<1000xf64>
    %back, %u = pebble.load %away : tensor<1000xf32, #pebble.at<"host", compress = bits>> -> tensor<1000xf32>
    %m = pebble.wait %u for %back : tensor<1000xf32>
    %back2, %u2 = pebble.load %away2 : tensor<1000xf64, #pebble.at<"host", compress = bitmask, density_percent = 10>> -> tensor<1000xf64>
    %s = pebble.wait %u2 for %back2 : tensor<1000xf64>
    return %m, %s : tensor<1000xf32>, tensor<1000xf64>
  }
}
