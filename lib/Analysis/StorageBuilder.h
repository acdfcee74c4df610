//===- StorageBuilder.h - builds StorageAnalysis (private) ------*- C++ -*-===//

#ifndef PEBBLE_LIB_ANALYSIS_STORAGEBUILDER_H
#define PEBBLE_LIB_ANALYSIS_STORAGEBUILDER_H

#include "pebble/Analysis/Effects.h"
#include "pebble/Analysis/Reach.h"
#include "pebble/Analysis/Storage.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"

namespace pebble {

/// True if the buffer of the source can be viewed with fewer dimensions: false
/// for slices whose rows are not adjacent, which bufferization must copy.
bool collapsesInPlace(mlir::tensor::CollapseShapeOp op);

/// True if bufferization makes a view of `op`: false where its source is not
/// laid out row by row without gaps, which it must copy.
bool reshapesInPlace(mlir::tensor::ReshapeOp op);

/// The tensors and memrefs in `type`: itself, or those of a tuple, flattened.
llvm::SmallVector<mlir::Type, 1> getShapedElements(mlir::Type type);
/// True for tensors, memrefs, and tuples that hold one.
bool hasStorage(mlir::Type type);
/// True for an op that makes a tuple of its operands, and no copy of them.
bool isTupleOp(mlir::Operation *op);
/// True for an op that takes an element out of a tuple.
bool isTupleElementOp(mlir::Operation *op);

/// Two passes over the block. The first finds the contents: tensors that are
/// views of each other hold one content, and the last position that reads it is
/// what the second pass needs in order to decide, op by op, whether a result
/// may take its destination's storage.
class StorageAnalysis::Builder {
public:
  explicit Builder(StorageAnalysis &analysis);
  void build();

private:
  static constexpr unsigned kEnd = std::numeric_limits<unsigned>::max();

  // First pass.
  void findContents();
  /// A callee that hands an argument back unchanged: one content.
  void findReturnedArguments(mlir::CallOpInterface call);
  /// The value whose content `value` shows: itself or the base of its views.
  mlir::Value getContent(mlir::Value value) const;

  // Second pass.
  void addArguments();
  void visitFree(mlir::Operation *op);
  void visitStep(mlir::Operation *op);
  void visitTensorResults(mlir::Operation *op, unsigned position);
  void visitCallResults(mlir::CallOpInterface call, unsigned position);
  /// Buffers and pointers that `op` makes or hands on.
  void visitMemoryResults(mlir::Operation *op);
  void addOperandAccesses(Step &step, const OpEffects &effects);
  /// The reads, or the writes, of memory that the op declares.
  void addMemoryAccesses(Step &step, const OpEffects &effects, bool writes);
  /// A buffer that the op is handed but says nothing about must be alive; if
  /// the op declares nothing at all, it may be read and written, and so may
  /// what its regions capture.
  void addUnspokenAccesses(Step &step, const OpEffects &effects);
  /// True if an op with these effects is the first to write the buffer of
  /// `value`.
  bool initializes(const OpEffects &effects, mlir::Value value);
  void addResultAccesses(Step &step);
  void addScratch(Step &step);
  void addCalleeScratch(Step &step, mlir::CallOpInterface call);
  /// What the inside of `op` hands out as a fresh result is counted with the
  /// results.
  int64_t getFreshBytes(mlir::Operation *op, llvm::StringRef tier) const;
  void addCarriedBuffers();
  /// True if every run of `op` makes the buffer that `result` hands out.
  bool isSurelyMade(mlir::OpResult result) const;
  /// A buffer that an op is handed must be there while the op runs, even if the
  /// op never touches it.
  void holdOperands(Step &step);
  void holdInFlight(Step &step);
  void finish();

  bool isInOrder() const;
  bool isOtherName(mlir::OpResult result) const;
  /// The operand whose storage a tensor result is meant to take.
  mlir::OpOperand *getTied(mlir::OpResult result) const;
  bool readsDestination(mlir::OpOperand &operand) const;
  bool isOnlyWritten(mlir::OpOperand &operand) const;
  bool mayOverwrite(mlir::OpOperand &operand, unsigned position) const;

