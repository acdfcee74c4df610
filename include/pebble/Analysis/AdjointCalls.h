//===- AdjointCalls.h - calls, and the calls of their adjoints --*- C++ -*-===//
//
// A forward function hands out its own results and then a tape; its attribute
// `pebble.adjoint` names the backward function, the first arguments of which
// are the tape. This finds out which call of the one belongs to which call of
// the other: the tape must go from the one to the other, and nowhere else. Both
// calls may stand in one block. Or the first stands in a forward function and
// the second in its adjoint, and the tape is part of the caller's tape.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_ADJOINTCALLS_H
#define PEBBLE_ANALYSIS_ADJOINTCALLS_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace pebble {

/// What `pebble.call_mode` asks for.
enum class CallMode { Free, Split, Joint };

/// Writes `pebble.adjoint` on `forward`, whose results after the first
/// `numResults` are the tape of `backward`.
void setAdjoint(mlir::func::FuncOp forward, mlir::func::FuncOp backward,
                unsigned numResults);

/// What an argument of a forward function must be for a second run, and is not
/// any more when that comes.
struct ArgumentSnapshot {
  unsigned argument = 0;
  /// False: a buffer that the function overwrites, in the place of which the
  /// second run needs one that may hold anything.
  bool isKept = true;
};

/// A call of a forward function, and that of its backward function.
struct CallPair {
  mlir::func::CallOp forward, backward;
  /// Why the forward function must not run again before its adjoint; empty: it
  /// may.
  std::string runsOnce;
  CallMode mode = CallMode::Free;
  /// By rising argument.
  llvm::SmallVector<ArgumentSnapshot, 0> snapshots;
};

/// A forward function and its adjoint.
struct AdjointHalves {
  mlir::func::FuncOp forward, backward;
  /// The first results of the forward function are its own, and all others are
  /// the tape.
  unsigned numResults = 0;
  /// Calls in the forward half whose adjoints stand in the backward half, by
  /// the place of the former.
  llvm::SmallVector<CallPair, 0> calls;

  unsigned getNumSaved() { return forward.getNumResults() - numResults; }
};

/// A block, of a function or inside of it, where both calls of pairs stand.
struct CallRoot {
  mlir::func::FuncOp function;
  mlir::Block *block = nullptr;
  /// Of the block among all of the function, as they are walked.
  unsigned number = 0;
  llvm::SmallVector<CallPair, 0> pairs;
};

/// A call of a forward function that is no pair with anything.
struct LooseCall {
  mlir::func::CallOp call;
  std::string reason;
};

class AdjointCalls {
public:
  /// Emits an error at the function or call, and fails, where an attribute
  /// names no function that fits, or forward functions call themselves.
  static llvm::FailureOr<AdjointCalls> find(mlir::ModuleOp module,
                                            ProgramContext &context);

  /// Callees before callers.
  llvm::MapVector<mlir::Operation *, AdjointHalves> halves;
  /// In the order in which they stand.
  std::vector<CallRoot> roots;
  llvm::SmallVector<LooseCall, 0> loose;

  /// The root that is block `number` of the function of this name; null if
  /// there is none.
  CallRoot *findRoot(llvm::StringRef function, unsigned number);

private:
  llvm::LogicalResult findHalves(mlir::ModuleOp module);
  void findPairs(mlir::func::FuncOp function, ProgramContext &context);
  void addPair(CallPair pair, AdjointHalves &callee, AdjointHalves *caller,
               ProgramContext &context);
  CallRoot &getRoot(mlir::func::CallOp call);
  mlir::func::CallOp findBackward(mlir::func::CallOp call,
                                  AdjointHalves &callee, AdjointHalves *caller,
                                  std::string &reason);
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_ADJOINTCALLS_H
