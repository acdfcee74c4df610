//===- CallPasses.td - passes on calls and their adjoints --*- tablegen -*-===//

#ifndef PEBBLE_TRANSFORMS_CALLPASSES_TD
#define PEBBLE_TRANSFORMS_CALLPASSES_TD

include "mlir/Pass/PassBase.td"

def CheckpointCallsPass : Pass<"pebble-checkpoint-calls", "::mlir::ModuleOp"> {
  let summary = "Decide which calls keep their tape, and which run again";
  let description = [{
    A forward function that names its adjoint (`pebble.adjoint`) hands out its
    own results and a tape, which the adjoint reads. A call of it is *split* if
    the tape is kept from the one call to the other. It is *joint* if the
    function first runs without a tape, and runs again, with one, just before
    its adjoint; what is kept then is its arguments. The same holds for the
    calls inside of forward functions, whose adjoints stand in backward
    functions, and so on down the tree of calls.

    For each function that holds both calls of such pairs, the pass chooses for
    every call in its tree, so that its peak is within the budget and as little
    as possible runs again. Each callee is looked at once, from the leaves up,
    and is known to its callers as a set of variants, none of which is better
    than another in all respects. Two calls of one function may be made
    differently. The functions that this takes are written, with the suffix
    `.plain` where they run without a tape, and with a number where they have
    one. The peak is measured on the program that was written.

    A function that works on buffers runs again from a snapshot: what it reads
    and somebody overwrites is copied before the first call, to `snapshot-tier`,
    and the second run is given the copy.

    A branch, a loop or an `scf.execute_region` with `pebble.adjoint = {results = n}`
    is decided on in the same way: its results after the first n are its tape, and
    what reads that is its adjoint. Both become functions.

    A call that starts what its caller ends, or ends what its caller began (a
    task, an allocation), grows until both are inside: all between becomes one
    function.

    A call stays split if its function must not run again, and a remark
    (`--remarks-filter=pebble-checkpoint-calls`) says why. `pebble.call_mode` on
    a function or on a call of it asks for one of the two. What was written is
    proven to compute what it did before, whatever is called how often.

    A function within its budget is left as it is. `pebble.result` says what was
    reached; its cost counts all that runs, its bound is what runs once.
    docs/Calls.md has more.

    ```mlir
    // pebble-opt --pebble-checkpoint-calls="mode=joint"
    func.func private @layer(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
        attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
      %y = math.sin %x : tensor<64xf32>
      %c = math.cos %x : tensor<64xf32>
      return %y, %c : tensor<64xf32>, tensor<64xf32>
    }
    func.func private @layer_back(%c: tensor<64xf32>, %dy: tensor<64xf32>) -> tensor<64xf32> {
      %dx = arith.mulf %c, %dy : tensor<64xf32>
      return %dx : tensor<64xf32>
    }
    func.func @gradient(%x: tensor<64xf32>, %dy: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %y, %c = call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
      %dx = call @layer_back(%c, %dy) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      return %y, %dx : tensor<64xf32>, tensor<64xf32>
    }
    ```
  }];
  let options = [
    Option<"budget", "budget", "std::string", /*default=*/"",
           "Bytes that the peak of each function with both calls of a pair may take: "
           "7000000, 7MiB; 50% of the peak as it came in; or min, the least that is "
           "found to do">,
    Option<"budgetBytes", "budget-bytes", "std::string", /*default=*/"",
           "The same as budget">,
    Option<"budgetPercent", "budget-percent", "std::string", /*default=*/"",
           "The same in percent: 50, 50% or 12.5">,
    Option<"mode", "mode", "::pebble::CallTreeMode",
           /*default=*/"::pebble::CallTreeMode::Chosen",
           "How calls are made", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::CallTreeMode::Chosen, "chosen",
                          "what costs least within the budget"),
               clEnumValN(::pebble::CallTreeMode::Split, "split",
                          "all tapes are kept, if that is allowed"),
               clEnumValN(::pebble::CallTreeMode::Joint, "joint",
                          "all run again, if that is allowed"))
           }]>,
    Option<"objective", "objective", "::pebble::ScheduleObjective",
           /*default=*/"::pebble::ScheduleObjective::Recompute",
           "Cost that is least, of all that runs again", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleObjective::Energy, "energy",
                          "femtojoules"),
               clEnumValN(::pebble::ScheduleObjective::Time, "time",
                          "nanoseconds"),
               clEnumValN(::pebble::ScheduleObjective::Recompute, "recompute",
                          "pebble.cost, else arithmetic operations, else bytes"))
           }]>,
    Option<"snapshotTier", "snapshot-tier", "std::string", /*default=*/"",
           "Slower tier that snapshots of buffers go to (default: they stay in the "
           "compute tier)">,
    Option<"dimBound", "dim-bound", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Size taken for every dynamic dimension (default: none known)">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::pebble::PebbleDialect"];
}

def ExpandRecursionPass : Pass<"pebble-expand-recursion", "::mlir::ModuleOp"> {
  let summary = "Write out recursion whose depth is declared";
  let description = [{
    How deep a function calls itself nobody knows, so that neither its memory nor
    its tape has a bound, and planners refuse it. `pebble.recursion_depth` says
    how many calls of a function are under way at one time at most. The function
    then becomes as many, of which each calls the next; functions that it calls,
    and that call it, are copied along. The last one has an assertion where it
    would call itself: a program that goes deeper ends there.

    ```mlir
    // pebble-opt --pebble-expand-recursion
    func.func private @halve(%x: tensor<64xf32>, %n: index) -> tensor<64xf32>
        attributes {pebble.recursion_depth = 3 : i64} {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %more = arith.cmpi ne, %n, %zero : index
      %r = scf.if %more -> tensor<64xf32> {
        %m = arith.subi %n, %one : index
        %y = math.sin %x : tensor<64xf32>
        %z = func.call @halve(%y, %m) : (tensor<64xf32>, index) -> tensor<64xf32>
        scf.yield %z : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      return %r : tensor<64xf32>
    }
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %n = arith.constant 2 : index
      %r = call @halve(%x, %n) : (tensor<64xf32>, index) -> tensor<64xf32>
      return %r : tensor<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PEBBLE_TRANSFORMS_CALLPASSES_TD
