//===- Ownership.h - who frees which buffer ---------------------*- C++ -*-===//
//
// Decides which block owns each buffer of a memref program and where ownership
// passes on: it looks and never changes anything; PlaceFrees acts on it.
//
// A *root* is a value that names a buffer first: an allocation, a function
// argument, a global's handle, a call's fresh result, or a region's argument or
// result that owns what flows into it. Every other memref names the roots of
// what it was made from, and so does an integer that may be its address. A
// region's input (its argument or its op's result) is in one of two modes:
// *borrowed*, it names what its sources name; or *owned*, which it must be if
// one of its sources is a buffer that is made inside the op and so cannot be
// named from outside. Sources of an owned input hand over what was made beside
// them. What else they name stays with its owner, who is told by the input's
// naming it too; whether a run ends with one or the other is for a flag to say.
// What was a tensor has no identity: its sources are copied where they cannot
// hand over, and its input names itself alone. The same holds for the arguments
// of blocks that are branched to, for buffers that are made in other blocks
// than the region's first. Modes only ever change from borrowed to owned, so
// the analysis ends; its cost is linear in the program for each change of mode.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_CONVERSION_OWNERSHIP_H
#define PEBBLE_LIB_CONVERSION_OWNERSHIP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace pebble {

/// Whether a value of this type may name a buffer: memrefs, and every type that
/// may hide one (tokens, pointers).
bool mayNameBuffer(mlir::Type type);

/// On an op with regions, or a function: which of its results, and then of its
/// operands, were tensors (i64 each). Lives from bufferization to the frees.
inline constexpr llvm::StringLiteral kByValueAttr = "pebble_by_value";

class Ownership {
public:
  using Operands = llvm::DenseSet<mlir::OpOperand *>;

  /// Sources of owned inputs in `kept` leave their buffers with their owners.
  explicit Ownership(mlir::ModuleOp module, const Operands &kept = {});

  using Roots = llvm::SmallVector<mlir::Value, 1>;

  /// The buffers that `value` may name. Empty for values that name none.
  llvm::ArrayRef<mlir::Value> getRoots(mlir::Value value) const;

  /// The block that must free or hand over the buffer of `root`; null if
  /// somebody else does.
  mlir::Block *getOwner(mlir::Value root) const;

  /// All values that may name the buffer of `root`, itself first.
  llvm::ArrayRef<mlir::Value> getNames(mlir::Value root) const;

  /// The roots that a block owns, in the order of the program.
  llvm::ArrayRef<mlir::Value> getOwned(mlir::Block *block) const;

  /// Whether `operand` must give its user a buffer that the user then owns.
  bool handsOver(mlir::OpOperand &operand) const {
    return handing.contains(&operand);
  }

  /// The buffers that `operand`, which hands over, gives away: those that the
  /// region around its op owns. What else it names stays with its owner.
  Roots getGiven(mlir::OpOperand &operand) const;

  /// The inputs that `operand` flows into, of those that own what does.
  llvm::ArrayRef<mlir::Value> getOwnedInputs(mlir::OpOperand &operand) const;

  /// Operands that flow into owned inputs, in the order of the program.
  llvm::ArrayRef<mlir::OpOperand *> getSources() const { return sources; }

  /// Whether what `operand` hands over was a tensor: a copy does as well.
  bool isByValue(mlir::OpOperand &operand) const;

  /// What a caller knows about one result.
  struct Result {
    bool owned = false;
    /// Index of an earlier result with the same buffer, or -1.
    int same = -1;
    /// Arguments that it may name.
    llvm::SmallVector<unsigned> arguments;
    /// Globals that it may name.
    llvm::SmallVector<mlir::memref::GetGlobalOp> globals;
    /// Earlier results that it may share a buffer with.
    llvm::SmallVector<unsigned> shared;
    /// May name something that is no argument.
    bool other = false;
    /// May name something that is neither an argument nor a global.
    bool unknown = false;
  };

  /// What is known about result `index` of `call`; null if nothing is.
  const Result *getResult(mlir::func::CallOp call, unsigned index) const;

  /// The earlier operand of the same return that hands over the buffer of
  /// `operand` for both; null if there is none.
  mlir::OpOperand *sharesWith(mlir::OpOperand &operand) const;

  /// Calls of a function from within itself, directly or not, whose results may
  /// name buffers: nothing is known about those.
  llvm::ArrayRef<mlir::Operation *> getRecursiveCalls() const {
    return recursive.getArrayRef();
  }

private:
  using Summary = llvm::SmallVector<Result>;

  mlir::func::FuncOp getCallee(mlir::func::CallOp call) const;
  void analyze(mlir::func::FuncOp func);
  /// Notes the operands that hand a buffer to whoever owns it from there on.
  void noteHanding(mlir::func::FuncOp func);
  /// Notes the names of each buffer, and what each block owns.
  void indexNames(mlir::func::FuncOp func);
  bool visit(mlir::Operation *op);
  bool visitRegions(mlir::RegionBranchOpInterface op);
  bool visitBranch(mlir::BranchOpInterface op);
  bool visitCall(mlir::func::CallOp call, mlir::func::FuncOp callee);
  Summary summarize(mlir::func::FuncOp func);
  /// What results may name.
  void noteNamed(llvm::ArrayRef<mlir::func::ReturnOp> returns,
                 Summary &summary);
  /// Results that the caller owns, the operands that hand them over, and which
  /// of them are one buffer.
  void noteHandedOver(llvm::ArrayRef<mlir::func::ReturnOp> returns,
                      Summary &summary);
  /// Which results that the caller owns may share a buffer.
  void noteShared(llvm::ArrayRef<mlir::func::ReturnOp> returns,
                  Summary &summary) const;
  bool add(mlir::Value value, llvm::ArrayRef<mlir::Value> more);
  bool own(mlir::Value input);
  bool setRoot(mlir::Value value, mlir::Block *owner);
  Roots getAddressed(mlir::Operation *op) const;
  bool flow(mlir::OpOperand &operand, mlir::Value input);
  bool shareAmong(mlir::Operation *user);

  llvm::DenseMap<mlir::Value, Roots> roots;
  llvm::DenseMap<mlir::Value, mlir::Block *> owners;
  llvm::DenseSet<mlir::Value> ownedInputs;
  const Operands &kept;
  llvm::DenseSet<mlir::Value> values; ///< owned inputs that were tensors
  Operands handing;
  llvm::SmallVector<mlir::OpOperand *> sources;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value, 2>> inputsOf;
  llvm::DenseMap<mlir::OpOperand *, mlir::OpOperand *> sharing;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> names;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Value>> owned;
  llvm::DenseMap<mlir::Operation *, Summary> summaries;
  mutable mlir::SymbolTableCollection symbols;
  llvm::DenseSet<mlir::Operation *> visiting;
  llvm::SetVector<mlir::Operation *> recursive;
};

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_OWNERSHIP_H
