// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024 pure=my" | FileCheck %s --check-prefix=PURE
// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024 pure=my.exp,my.neg" | FileCheck %s --check-prefix=PURE
// RUN: pebble-opt %s --pebble-order-operations --pebble-dim-bound=1024 --pebble-pure=my | FileCheck %s --check-prefix=PURE
// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024" | FileCheck %s --check-prefix=BARRIERS
// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024 pure=my seed=5 iteration-limit=100 verify=false materialize=false" | FileCheck %s --check-prefix=PURE
// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024" --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: pebble-opt %s --pebble-order-operations="dim-bound=1024 pure=my" --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=MOVED

// PURE: my.exp
// PURE-NEXT: my.neg
// PURE-NEXT: my.exp
// PURE-NEXT: my.neg

// Unregistered ops keep their places unless the user vouches for them.
// BARRIERS: my.exp
// BARRIERS-NEXT: my.exp
// BARRIERS-NEXT: my.neg
// BARRIERS-NEXT: my.neg

// REMARKS-DAG: keeps its place among effects: 'my.exp' is not registered and may have any effect
// REMARKS-DAG: the peak is at {{.*}} dominates it with

// MOVED: moved behind 'my.
func.func @two_branches(%x: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "my.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "my.exp"(%x) {other} : (tensor<?xf32>) -> tensor<?xf32>
  %p = "my.neg"(%a) : (tensor<?xf32>) -> tensor<4xf32>
  %q = "my.neg"(%b) : (tensor<?xf32>) -> tensor<4xf32>
  return %p, %q : tensor<4xf32>, tensor<4xf32>
}
