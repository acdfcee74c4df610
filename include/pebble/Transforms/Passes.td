//===- Passes.td - Pebble's passes -------------------------*- tablegen -*-===//
// Options are enums and numbers, kebab-case, with the unit in the name.
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_PASSES_TD
#define PEBBLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pebble/Transforms/CallPasses.td"
include "pebble/Transforms/FormPasses.td"
include "pebble/Transforms/LoopPasses.td"
include "pebble/Transforms/RankPasses.td"
include "pebble/Transforms/StagePasses.td"
include "pebble/Transforms/StepPasses.td"

def AttachTargetPass : Pass<"pebble-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the memory hierarchy of a known machine on the module";
  let description = [{
    Sets `pebble.hierarchy` on the module to the hierarchy of `preset`, in place
    of one that may stand there. docs/Targets.md lists the presets and where
    their figures come from. Where no preset has that name, it is that of a file
    with a `#pebble.hierarchy`. `pebble-opt --target=NAME` runs this pass before
    all others.

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
           "Name of the machine, or a file with its hierarchy">
  ];
  let dependentDialects = ["::pebble::PebbleDialect"];
}

def DecomposePass : Pass<"pebble-decompose", "::mlir::ModuleOp"> {
  let summary = "Give every tensor operation a destination";
  let description = [{
    Rewrites what would allocate where no analysis sees it. The pass is
    idempotent, and linear in the program.

    - `tensor.pad`, `tensor.generate`, `tensor.from_elements`, `tensor.concat`,
      `tensor.gather` and `linalg.softmax` become operations that have a
      destination.
    - `linalg.pack` and `linalg.unpack` become one `linalg.generic`, which looks
      up each element. It needs no memory but the source and the destination.
    - `tensor.scatter`, `linalg.winograd_filter_transform`,
      `linalg.winograd_input_transform` and `linalg.winograd_output_transform`
      become loops that write into the destination.
    - A `tensor.collapse_shape` or `tensor.reshape` whose source is not
      contiguous in memory gets a copy of it.
    - `bufferization.clone` and `memref.realloc` become an allocation and a
      copy, whether or not the old buffer would do; a `bufferization.dealloc`
      goes, and what it says of ownership is computed.
    - `async.execute` becomes the operations of its body, where it stands, and
      what someone waits for becomes what it was to be. `memref.dma_start` and
      `affine.dma_start` become copies, where they stand.
    - Layouts that are affine maps become strides, or dimensions of their own.
    - Operations of `shape` become those on sizes, with assertions, quantised
      values integers, a `vector.mask` an operand, `affine` on tensors `scf`.
    - A tensor of `ub.poison` becomes a `tensor.empty`, a
      `ml_program.global_load_const` a constant, and an `ml_program.global` of
      one number a tensor without dimensions.

    ```mlir
    // pebble-opt --pebble-decompose
    func.func @border(%x: tensor<4xf32>, %zero: f32) -> tensor<6xf32> {
      %y = tensor.pad %x low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %zero : f32
      } : tensor<4xf32> to tensor<6xf32>
      return %y : tensor<6xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::pebble::PebbleDialect"
  ];
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

def ReuseOperandsPass : Pass<"pebble-reuse-operands", "::mlir::ModuleOp"> {
  let summary = "Let elementwise results take the buffer of an operand";
  let description = [{
    After the storage decisions of `pebble-materialize-storage`, which come
    first, an elementwise operation still writes beside its operands. Where one
    of them has the type of the result, is read by nobody else, and is a donated
    argument or was made by the step right before, the result is written over
    it. The peak of a program that is dominated by such operations (the
    update of a parameter holds the parameter, the step and the result) falls by
    a third there, and with it the smallest budget that
    `pebble-schedule` can meet.

    It is a pass of its own, to be asked for, since the accounting of a program
    as it came in (docs/PebbleGame.md) gives every result a storage. Operations
    with `pebble.keep`, `pebble.recompute` or `pebble.offload` are left alone.

    ```mlir
    // pebble-opt --pebble-reuse-operands
    func.func @update(%w: tensor<8xf32>, %g: tensor<8xf32>, %rate: tensor<8xf32>) -> tensor<8xf32> {
      %step = arith.mulf %g, %rate : tensor<8xf32>
      %new = arith.subf %w, %step : tensor<8xf32>
      return %new : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::pebble::PebbleDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
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

def PrintDependencesPass : Pass<"pebble-print-dependences", "::mlir::ModuleOp"> {
  let summary = "Print what must come before what, and which ops are barriers";
  let description = [{
    Prints, for every block of every function, the dependences between its steps
    to the standard output: flow (read after write), anti (overwrite after
    read), output (overwrite after write), and the order of effects, which
    carries no data. Barriers are named with the reason.

    ```mlir
    // pebble-opt --pebble-print-dependences
    func.func @update(%w: memref<8xf32>, %g: memref<8xf32>) {
      linalg.add ins(%w, %g : memref<8xf32>, memref<8xf32>) outs(%g : memref<8xf32>)
      linalg.sub ins(%w, %g : memref<8xf32>, memref<8xf32>) outs(%w : memref<8xf32>)
      return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def OrderOperationsPass : Pass<"pebble-order-operations", "::mlir::ModuleOp"> {
  let summary = "Put operations in the order of least peak or least energy";
  let description = [{
    Orders the operations of every block, each block by itself and inner ones
    first, so that the peak of live bytes (`objective=peak`) or the energy of
    all accesses (`objective=energy`, within `peak-limit-bytes` if given) is
    least. Every dependence is kept: flow, anti, output, and the order of
    effects. Storages are decided first, as by `pebble-materialize-storage`, so
    that no later order changes what is written in place.

    The answer is never worse than the order that came in, and is proven optimal
    where the search space allows; otherwise it comes with a lower bound. Each
    planned function carries `pebble.result`: status, cost (bytes for the peak,
    femtojoules for energy), bound, both peaks, and what found the order. After
    the rewrite it is proven that the function computes what it did.

    An op with `pebble.order = N` runs after the ops with smaller N: an order
    that the user dictates, for all ops or for some. One that breaks a
    dependence is an error that names it.

    Remarks (`--remarks-filter=pebble-order-operations`) say which ops moved,
    which accesses another tier serves, what dominates the peak, and which ops
    are barriers. docs/Ordering.md has more.

    ```mlir
    // pebble-opt --pebble-order-operations="objective=peak"
    func.func @one_branch_at_a_time(%x: tensor<1024xf32>) -> tensor<1024xf32> {
      %a = math.exp %x : tensor<1024xf32>
      %b = math.cos %x : tensor<1024xf32>
      %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
      %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
      %p = arith.negf %a_low : tensor<16xf32>
      %q = arith.negf %b_low : tensor<16xf32>
      %r = arith.addf %p, %q : tensor<16xf32>
      %y = tensor.insert_slice %r into %x[0] [16] [1] : tensor<16xf32> into tensor<1024xf32>
      return %y : tensor<1024xf32>
    }
    ```
  }];
  let options = [
    Option<"objective", "objective", "::pebble::OrderObjective",
           /*default=*/"::pebble::OrderObjective::Peak", "What to minimise", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::OrderObjective::Peak, "peak",
                          "the peak of live bytes in the compute tier"),
               clEnumValN(::pebble::OrderObjective::Energy, "energy",
                          "the energy of all accesses"))
           }]>,
    Option<"peakLimitBytes", "peak-limit-bytes", "std::string", /*default=*/"",
           "Live bytes that the compute tier may hold: 7000000, 7MiB, or 50% of the "
           "peak of the order that came in (0: no limit)">,
    Option<"cacheModel", "cache-model", "::pebble::CacheModel",
           /*default=*/"::pebble::CacheModel::Lru", "How caches are priced", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::CacheModel::Lru, "lru",
                          "true LRU per access"),
               clEnumValN(::pebble::CacheModel::Sutro, "sutro",
                          "the published experiment's bookkeeping"))
           }]>,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seeds the search; same seed, same answer">,
    Option<"timeLimitMs", "time-limit-ms", "std::string", /*default=*/"",
           "Milliseconds for all searches of the module together (0: no limit; "
           "default: what they take, at most 60 s); an answer that the clock cut off "
           "may differ from run to run">,
    Option<"memoryLimit", "memory-limit", "std::string", /*default=*/"",
           "Bytes that the tables of a search may take, as 512MiB (default: what "
           "--memory-limit of the tool says, else 4GB)">,
    Option<"iterationLimit", "iteration-limit", "int64_t", /*default=*/"0",
           "Steps of each search (0: chosen by the solver)">,
    Option<"dimBound", "dim-bound", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Size taken for every dynamic dimension (default: none known)">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">,
    Option<"materialize", "materialize", "bool", /*default=*/"true",
           "Decide storages first, as by pebble-materialize-storage">,
    Option<"verify", "verify", "bool", /*default=*/"true",
           "Prove that each function is still the same program">
  ];
  let dependentDialects = [
    "::pebble::PebbleDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Forward and backward
//===----------------------------------------------------------------------===//

def StitchBackwardPass : Pass<"pebble-stitch-backward", "::mlir::ModuleOp"> {
  let summary = "Make one function of a forward function and its backward one";
  let description = [{
    Frameworks cut a training step into a forward function, which returns what
    it saves besides its own results, and a backward function, which takes that
    and the gradient of the loss. This pass makes the function `into` that does
    both: its arguments are those of `forward` and those of `backward` that are
    no saved values, its results those of `forward` that are no saved values and
    those of `backward`. Operations without effects that nobody uses any more
    are removed, and so are the two functions if nothing else refers to them.

    `pair-by=name` takes the result and the argument with the same
    `pebble.name` as one value, and every named argument of `backward` must
    find its result; `pair-by=position` takes all results from
    `first-saved-result` on for the arguments from `first-saved-argument` on.

    The new function has the attribute `pebble.stitched`, by which
    `pebble-split-backward` finds the way back. docs/Stitching.md has more.

    ```mlir
    // pebble-opt --pebble-stitch-backward="forward=forward backward=backward into=step"
    func.func @forward(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {pebble.name = "e"}) {
      %e = math.exp %x : tensor<8xf32>
      %y = math.sin %e : tensor<8xf32>
      return %y, %e : tensor<8xf32>, tensor<8xf32>
    }
    func.func @backward(%e: tensor<8xf32> {pebble.name = "e"}, %dy: tensor<8xf32>) -> tensor<8xf32> {
      %c = math.cos %e : tensor<8xf32>
      %de = arith.mulf %dy, %c : tensor<8xf32>
      %dx = arith.mulf %de, %e : tensor<8xf32>
      return %dx : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"forward", "forward", "std::string", /*default=*/"",
           "Name of the forward function">,
    Option<"backward", "backward", "std::string", /*default=*/"",
           "Name of the backward function">,
    Option<"into", "into", "std::string", /*default=*/"",
           "Name of the function to make">,
    Option<"pairBy", "pair-by", "::pebble::SavedPairing",
           /*default=*/"::pebble::SavedPairing::Name",
           "How a saved result finds its argument", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::SavedPairing::Name, "name",
                          "both have the same pebble.name"),
               clEnumValN(::pebble::SavedPairing::Position, "position",
                          "both stand at the same place"))
           }]>,
    Option<"firstSavedResult", "first-saved-result", "unsigned",
           /*default=*/"1", "With pair-by=position: the first saved result">,
    Option<"firstSavedArgument", "first-saved-argument", "unsigned",
           /*default=*/"0", "With pair-by=position: the first saved argument">
  ];
  let dependentDialects = [
    "::pebble::PebbleDialect", "::mlir::func::FuncDialect"
  ];
}

def SplitBackwardPass : Pass<"pebble-split-backward", "::mlir::ModuleOp"> {
  let summary = "Cut a stitched function into a forward and a backward one";
  let description = [{
    The way back from `pebble-stitch-backward`, when the whole has been
    scheduled. The backward part begins where an operation first depends on an
    argument that the forward function does not have. What it still reads of the
    forward part is saved: what the schedule computes again, and what costs
    nothing to make again (constants, empty destinations, other shapes of a
    saved value), is not. Arguments of the backward function that nobody else
    needs are donated to it. The stitched function stays and calls the two.

    ```mlir
    // pebble-opt --pebble-split-backward
    func.func @step(%x: tensor<8xf32>, %dy: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
        attributes {pebble.stitched = {forward = "forward", backward = "backward", arguments = 1, results = 1}} {
      %e = math.exp %x : tensor<8xf32>
      %y = math.sin %e : tensor<8xf32>
      %c = math.cos %e : tensor<8xf32>
      %de = arith.mulf %dy, %c : tensor<8xf32>
      %dx = arith.mulf %de, %e : tensor<8xf32>
      return %y, %dx : tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"forward", "forward", "std::string", /*default=*/"",
           "Name of the forward function (default: what was stitched)">,
    Option<"backward", "backward", "std::string", /*default=*/"",
           "Name of the backward function (default: what was stitched)">
  ];
  let dependentDialects = [
    "::pebble::PebbleDialect", "::mlir::func::FuncDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Order and recomputation
//===----------------------------------------------------------------------===//

def SchedulePass : Pass<"pebble-schedule", "::mlir::ModuleOp"> {
  let summary = "Fit functions into a budget of bytes at the least cost";
  let description = [{
    Finds, for every function, the cheapest schedule whose peak of live bytes
    fits a budget: in which order operations run, and which run again instead
    of having their results kept. Where an order fits, nothing runs twice.

    The budget is `budget` (or `budget-bytes`), or `budget-percent` of the peak of
    the order that came in, or the capacity of the compute tier; `budget=min` is
    the least that is found to do. What is counted is the whole function, arguments
    included. The cost is that of
    all runs: arithmetic operations or `pebble.cost` (`objective=recompute`),
    nanoseconds (`time`) or femtojoules (`energy`).

    Storages are decided first, as by `pebble-materialize-storage`. An operation
    that runs again is a clone with destinations of its own and operands that
    come through `pebble.opaque`, so that no later pass merges it with the first;
    `pebble.drop` says where each storage ends. Blocks inside of operations are
    ordered for their peak. Afterwards it is proven that the function computes
    what it did and that its peak is the one that was planned. `pebble.keep` and
    `pebble.recompute` on an operation are followed.

    An update in place destroys what others would have to read again. Where that
    costs more than a storage of its own, the update gets one, if nobody outside
    of the function can tell (`out-of-place`). The others stay in place.

    With `derived-forms` a value that is wanted again late may be kept in a
    smaller form, such as bits. With `inversion` it need not be kept where a step
    that read it can be undone.

    If nothing fits, the error names the smallest budget for which a schedule is
    known, the operation at its peak and the largest values there. A public
    function with dynamic dimensions that was changed for its budget names, in
    `pebble.fallback`, the leanest schedule of it. Each planned
    function carries `pebble.result`. Remarks
    (`--remarks-filter=pebble-schedule`) say for each large value what was done
    and why. docs/Scheduling.md has more.

    ```mlir
    // pebble-opt --pebble-schedule="budget-percent=80"
    func.func @again(%x: tensor<16xf32>) -> tensor<16xf32> {
      %w = tensor.empty() : tensor<256x16xf32>
      %n = tensor.empty() : tensor<16xf32>
      %wide = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
      %a = linalg.reduce {arith.addf} ins(%wide : tensor<256x16xf32>) outs(%x : tensor<16xf32>) dimensions = [0]
      %other = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
      %b = linalg.reduce {arith.mulf} ins(%other : tensor<256x16xf32>) outs(%a : tensor<16xf32>) dimensions = [0]
      %c = linalg.reduce {arith.maximumf} ins(%wide : tensor<256x16xf32>) outs(%b : tensor<16xf32>) dimensions = [0]
      return %c : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"budget", "budget", "std::string", /*default=*/"",
           "Bytes that the peak of each function may take: 7000000, 7MiB, 7GB; 50% "
           "of the peak of the order that came in; or min, the least that is found "
           "to do">,
    Option<"budgetBytes", "budget-bytes", "std::string", /*default=*/"",
           "The same as budget">,
    Option<"budgetPercent", "budget-percent", "std::string", /*default=*/"",
           "The same in percent: 50, 50% or 12.5">,
    Option<"objective", "objective", "::pebble::ScheduleObjective",
           /*default=*/"::pebble::ScheduleObjective::Recompute",
           "What to minimise", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleObjective::Energy, "energy",
                          "femtojoules of all accesses and all arithmetic"),
               clEnumValN(::pebble::ScheduleObjective::Time, "time",
                          "nanoseconds until all steps and transfers have ended"),
               clEnumValN(::pebble::ScheduleObjective::Recompute, "recompute",
                          "pebble.cost, or arithmetic operations, of all runs"))
           }]>,
    Option<"means", "means", "::pebble::ScheduleMeans",
           /*default=*/"::pebble::ScheduleMeans::Recompute",
           "What a schedule may do, beside changing the order", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleMeans::None, "none", "nothing"),
               clEnumValN(::pebble::ScheduleMeans::Recompute, "recompute",
                          "operations may run again"),
               clEnumValN(::pebble::ScheduleMeans::Offload, "offload",
                          "values may move to slower tiers and back"),
               clEnumValN(::pebble::ScheduleMeans::Both, "both",
                          "both of these"))
           }]>,
    Option<"outOfPlace", "out-of-place", "bool", /*default=*/"true",
           "Updates in place may write storages of their own if that pays">,
    Option<"derivedForms", "derived-forms", "bool", /*default=*/"false",
           "A smaller form may be kept in place of a value, such as bits">,
    Option<"inversion", "inversion", "bool", /*default=*/"false",
           "A value may come back by undoing a step that read it">,
    Option<"greedyPacking", "greedy-packing", "bool", /*default=*/"false",
           "Of orders with the same peak, take one for which an allocator that "
           "places large or long-lived buffers first, as XLA's does, leaves little "
           "idle">,
    Option<"solver", "solver", "std::string", /*default=*/"",
           "Name of a solver; empty: whatever suits">,
    Option<"cacheModel", "cache-model", "::pebble::CacheModel",
           /*default=*/"::pebble::CacheModel::Lru", "How caches are priced", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::CacheModel::Lru, "lru",
                          "true LRU per access"),
               clEnumValN(::pebble::CacheModel::Sutro, "sutro",
                          "the published experiment's bookkeeping"))
           }]>,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seeds the search; same seed, same answer">,
    Option<"timeLimitMs", "time-limit-ms", "std::string", /*default=*/"",
           "Milliseconds for all searches of the module together (0: no limit; "
           "default: what they take, at most 60 s); an answer that the clock cut off "
           "may differ from run to run">,
    Option<"memoryLimit", "memory-limit", "std::string", /*default=*/"",
           "Bytes that the tables of a search may take, as 512MiB (default: what "
           "--memory-limit of the tool says, else 4GB)">,
    Option<"plan", "plan", "std::string", /*default=*/"",
           "File with plans of an earlier run: applied if the program is the "
           "same, else a start for the solvers">,
    Option<"savePlan", "save-plan", "std::string", /*default=*/"",
           "File to keep the plans in">,
    Option<"costs", "costs", "std::string", /*default=*/"",
           "File of measured costs, as pebble-run --profile writes it; for "
           "objective=time">,
    Option<"dimBound", "dim-bound", "int64_t",
           /*default=*/"::pebble::kNotGiven",
           "Size taken for every dynamic dimension (default: none known)">,
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

include "pebble/Transforms/PlannedPasses.td"

#endif // PEBBLE_TRANSFORMS_PASSES_TD
