//===- CallValues.h - values of a program that runs (private) ---*- C++ -*-===//
//
// What values are while a program with its callees runs over expressions, and
// the ops that compute nothing: those that move data, make and end buffers, or
// look at them in another way. CallEquivalence.cpp runs all others.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_CALLVALUES_H
#define PEBBLE_LIB_PLANNING_CALLVALUES_H

#include "CallMemory.h"
#include "TensorOrigins.h"

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace pebble {

class CallValues {
public:
  using Id = ExpressionTable::Id;
  using Place = CallMemory::Place;
  using Values = llvm::DenseMap<mlir::Value, Id>;

  CallValues(ExpressionTable &table, const AnalysisOptions &options)
      : memory(table), table(table), context(options) {}

  CallMemory memory;
  /// What happened, with the operation, in order.
  std::vector<std::pair<Id, mlir::Operation *>> effects;

  /// What may go wrong where the program came without.
  enum class RiskKind {
    Fails,  ///< has no meaning for some operands: not before what guards it
    NoEnd,  ///< a loop that may not end: there was one like it
    Promise ///< something that nobody checks: it was promised before
  };
  /// Something that did not run in `before`, or fails and ran behind more
  /// effects there; nothing: none.
  struct Risk {
    mlir::Operation *op;
    RiskKind kind;
    bool isNew;
  };
  std::optional<Risk> findRisk(const CallValues &before) const;

protected:
  Id getTensor(const std::pair<Place, mlir::Type> &tensor);
  /// What `tensor`, the expression `id`, is by now: the buffer that shows it
  /// may have been written.
  Id lookAt(mlir::Value tensor, Id id);
  /// What `value` is now.
  Id getContent(mlir::Value value, Values &values);
  /// Where `value`, a memref, points to. One that comes from nowhere that is
  /// known may be any that others name.
  Place getPlace(mlir::Value value, Values &values);
  /// One element of a buffer.
  Place getElement(mlir::Value buffer, mlir::ValueRange indices,
                   Values &values);
  /// Whether parts of `buffer` that have no index in common have no element in
  /// common: strides of a buffer that came in may lead to one element twice.
  bool isDivided(mlir::Value buffer, const Place &place) const;
  /// The buffer of a global, in `from`'s module.
  Id getGlobal(mlir::Operation *from, mlir::StringAttr symbol);

  /// What moves data without changing it, and what makes and ends buffers.
  /// False for another op.
  bool runTransparent(mlir::Operation &op, Values &values);
  /// Another way to look at a buffer. False for another op.
  bool runView(mlir::Operation &op, Values &values);

  /// What may go wrong, where it stands: the effects of the block that came
  /// before it first.
  struct Guarded {
    size_t effects;
    mlir::Operation *op;
    RiskKind kind;
  };
  llvm::MapVector<Id, Guarded> guarded;
  void guard(mlir::Operation &op, Id id, RiskKind kind = RiskKind::Fails);
  /// The regions and blocks around what runs; 0: none.
  Id where = 0;
  /// Buffers on the stack of the functions that run.
  llvm::SmallVector<unsigned> onStack;

  /// How many elements `value`, a tensor or memref, has along a dimension that
  /// is not static.
  Id getExtent(mlir::Value value, int64_t dim, Values &values);
  /// Adds these of all dimensions that are not static.
  void addExtents(mlir::Value value, Values &values,
                  llvm::SmallVectorImpl<uint64_t> &words);
  /// Asks of what `op` makes whether its sizes were sizes before.
  void guardSizes(mlir::Operation &op, Values &values);
  /// Notes what is known of these of a result that `op` made.
  void noteExtents(mlir::OpResult result, Id made, Values &values);

  ExpressionTable &table;
  ProgramContext context;
  TensorOrigins origins;
  /// What ran in the regions of the op in progress had effects; they were
  /// assertions alone.
  bool hasInnerEffects = false, hasInnerAssertions = false;

private:
  bool runDim(mlir::Operation &op, Values &values);
  void guardAccess(mlir::Operation &op, mlir::Value buffer,
                   const Place &element, Values &values);
  void guardAlignment(mlir::Operation &op, Values &values);
  void runFree(mlir::Operation &op, const Place &place);
  bool runAccess(mlir::Operation &op, Values &values);
  bool runCopy(mlir::Operation &op, Values &values);
  bool runTransfer(mlir::Operation &op, Values &values);

  /// Of buffers that were made here: what they were made with.
  llvm::DenseMap<unsigned, llvm::SmallVector<Id, 2>> sizes;
  /// Numbers that are extents of something that is there.
  llvm::DenseSet<Id> measured;
  /// By tensor, its extents; 0 for one that is static, or not known.
  llvm::DenseMap<Id, llvm::SmallVector<Id, 4>> extents;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLVALUES_H
