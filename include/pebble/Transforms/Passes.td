//===- Passes.td - Pebble's passes -------------------------*- tablegen -*-===//
//
// Options are enums and numbers, kebab-case, with the unit in the name.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_PASSES_TD
#define PEBBLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"pebble-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the memory hierarchy of a known machine on the module";
  let description = [{
    Sets `pebble.hierarchy` on the module to the hierarchy of `preset`, in place
    of one that may stand there. docs/Targets.md lists the presets and where
    their figures come from. `pebble-opt --pebble-target=NAME` runs this pass
    before all others.

    ```mlir
    // pebble-opt --pebble-attach-target="preset=red-blue"
    module attributes {pebble.hierarchy = #pebble.hierarchy<[
      <"red", kind = explicit, read = 1, write = 1>,
      <"blue", kind = explicit, read = 100, write = 100>
    ], name = "red-blue">} {}
    ```
  }];
  let options = [
    Option<"preset", "preset", "std::string", /*default=*/"",
           "Name of the machine">
  ];
  let dependentDialects = ["::pebble::PebbleDialect"];
}

def MaterializeStoragePass
    : Pass<"pebble-materialize-storage", "::mlir::ModuleOp"> {
  let summary = "Write down which tensors share a buffer";
  let description = [{
    Decides for each tensor that an op makes whether it takes the storage of its
    destination or gets its own, and writes that into the IR: a destination of
    its own is a `bufferization.alloc_tensor` right before the op, after a copy
    where the op reads its destination and the old content is still needed.
    Elementwise ops on tensors become `linalg.generic` with such a destination;
    loops get back into their own buffers what they yield. Arguments that
    are not donated are marked `bufferization.writable = false`.

    After the pass bufferization has nothing left to decide. The pass is
    idempotent.

    ```mlir
    // pebble-opt --pebble-materialize-storage
    func.func @scale(%x: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
      %v = tensor.splat %s : tensor<8xf32>
      %y = arith.mulf %x, %v : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// What the analyses find, as text
//===----------------------------------------------------------------------===//

def PrintStoragePass : Pass<"pebble-print-storage", "::mlir::ModuleOp"> {
  let summary = "Print which values share a buffer and what each step touches";
  let description = [{
    Prints, for every function with a body, its storages and its steps to the
    standard output. `may be s0` marks storages that are not proven apart;
    accesses of less than the whole storage say their bytes.

    ```mlir
    // pebble-opt --pebble-print-storage
    func.func @sum(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %z = arith.addf %x, %y : tensor<8xf32>
      return %z : tensor<8xf32>
    }
    ```
  }];
}

def PrintFootprintPass : Pass<"pebble-print-footprint", "::mlir::ModuleOp"> {
  let summary = "Print the live bytes at each step, and each storage's life";
  let description = [{
    Prints, for every function with a body, the peak in each tier, the live
    bytes while each step runs, and from which step to which each storage is
    live, to the standard output. Storages count as their bytes rounded up to
    64; constants and globals are reported apart.

    ```mlir
    // pebble-opt --pebble-print-footprint
    func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = math.exp %x : tensor<8xf32>
      %z = math.exp %y : tensor<8xf32>
      return %z : tensor<8xf32>
    }
    ```
  }];
}

def PrintTrafficPass : Pass<"pebble-print-traffic", "::mlir::ModuleOp"> {
  let summary = "Print the tier that serves each access, and its energy";
  let description = [{
    Prints, for every function with a body, the energy of each tier, the bytes
    that moves carry, the average reuse distance, and each access with its reuse
    distance and the tier that serves it, to the standard output.

    ```mlir
    // pebble-opt --pebble-target=sutro --pebble-print-traffic="cache-model=sutro"
    func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = math.exp %x : tensor<8xf32>
      %z = math.exp %y : tensor<8xf32>
      return %z : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"cacheModel", "cache-model", "::pebble::CacheModel",
           /*default=*/"::pebble::CacheModel::Lru", "How caches are priced", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::CacheModel::Lru, "lru",
                          "true LRU per access"),
               clEnumValN(::pebble::CacheModel::Sutro, "sutro",
                          "the published experiment's bookkeeping"))
           }]>
  ];
}

#endif // PEBBLE_TRANSFORMS_PASSES_TD
