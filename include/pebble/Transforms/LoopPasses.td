//===- LoopPasses.td - passes on loops and their adjoints --*- tablegen -*-===//

#ifndef PEBBLE_TRANSFORMS_LOOPPASSES_TD
#define PEBBLE_TRANSFORMS_LOOPPASSES_TD

include "mlir/Pass/PassBase.td"

def CheckpointLoopsPass : Pass<"pebble-checkpoint-loops", "::mlir::ModuleOp"> {
  let summary = "Decide which states of a loop are kept for its adjoint";
  let description = [{
    Replaces each `pebble.adjoint_loop` by code that reverses it with as many
    kept states as there are slots, and runs the forward steps between them
    again. The code is as long for ten steps as for a billion, and takes as long
    to compile: a small driver works the schedule out as it goes. The number of
    steps may be known at run time alone.

    `slots` counts the states that are kept at one time, that before the first
    step among them, which stays where it is. The schedule is the binomial one:
    with `s` slots and the least `r` with `n <= binomial(s + r, s)`, it runs
    `r * n - binomial(s + r, r - 1)` steps besides the one forward sweep's last,
    which is the least that any schedule can do. `slow-slots` adds slots in a
    slower tier; those at the bottom of the stack, which are written and read
    least, are there. `schedule=periodic` stores a state there every `period`
    steps, and reverses the steps between two of them within `slots`.
    `schedule=store-all` keeps every state, for comparison.

    Steps that run again must have no effects, and a state must be something
    that a slot can hold; anything else is an error.

    ```mlir
    // pebble-opt --pebble-checkpoint-loops="slots=3"
    func.func @decay(%n: index, %x: tensor<8xf32>, %a: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>)
          adjoints(%a : tensor<8xf32>) primal {
      ^bb0(%i: index, %s: tensor<8xf32>):
        %next = math.sin %s : tensor<8xf32>
        pebble.yield %next : tensor<8xf32>
      } adjoint {
      ^bb0(%i: index, %s: tensor<8xf32>, %b: tensor<8xf32>):
        %cos = math.cos %s : tensor<8xf32>
        %da = arith.mulf %cos, %b : tensor<8xf32>
        pebble.yield %da : tensor<8xf32>
      }
      return %y, %dx : tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"slots", "slots", "int64_t", /*default=*/"-1",
           "States kept at one time in the compute tier, the first one among "
           "them">,
    Option<"slowSlots", "slow-slots", "int64_t", /*default=*/"0",
           "States kept besides in a slower tier (schedule=binomial)">,
    Option<"slowTier", "slow-tier", "std::string", /*default=*/"",
           "Name of that tier (default: the next slower one)">,
    Option<"period", "period", "int64_t", /*default=*/"0",
           "Steps between two states that go to the slower tier "
           "(schedule=periodic)">,
    Option<"schedule", "schedule", "::pebble::LoopSchedule",
           /*default=*/"::pebble::LoopSchedule::Binomial",
           "Which states are kept", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::LoopSchedule::Binomial, "binomial",
                          "as many as there are slots, the others again"),
               clEnumValN(::pebble::LoopSchedule::Periodic, "periodic",
                          "one each period in a slower tier, and between two of "
                          "them as binomial"),
               clEnumValN(::pebble::LoopSchedule::StoreAll, "store-all",
                          "all"))
           }]>,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::pebble::PebbleDialect"
  ];
}

#endif // PEBBLE_TRANSFORMS_LOOPPASSES_TD
