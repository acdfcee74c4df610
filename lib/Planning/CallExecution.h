//===- CallExecution.h - a program that runs over expressions ---*- C++ -*-===//
//
// Runs a function symbolically, call by call. CallExecution.cpp runs the ops,
// CallRegions.cpp regions and callees; CallEquivalence.cpp compares two runs.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_CALLEXECUTION_H
#define PEBBLE_LIB_PLANNING_CALLEXECUTION_H

#include "CallDoing.h"
#include "CallValues.h"
#include "Promises.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace pebble {

class CallExecution : public CallValues {
public:
  /// `tellsApart`: buffers that begin with the same content are told apart by
  /// the order in which they are first shown.
  CallExecution(ExpressionTable &table, const AnalysisOptions &options,
                bool tellsApart)
      : CallValues(table, options), promises(table), tellsApart(tellsApart) {}

  /// What was named, and not looked into.
  llvm::SetVector<mlir::SymbolRefAttr> symbols;
  /// A function that calls itself cannot be run to its end.
  mlir::Operation *endless = nullptr;
  /// What callees promise.
  CalleePromises promises;

  std::vector<Id> run(mlir::func::FuncOp function,
                      const std::vector<Id> &arguments);

  /// What an argument of the function where a comparison begins is.
  Id getArgument(mlir::func::FuncOp function, unsigned number);

  /// Whether the caller promises that nobody else names the argument.
  static bool isAlone(mlir::func::FuncOp function, unsigned number);

  /// `id`, which a function returned, for others to compare.
  Id describe(Id id);

private:
  using Words = llvm::SmallVectorImpl<uint64_t>;
  using Blocks = llvm::DenseMap<mlir::Block *, uint64_t>;
  /// A run of a function that left no trace.
  struct Known {
    std::vector<Id> returned;
    /// By result, the argument that lends it its storage.
    std::vector<std::optional<unsigned>> lenders;
    bool isNew = false;
  };
  /// A function, the regions around the call, and the arguments.
  std::map<std::tuple<mlir::Operation *, uint64_t, Id, std::vector<Id>>, Known>
      results;
  llvm::DenseSet<mlir::Operation *> running;
  llvm::DenseMap<unsigned, unsigned> shown;
  /// Buffers of arguments where the comparison begins, by number.
  llvm::DenseMap<unsigned, unsigned> ofArguments;
  /// Tokens of tasks that touch no memory, and values that they make.
  llvm::DenseSet<Id> quiet;
  /// Of branches and loops, by result: values are known by where they are.
  std::vector<mlir::OwningOpRef<mlir::Operation *>> parts;
  const bool tellsApart;
  /// By what a buffer begins with, who made those that begin with it, in order.
  llvm::DenseMap<Id, llvm::SmallVector<uint64_t, 1>> alike;
  /// Buffers that show a tensor which nobody writes.
  llvm::DenseSet<unsigned> readOnly;
  /// What was asserted before, outside of regions.
  llvm::DenseSet<Id> asserted;
  /// Regions around what runs.
  uint64_t depth = 0;
  /// Which block runs, and what had happened when it began. Effects are counted
  /// from there.
  Id epoch = 0;

  // Operations (CallExecution.cpp).
  void runOp(mlir::Operation &op, Values &values);
  void runDivided(mlir::Operation &op, Values &values);
  CallDoing getDoing(mlir::Operation &op);
  void addOperand(mlir::OpOperand &operand, CallDoing &doing, Values &values,
                  Words &words);
  void addShowing(mlir::Value tensor, const CallDoing &doing, Words &words);
  void runAny(mlir::Operation &op, Values &values);
  void guardOp(mlir::Operation &op, const CallDoing &doing, Id id);
  void escapeOperands(mlir::Operation &op, Values &values);
  void writeMemory(mlir::Operation &op, CallDoing &doing, Id id,
                   Values &values);
  void makeResults(mlir::Operation &op, const CallDoing &doing, Id id,
                   Values &values);
  uint64_t getBufferOrigin(mlir::Operation &op);
  Id getBufferName(Id made, uint64_t origin);

  // Regions and callees (CallRegions.cpp).
  void endStack(size_t outer);
  void runInPlace(mlir::scf::ExecuteRegionOp region, Values &values);
  void runRegions(mlir::Operation &op, CallDoing &doing, Values &values,
                  Words &words);
  void addLateText(mlir::Operation &op, Values &values, Words &words);
  /// Adds what the regions of `op` say, and the functions that they call.
  void addText(mlir::Operation &op, Values &values, Words &words);
  Id runRegion(mlir::Region &region, Values &values, CallMemory::Frame &frame);
  void runBlock(mlir::Block &block, Blocks &numbers, Values &values,
                Words &words, CallMemory::Frame &frame);
  void runTerminator(mlir::Operation &end, Blocks &numbers, Values &values,
                     Words &words, CallMemory::Frame &frame);
  static bool readsOnly(mlir::Operation &op, const CallDoing &doing);
  void addTouched(const CallMemory::Frame &frame, Words &words);
  void runCall(mlir::func::CallOp call, mlir::func::FuncOp callee,
               Values &values);
  Known runBody(mlir::func::FuncOp function, const std::vector<Id> &arguments);
  void addPromises(mlir::func::FuncOp callee, mlir::func::CallOp call,
                   Values &values);
  void giveAway(mlir::func::FuncOp callee, mlir::func::CallOp call,
                Values &values);
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLEXECUTION_H
