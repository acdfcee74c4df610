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
    least, are there. `schedule=two-tier` has the least cost of forward steps,
    stores and loads with at most these slots in each tier, or, without
    `slow-slots`, as many in the slower one as pay and fit; it follows a small
    table. `schedule=periodic` stores a state there every `period` steps, which
    are what costs least if nothing is said, and reverses the steps between two
    of them within `slots`. Transfers cost what `store-cost` and `load-cost` say,
    in forward steps or beside `forward-cost`, else what the hierarchy says.
    `schedule=store-all` keeps every state, for comparison.

    `slow-compress` keeps the states in the slower tier compressed, as
    `#pebble.at` says: by one codec for all, or by a list with one for each
    state, in order. What it says of numbers has no effect, they stay in the
    compute tier. Sizes and traffic are predicted from the reserved slots; what
    moves of a `bitmask` is less where states are sparser, and more where one
    takes a dense slot.

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
    Option<"slots", "slots", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "States kept at one time in the compute tier, the first one among "
           "them">,
    Option<"slowSlots", "slow-slots", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "States kept in a slower tier as well (default: none; with "
           "schedule=two-tier as many as pay and fit)">,
    Option<"forwardCost", "forward-cost", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Cost of a forward step, in the unit of the transfers' costs "
           "(default: 1 with these, else nanoseconds by the hierarchy)">,
    Option<"storeCost", "store-cost", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Cost of a state's way to the slower tier (default: nanoseconds by "
           "the hierarchy)">,
    Option<"loadCost", "load-cost", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Cost of a state's way back (default: nanoseconds by the "
           "hierarchy)">,
    Option<"slowTier", "slow-tier", "std::string", /*default=*/"",
           "Name of that tier (default: the next slower one)">,
    ListOption<"slowCompress", "slow-compress", "std::string",
               "How states are kept in the slower tier: none, bitmask or bits, "
               "once for all or for each state of the loop">,
    Option<"slowDensityPercent", "slow-density-percent", "std::string",
           /*default=*/"",
           "Of 100 elements of a state, how many may be nonzero, as 5 or 5% "
           "(slow-compress=bitmask)">,
    Option<"period", "period", "int64_t", /*default=*/"0",
           "Steps between two states that go to the slower tier "
           "(schedule=periodic; default: what costs least)">,
    Option<"objective", "objective", "::pebble::ScheduleObjective",
           /*default=*/"::pebble::ScheduleObjective::Time",
           "What steps and transfers cost where no costs are given", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleObjective::Time, "time",
                          "nanoseconds"),
               clEnumValN(::pebble::ScheduleObjective::Energy, "energy",
                          "femtojoules"))
           }]>,
    Option<"schedule", "schedule", "::pebble::LoopSchedule",
           /*default=*/"::pebble::LoopSchedule::Binomial",
           "Which states are kept", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::LoopSchedule::Binomial, "binomial",
                          "as many as there are slots, the others again"),
               clEnumValN(::pebble::LoopSchedule::TwoTier, "two-tier",
                          "in slots of two tiers, at the least cost of steps "
                          "and transfers"),
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

