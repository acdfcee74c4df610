//===- Passes.td - the way down to LLVM --------------------*- tablegen -*-===//

#ifndef PEBBLE_CONVERSION_PASSES_TD
#define PEBBLE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizePass : Pass<"pebble-bufferize", "::mlir::ModuleOp"> {
  let summary = "turn tensors into memrefs exactly as the program says";
  let description = [{
    Expects a program in which every storage decision is written down: each op
    has a destination of its own or overwrites an operand on purpose, and each
    copy is an op. So nothing is analysed, and the cost is near-linear in the
    program's length. Function boundaries become memrefs with identity layout;
    donated arguments are marked `pebble.donated`, which outlives this pass.

    A check at the end proves that no allocation and no copy was added: an error
    at the op that would need one otherwise.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def PlaceFreesPass : Pass<"pebble-place-frees", "::mlir::ModuleOp"> {
  let summary = "free every buffer once, right after its last use";
  let description = [{
    Works on memrefs. An allocation stands right before its first use and its
    free right after its last one, views and aliases followed, in the block that
    owns it; stack allocations become ordinary ones; frees of the source in the
    block of their allocation are placed anew. A donated argument is freed like
    a local buffer, a returned one belongs to the caller.

    Ownership moves with control flow: a region that yields a buffer of its own
    hands it to the op's result, a loop that carries a buffer of its own frees
    the one of the iteration before. Where one path yields an owned buffer and
    another one that somebody else owns, a flag beside the result says at run
    time whether it is to be freed; of a call, the result is compared with what
    the callee was given. What was a tensor, and a donated argument that is still
    needed, is copied instead.

    `pebble.drop` counts as a free, and `pebble.opaque` has done its work and is
    folded away. An allocation that nothing touches is erased.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::pebble::PebbleDialect"];
}

def GuardFallbacksPass : Pass<"pebble-guard-fallbacks", "::mlir::ModuleOp"> {
  let summary = "choose the leanest schedule where a dimension is over its bound";
  let description = [{
    Works on memrefs, where frees are placed. A function with
    `pebble.fallback = {function = @other, dim_bound = n}` becomes
    `@NAME.planned`, private, and a guard takes its name: it compares the largest
    of the dimensions that the types of its arguments leave open with `n`. Where
    that is larger, it says so in a line on stderr (`pebble_rt_note_fallback`)
    and passes its arguments on to `@other`, otherwise to `@NAME.planned`. It
    allocates and copies nothing. The attribute is gone afterwards.

    Where `@other` is the function itself, nothing leaner is known: the line is
    written and the plan runs. A function whose arguments leave no dimension open
    stays as it is. Arguments without a rank are not looked at.

    It is an error if `@other` is no function of the same type with a body, or
    falls back to a third one.

    ```mlir
    // pebble-opt --pebble-guard-fallbacks
    func.func @step(%x: memref<?xf32>)
        attributes {pebble.fallback = {function = @step.leanest, dim_bound = 64 : i64}} {
      return
    }
    func.func private @step.leanest(%x: memref<?xf32>) {
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def LinalgToLoopsPass : Pass<"pebble-linalg-to-loops", "::mlir::ModuleOp"> {
  let summary = "turn structured operations and strided copies into loops";
  let description = [{
    Each structured operation on memrefs becomes the call of a function that is
    never inlined, one for all equal operations: an operation is compiled the
    same wherever the schedule puts it. The function's body is a nest of scalar `scf` loops,
    ordered so that memory is walked well: wide steps outside, and innermost a
    loop over contiguous memory, if possible without a reduction in the way of
    vectorisation. The reductions keep their order among each other, so that
    what is computed does not depend on layouts. Copies between memrefs that are
    not contiguous become loops too. A `memref.generic_atomic_rmw` with a loop or
    a branch in it becomes a load and a store: a program has one thread.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def DivideFunctionsPass
    : Pass<"pebble-divide-functions", "::mlir::ModuleOp"> {
  let summary = "make a long function call its parts";
  let description = [{
    Code generators take kilobytes for each operation of a function, all at
    once. A function of one block with more than twice `length` operations
    becomes one that calls private parts of `length` to twice as many, cut where
    the fewest values cross. Constants are made anew in each part. A function
    that puts buffers on its stack stays whole, and so does a stretch in which
    more than 256 values cross wherever it is cut.
  }];
  let options = [
    Option<"length", "length", "int64_t", /*default=*/"4096",
           "Operations that a part has at least">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LowerSnapshotsPass
    : Pass<"pebble-lower-snapshots", "::mlir::ModuleOp"> {
  let summary = "turn snapshots of loops into runtime calls";
  let description = [{
    Works on memrefs, before tiers are lowered. `pebble.resume` and
    `pebble.resume_number` become calls that fill a value from the journal of
    the run, and `pebble.snapshot` calls that write one. The loop around a
    `pebble.snapshot` begins at the iteration that the journal says
    (`pebble_rt_journal_enter`). Without a journal the calls do nothing, and the
    loop begins where it did.

    A `pebble.snapshot` that is in no `scf.for`, or in one that others share, and
    a `pebble.resume` of a loop that takes no snapshots, are errors: another pass
    has changed the loop since.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerTiersPass : Pass<"pebble-lower-tiers", "::mlir::ModuleOp"> {
  let summary = "turn transfers into runtime calls and erase memory spaces";
  let description = [{
    LLVM knows no tiers. Here each allocation takes the number of its tier with
    it (`pebble_tier`), transfers and copies between tiers become calls of the
    runtime, and memory spaces vanish from all types. Tiers are numbered as in
    the module's hierarchy; the compute tier is the first explicit one.

    A function whose addresses are planned (`pebble.extent`) tells the runtime
    at its entry where it expects its arguments and how large its blocks are,
    and at its end that it is done; its allocations take their offsets with them.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"];
}

def ConvertToLLVMPass : Pass<"pebble-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn what is left into the LLVM dialect";
  let description = [{
    Allocations, frees and copies become calls of libpebble_runtime; everything
    else is lowered by the upstream patterns of its dialect. An op that has no
    lowering is an error at that op.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerTosaPass : Pass<"pebble-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "lower tosa to linalg, in functions that have any";
  let description = [{
    Runs upstream's passes. They also fold what they meet, so that a function
    without an operation of tosa is left as it stands.
  }];
}

def LowerVectorsPass : Pass<"pebble-lower-vectors", "::mlir::ModuleOp"> {
  let summary = "lower masks, reductions and accesses of vectors, in functions that have any";
  let description = [{
    A vector operation under a `vector.mask` becomes one that has the mask. A
    `vector.multi_reduction` becomes one of a single dimension, and a
    `vector.scan` sums. A `vector.load` or `vector.store` of several dimensions
    becomes a transfer. Vectors of `i1` are read and written as bytes: memory
    has a byte for each element, and LLVM would take a bit. A function without
    any is left as it stands.
  }];
}

def LowerComplexPass : Pass<"pebble-lower-complex", "::mlir::ModuleOp"> {
  let summary = "lower functions of complex numbers, where there are any";
  let description = [{
    Exponentials, roots and the like become operations on both parts. A function
    with the four basic operations alone, which LLVM's lowering knows, is left
    as it stands.
  }];
}

def LowerPowersPass : Pass<"pebble-lower-powers", "::mlir::ModuleOp"> {
  let summary = "lower powers of integers, in modules that have any";
  let description = [{
    `math.ipowi` becomes the call of a function that upstream writes, and so does
    `math.fpowi` of vectors, or if its exponent has more than 32 bits. A shorter
    exponent is extended. A module without such powers is left as it stands.
  }];
}

def LowerSmallFloatsPass
    : Pass<"pebble-lower-small-floats", "::mlir::ModuleOp"> {
  let summary = "compute with floats of 8 bits and less, where there are any";
  let description = [{
    Operations on such floats become those on f32, whose result is rounded to
    nearest. The conversions between the two become operations on bits. A
    function that computes with none is left as it stands.

    ```mlir
    // pebble-opt --pebble-lower-small-floats
    func.func @sum(%a: f8E4M3FN, %b: f8E4M3FN) -> f8E4M3FN {
      %c = arith.addf %a, %b : f8E4M3FN
      return %c : f8E4M3FN
    }
    ```
  }];
}

def LowerMpiPass : Pass<"pebble-lower-mpi", "::mlir::ModuleOp"> {
  let summary = "lower messages to calls that every MPI library can serve";
  let description = [{
    Operations of the mpi dialect and `pebble.collective` become calls of
    `libpebble_mpi`; communicators and requests become numbers. Messages are dense buffers of numbers; others
    are errors. An error of MPI ends all ranks, so that the codes which
    operations return are those of success.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def LowerSubviewsPass : Pass<"pebble-lower-subviews", "::mlir::ModuleOp"> {
  let summary = "spell out parts of fewer dimensions that have steps";
  let description = [{
    A `memref.subview` that drops dimensions and takes steps other than one
    becomes a `memref.reinterpret_cast` with its offset, sizes and strides:
    upstream's passes do not find out which dimensions it drops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VerifyPhasePass : Pass<"pebble-verify-phase", "::mlir::ModuleOp"> {
  let summary = "check what a phase of pebble-to-llvm must have left";
  let description = [{
    Each phase of the way down ends with this check. Changes nothing; an error at
    the first operation of each function that should be gone:

    - `storage`: operations of tosa.
    - `buffers`: tensors.
    - `loops`: operations of the pebble dialect but `pebble.same_buffer`, and
      memrefs in a tier.
    - `llvm`: whatever is not of the LLVM dialect.
  }];
  let options = [
    Option<"phase", "phase", "std::string", "\"llvm\"",
           "The phase that ends: storage, buffers, loops or llvm">];
}

def TraceOperationsPass : Pass<"pebble-trace-operations", "::mlir::ModuleOp"> {
  let summary = "tell the runtime when an operation begins and ends";
  let description = [{
    `pebble-run --trace` runs this pass where storage is materialised and nothing
    is lowered. It puts the call of `pebble_rt_begin_operation` before each
    operation on whole tensors or buffers, each call of a function, and each loop
    and branch, and the call of `pebble_rt_end_operation` behind it. Scalars are
    left out, and so are views, constants, destinations and accesses of single
    elements. A nest of loops over single elements is one operation.

    The calls have the operation's number. The first one has its name as well
    (`pebble_operation`), which is for whoever runs the program.

    ```mlir
    // pebble-opt --pebble-trace-operations
    func.func @main(%x: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def StepsToFunctionsPass
    : Pass<"pebble-steps-to-functions", "::mlir::ModuleOp"> {
  let summary = "make a public function of each distinct step";
  let description = [{
    Leaves a module that has a function `step_DIGEST` for each distinct
    `pebble.step` of the module, and no others. A backend that compiles one of
    them alone tells what it needs inside; `pebble-group-steps` reads that as
    its `scratch` file, by digest.

    What a loop carries is one buffer for as long as it runs, but a backend that
    returns it may use its memory for more. So of the results of loops and
    branches that have no `pebble.result_place` the function returns one element,
    read behind a barrier. Their bytes are among its temporaries, and
    `pebble-group-steps` takes them off again.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ToStableHLOPass : Pass<"pebble-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "open the steps of a plan again, in an order that XLA keeps";
  let description = [{
    Puts the operations of each `pebble.step` in its place. What a step takes
    comes through one `stablehlo.optimization_barrier` together with the newest
    result before it: a chain that XLA cannot reorder, and that keeps what is
    computed twice from being merged. Drops, opaque identities and all
    attributes of Pebble are taken away; an argument that is `pebble.donated`
    becomes a `jax.buffer_donor`.

    A tensor that moves to the first tier below the device, and back, becomes a
    custom call `annotate_device_placement`, by which XLA's host offloader knows
    what is to lie in `pinned_host` and what in `device`. A move begins after the
    newest result; what reads it waits for it. Other tiers, compressed copies and
    arrays of states in a slower tier have no form, and are errors.

    At the end it is proven that each function returns the same values as
    before; where they lie is no part of that.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def LoopsToStableHLOPass
    : Pass<"pebble-loops-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "write the drivers of reversed loops as StableHLO";
  let description = [{
    For programs whose steps are StableHLO: what `pebble-raise-loops` and
    `pebble-checkpoint-loops` have made of a loop and its adjoint becomes
    `stablehlo.while`s. Numbers become tensors without dimensions, an array of
    states a tensor that `stablehlo.dynamic_update_slice` writes. Each while
    takes all that its regions use, constants aside.

    The outermost whiles say what they compute as `pebble.cost`, since the trips
    of those inside depend on numbers; `pebble-to-stablehlo` takes that away.

    Drivers with states in a slower tier have no form in StableHLO here, nor has
    one whose number of steps is not known; both are errors.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // PEBBLE_CONVERSION_PASSES_TD
