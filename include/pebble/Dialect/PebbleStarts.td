//===- PebbleStarts.td - what ranks do together, in two -----*- tablegen -*-===//
//
// A collective that is started early and waited for late. The two ops stand in
// a file of their own: only who moves or lowers messages has to know them.
// Rules D90 to D93 of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLESTARTS_TD
#define PEBBLE_DIALECT_PEBBLESTARTS_TD

include "pebble/Dialect/PebbleOps.td"

def Pebble_CollectiveStartOp : Op<Pebble_Dialect, "collective_start", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "Start what all ranks of a group do together";
  let description = [{
    Starts what `pebble.collective` does, and goes on at once. Until the
    `pebble.collective_wait` for its token the input is not written, and the
    destination neither read nor written. On tensors the result is under way:
    the wait alone may use it. `pebble-schedule` with `objective=time` makes
    the pair of a `pebble.collective`, and places both.

    ```mlir
    func.func @hidden(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
      %into = tensor.empty() : tensor<8xf32>
      %under, %t = pebble.collective_start all_reduce %x into %into group = 2 stride = 1 ranks = 2 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
      %beside = math.sin %z : tensor<8xf32>
      %sum = pebble.collective_wait %t for %under : tensor<8xf32>
      %y = arith.addf %sum, %beside : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins
    Pebble_CollectiveKindAttr:$kind,
    AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>:$input,
    AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>:$init,
    I64Attr:$group, I64Attr:$stride, I64Attr:$ranks,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<Pebble_ReductionAttr, "::pebble::Reduction::Sum">:$reduction);
  let results = (outs Optional<AnyRankedTensor>:$result,
                      Pebble_TokenType:$token);
  let assemblyFormat = [{
    `` $kind $input `into` $init `group` `=` $group `stride` `=` $stride
    `ranks` `=` $ranks (`axis` `=` $axis^)? (`reduction` `=` `` $reduction^)?
    attr-dict `:` type($input) `,` type($init) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    /// Whether elements of several ranks are put together.
    bool isReduction() {
      return getKind() == ::pebble::CollectiveKind::AllReduce ||
             getKind() == ::pebble::CollectiveKind::ReduceScatter;
    }
  }];
  let hasVerifier = 1;
}

def Pebble_CollectiveWaitOp : Op<Pebble_Dialect, "collective_wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "Wait until what ranks do together has ended";
  let description = [{
    Ends what the `pebble.collective_start` of `token` has started. On tensors
    it takes what is under way and returns it as a value that can be used: the
    same storage. On memrefs it takes the token alone.

    ```mlir
    func.func @wait(%x: memref<8xf32>, %y: memref<8xf32>) {
      %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<8xf32>, memref<8xf32>
      pebble.collective_wait %t
      return
    }
    ```
  }];
  let arguments = (ins Pebble_TokenType:$token,
                       Optional<AnyRankedTensor>:$copy);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // PEBBLE_DIALECT_PEBBLESTARTS_TD