def RaiseLoopsPass : Pass<"pebble-raise-loops", "::mlir::ModuleOp"> {
  let summary = "Find loops and their adjoints that talk over tapes";
  let description = [{
    Two loops in one block become a `pebble.adjoint_loop` where the second is
    seen to be the adjoint of the first: both run equally often; what the second
    one reads of the steps of the first it reads from tapes, in the reverse of
    the order in which they were written; and neither has other effects. A tape
    is a tensor that the first loop carries and fills slice by slice, a cache
    that it pushes on and the other one pops from (`enzyme.push`,
    `enzyme.pop`), or a `memref.alloc` for it alone that the first loop writes
    once a step (`memref.store`; a tensor by
    `bufferization.materialize_in_destination`, or by `memref.copy` of a
    `bufferization.to_buffer`, into a `memref.subview`) and the second one reads
    (`memref.load`, `bufferization.to_tensor` of such a view). The state and the
    adjoint must be values that the loops carry. The loops are `scf.for`, or a
    `while` of scf or stablehlo that counts. What their steps call is inlined
    first.

    The tapes vanish: the step of the adjoint computes again, from the state
    before the step that it reverses, what it was given over them. What stands
    between the loops and makes the adjoint of the final state from that state
    becomes the turn. So does what makes a value of it that every step of the
    second loop reads; the steps of the adjoint hand such a value on as they do
    a gradient.

    With `unrolled=N`, steps are raised as well that were written out: N or more
    of them one after the other, each of the same operations with the same
    operands, or with what the step before made, or with an integer or an offset
    of a slice that grows evenly; and after them the steps of the adjoint, which
    read what the first ones made, from the last to the first. Steps at the ends
    that differ stay as they are. Programs are given the same results, bit for
    bit, for the operations are the same in the same order.

    A remark (`--remarks-filter=pebble-raise-loops`) says for each pair that it
    was raised, or why not. Ops of dialects that are not registered must be
    declared pure.

    ```mlir
    // pebble-opt --pebble-raise-loops
    func.func @sines(%n: index, %x: tensor<8xf32>, %tape: tensor<100x8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %tape) -> (tensor<8xf32>, tensor<100x8xf32>) {
        %u = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<100x8xf32>
        %next = math.sin %s : tensor<8xf32>
        scf.yield %next, %u : tensor<8xf32>, tensor<100x8xf32>
      }
      %last = arith.subi %n, %c1 : index
      %dx = scf.for %j = %c0 to %n step %c1 iter_args(%a = %y#0) -> (tensor<8xf32>) {
        %k = arith.subi %last, %j : index
        %s = tensor.extract_slice %y#1[%k, 0] [1, 8] [1, 1] : tensor<100x8xf32> to tensor<8xf32>
        %cos = math.cos %s : tensor<8xf32>
        %b = arith.mulf %cos, %a : tensor<8xf32>
        scf.yield %b : tensor<8xf32>
      }
      return %dx : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"unrolled", "unrolled", "int64_t", /*default=*/"0",
           "Raise steps too of which at least so many, three or more, stand "
           "one after the other (0: loops alone)">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::pebble::PebbleDialect"
  ];
}

def ThinTapesPass : Pass<"pebble-thin-tapes", "::mlir::ModuleOp"> {
  let summary = "Keep less of each step of a loop for its adjoint";
  let description = [{
    Of two loops of StableHLO the second one, an adjoint, reads what the steps
    of the first one wrote to tapes. This pass chooses anew what a step leaves
    there, so that all tapes together are within the budget, and what the
    adjoint has to make again costs the least arithmetic. Any value of the step
    may be kept, also a state, and one that the adjoint does not read itself.
    Free are: what both loops are given, constants, counters, and what a step
    makes of these, such as its part of an array that the loop scans.

    The choice is a minimum cut in the graph of the step, with the budget as a
    price per byte, and a search that closes what is left. The remark
    (`--remarks-filter=pebble-thin-tapes`) has `tape_bytes` as they were,
    `kept_bytes`, the `cost` in arithmetic operations of all steps, the `bound`
    below which no choice is (equal to the cost unless the search was too long),
    and the `least_bytes` that any choice keeps.

    Operations with effects run once. A loop in the step is one operation. What
    is made again reads its inputs through an `optimization_barrier`. Loops must
    run a known number of times, and count by one. Functions with such loops are
    inlined where a public function calls them. A program whose tapes are within
    the budget stays as it is. It is an error if no choice is within the budget.

    `pebble-check-runs` proves the result to be the program that it was made of.

    ```mlir
    // pebble-opt --pebble-thin-tapes="budget=min"
    func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %c8 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %c9 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
      %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<9x4xf32>}> : () -> tensor<9x4xf32>
      %f:4 = "stablehlo.while"(%c0, %x, %t0, %t0) ({
      ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<9x4xf32>, %u: tensor<9x4xf32>):
        %more = "stablehlo.compare"(%i, %c9) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%more) : (tensor<i1>) -> ()
      }, {
      ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<9x4xf32>, %u: tensor<9x4xf32>):
        %e = "stablehlo.exponential"(%s) : (tensor<4xf32>) -> tensor<4xf32>
        %y = "stablehlo.sine"(%e) : (tensor<4xf32>) -> tensor<4xf32>
        %d = "stablehlo.cosine"(%e) : (tensor<4xf32>) -> tensor<4xf32>
        %p = "stablehlo.reshape"(%e) : (tensor<4xf32>) -> tensor<1x4xf32>
        %q = "stablehlo.reshape"(%d) : (tensor<4xf32>) -> tensor<1x4xf32>
        %v = "stablehlo.dynamic_update_slice"(%t, %p, %i, %c0) : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<9x4xf32>
        %w = "stablehlo.dynamic_update_slice"(%u, %q, %i, %c0) : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<9x4xf32>
        %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%j, %y, %v, %w) : (tensor<i32>, tensor<4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) -> ()
      }) : (tensor<i32>, tensor<4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<9x4xf32>, tensor<9x4xf32>)
      %b:2 = "stablehlo.while"(%c0, %dy) ({
      ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
        %more = "stablehlo.compare"(%i, %c9) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%more) : (tensor<i1>) -> ()
      }, {
      ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
        %k = "stablehlo.subtract"(%c8, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %p = "stablehlo.dynamic_slice"(%f#2, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
        %q = "stablehlo.dynamic_slice"(%f#3, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
        %e = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
        %d = "stablehlo.reshape"(%q) : (tensor<1x4xf32>) -> tensor<4xf32>
        %g = "stablehlo.multiply"(%d, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %h = "stablehlo.multiply"(%g, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%j, %h) : (tensor<i32>, tensor<4xf32>) -> ()
      }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
      return %b#1 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"budget", "budget", "std::string", /*default=*/"",
           "What all tapes together may take: bytes (KB, MB, GB, KiB, ...), "
           "percent of what they take, or min">,
    Option<"budgetBytes", "budget-bytes", "std::string", /*default=*/"",
           "The same as budget">,
    Option<"budgetPercent", "budget-percent", "std::string", /*default=*/"",
           "Budget in percent of what the tapes take">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
}

def SnapshotLoopsPass : Pass<"pebble-snapshot-loops", "::mlir::ModuleOp"> {
  let summary = "Have loops take snapshots from which a killed run goes on";
  let description = [{
    Each `scf.for` in the block of a function that nothing calls writes what it
    carries, and the buffers that it writes, to the journal of the run, every
    `every` iterations, and at its end if such a loop follows. In front of it,
    `pebble.resume` fills these values from the journal where `pebble-run
    --resume` goes on from one. Left alone are loops that move single numbers
    and no more, and those that run once at most.

    What stands before the last such loop, and in none, runs again then. So it
    must be such that nobody notices: operations with effects there are errors
    at the operation. In a loop too: a snapshot does not take back what was
    printed or sent, and does not hold the state of a random number generator.
    Carried values are numbers, and tensors of known shape; buffers have the
    plain layout, and are made in the function or its arguments.

    It is an error if there is no such loop. `docs/Resuming.md` has an example,
    and says how often to take snapshots.

    ```mlir
    // pebble-opt --pebble-snapshot-loops="every=10"
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 1000 : index
      %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
        %b = math.sin %a : tensor<8xf32>
        scf.yield %b : tensor<8xf32>
      }
      return %y : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"every", "every", "int64_t", /*default=*/"0",
           "Iterations from one snapshot of a loop to the next">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::pebble::PebbleDialect"];
}

def CheckRunsPass : Pass<"pebble-check-runs", "::mlir::ModuleOp"> {
  let summary = "Prove that functions compute what they did before their loops "
                "were reversed";
  let description = [{
    `original` names the file of the program before. Each public function of it
    is run, and so is the one of its name here: with numbers for integers, and
    with expressions for all else. Loops run as often as they do, and what is
    written to a place of an array is what is read there later. An error says
    which result is not the same expression of the arguments.

    Functions that run more than `most` operations are not compared, with a
    remark. The pass changes nothing.

    ```sh
    pebble-opt scan.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=4 --pebble-loops-to-stablehlo --pebble-check-runs=original=scan.mlir
    ```
  }];
  let options = [
    Option<"original", "original", "std::string", /*default=*/"\"\"",
           "File of the program before">,
    Option<"most", "most", "int64_t", /*default=*/"10000000",
           "The most operations that a function may run">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects, operations or custom calls that are free "
               "of effects">
  ];
}

#endif // PEBBLE_TRANSFORMS_LOOPPASSES_TD
