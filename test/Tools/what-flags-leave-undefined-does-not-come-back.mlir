// Where a sum overflows although it says that it does not, its summands are as
// defined as before. So they do not follow from it, nor from what is made of such a
// sum. Without flags each of these operations can be undone.
// RUN: pebble-run %s --check-inverses 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: sed -E 's/ overflow<[a-z]+>| fastmath<[a-z]+>//' %s > %t.plain.mlir
// RUN: pebble-run %t.plain.mlir --check-inverses 2>&1 | FileCheck %s --check-prefix=PLAIN
// FLAGS: pebble-run: 0 operations are undone by what is said to undo them
// PLAIN: pebble-run: {{[1-9][0-9]*}} operations are undone by what is said to undo them

#id = affine_map<(a) -> (a)>
func.func @main(%a: tensor<16xi8>, %b: tensor<16xi8>, %f: tensor<16xf32>)
    -> (tensor<16xi8>, tensor<16xi8>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>) {
  %three = arith.constant 3 : i8
  %s = arith.addi %a, %b overflow<nsw> : tensor<16xi8>
  %d = arith.subi %a, %b overflow<nuw> : tensor<16xi8>
  %n = arith.negf %f fastmath<nnan> : tensor<16xf32>
  %i = arith.negf %f fastmath<ninf> : tensor<16xf32>
  %z = arith.negf %f fastmath<nsz> : tensor<16xf32>
  %e = tensor.empty() : tensor<16xi8>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%x: i8, %o: i8):
    %y = arith.muli %x, %three overflow<nsw> : i8
    linalg.yield %y : i8
  } -> tensor<16xi8>
  %beside = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<16xi8>, tensor<16xi8>) outs(%e : tensor<16xi8>) {
  ^bb0(%x: i8, %w: i8, %o: i8):
    %q = arith.muli %w, %w overflow<nsw> : i8
    %y = arith.addi %x, %q : i8
    linalg.yield %y : i8
  } -> tensor<16xi8>
  return %s, %d, %n, %i, %z, %m, %beside : tensor<16xi8>, tensor<16xi8>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>
}
