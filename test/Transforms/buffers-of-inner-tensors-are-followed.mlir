// A buffer that shows a tensor of a region, or one that a loop hands out, leads
// to the storage where that tensor is: not to what the tensor was computed of,
// and not to what the loop began with. Otherwise copies that are made on the way
// look like other programs, and buffers that are handed out are not counted.
// RUN: pebble-opt %s --pebble-order-operations=objective=peak | FileCheck %s
// RUN: pebble-run %s --entry=shown_behind_a_loop --seed=3 --json=%t.json
// RUN: pebble-run %s --entry=written_in_a_loop --seed=3 --json=%t.before
// RUN: pebble-opt %s --pebble-order-operations=objective=peak | pebble-run - --entry=written_in_a_loop --seed=3 --json=%t.after
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: grep -F -f %t.hash %t.after
// RUN: pebble-run %s --entry=handed_out --seed=3 --json=%t.peaks
// RUN: FileCheck %s --check-prefix=PEAK < %t.peaks

// CHECK-LABEL: func @shown_behind_a_loop
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() copy(%arg2)
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() copy(%arg2)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
func.func @shown_behind_a_loop(%p: i1, %n: index, %t: tensor<16xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<16xi32>, tensor<16xi32>) {
    %next = tensor.insert %seven into %a[%i] : tensor<16xi32>
    scf.yield %b, %next : tensor<16xi32>, tensor<16xi32>
  }
  %w = scf.if %p -> i32 {
    scf.yield %seven : i32
  } else {
    %e = tensor.empty() : tensor<16xi32>
    %s = linalg.add ins(%r#0, %r#1 : tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<16xi32>) -> tensor<16xi32>
    %m = bufferization.to_buffer %s read_only : tensor<16xi32> to memref<16xi32>
    %l = memref.load %m[%c0] : memref<16xi32>
    scf.yield %l : i32
  }
  return %w : i32
}

// What the loop writes is its own copy: the tensor is what it was behind it.
// CHECK-LABEL: func @written_in_a_loop
func.func @written_in_a_loop(%n: index, %t: tensor<16xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %e = tensor.empty() : tensor<16xi32>
  %u = linalg.add ins(%t, %t : tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %seven, %a = %u) -> (i32, tensor<16xi32>) {
    %x = tensor.insert %q into %a[%c1] : tensor<16xi32>
    %m = bufferization.to_buffer %x : tensor<16xi32> to memref<16xi32>
    %l = memref.load %m[%c0] : memref<16xi32>
    memref.store %seven, %m[%c0] : memref<16xi32>
    %next = tensor.insert %l into %a[%c0] : tensor<16xi32>
    scf.yield %l, %next : i32, tensor<16xi32>
  }
  %v = tensor.extract %u[%c0] : tensor<16xi32>
  return %r#0, %v : i32, i32
}

// Four buffers of 1,024 bytes are there together: the argument, the two that
// are made first, and the last.
// PEAK: "peak_bytes"
// PEAK-NEXT: "default": 4096
// PEAK: "predicted_peak_bytes"
// PEAK-NEXT: "default": 4096
// CHECK-LABEL: func @handed_out
func.func @handed_out(%n: index, %t: tensor<256xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi ne, %n, %c0 : index
  %seven = arith.constant 7 : i32
  %m = memref.alloc() : memref<256xi32>
  linalg.fill ins(%seven : i32) outs(%m : memref<256xi32>)
  %b = scf.if %p -> memref<256xi32> {
    %e = tensor.empty() : tensor<256xi32>
    %s = linalg.add ins(%t, %t : tensor<256xi32>, tensor<256xi32>) outs(%e : tensor<256xi32>) -> tensor<256xi32>
    %shown = bufferization.to_buffer %s : tensor<256xi32> to memref<256xi32>
    scf.yield %shown : memref<256xi32>
  } else {
    scf.yield %m : memref<256xi32>
  }
  %last = memref.alloc() : memref<256xi32>
  linalg.fill ins(%seven : i32) outs(%last : memref<256xi32>)
  %x = memref.load %last[%c0] : memref<256xi32>
  %y = memref.load %b[%c0] : memref<256xi32>
  %z = memref.load %m[%c0] : memref<256xi32>
  %xy = arith.addi %x, %y : i32
  %xyz = arith.addi %xy, %z : i32
  return %xyz : i32
}
