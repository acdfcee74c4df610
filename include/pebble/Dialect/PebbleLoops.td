//===- PebbleLoops.td - a loop and its adjoint -------------*- tablegen -*-===//
//
// The op that says that one loop steps a state forward and that another one
// steps its adjoint backward, before anyone has decided which states are kept.
// Rules D35 to D39 of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLELOOPS_TD
#define PEBBLE_DIALECT_PEBBLELOOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pebble/Dialect/PebbleDialect.td"

def Pebble_AdjointLoopOp : Op<Pebble_Dialect, "adjoint_loop", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "A loop, and the loop that runs its adjoint backward";
  let description = [{
    Steps a state forward `steps` times, and an adjoint backward through the
    same steps:

        x[0] = states                        a[n], g = turn(x[n], adjoints, gradients)
        x[i+1] = primal(i, x[i])             a[i], g = adjoint(i, x[i], a[i+1], g)

    and returns x[n], a[0] and g. The step of the adjoint is given the state
    *before* the step that it reverses, and computes again what else it needs.
    Which states are kept, and which are computed again from a kept one, is not
    said here: `pebble-checkpoint-loops` decides. Where it has not run, all
    states are kept.

    Each region has one block. That of `primal` takes the step's index and the
    state and yields the next state. That of `adjoint` takes the index, the
    state, the adjoint and the gradients, and yields the last two. That of
    `turn`, which may be left out, takes the final state, the adjoints and the
    gradients, and yields the last two: there the loss and its derivative by the
    final state have their place.

    Values from around the loop may be used in all regions: parameters as they
    are, the inputs of each step as slices at the step's index. There may be
    adjoints for some states alone, and any number of gradients; a gradient is
    whatever the steps of the adjoint hand on to each other, be it summed up or
    written slice by slice.

    ```mlir
    // The gradient of sum(x[n]) by x[0] and w, where x[i+1] = w * x[i].
    func.func @powers(%n: index, %x: tensor<8xf32>, %w: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %one = arith.constant dense<1.0> : tensor<8xf32>
      %y, %dx, %dw = pebble.adjoint_loop %n states(%x : tensor<8xf32>)
          adjoints(%one : tensor<8xf32>) gradients(%zero : tensor<8xf32>) primal {
      ^bb0(%i: index, %s: tensor<8xf32>):
        %next = arith.mulf %w, %s : tensor<8xf32>
        pebble.yield %next : tensor<8xf32>
      } adjoint {
      ^bb0(%i: index, %s: tensor<8xf32>, %a: tensor<8xf32>, %g: tensor<8xf32>):
        %da = arith.mulf %w, %a : tensor<8xf32>
        %dg = arith.mulf %s, %a : tensor<8xf32>
        %sum = arith.addf %g, %dg : tensor<8xf32>
        pebble.yield %da, %sum : tensor<8xf32>, tensor<8xf32>
      }
      return %y, %dx, %dw : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Index:$steps, Variadic<AnyType>:$states,
                       Variadic<AnyType>:$adjoints,
                       Variadic<AnyType>:$gradients);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$primal,
                        MaxSizedRegion<1>:$turn,
                        SizedRegion<1>:$adjoint);
  let assemblyFormat = [{
    $steps `states` `(` $states `:` type($states) `)`
    (`adjoints` `(` $adjoints^ `:` type($adjoints) `)`)?
    (`gradients` `(` $gradients^ `:` type($gradients) `)`)?
    attr-dict-with-keyword
    `primal` $primal (`turn` $turn^)? `adjoint` $adjoint
  }];
  let extraClassDeclaration = [{
    /// x[n], a[0] and the gradients, of the types of their initial values.
    ::mlir::ResultRange getFinalStates() {
      return getResults().take_front(getStates().size());
    }
    ::mlir::ResultRange getInitialAdjoints() {
      return getResults().slice(getStates().size(), getAdjoints().size());
    }
    ::mlir::ResultRange getFinalGradients() {
      return getResults().take_back(getGradients().size());
    }
    /// The number of steps, if it is a constant.
    std::optional<int64_t> getConstantSteps();
    /// Whether somebody needs the final state: the turn, or a user of it.
    bool needsFinalStates();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Pebble_YieldOp : Op<Pebble_Dialect, "yield", [
    Pure, ReturnLike, Terminator, HasParent<"AdjointLoopOp">]> {
  let summary = "Hand on what a region of a loop and its adjoint makes";
  let description = [{
    Ends each region of `pebble.adjoint_loop`, whose page says what it takes.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* nothing is handed on */ }]>];
}

#endif // PEBBLE_DIALECT_PEBBLELOOPS_TD
