//===- StagePasses.td - passes on pipelines of stages ------*- tablegen -*-===//

#ifndef PEBBLE_TRANSFORMS_STAGEPASSES_TD
#define PEBBLE_TRANSFORMS_STAGEPASSES_TD

include "mlir/Pass/PassBase.td"

def PipelineStagesPass : Pass<"pebble-pipeline-stages", "::mlir::ModuleOp"> {
  let summary = "Run the stages of a step on ranks, micro-batch by micro-batch";
  let description = [{
    A function computes a training step for one micro-batch. Its calls of
    functions with adjoints (`pebble.adjoint`) are the stages of a pipeline, as
    `pebble.stage` numbers them. Arguments and results that each micro-batch has
    one of are marked with `pebble.micro_batch`; all other results are added up.

    The pass plans which rank runs which task of which micro-batch when
    (docs/solvers/Pipeline.md), and writes the program of one rank, with
    messages (`mpi`) from and to the others. Without `rank` it writes all of
    them as one program, in the order in which tasks begin. That program is
    proven to compute what the micro-batches compute one after the other. With
    `rank-files` one run plans once, and writes the programs of all ranks.

    Stages go round the ranks: stage k is on rank k modulo `ranks`. The budget
    is for each rank, and is met by the programs as they are written.

    ```mlir
    // pebble-opt --pebble-pipeline-stages="ranks=2 micro-batches=4 rank=0"
    func.func private @half(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
        attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
      %y = math.sin %x : tensor<64xf32>
      %c = math.cos %x : tensor<64xf32>
      return %y, %c : tensor<64xf32>, tensor<64xf32>
    }
    func.func private @half_back(%c: tensor<64xf32>, %dy: tensor<64xf32>) -> tensor<64xf32> {
      %dx = arith.mulf %c, %dy : tensor<64xf32>
      return %dx : tensor<64xf32>
    }
    func.func @step(%x: tensor<64xf32> {pebble.micro_batch}) -> (tensor<64xf32> {pebble.micro_batch}) {
      %y, %c = call @half(%x) {pebble.stage = 0} : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
      %z, %d = call @half(%y) {pebble.stage = 1} : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
      %one = arith.constant dense<1.0> : tensor<64xf32>
      %dy = call @half_back(%d, %one) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %dx = call @half_back(%c, %dy) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      return %dx : tensor<64xf32>
    }
    ```
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", /*default=*/"0",
           "How many ranks there are (0: one for each stage)">,
    Option<"microBatches", "micro-batches", "int64_t", /*default=*/"1",
           "How many micro-batches there are">,
    Option<"rank", "rank", "int64_t", /*default=*/"-1",
           "The rank whose program is written (-1: all, as one program)">,
    Option<"rankFiles", "rank-files", "std::string", /*default=*/"",
           "Files to write the program of each rank to; %r in the name is the "
           "rank">,
    Option<"budget", "budget", "std::string", /*default=*/"",
           "Bytes that each rank may take: 7000000, 7MiB">,
    Option<"means", "means", "::pebble::ScheduleMeans",
           /*default=*/"::pebble::ScheduleMeans::Recompute",
           "What may be done with tapes that have no room", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleMeans::None, "none",
                          "all tapes are kept"),
               clEnumValN(::pebble::ScheduleMeans::Recompute, "recompute",
                          "forward tasks may run again"),
               clEnumValN(::pebble::ScheduleMeans::Offload, "offload",
                          "tapes may move to the tier below the compute tier"),
               clEnumValN(::pebble::ScheduleMeans::Both, "both",
                          "either, for each stage and micro-batch"))
           }]>,
    Option<"splitWeights", "split-weights", "bool", /*default=*/"false",
           "Gradients of weights may be computed later than those that other "
           "stages wait for, in tasks of their own">,
    Option<"solver", "solver", "std::string", /*default=*/"",
           "Who plans (docs/solvers/Pipeline.md); empty: all that there are">,
    Option<"objective", "objective", "::pebble::ScheduleObjective",
           /*default=*/"::pebble::ScheduleObjective::Recompute",
           "The unit of times", [{
             ::llvm::cl::values(
               clEnumValN(::pebble::ScheduleObjective::Time, "time",
                          "nanoseconds"),
               clEnumValN(::pebble::ScheduleObjective::Recompute, "recompute",
                          "pebble.cost, else arithmetic operations, else bytes"))
           }]>,
    Option<"latency", "latency", "int64_t", /*default=*/"0",
           "Time of a message beside that of its bytes, in that unit">,
    Option<"bandwidth", "bandwidth", "double", /*default=*/"0",
           "Bytes of a message for each unit (0: they take no time)">,
    Option<"seed", "seed", "int64_t", /*default=*/"0",
           "Seed of random choices">,
    Option<"timeLimitMs", "time-limit-ms", "std::string", /*default=*/"",
           "Milliseconds for all searches of the module together (0: no limit; "
           "default: what they take, at most 60 s). Not with 'rank' alone, "
           "which no clock ends">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects or ops that have no effects">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::mpi::MPIDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::pebble::PebbleDialect"
  ];
}

#endif // PEBBLE_TRANSFORMS_STAGEPASSES_TD
