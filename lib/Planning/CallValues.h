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

  /// Somebody looks at what `end`, which ran, returned.
  void useReturned(mlir::Operation &end);

  CallMemory memory;
  /// What happened, with the operation, in order.
  std::vector<std::pair<Id, mlir::Operation *>> effects;

  /// What may fail here, and ran behind more effects in `before`; or null.
  mlir::Operation *findEarlier(const CallValues &before) const;

protected:
  Id getTensor(const std::pair<Place, mlir::Type> &tensor);
  /// What `value` is now.
  Id getContent(mlir::Value value, Values &values);
  /// Where `value`, a memref, points to. One that comes from nowhere that is
  /// known may be any that others name.
  Place getPlace(mlir::Value value, Values &values);
  /// One element of a buffer.
  Place getElement(mlir::Value buffer, mlir::ValueRange indices,
                   Values &values);
  /// The buffer of a global, in `from`'s module.
  Id getGlobal(mlir::Operation *from, mlir::StringAttr symbol);

  /// What moves data without changing it, and what makes and ends buffers.
  /// False for another op.
  bool runTransparent(mlir::Operation &op, Values &values);
  /// Another way to look at a buffer. False for another op.
  bool runView(mlir::Operation &op, Values &values);

  /// What may fail, outside of regions: the effects that came before it first.
  llvm::MapVector<Id, std::pair<size_t, mlir::Operation *>> guarded;

  ExpressionTable &table;
  ProgramContext context;
  TensorOrigins origins;
  /// What ran in the regions of the op in progress had effects; they were
  /// assertions alone.
  bool hasInnerEffects = false, hasInnerAssertions = false;

private:
  bool runDim(mlir::memref::DimOp dim, Values &values);
  void runFree(mlir::Operation &op, const Place &place);
  bool runAccess(mlir::Operation &op, Values &values);
  bool runCopy(mlir::Operation &op, Values &values);
  bool runTransfer(mlir::Operation &op, Values &values);

  /// Of buffers that were made here: what they were made with.
  llvm::DenseMap<unsigned, llvm::SmallVector<Id, 2>> sizes;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_CALLVALUES_H
