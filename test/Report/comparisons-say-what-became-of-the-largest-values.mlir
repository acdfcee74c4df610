// Of the largest values that a program makes a comparison says whether a plan
// keeps them, makes them again or moves them; and where the picture is.
// RUN: rm -rf %t && mkdir %t
// RUN: pebble-opt %s --pebble-schedule=budget=80%% -o %t/again.mlir
// RUN: pebble-report %s %t/again.mlir -o %t | FileCheck %s --check-prefix=AGAIN
// RUN: pebble-opt %s --target=red-blue --pebble-schedule="budget=80%% means=offload" -o %t/moved.mlir
// RUN: pebble-report %s %t/moved.mlir | FileCheck %s --check-prefix=MOVED
// RUN: pebble-report %s %s | FileCheck %s --check-prefix=SAME
// AGAIN: largest values, made again: %a (4,096 B)
// AGAIN-NEXT: largest values, kept: %b (4,096 B), %c (4,096 B)
// AGAIN: picture: {{.*}}/main.svg
// MOVED: largest values, moved: %a (4,096 B)
// MOVED-NOT: picture
// SAME-NOT: largest values

func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<64x16xf32>
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
