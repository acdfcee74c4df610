// RUN: pebble-opt %s --pebble-target=red-blue --pebble-print-footprint --pebble-print-traffic -o /dev/null | FileCheck %s

// Between its start and its wait a transfer is live in both tiers, and it is
// priced as a move: bytes read from the one and written to the other.

// CHECK-LABEL: footprint of @transfer_lives_in_both_tiers:
// CHECK-NEXT:   peak 256 bytes in the compute tier at step 7 arith.addf %e
// CHECK-NEXT:   peak 64 bytes in blue at step 1 pebble.store %copy
// CHECK-NEXT:   made here 192 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 128 bytes, 0 bytes in blue
// CHECK-NEXT:   step 1 pebble.store %copy: 128 bytes, 64 bytes in blue
// CHECK-NEXT:   step 2 math.exp %b: 192 bytes, 64 bytes in blue
// CHECK-NEXT:   step 3 pebble.wait %away: 192 bytes, 64 bytes in blue
// CHECK-NEXT:   step 4 math.exp %c: 192 bytes, 64 bytes in blue
// CHECK-NEXT:   step 5 pebble.load %back: 192 bytes, 64 bytes in blue
// CHECK-NEXT:   step 6 pebble.wait %d: 192 bytes, 64 bytes in blue
// CHECK-NEXT:   step 7 arith.addf %e: 256 bytes, 0 bytes in blue
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 7
// CHECK-NEXT:   s1 %a: footprint 64, live from 0 to 3
// CHECK-NEXT:   s2 %copy: footprint 64, live from 1 to 6
// CHECK-NEXT:   s3 %b: footprint 64, live from 2 to 4
// CHECK-NEXT:   s4 %c: footprint 64, live from 4 to 7
// CHECK-NEXT:   s5 %back: footprint 64, live from 5 to 7
// CHECK-NEXT:   s6 %e: footprint 64, live from 7 to 7
// CHECK-LABEL: traffic of @transfer_lives_in_both_tiers (lru): 13504 fJ
// CHECK-NEXT:   from red: 704 fJ
// CHECK-NEXT:   from blue: 12800 fJ
// CHECK-NEXT:   moved blue->red: 64 bytes
// CHECK-NEXT:   moved red->blue: 64 bytes
// CHECK-NEXT:   average reuse distance: 179.2000 bytes
// CHECK-NEXT:   step 0 math.exp %a:
// CHECK-NEXT:     reads s0 %x, 64 bytes at distance 64, from red: 64 fJ
// CHECK-NEXT:     writes s1 %a, 64 bytes, from red: 64 fJ
// CHECK-NEXT:   step 2 math.exp %b:
// CHECK-NEXT:     reads s0 %x, 64 bytes at distance 128, from red: 64 fJ
// CHECK-NEXT:     writes s3 %b, 64 bytes, from red: 64 fJ
// CHECK-NEXT:   step 4 math.exp %c:
// CHECK-NEXT:     reads s3 %b, 64 bytes at distance 64, from red: 64 fJ
// CHECK-NEXT:     writes s4 %c, 64 bytes, from red: 64 fJ
// CHECK-NEXT:   step 7 arith.addf %e:
// CHECK-NEXT:     reads s4 %c, 64 bytes at distance 64, from red: 64 fJ
// CHECK-NEXT:     reads s5 %back, 64 bytes, from red: 64 fJ
// CHECK-NEXT:     writes s6 %e, 64 bytes, from red: 64 fJ
func.func @transfer_lives_in_both_tiers(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %copy, %stored = pebble.store %a : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
  %b = math.exp %x : tensor<16xf32>
  %away = pebble.wait %stored for %copy : tensor<16xf32, #pebble.at<"blue">>
  pebble.drop %a : tensor<16xf32>
  %c = math.exp %b : tensor<16xf32>
  %back, %loaded = pebble.load %away : tensor<16xf32, #pebble.at<"blue">> -> tensor<16xf32>
  %d = pebble.wait %loaded for %back : tensor<16xf32>
  %e = arith.addf %c, %d : tensor<16xf32>
  return %e : tensor<16xf32>
}
