// What becomes of addresses that do not hold: planned again where the function
// is known to have changed since, refused where it has not.
// RUN: pebble-opt %s --pebble-renew-addresses --split-input-file --verify-diagnostics | FileCheck %s
// RUN: pebble-opt %s --pebble-renew-addresses --split-input-file --remarks-filter=pebble-renew-addresses 2>&1 | FileCheck %s --check-prefix=REMARK
// The way down does the same.
// RUN: pebble-opt %s --pebble-to-llvm --split-input-file --verify-diagnostics
// Where they are as the plan left them, a wrong offset is an error.
// RUN: pebble-opt %s --split-input-file --pebble-plan-addresses | sed 's/{pebble.offset = 64/{pebble.offset = 0/' > %t.wrong
// RUN: not pebble-opt %t.wrong --split-input-file --pebble-renew-addresses 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not pebble-opt %t.wrong --split-input-file --pebble-to-llvm 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: [D44] a buffer of 64 bytes at offset 0 of tier 'default' overlaps another one that is live at the same time
// WRONG-NOT: pebble-renew-addresses

// They hold, whatever they were planned for. What ended last is gone.
// CHECK-LABEL: func @they_hold
// CHECK-SAME: %{{.*}}: tensor<16xf32> {{{.*}}pebble.offset = 64 : i64}
// CHECK-SAME: pebble.extent = {default = 256 : i64}, pebble.lives = "{{[0-9a-f]+}}"
// CHECK: bufferization.alloc_tensor() {pebble.offset = 192 : i64}
func.func @they_hold(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 1024 : i64}, pebble.lives = "others"} {
  %d = bufferization.alloc_tensor() {pebble.offset = 192 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// A destination that nobody writes any more has no place: the others hold, and
// end before it.
// CHECK-LABEL: func @nobody_writes
// CHECK-SAME: pebble.extent = {default = 128 : i64}
// CHECK: bufferization.alloc_tensor() {pebble.offset = 64 : i64}
// CHECK: bufferization.alloc_tensor() : tensor<16xf32>
func.func @nobody_writes(%x: tensor<16xf32> {pebble.offset = 0 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 192 : i64}, pebble.lives = "others"} {
  %d = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
  %e = bufferization.alloc_tensor() {pebble.offset = 128 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// As the program's author wrote it.
// CHECK-LABEL: func @as_written
// CHECK-SAME: attributes {pebble.extent = {default = 1024 : i64}} {
func.func @as_written(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 1024 : i64}} {
  %d = bufferization.alloc_tensor() {pebble.offset = 192 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// Two that overlap, and one that has no place, fit where the others were.
// CHECK-LABEL: func @planned_again
// CHECK-SAME: pebble.extent = {default = 192 : i64}, pebble.lives = "{{[0-9a-f]+}}"
// CHECK: bufferization.alloc_tensor() {pebble.offset = {{[0-9]+}} : i64}
// CHECK: bufferization.alloc_tensor() {pebble.offset = {{[0-9]+}} : i64}
// REMARK: remark: {{.*}}the buffers in tier 'default' take 192 bytes as one block, 192 are live at one time
func.func @planned_again(%x: tensor<16xf32> {pebble.offset = 0 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 192 : i64}, pebble.lives = "others"} {
  %d = bufferization.alloc_tensor() {pebble.offset = 0 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %e = bufferization.alloc_tensor() : tensor<16xf32>
  %z = linalg.add ins(%y, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}

// -----

// A budget may have rested on what was planned.
// CHECK-LABEL: func @takes_more
// CHECK-SAME: pebble.extent = {default = 192 : i64}
// CHECK-SAME: pebble.result = {extent_bytes = 192 : i64, status = "feasible"}
// expected-warning@+1 {{the buffers in tier 'default' take 192 bytes as one block, and 128 were planned: the function has changed since}}
func.func @takes_more(%x: tensor<16xf32> {pebble.offset = 0 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 128 : i64}, pebble.lives = "others",
                pebble.result = {extent_bytes = 128 : i64, status = "feasible"}} {
  %d = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %e = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
  %z = linalg.add ins(%y, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}

// -----

// Where there is no more telling which buffers there will be, all offsets go.
// CHECK-LABEL: func @no_longer_planned(
// CHECK-NOT: pebble.offset
// CHECK-NOT: pebble.extent
// CHECK-NOT: pebble.lives
// CHECK: pebble.result = {status = "feasible"}
// CHECK: return
// REMARK: remark: {{.*}}addresses are not planned: 'scf.for' allocates inside
func.func @no_longer_planned(%x: memref<16xf32> {pebble.offset = 0 : i64}, %n: index)
    attributes {pebble.extent = {default = 128 : i64}, pebble.lives = "others",
                pebble.result = {extent_bytes = 128 : i64, status = "feasible"}} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() {pebble.offset = 64 : i64} : memref<16xf32>
  scf.for %i = %zero to %n step %one {
    %b = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    linalg.abs ins(%b : memref<16xf32>) outs(%a : memref<16xf32>)
    memref.dealloc %b : memref<16xf32>
  }
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
