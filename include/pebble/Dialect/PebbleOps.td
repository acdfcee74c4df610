//===- PebbleOps.td - moves, drops, and the opaque identity -*- tablegen -*-===//
//
// Five ops on tensors and on memrefs, and one on memrefs alone. The tensor form carries its order
// by SSA where it can: a copy under way has one use, the wait for it, and what
// the program goes on with is the result of the wait.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEOPS_TD
#define PEBBLE_DIALECT_PEBBLEOPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "pebble/Dialect/PebbleAttrs.td"
include "pebble/Dialect/PebbleCollectives.td"
include "pebble/Dialect/PebbleJournal.td"
include "pebble/Dialect/PebbleLoops.td"
include "pebble/Dialect/PebbleSteps.td"

class Pebble_Type<string name, string typeMnemonic>
    : TypeDef<Pebble_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Pebble_TokenType : Pebble_Type<"Token", "token"> {
  let summary = "A transfer that has started";
  let description = [{
    What `pebble.store` and `pebble.load` return and one `pebble.wait` in the
    same block takes. Between the two the storage is live in both tiers.
  }];
}

def Pebble_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef],
                                      "tensor or memref">;

class Pebble_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Pebble_Dialect, opMnemonic, traits>;

class Pebble_TransferOp<string opMnemonic>
    : Pebble_Op<opMnemonic, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<BufferizableOpInterface, [
          "bufferizesToAllocation", "bufferizesToMemoryRead",
          "bufferizesToMemoryWrite", "getAliasingValues", "bufferize",
          "getBufferType"]>]> {
  let arguments = (ins Pebble_TensorOrMemRef:$source,
                       Optional<Pebble_TensorOrMemRef>:$dest);
  let results = (outs Optional<AnyRankedTensor>:$copy,
                      Pebble_TokenType:$token);
  let assemblyFormat = [{
    $source (`into` $dest^)? attr-dict
    `:` custom<TransferTypes>(type($source), type($dest), type($copy), ref($dest))
  }];
  let builders = [
    // On tensors, into a storage of the transfer's own.
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Type":$copyType)>,
    // Into `dest`: a tensor, which the copy then takes the place of, or a memref.
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$dest)>
  ];
  let hasVerifier = 1;
}

def Pebble_StoreOp : Pebble_TransferOp<"store"> {
  let summary = "Start a copy from the compute tier to a slower tier";
  let description = [{
    Starts a copy of `source`, which is in the compute tier, to the tier of the
    copy. The source stays where it is, and may be read, but neither written
    nor dropped until the transfer is waited for.

    On tensors the copy is a new storage, or, with `into`, takes the storage of
    a destination. It may be used by the `pebble.wait` for the token alone. On
    memrefs the destination is a buffer, and nothing is returned but the token.
    Bufferization turns the first into the second where it stands, with an
    allocation in front of it if there is no destination.

    ```mlir
    func.func @store(%x: tensor<8xf32>, %m: memref<8xf32>, %d: memref<8xf32, #pebble.at<"host">>)
        -> tensor<8xf32, #pebble.at<"host">> {
      %copy, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host">>
      %u = pebble.store %m into %d : memref<8xf32> -> memref<8xf32, #pebble.at<"host">>
      pebble.wait %u
      %away = pebble.wait %t for %copy : tensor<8xf32, #pebble.at<"host">>
      return %away : tensor<8xf32, #pebble.at<"host">>
    }
    ```
  }];
}

def Pebble_LoadOp : Pebble_TransferOp<"load"> {
  let summary = "Start a copy from a slower tier to the compute tier";
  let description = [{
    The reverse of `pebble.store`: starts a copy of `source`, which is in a
    slower tier, to the compute tier.

    ```mlir
    func.func @load(%away: tensor<8xf32, #pebble.at<"host">>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %copy, %t = pebble.load %away : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
      %x = pebble.wait %t for %copy : tensor<8xf32>
      %into, %u = pebble.load %away into %d : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
      %y = pebble.wait %u for %into : tensor<8xf32>
      return %x, %y : tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
}

def Pebble_WaitOp : Pebble_Op<"wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "Wait until a transfer has ended";
  let description = [{
    Ends the transfer that `token` stands for. On tensors it takes the copy of
    that transfer and returns it as a value that can be used: the same storage.
    On memrefs it takes the token alone, and from here on the destination may be
    read and the source written.

    ```mlir
    func.func @wait(%m: memref<8xf32>, %d: memref<8xf32, #pebble.at<"host">>) {
      %t = pebble.store %m into %d : memref<8xf32> -> memref<8xf32, #pebble.at<"host">>
      pebble.wait %t
      return
    }
    ```
  }];
  let arguments = (ins Pebble_TokenType:$token, Optional<AnyRankedTensor>:$copy);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$token, CArg<"::mlir::Value", "{}">:$copy)>
  ];
  let hasVerifier = 1;
}

def Pebble_DropOp : Pebble_Op<"drop", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "End the life of a storage";
  let description = [{
    Ends the storage behind `value`, in the tier where the value is. The storage
    ends, not only the value: no view of it and no value that was written into
    it in place may be used afterwards. What this op's verifier checks is the
    value itself; the storage analysis checks the rest.

    One-Shot Bufferize is told that a drop reads its operand. An op that would
    overwrite a storage whose old value is dropped later is thereby kept from
    doing so, instead of losing its result to the drop.

    Where `-canonicalize` replaces the value by another one that may not end
    here, it takes the drop away.

    ```mlir
    func.func @drop(%x: tensor<8xf32> {pebble.donated}) {
      "any.use"(%x) : (tensor<8xf32>) -> ()
      pebble.drop %x : tensor<8xf32>
      return
    }
    ```
  }];
  let arguments = (ins Pebble_TensorOrMemRef:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Pebble_OpaqueOp : Pebble_Op<"opaque", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewSource"]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "The identity, unknown to the optimizer";
  let description = [{
    Returns its operand. Two equal pure ops are one to CSE, which would undo a
    recomputation in silence and leave a use after a drop; an op whose operands
    come through `pebble.opaque` is equal to no other. A recomputed op takes
    every operand through it: tensors, destinations, scalars and indices. An op
    without operands takes its result through it.

    It costs nothing: the result is the same storage, the clone still fuses with
    what uses it, and the op is folded away after bufferization, when nothing is
    left that would merge two clones.

    ```mlir
    func.func @recompute(%s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
      %first = tensor.splat %s : tensor<8xf32>
      %again = pebble.opaque %s : f32
      %second = tensor.splat %again : tensor<8xf32>
      return %first, %second : tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    build($_builder, $_state, input.getType(), input);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Pebble_SameBufferOp : Pebble_Op<"same_buffer", [Pure]> {
  let summary = "Whether two memrefs are of one allocation";
  let description = [{
    True if both memrefs name the same allocation, whichever part of it: what
    `memref.dealloc` would free is the same. `pebble-place-frees` asks this where
    the program hands out a buffer of which only the run knows whose it is.

    ```mlir
    func.func @same(%a: memref<8xf32>, %b: memref<?xf32>) -> i1 {
      %0 = pebble.same_buffer %a, %b : memref<8xf32>, memref<?xf32>
      return %0 : i1
    }
    ```
  }];
  let arguments = (ins AnyRankedOrUnrankedMemRef:$first,
                       AnyRankedOrUnrankedMemRef:$second);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $first `,` $second attr-dict `:` type($first) `,` type($second)
  }];
}

#endif // PEBBLE_DIALECT_PEBBLEOPS_TD
