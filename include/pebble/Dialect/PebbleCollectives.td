//===- PebbleCollectives.td - what ranks do together -------*- tablegen -*-===//
//
// The op that all ranks of a group run together: on tensors a step like others,
// whose result has a destination. Upstream's mpi dialect has an all-reduce and
// nothing else of the kind, and its shard dialect no destinations. Rules D64 to
// D68 of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLECOLLECTIVES_TD
#define PEBBLE_DIALECT_PEBBLECOLLECTIVES_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pebble/Dialect/PebbleDialect.td"

def Pebble_CollectiveKind : I32Enum<"CollectiveKind", "what a group does together", [
    I32EnumCase<"AllReduce", 0, "all_reduce">,
    I32EnumCase<"AllGather", 1, "all_gather">,
    I32EnumCase<"ReduceScatter", 2, "reduce_scatter">,
    I32EnumCase<"AllSlice", 3, "all_slice">,
    I32EnumCase<"Broadcast", 4, "broadcast">]> {
  let cppNamespace = "::pebble";
}
def Pebble_CollectiveKindAttr
    : EnumAttr<Pebble_Dialect, Pebble_CollectiveKind, "collective_kind"> {
  let assemblyFormat = "$value";
}

def Pebble_Reduction : I32Enum<"Reduction", "how elements of several ranks become one", [
    I32EnumCase<"Max", 1, "max">,
    I32EnumCase<"Min", 2, "min">,
    I32EnumCase<"Sum", 3, "sum">,
    I32EnumCase<"Product", 4, "product">]> {
  let cppNamespace = "::pebble";
}
def Pebble_ReductionAttr
    : EnumAttr<Pebble_Dialect, Pebble_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Pebble_CollectiveOp : Op<Pebble_Dialect, "collective", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "What all ranks of a group do together";
  let description = [{
    All `ranks` of a program run it at the same place of their plans. They stand
    in groups of `group` ranks each, which are `stride` apart: rank r is in one
    group with r - stride and r + stride, as far as these are no others' first
    and last. On a grid of 2 x 4 ranks the rows are groups of 4 with stride 1,
    the columns groups of 2 with stride 4.

    | kind | result |
    |---|---|
    | `all_reduce` | the inputs of all ranks of the group, put together element by element |
    | `all_gather` | the inputs of all ranks of the group, one behind the other along `axis` |
    | `reduce_scatter` | of what `all_reduce` gives, the part that this rank has along `axis` |
    | `all_slice` | of its own input, the part that this rank has along `axis`; nothing is sent |
    | `broadcast` | the input of the rank that is number `axis` in its group |

    `pebble-shard-to-collectives` makes them of the shard dialect.

    ```mlir
    func.func @gather(%x: tensor<2x8xf32>) -> tensor<4x8xf32> {
      %into = tensor.empty() : tensor<4x8xf32>
      %whole = pebble.collective all_gather %x into %into group = 2 stride = 1 ranks = 4 : tensor<2x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      return %whole : tensor<4x8xf32>
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
  let results = (outs Optional<AnyRankedTensor>:$result);
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

#endif // PEBBLE_DIALECT_PEBBLECOLLECTIVES_TD
