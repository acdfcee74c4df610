//===- PebbleJournal.td - snapshots of loops that may be killed -*- tablegen -*-===//
//
// Where a loop takes snapshots of what it carries, and where it goes on from
// one. docs/Resuming.md says what they mean together.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEJOURNAL_TD
#define PEBBLE_DIALECT_PEBBLEJOURNAL_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pebble/Dialect/PebbleDialect.td"

def Pebble_Number
    : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index], "integer, float or index">;

class Pebble_JournalOp<string opMnemonic, list<Trait> traits = []>
    : Op<Pebble_Dialect, opMnemonic, traits # [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Pebble_ResumeOp : Pebble_JournalOp<"resume", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "What a loop begins with, or goes on from";
  let description = [{
    Value number `value` of the state of loop `loop`, before its first iteration.
    Where the program goes on from a snapshot, the value is filled from it;
    otherwise it stays as it is. A tensor's result is in the storage of its
    operand; a memref is filled where it is. `pebble.snapshot` in the loop says
    in the same order what the values are after an iteration.

    `pebble-snapshot-loops` writes it, and `pebble-lower-tiers` makes the loop
    begin at the iteration of the snapshot.

    ```mlir
    func.func @resume(%x: tensor<8xf32> {pebble.donated}, %m: memref<8xf32>) -> tensor<8xf32> {
      %now = pebble.resume loop 0 value 0 of %x : tensor<8xf32>
      pebble.resume loop 0 value 1 of %m : memref<8xf32>
      return %now : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                                 "tensor or memref">:$state,
                       I64Attr:$loop, I64Attr:$value);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `loop` $loop `value` $value `of` $state attr-dict `:` type($state)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getStateMutable(); }
  }];
}

def Pebble_ResumeNumberOp : Pebble_JournalOp<"resume_number", [
    SameOperandsAndResultType]> {
  let summary = "The same of a number";
  let description = [{
    As `pebble.resume`, of an integer, a float or an index: the number in the
    snapshot, or the operand.

    ```mlir
    func.func @resume(%x: f32) -> f32 {
      %now = pebble.resume_number loop 0 value 0 of %x : f32
      return %now : f32
    }
    ```
  }];
  let arguments = (ins Pebble_Number:$state, I64Attr:$loop, I64Attr:$value);
  let results = (outs Pebble_Number:$result);
  let assemblyFormat = [{
    `loop` $loop `value` $value `of` $state attr-dict `:` type($state)
  }];
}

def Pebble_TakeSnapshotOp : Pebble_JournalOp<"snapshot", [
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "getAliasingValues", "bufferize"]>]> {
  let summary = "What a loop carries after an iteration";
  let description = [{
    Stands in the body of an `scf.for`, loop `loop`, and writes what the loop
    carries to the journal of the run after each `every`-th iteration but the
    last. With `last` it does so after the last one as well: a later loop rests
    on that. Without a journal it does nothing.

    ```mlir
    func.func @train(%x: tensor<8xf32> {pebble.donated}, %n: index) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %first = pebble.resume loop 0 value 0 of %x : tensor<8xf32>
      %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (tensor<8xf32>) {
        %b = math.sin %a : tensor<8xf32>
        pebble.snapshot loop 0 every 10 of (%b) : tensor<8xf32>
        scf.yield %b : tensor<8xf32>
      }
      return %y : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[AnyRankedTensor, AnyMemRef,
                                           Pebble_Number]>>:$state,
                       I64Attr:$loop, I64Attr:$every, UnitAttr:$last);
  let assemblyFormat = [{
    `loop` $loop `every` $every (`last` $last^)? `of` `(` $state `)` attr-dict
    (`:` type($state)^)?
  }];
}

#endif // PEBBLE_DIALECT_PEBBLEJOURNAL_TD
