//===- PebbleDialect.td - the pebble dialect ---------------*- tablegen -*-===//
//
// The dialect itself. What its attributes and ops mean, and every rule that
// they obey, is numbered in docs/PebbleGame.md ("IR rules"); a diagnostic names
// the number of the rule that it reports.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLEDIALECT_TD
#define PEBBLE_DIALECT_PEBBLEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Pebble_Dialect : Dialect {
  let name = "pebble";
  let cppNamespace = "::pebble";
  let summary = "Where values live in a memory hierarchy, and when they move";
  let description = [{
    The dialect describes a memory hierarchy, says in which tier of it a value
    lives, and moves values between tiers: `pebble.store` and `pebble.load`
    start a transfer, `pebble.wait` ends it, `pebble.drop` ends the life of a
    storage, and `pebble.opaque` keeps a recomputed value from being merged with
    the value that it recomputes. Every op exists on tensors and on memrefs, and
    bufferization turns the one form into the other exactly where it stands.

    What a user wishes is said by discardable attributes on functions, arguments
    and ops; their names are in `pebble/Dialect/PebbleAttrNames.h`.

    ```mlir
    #device = #pebble.hierarchy<[
      <"hbm", kind = explicit, capacity = 65536, read = 160000, write = 160000>,
      <"host", kind = explicit, read = 640000, write = 640000, bandwidth = 16000>
    ], name = "device">

    module attributes {pebble.hierarchy = #device} {
      func.func @out_and_back(%x: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
        %copy, %stored = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host">>
        %away = pebble.wait %stored for %copy : tensor<8xf32, #pebble.at<"host">>
        pebble.drop %x : tensor<8xf32>
        %back, %loaded = pebble.load %away : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
        %y = pebble.wait %loaded for %back : tensor<8xf32>
        pebble.drop %away : tensor<8xf32, #pebble.at<"host">>
        return %y : tensor<8xf32>
      }
    }
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOps();
  }];
}

#endif // PEBBLE_DIALECT_PEBBLEDIALECT_TD
