// A chain of 100 layers and its backward pass, the example on which schedules for
// reversal are told apart: one size for all values, every layer and every backward
// step costs 1, the seed of the gradient nothing. In @main a backward step needs the
// input of its layer, in @needs_both the output as well. The argument belongs to
// the caller, so it takes one of the budget's places throughout.
//
// The least cost for 12 tensors (11 beside the argument) is 335, for 11 it is 346,
// and 356 where backward steps need what their layer made: proven by the program
// for chains, and what runs then is bit for bit the chain that keeps everything.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=49152" -o %t-12.mlir
// RUN: FileCheck %s --check-prefix=TWELVE < %t-12.mlir
// TWELVE: @main
// TWELVE-SAME: bound = 335 : i64, cost = 335 : i64, {{.*}}peak_bytes = 49152 : i64, solver = "equal-chain", status = "optimal"
// TWELVE: @needs_both
// TWELVE-SAME: bound = 346 : i64, cost = 346 : i64, {{.*}}peak_bytes = 49152 : i64, solver = "equal-chain", status = "optimal"
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=45056" --pebble-verify-schedule -cse -canonicalize --pebble-verify-schedule -o %t-11.mlir
// RUN: FileCheck %s --check-prefix=ELEVEN < %t-11.mlir
// ELEVEN: @main
// ELEVEN-SAME: bound = 346 : i64, cost = 346 : i64, {{.*}}peak_bytes = 45056 : i64, solver = "equal-chain", status = "optimal"
// ELEVEN: @needs_both
// ELEVEN-SAME: bound = 356 : i64, cost = 356 : i64, {{.*}}peak_bytes = 45056 : i64, solver = "equal-chain", status = "optimal"
// RUN: %python %S/same-results.py %s -- "--pebble-schedule=budget-bytes=45056" | FileCheck %s --check-prefix=EQUAL
// EQUAL: before: peak 417792
// EQUAL: after: peak 45056
//
// Two tensors beside the argument do not do: a backward step needs three.
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=12288" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no schedule fits in the budget of 12288 bytes; the smallest feasible budget is 16384 bytes (proven)

