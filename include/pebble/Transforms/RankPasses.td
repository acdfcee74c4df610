//===- RankPasses.td - passes on programs of several ranks -*- tablegen -*-===//

#ifndef PEBBLE_TRANSFORMS_RANKPASSES_TD
#define PEBBLE_TRANSFORMS_RANKPASSES_TD

include "mlir/Pass/PassBase.td"

def CheckShardingsPass : Pass<"pebble-check-shardings", "::mlir::ModuleOp"> {
  let summary = "Refuse shardings that do not divide what they are of";
  let description = [{
    Upstream's `shard-partition` cuts a dimension of 5 elements for 2 ranks into
    parts of 2, without a word. This pass says so first, at the annotation. It
    changes nothing.

    ```mlir
    // pebble-opt --pebble-check-shardings
    shard.grid @grid(shape = 2)
    func.func @even(%x: tensor<8xf32>) -> tensor<8xf32> {
      %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
      %y = shard.shard %x to %s : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
}

def ShardToCollectivesPass
    : Pass<"pebble-shard-to-collectives", "::mlir::ModuleOp"> {
  let summary = "Make steps with destinations of what ranks do together";
  let description = [{
    After upstream's `shard-partition` a program has the operations of the shard
    dialect on tensors. Upstream lowers the all-reduce of them, into an
    allocation and a copy. This pass makes each a `pebble.collective`, which is
    planned like any other step:

    - `all_reduce`, `all_gather`, `reduce_scatter`, `all_slice` and `broadcast`
      along grid axes that stand side by side;
    - an `all_reduce` of which each rank takes a slice of dimension 0, and
      nobody anything else, becomes a `reduce_scatter`;
    - a branch of `scf.if` on the number of the rank goes where both sides are
      the same value.

    Other operations of the dialect are left to `convert-shard-to-mpi`.

    ```mlir
    // pebble-opt --pebble-shard-to-collectives
    shard.grid @grid(shape = 2x2)
    func.func @sum(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = shard.all_reduce %x on @grid grid_axes = [1] : tensor<8xf32> -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect",
                           "::pebble::PebbleDialect"];
}

def VerifyMessagesPass : Pass<"pebble-verify-messages", "::mlir::ModuleOp"> {
  let summary = "Check that all ranks come to their end";
  let description = [{
    Plays what all ranks send, receive and do together, each in the order of its
    program, and refuses programs in which one waits for ever, two meet at
    different operations, a message has another size than its receive, or
    something is started that nobody waits for. A send is taken to wait for its
    receive. What only the run can tell is an error as well: a rank that
    communicates where its own data say so. Where data decide that are the same
    on all ranks (results of an `all_reduce`, `all_gather` or `broadcast` of all
    of them, and what is computed of those alone), every way is played: both
    sides of a branch, and none, one and two rounds of a loop.

    All ranks run `@main`, or the only public function. With `functions` rank r
    runs the r-th of them.

    ```mlir
    // pebble-opt --pebble-verify-messages="ranks=4"
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %into = tensor.empty() : tensor<8xf32>
      %y = pebble.collective all_reduce %x into %into group = 4 stride = 1 ranks = 4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", /*default=*/"0",
           "How many ranks run the program (0: as many as the topology of the "
           "machine has, or as there are functions)">,
    ListOption<"functions", "functions", "std::string",
               "The function of each rank">
  ];
}

#endif // PEBBLE_TRANSFORMS_RANKPASSES_TD
