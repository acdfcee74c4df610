//===- OutlineSegments.h - functions of segments and adjoints ---*- C++ -*-===//
//
// A segment of a block, and the segment that is its adjoint, become functions
// that are tied like others (AdjointCalls.h), so that whatever decides on calls
// decides on them. Two kinds of segments do:
//
//  - an op with regions (a branch, a loop) that says which of its results are
//    a tape, and what reads the tape;
//  - a call, and its adjoint, that must not run again as they stand: something
//    is opened in the one place and closed in another. The segments grow until
//    both are inside.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_OUTLINESEGMENTS_H
#define PEBBLE_PLANNING_OUTLINESEGMENTS_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Puts the body of `callee`, one block, in the place of `call`.
void inlineCall(mlir::func::CallOp call, mlir::func::FuncOp callee);

class SegmentOutliner {
public:
  SegmentOutliner(mlir::ModuleOp module, const AnalysisOptions &options)
      : module(module), options(options) {}

  /// A segment that stays where it is.
  struct Refusal {
    mlir::Location loc;
    /// What it is, and why: parts of a sentence.
    std::string segment, reason;
  };

  /// Ops with `pebble.adjoint` become functions.
  void outlineRegions();
  /// Calls with adjoints grow where that makes them whole.
  void growCalls();
  /// Puts the bodies of those functions that are called as they were made in
  /// the place of their calls.
  void undo();

  bool isEmpty() const { return made.empty(); }
  llvm::ArrayRef<Refusal> getRefusals() const { return refusals; }

private:
  struct Segment {
    mlir::Operation *first = nullptr, *last = nullptr;
    bool has(mlir::Operation *op) const;
    void add(mlir::Operation *op);
  };
  /// A segment, and its adjoint.
  struct Pair {
    Segment forward, backward;
    std::string name;
  };

  std::string findAdjoint(mlir::Operation *op, Pair &pair);
  std::string addUses(mlir::Value value, Pair &pair);
  mlir::Value findInBackward(mlir::OpOperand &use);
  std::string grow(Pair &pair);
  std::string growOver(mlir::Operation *op, Pair &pair, bool isForward);
  std::string checkOthers(Pair &pair);
  bool growCall(mlir::func::CallOp call,
                llvm::DenseMap<mlir::Operation *, bool> &mayGrow,
                ProgramContext &context);
  mlir::func::FuncOp outline(Segment segment, llvm::ArrayRef<mlir::Value> first,
                             llvm::ArrayRef<mlir::Value> results,
                             const llvm::Twine &name);
  bool outline(Pair &pair, mlir::Operation *like);
  void inlineHalves(mlir::func::FuncOp function);

  mlir::ModuleOp module;
  AnalysisOptions options;
  std::vector<std::string> made;
  std::vector<Refusal> refusals;
};

} // namespace pebble

#endif // PEBBLE_PLANNING_OUTLINESEGMENTS_H