#id = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @main(%n0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %e = tensor.empty() : tensor<32x32xf32>
    %one = arith.constant 1.0 : f32
    %n1 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F1"} ins(%n0 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n2 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F2"} ins(%n1 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n3 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F3"} ins(%n2 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n4 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F4"} ins(%n3 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n5 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F5"} ins(%n4 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n6 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F6"} ins(%n5 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n7 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F7"} ins(%n6 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n8 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F8"} ins(%n7 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n9 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F9"} ins(%n8 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n10 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F10"} ins(%n9 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n11 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F11"} ins(%n10 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n12 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F12"} ins(%n11 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n13 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F13"} ins(%n12 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n14 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F14"} ins(%n13 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n15 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F15"} ins(%n14 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n16 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F16"} ins(%n15 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n17 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F17"} ins(%n16 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n18 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F18"} ins(%n17 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n19 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F19"} ins(%n18 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n20 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F20"} ins(%n19 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n21 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F21"} ins(%n20 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n22 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F22"} ins(%n21 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n23 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F23"} ins(%n22 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n24 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F24"} ins(%n23 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n25 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F25"} ins(%n24 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n26 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F26"} ins(%n25 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n27 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F27"} ins(%n26 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n28 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F28"} ins(%n27 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n29 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F29"} ins(%n28 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n30 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F30"} ins(%n29 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n31 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F31"} ins(%n30 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n32 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F32"} ins(%n31 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n33 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F33"} ins(%n32 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n34 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F34"} ins(%n33 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n35 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F35"} ins(%n34 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n36 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F36"} ins(%n35 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n37 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F37"} ins(%n36 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n38 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F38"} ins(%n37 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n39 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F39"} ins(%n38 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n40 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F40"} ins(%n39 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n41 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F41"} ins(%n40 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n42 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F42"} ins(%n41 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n43 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F43"} ins(%n42 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n44 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F44"} ins(%n43 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n45 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F45"} ins(%n44 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n46 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F46"} ins(%n45 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n47 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F47"} ins(%n46 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n48 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F48"} ins(%n47 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n49 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F49"} ins(%n48 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n50 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F50"} ins(%n49 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n51 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F51"} ins(%n50 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n52 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F52"} ins(%n51 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n53 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F53"} ins(%n52 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n54 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F54"} ins(%n53 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n55 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F55"} ins(%n54 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n56 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F56"} ins(%n55 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n57 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F57"} ins(%n56 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n58 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F58"} ins(%n57 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n59 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F59"} ins(%n58 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n60 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F60"} ins(%n59 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n61 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F61"} ins(%n60 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n62 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F62"} ins(%n61 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n63 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F63"} ins(%n62 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n64 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F64"} ins(%n63 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n65 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F65"} ins(%n64 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n66 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F66"} ins(%n65 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n67 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F67"} ins(%n66 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n68 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F68"} ins(%n67 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n69 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F69"} ins(%n68 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n70 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F70"} ins(%n69 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n71 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F71"} ins(%n70 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n72 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F72"} ins(%n71 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n73 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F73"} ins(%n72 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n74 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F74"} ins(%n73 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n75 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F75"} ins(%n74 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n76 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F76"} ins(%n75 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n77 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F77"} ins(%n76 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n78 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F78"} ins(%n77 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n79 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F79"} ins(%n78 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n80 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F80"} ins(%n79 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n81 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F81"} ins(%n80 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n82 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F82"} ins(%n81 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n83 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F83"} ins(%n82 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n84 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F84"} ins(%n83 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n85 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F85"} ins(%n84 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n86 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F86"} ins(%n85 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n87 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F87"} ins(%n86 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n88 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F88"} ins(%n87 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n89 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F89"} ins(%n88 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n90 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F90"} ins(%n89 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n91 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F91"} ins(%n90 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n92 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F92"} ins(%n91 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n93 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F93"} ins(%n92 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n94 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F94"} ins(%n93 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n95 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F95"} ins(%n94 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n96 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F96"} ins(%n95 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n97 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F97"} ins(%n96 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n98 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F98"} ins(%n97 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n99 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F99"} ins(%n98 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n100 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F100"} ins(%n99 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %a100 = linalg.copy {pebble.cost = 0 : i64, pebble.name = "L"} ins(%n100 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %a99 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a100, %n99 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B100"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a98 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a99, %n98 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B99"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a97 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a98, %n97 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B98"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a96 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a97, %n96 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B97"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a95 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a96, %n95 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B96"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a94 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a95, %n94 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B95"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a93 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a94, %n93 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B94"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a92 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a93, %n92 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B93"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a91 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a92, %n91 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B92"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a90 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a91, %n90 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B91"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a89 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a90, %n89 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B90"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a88 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a89, %n88 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B89"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a87 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a88, %n87 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B88"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a86 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a87, %n86 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B87"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a85 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a86, %n85 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B86"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a84 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a85, %n84 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B85"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a83 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a84, %n83 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B84"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a82 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a83, %n82 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B83"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a81 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a82, %n81 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B82"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a80 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a81, %n80 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B81"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a79 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a80, %n79 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B80"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a78 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a79, %n78 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B79"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a77 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a78, %n77 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B78"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a76 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a77, %n76 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B77"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a75 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a76, %n75 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B76"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a74 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a75, %n74 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B75"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a73 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a74, %n73 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B74"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a72 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a73, %n72 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B73"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a71 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a72, %n71 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B72"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a70 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a71, %n70 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B71"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a69 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a70, %n69 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B70"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a68 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a69, %n68 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B69"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a67 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a68, %n67 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B68"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a66 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a67, %n66 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B67"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a65 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a66, %n65 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B66"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a64 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a65, %n64 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B65"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a63 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a64, %n63 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B64"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a62 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a63, %n62 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B63"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a61 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a62, %n61 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B62"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a60 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a61, %n60 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B61"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a59 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a60, %n59 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B60"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a58 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a59, %n58 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B59"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a57 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a58, %n57 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B58"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a56 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a57, %n56 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B57"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a55 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a56, %n55 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B56"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a54 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a55, %n54 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B55"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a53 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a54, %n53 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B54"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a52 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a53, %n52 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B53"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a51 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a52, %n51 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B52"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a50 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a51, %n50 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B51"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a49 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a50, %n49 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B50"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a48 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a49, %n48 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B49"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a47 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a48, %n47 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B48"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a46 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a47, %n46 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B47"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a45 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a46, %n45 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B46"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a44 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a45, %n44 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B45"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a43 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a44, %n43 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B44"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a42 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a43, %n42 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B43"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a41 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a42, %n41 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B42"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a40 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a41, %n40 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B41"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a39 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a40, %n39 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B40"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a38 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a39, %n38 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B39"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a37 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a38, %n37 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B38"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a36 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a37, %n36 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B37"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a35 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a36, %n35 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B36"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a34 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a35, %n34 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B35"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a33 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a34, %n33 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B34"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a32 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a33, %n32 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B33"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a31 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a32, %n31 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B32"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a30 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a31, %n30 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B31"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a29 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a30, %n29 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B30"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a28 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a29, %n28 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B29"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a27 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a28, %n27 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B28"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a26 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a27, %n26 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B27"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a25 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a26, %n25 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B26"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a24 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a25, %n24 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B25"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a23 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a24, %n23 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B24"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a22 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a23, %n22 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B23"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a21 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a22, %n21 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B22"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a20 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a21, %n20 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B21"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a19 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a20, %n19 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B20"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a18 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a19, %n18 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B19"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a17 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a18, %n17 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B18"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a16 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a17, %n16 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B17"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a15 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a16, %n15 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B16"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a14 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a15, %n14 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B15"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a13 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a14, %n13 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B14"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a12 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a13, %n12 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B13"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a11 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a12, %n11 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B12"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a10 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a11, %n10 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B11"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a9 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a10, %n9 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B10"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a8 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a9, %n8 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B9"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a7 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a8, %n7 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B8"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a6 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a7, %n6 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B7"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a6, %n5 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B6"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a5, %n4 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B5"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a4, %n3 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B4"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a3, %n2 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B3"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a2, %n1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B2"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a1, %n0 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B1"} {
    ^bb0(%a: f32, %x: f32, %o: f32):
      %y = math.tanh %x : f32
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %r = arith.mulf %a, %d : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    return %a0 : tensor<32x32xf32>
  }
  func.func @needs_both(%n0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %e = tensor.empty() : tensor<32x32xf32>
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %n1 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F1"} ins(%n0 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n2 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F2"} ins(%n1 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n3 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F3"} ins(%n2 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n4 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F4"} ins(%n3 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n5 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F5"} ins(%n4 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n6 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F6"} ins(%n5 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n7 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F7"} ins(%n6 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n8 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F8"} ins(%n7 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n9 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F9"} ins(%n8 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n10 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F10"} ins(%n9 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n11 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F11"} ins(%n10 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n12 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F12"} ins(%n11 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n13 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F13"} ins(%n12 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n14 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F14"} ins(%n13 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n15 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F15"} ins(%n14 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n16 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F16"} ins(%n15 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n17 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F17"} ins(%n16 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n18 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F18"} ins(%n17 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n19 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F19"} ins(%n18 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n20 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F20"} ins(%n19 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n21 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F21"} ins(%n20 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n22 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F22"} ins(%n21 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n23 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F23"} ins(%n22 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n24 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F24"} ins(%n23 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n25 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F25"} ins(%n24 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n26 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F26"} ins(%n25 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n27 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F27"} ins(%n26 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n28 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F28"} ins(%n27 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n29 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F29"} ins(%n28 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n30 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F30"} ins(%n29 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n31 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F31"} ins(%n30 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n32 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F32"} ins(%n31 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n33 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F33"} ins(%n32 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n34 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F34"} ins(%n33 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n35 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F35"} ins(%n34 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n36 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F36"} ins(%n35 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n37 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F37"} ins(%n36 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n38 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F38"} ins(%n37 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n39 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F39"} ins(%n38 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n40 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F40"} ins(%n39 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n41 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F41"} ins(%n40 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n42 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F42"} ins(%n41 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n43 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F43"} ins(%n42 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n44 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F44"} ins(%n43 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n45 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F45"} ins(%n44 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n46 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F46"} ins(%n45 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n47 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F47"} ins(%n46 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n48 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F48"} ins(%n47 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n49 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F49"} ins(%n48 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n50 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F50"} ins(%n49 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n51 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F51"} ins(%n50 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n52 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F52"} ins(%n51 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n53 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F53"} ins(%n52 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n54 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F54"} ins(%n53 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n55 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F55"} ins(%n54 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n56 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F56"} ins(%n55 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n57 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F57"} ins(%n56 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n58 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F58"} ins(%n57 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n59 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F59"} ins(%n58 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n60 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F60"} ins(%n59 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n61 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F61"} ins(%n60 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n62 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F62"} ins(%n61 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n63 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F63"} ins(%n62 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n64 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F64"} ins(%n63 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n65 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F65"} ins(%n64 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n66 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F66"} ins(%n65 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n67 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F67"} ins(%n66 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n68 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F68"} ins(%n67 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n69 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F69"} ins(%n68 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n70 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F70"} ins(%n69 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n71 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F71"} ins(%n70 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n72 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F72"} ins(%n71 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n73 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F73"} ins(%n72 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n74 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F74"} ins(%n73 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n75 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F75"} ins(%n74 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n76 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F76"} ins(%n75 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n77 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F77"} ins(%n76 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n78 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F78"} ins(%n77 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n79 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F79"} ins(%n78 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n80 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F80"} ins(%n79 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n81 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F81"} ins(%n80 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n82 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F82"} ins(%n81 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n83 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F83"} ins(%n82 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n84 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F84"} ins(%n83 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n85 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F85"} ins(%n84 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n86 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F86"} ins(%n85 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n87 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F87"} ins(%n86 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n88 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F88"} ins(%n87 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n89 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F89"} ins(%n88 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n90 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F90"} ins(%n89 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n91 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F91"} ins(%n90 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n92 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F92"} ins(%n91 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n93 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F93"} ins(%n92 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n94 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F94"} ins(%n93 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n95 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F95"} ins(%n94 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n96 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F96"} ins(%n95 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n97 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F97"} ins(%n96 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n98 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F98"} ins(%n97 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n99 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F99"} ins(%n98 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %n100 = linalg.tanh {pebble.cost = 1 : i64, pebble.name = "F100"} ins(%n99 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %a100 = linalg.copy {pebble.cost = 0 : i64, pebble.name = "L"} ins(%n100 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
    %a99 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a100, %n99, %n100 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B100"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a98 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a99, %n98, %n99 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B99"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a97 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a98, %n97, %n98 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B98"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a96 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a97, %n96, %n97 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B97"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a95 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a96, %n95, %n96 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B96"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a94 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a95, %n94, %n95 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B95"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a93 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a94, %n93, %n94 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B94"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a92 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a93, %n92, %n93 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B93"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a91 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a92, %n91, %n92 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B92"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a90 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a91, %n90, %n91 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B91"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a89 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a90, %n89, %n90 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B90"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a88 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a89, %n88, %n89 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B89"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a87 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a88, %n87, %n88 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B88"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a86 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a87, %n86, %n87 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B87"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a85 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a86, %n85, %n86 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B86"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a84 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a85, %n84, %n85 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B85"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a83 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a84, %n83, %n84 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B84"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a82 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a83, %n82, %n83 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B83"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a81 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a82, %n81, %n82 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B82"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a80 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a81, %n80, %n81 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B81"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a79 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a80, %n79, %n80 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B80"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a78 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a79, %n78, %n79 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B79"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a77 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a78, %n77, %n78 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B78"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a76 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a77, %n76, %n77 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B77"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a75 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a76, %n75, %n76 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B76"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a74 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a75, %n74, %n75 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B75"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a73 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a74, %n73, %n74 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B74"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a72 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a73, %n72, %n73 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B73"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a71 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a72, %n71, %n72 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B72"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a70 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a71, %n70, %n71 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B71"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a69 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a70, %n69, %n70 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B70"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a68 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a69, %n68, %n69 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B69"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a67 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a68, %n67, %n68 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B68"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a66 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a67, %n66, %n67 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B67"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a65 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a66, %n65, %n66 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B66"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a64 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a65, %n64, %n65 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B65"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a63 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a64, %n63, %n64 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B64"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a62 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a63, %n62, %n63 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B63"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a61 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a62, %n61, %n62 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B62"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a60 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a61, %n60, %n61 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B61"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a59 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a60, %n59, %n60 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B60"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a58 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a59, %n58, %n59 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B59"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a57 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a58, %n57, %n58 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B58"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a56 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a57, %n56, %n57 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B57"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a55 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a56, %n55, %n56 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B56"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a54 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a55, %n54, %n55 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B55"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a53 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a54, %n53, %n54 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B54"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a52 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a53, %n52, %n53 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B53"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a51 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a52, %n51, %n52 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B52"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a50 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a51, %n50, %n51 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B51"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a49 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a50, %n49, %n50 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B50"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a48 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a49, %n48, %n49 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B49"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a47 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a48, %n47, %n48 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B48"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a46 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a47, %n46, %n47 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B47"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a45 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a46, %n45, %n46 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B46"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a44 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a45, %n44, %n45 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B45"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a43 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a44, %n43, %n44 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B44"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a42 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a43, %n42, %n43 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B43"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a41 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a42, %n41, %n42 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B42"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a40 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a41, %n40, %n41 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B41"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a39 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a40, %n39, %n40 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B40"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a38 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a39, %n38, %n39 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B39"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a37 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a38, %n37, %n38 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B38"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a36 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a37, %n36, %n37 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B37"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a35 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a36, %n35, %n36 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B36"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a34 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a35, %n34, %n35 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B35"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a33 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a34, %n33, %n34 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B34"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a32 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a33, %n32, %n33 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B33"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a31 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a32, %n31, %n32 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B32"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a30 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a31, %n30, %n31 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B31"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a29 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a30, %n29, %n30 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B30"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a28 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a29, %n28, %n29 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B29"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a27 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a28, %n27, %n28 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B28"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a26 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a27, %n26, %n27 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B27"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a25 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a26, %n25, %n26 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B26"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a24 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a25, %n24, %n25 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B25"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a23 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a24, %n23, %n24 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B24"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a22 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a23, %n22, %n23 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B23"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a21 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a22, %n21, %n22 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B22"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a20 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a21, %n20, %n21 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B21"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a19 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a20, %n19, %n20 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B20"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a18 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a19, %n18, %n19 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B19"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a17 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a18, %n17, %n18 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B18"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a16 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a17, %n16, %n17 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B17"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a15 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a16, %n15, %n16 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B16"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a14 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a15, %n14, %n15 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B15"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a13 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a14, %n13, %n14 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B14"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a12 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a13, %n12, %n13 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B13"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a11 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a12, %n11, %n12 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B12"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a10 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a11, %n10, %n11 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B11"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a9 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a10, %n9, %n10 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B10"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a8 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a9, %n8, %n9 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B9"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a7 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a8, %n7, %n8 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B8"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a6 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a7, %n6, %n7 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B7"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a5 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a6, %n5, %n6 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B6"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a4 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a5, %n4, %n5 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B5"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a4, %n3, %n4 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B4"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a3, %n2, %n3 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B3"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a2, %n1, %n2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B2"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    %a0 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a1, %n0, %n1 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) attrs = {pebble.cost = 1 : i64, pebble.name = "B1"} {
    ^bb0(%a: f32, %x: f32, %y: f32, %o: f32):
      %s = arith.mulf %y, %y : f32
      %d = arith.subf %one, %s : f32
      %g = arith.mulf %a, %d : f32
      %h = arith.addf %g, %x : f32
      %r = arith.mulf %h, %half : f32
      linalg.yield %r : f32
    } -> tensor<32x32xf32>
    return %a0 : tensor<32x32xf32>
  }
}
