"""nest.py DEPTH: branches within branches, and one store in the innermost."""

import sys

depth = int(sys.argv[1])
print("func.func @main(%x: memref<4xf32>, %p: i1) {")
print("%c = arith.constant 1.0 : f32")
print("%i = arith.constant 0 : index")
print("scf.if %p {\n" * depth)
print("memref.store %c, %x[%i] : memref<4xf32>")
print("}\n" * depth)
print("return }")
