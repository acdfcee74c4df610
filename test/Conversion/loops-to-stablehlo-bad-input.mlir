// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-loops-to-stablehlo

// What the drivers of reversed loops do not have is not guessed at.
func.func @other_operations(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> tensor<8xf32> {
    // expected-error @+1 {{StableHLO has no form for this; drivers of loops with a known number of steps, that compress no states, have one}}
    %d = math.sin %s : tensor<8xf32>
    scf.yield %d : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @unknown_length(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is = arith.cmpi sge, %n, %zero : index
  // expected-error @+1 {{StableHLO has no form for this}}
  cf.assert %is, "the trip count of the loop is negative"
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> tensor<8xf32> {
    scf.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
