//===- PlannedPasses.td - addresses, and whether plans hold ---*- tablegen -*-===//
//
// A part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_PLANNEDPASSES_TD
#define PEBBLE_TRANSFORMS_PLANNEDPASSES_TD

include "mlir/Pass/PassBase.td"

def PlanAddressesPass : Pass<"pebble-plan-addresses", "::mlir::ModuleOp"> {
  let summary = "Give every buffer its offset in the block of its tier";
  let description = [{
    For every function: each buffer that it allocates, in whatever explicit tier,
    and each argument gets an offset, `pebble.offset`, in one block of memory per
    tier, so that no two that are live at one time overlap, and the blocks are
    as small as can be found; their sizes are in `pebble.extent`. Offsets are
    multiples of 64. What was planned before is planned anew; no operation moves.

    Storages are decided first, as by `pebble-materialize-storage`.
    `pebble-schedule` does the same for what it schedules, and keeps its budget
    with it. The program that is lowered puts its buffers exactly there.

    Functions with dynamic shapes, several blocks or calls, functions that are
    called, and operations that allocate inside have no addresses; they run as
    they did, and a remark (`--remarks-filter=pebble-plan-addresses`) names the
    place and the reason. docs/Scheduling.md has more.

    ```mlir
    // pebble-opt --pebble-plan-addresses
    func.func @side_by_side(%x: tensor<16xf32>) -> tensor<16xf32> {
      %e = tensor.empty() : tensor<16xf32>
      %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      %b = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      return %b : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seeds the search; same seed, same answer">,
    Option<"timeLimitMs", "time-limit-ms", "std::string", /*default=*/"",
           "Milliseconds for all searches of the module together (0: no limit; "
           "default: what they take, at most 60 s); an answer that the clock cut off "
           "may differ from run to run">,
    Option<"memoryLimit", "memory-limit", "std::string", /*default=*/"",
           "Bytes that the tables of a search may take, as 512MiB (default: what "
           "--memory-limit of the tool says, else 4GB)">,
    Option<"tables", "tables", "std::string", /*default=*/"",
           "Directory to write the buffers of each function and tier to, with "
           "their lives and offsets: FUNCTION.TIER.csv, as pebble-solve reads it">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = [
    "::pebble::PebbleDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def VerifyAddressesPass : Pass<"pebble-verify-addresses", "::mlir::ModuleOp"> {
  let summary = "Check that planned addresses are those of the program";
  let description = [{
    For every function that carries `pebble.extent`: each buffer has its
    `pebble.offset`, and no two that are live at one time in one tier overlap
    (rule D44). Changes nothing; `pebble-renew-addresses` does.

    ```mlir
    // pebble-opt --pebble-verify-addresses
    func.func @placed(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
        attributes {pebble.extent = {default = 128 : i64}} {
      %d = bufferization.alloc_tensor() {pebble.offset = 0 : i64} : tensor<16xf32>
      %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
      return %y : tensor<16xf32>
    }
    ```
  }];
}

def RenewAddressesPass : Pass<"pebble-renew-addresses", "::mlir::ModuleOp"> {
  let summary = "Plan addresses again where the program has changed since";
  let description = [{
    Looks at every function that carries `pebble.extent`. Addresses hold if each
    buffer still has its `pebble.offset`, and no two that are live at one time in
    one tier overlap (rule D44). Then they stay. If some buffers are gone,
    `pebble.extent` becomes what is left.

    If addresses do not hold, `pebble.lives` tells why. If the function still has
    the buffers and the lives that they were planned for, somebody made a mistake
    with the addresses, and that is an error. Otherwise the function has changed:
    canonicalization may have put one value in the place of another, which then
    lives longer. The addresses are planned again, and a remark
    (`--remarks-filter=pebble-renew-addresses`) says so. If they take more than
    before in some tier, that is a warning. If they can no longer be planned, all
    offsets go, a remark says why, and the program allocates as it runs.

    `pebble-to-llvm` does this before anything is lowered.

    ```mlir
    // pebble-opt --pebble-renew-addresses
    func.func @placed(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
        attributes {pebble.extent = {default = 128 : i64}, pebble.lives = "of another program"} {
      %d = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
      %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
      return %y : tensor<16xf32>
    }
    ```
  }];
  let options = [
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def VerifySchedulePass : Pass<"pebble-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that planned functions still keep their plans";
  let description = [{
    For every function that carries a `pebble.result` with `peak_bytes`: its
    peak is no more than the plan says (less, where what nobody uses has gone
    since); no storage is used after its end, be it through a view or through
    what was written into it in place; nothing is read after
    it was overwritten; and no operation that runs again is equal to the first,
    so that nobody merges the two. For every function with `pebble.extent`: each
    buffer has its offset, and no two that are live at one time overlap. Changes
    nothing.

    ```mlir
    // pebble-opt --pebble-verify-schedule
    func.func @planned(%x: tensor<16xf32>) -> tensor<16xf32> attributes {
        pebble.result = {status = "optimal", cost = 16, bound = 16, peak_bytes = 128,
                         input_peak_bytes = 128, solver = "given"}} {
      %d = bufferization.alloc_tensor() : tensor<16xf32>
      %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
      return %y : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"dimBound", "dim-bound", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Size taken for every dynamic dimension (default: none known)">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
}

#endif // PEBBLE_TRANSFORMS_PLANNEDPASSES_TD
