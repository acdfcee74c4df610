// A budget that no call can keep to is not passed over in silence.
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=1 --verify-diagnostics --split-input-file

// expected-warning@+1 {{the budget is kept nowhere: there is no function with both calls of a function and its 'pebble.adjoint'}}
module {
  func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %y = math.sin %x : tensor<1024xf32>
    return %y : tensor<1024xf32>
  }
}

// -----

// expected-warning@+1 {{the budget is kept nowhere: there is no function with both calls of a function and its 'pebble.adjoint'}}
module {
  func.func @main(%x: tensor<1024xf32>, %n: index) -> tensor<1024xf32> {
    %y = func.call @main(%x, %n) : (tensor<1024xf32>, index) -> tensor<1024xf32>
    return %y : tensor<1024xf32>
  }
}

// -----

// Neither call, nor what else there is of it, is one of a pair.
// expected-warning@+1 {{the budget is kept nowhere}}
module {
  func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
    return %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @back(%c: tensor<4xf32>) -> tensor<4xf32> {
    return %c : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y, %c = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %y : tensor<4xf32>
  }
}
