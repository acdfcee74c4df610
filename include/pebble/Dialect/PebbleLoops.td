//===- PebbleLoops.td - a loop and its adjoint -------------*- tablegen -*-===//
//
// The op that says that one loop steps a state forward and that another one
// steps its adjoint backward, before anyone has decided which states are kept.
// Rules D35 to D39 of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLELOOPS_TD
#define PEBBLE_DIALECT_PEBBLELOOPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
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
  let hasCustomAssemblyFormat = 1;
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

class Pebble_SnapshotOp<string opMnemonic> : Op<Pebble_Dialect, opMnemonic, [
    NoMemoryEffect, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let results = (outs AnyRankedTensor:$result);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
    /// The bytes' tensor: what is saved, or what it is restored into.
    ::mlir::RankedTensorType getStateType();
    /// The type of one place in the array, which says how large it is.
    ::mlir::RankedTensorType getPlaceType();
    /// The tensor that holds many of them.
    ::mlir::Value getArray();
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$dest,
                   "::mlir::Value":$number,
                   CArg<"std::optional<int64_t>", "std::nullopt">:$times)>
  ];
  let hasVerifier = 1;
}

def Pebble_SaveOp : Pebble_SnapshotOp<"save"> {
  let summary = "Keep a state in one of many places in a slower tier";
  let description = [{
    Copies `source`, which is in the compute tier, to place `number` of `dest`,
    an array of such tensors in a slower tier, and waits until it is there. The
    result is the array, in the storage of `dest`. If the array's placement says
    `compress`, each place holds a compressed state. `times` says how often the op
    runs each time its driver does, where that is known; predictions of traffic
    rest on it.

    ```mlir
    func.func @save(%x: tensor<8xf32>, %kept: tensor<4x8xf32, #pebble.at<"host">> {pebble.donated}, %i: index)
        -> tensor<4x8xf32, #pebble.at<"host">> {
      %now = pebble.save %x into %kept[%i] : tensor<8xf32> into tensor<4x8xf32, #pebble.at<"host">>
      return %now : tensor<4x8xf32, #pebble.at<"host">>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$dest,
                       Index:$number, OptionalAttr<I64Attr>:$times);
  let assemblyFormat = [{
    $source `into` $dest `[` $number `]` attr-dict
    `:` type($source) `into` type($dest)
  }];
}

def Pebble_RestoreOp : Pebble_SnapshotOp<"restore"> {
  let summary = "Bring a state back that was kept in a slower tier";
  let description = [{
    The reverse of `pebble.save`: copies what is in place `number` of `source`
    to `dest`, whose storage the result takes.

    ```mlir
    func.func @restore(%kept: tensor<4x8xf32, #pebble.at<"host">>, %into: tensor<8xf32> {pebble.donated}, %i: index)
        -> tensor<8xf32> {
      %x = pebble.restore %kept[%i] into %into : tensor<4x8xf32, #pebble.at<"host">> into tensor<8xf32>
      return %x : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$dest,
                       Index:$number, OptionalAttr<I64Attr>:$times);
  let assemblyFormat = [{
    $source `[` $number `]` `into` $dest attr-dict
    `:` type($source) `into` type($dest)
  }];
}

def Pebble_YieldOp : Op<Pebble_Dialect, "yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["AdjointLoopOp", "StepOp"]>]> {
  let summary = "Hand on what a region of a loop or a step makes";
  let description = [{
    Ends each region of `pebble.adjoint_loop` and `pebble.step`, whose pages say
    what it takes.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* nothing is handed on */ }]>];
}

#endif // PEBBLE_DIALECT_PEBBLELOOPS_TD