  StorageId addStorage(StorageKind kind, mlir::Value root);
  /// A storage for `root`, or for each shaped element of a tuple.
  llvm::SmallVector<StorageId, 1> addStorages(StorageKind kind,
                                              mlir::Value root);
  StorageId addStorage(StorageKind kind, mlir::Value root, mlir::Type type);
  /// Those of `ids`, the storages of its source, that the view `op` shows.
  llvm::SmallVector<StorageId, 2>
  selectViewed(mlir::Operation *op, llvm::ArrayRef<StorageId> ids) const;
  StorageId getGlobalStorage(mlir::StringAttr symbol, mlir::Value handle);
  /// Storages of any value used in the block, nested ones included.
  llvm::SmallVector<StorageId, 2> resolve(mlir::Value value);
  void addAccess(Step &step, mlir::Value value, AccessKind kind,
                 std::optional<int64_t> bytes);
  int64_t getBytes(mlir::Value value, mlir::Type type, StorageKind kind);
  /// True for a buffer that somebody else counts.
  bool isCountedAround(StorageKind kind, mlir::Value root) const;
  void mergeClasses(StorageId a, StorageId b);
  /// Puts `id` among the storages that may be any memory from outside.
  void mergeOutside(StorageId id);
  StorageId getAnywhere();
  /// The storages of a buffer or pointer, by where it comes from.
  llvm::SmallVector<StorageId, 2> resolveMemory(mlir::Value value);
  llvm::SmallVector<StorageId, 2> resolveOrigin(ReachAnalysis::Id id);
  /// Those of a value from outside of the block.
  llvm::SmallVector<StorageId, 2> resolveOutside(mlir::Value value);
  /// True if `value` may lead to memory and is no tensor.
  bool leadsToMemory(mlir::Value value) const;
  bool mayHandOutOurs(mlir::Operation *op) const;
  void markMemory();
  unsigned findClass(StorageId id);
  bool isOutside(mlir::Value value) const;

  StorageAnalysis &analysis;
  mlir::Block &block;
  ProgramContext &context;
  ReachAnalysis reach;
  mlir::bufferization::BufferizationOptions bufferizationOptions;
  mlir::bufferization::AnalysisState bufferizationState;

  /// Storages placed there live in the compute tier, named or not.
  llvm::StringRef computeTier;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  llvm::DenseMap<mlir::Value, mlir::Value> contentBase;
  llvm::DenseSet<mlir::Value> partialViews;
  llvm::DenseMap<mlir::Value, unsigned> lastUse;
  /// The content that a storage holds, once an op has overwritten its first.
  llvm::DenseMap<StorageId, mlir::Value> current;
  llvm::DenseMap<mlir::StringAttr, StorageId> globalStorages;
  /// Memory whose origin is outside: arguments that may alias, globals, unknown
  /// results, and what escaped. One representative.
  std::optional<StorageId> outside;
  std::optional<StorageId> anywhere;
  /// Storages of buffers that nested ops make and a region op hands out.
  llvm::DenseMap<ReachAnalysis::Id, llvm::SmallVector<StorageId, 1>> handedOut;
  /// What an asynchronous op touches, and the tokens that it waits for itself.
  /// The op that ends the chain must keep all of it alive.
  struct Flight {
    llvm::SmallVector<StorageId, 2> storages;
    llvm::SmallVector<mlir::Value, 1> after;
  };
  llvm::DenseMap<mlir::Value, Flight> inFlight;
  /// Classes of storages that may share memory; led by their first storage.
  llvm::IntEqClasses classes;
  /// Values whose size could not be told; each is an error once.
  llvm::DenseSet<mlir::Value> unsized;
  /// Storages that a step has written so far.
  llvm::DenseSet<StorageId> written;
};

} // namespace pebble

#endif // PEBBLE_LIB_ANALYSIS_STORAGEBUILDER_H
