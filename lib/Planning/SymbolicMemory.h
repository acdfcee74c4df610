//===- SymbolicMemory.h - storages of a symbolic run (private) --*- C++ -*-===//
//
// What each storage of a block holds while the block runs over expressions, and
// what its values name. SymbolicExecution.cpp runs the ops.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_SYMBOLICMEMORY_H
#define PEBBLE_LIB_PLANNING_SYMBOLICMEMORY_H

#include "SymbolicExecution.h"

#include "pebble/Dialect/PebbleStarts.h"

namespace pebble {

class SymbolicMemory {
public:
  using Id = ExpressionTable::Id;
  using Table = ExpressionTable;

protected:
  /// What the storages of one alias class hold together.
  struct ClassState {
    Id initial = 0;
    Id content = 0;
    /// The op that wrote last.
    mlir::Operation *writer = nullptr;
    /// Other storages may be in it, named in the block or not.
    bool isShared = false;
    /// One of them may be memory from elsewhere.
    bool holdsOutside = false;
    /// Others may see it: an argument, a global, or seen by a barrier.
    bool exposed = false;
    /// How often something was written that was there before.
    unsigned changes = 0;
  };

  SymbolicMemory(mlir::Block &block, const StorageAnalysis &analysis,
                 Table &table, ExecutionScope &scope);

  unsigned getClass(StorageId id) const {
    return analysis.getStorage(id).aliasClass;
  }
  ClassState &getState(StorageId id) { return classes[getClass(id)]; }

  /// Memory in the narrow sense: a buffer that has a name of its own.
  bool isMemory(StorageId id) const;
  bool isGivenTensor(StorageId id) const;
  /// Memory whose content others may look at once the block has run. Of a
  /// buffer that the block made and hands out as a tensor alone, they see the
  /// tensor.
  bool isOutlivingMemory(StorageId id) const;

  // Values.

  /// The expression of a scalar, or how a shaped value is seen from its base.
  Id getExpression(mlir::Value value);
  /// The value that is viewed, through all views.
  mlir::Value getBase(mlir::Value value) const;
  /// Who `value`, from outside of the block, is.
  Id getOutside(mlir::Value value);
  /// Of two functions: whether both know `value` by an expression. What a block
  /// made and no other block uses is not known there.
  bool isKnownHere(mlir::Value value) const;
  /// Where a shaped value is, whatever is there.
  Id getPlace(mlir::Value value);
  /// What a value is at this moment.
  Id getContent(mlir::Value value);
  /// What was handed out where `value` is a view of that, or all of it.
  std::optional<Id> findHandedOut(mlir::Value value) const;
  /// What `base` was when it was made, whatever its storage holds by now. The
  /// extents of its dimensions follow from it.
  Id getOrigin(mlir::Value base);
  /// How long dimension `dim` of `value` is: the scalar that it was made with,
  /// if that is known. `value` is ranked.
  Id getExtent(mlir::Value value, int64_t dim);
  /// Adds the extents that the type of `value` does not tell.
  void addExtents(mlir::Value value, llvm::SmallVectorImpl<uint64_t> &words);
  Id getUndefined(mlir::Value value);
  /// Notes that the storage holds `result`. If it does not begin there, it must
  /// not have ended.
  void hold(StorageId id, mlir::OpResult result);
  mlir::Operation *getWriter(mlir::Value value);
  /// Checks that the storages of `value` still hold what it names.
  void checkAlive(mlir::Value value);
  /// Who a storage is that begins with `content`. Buffers that begin alike are
  /// told apart by their order.
  Id nameBuffer(StorageId id, Id content);
  /// Who an outliving storage is, told apart from all others.
  Id getWho(StorageId id);

  void setContent(StorageId id, Id content, mlir::Operation *writer);
  /// From a start to its wait the input is not written, and the destination not
  /// touched.
  void noteStart(CollectiveStartOp start);
  void noteWait(CollectiveStartOp start);
  /// Notes which storages `step` uses first, or hands out.
  void noteUses(const Step &step);
  /// Checks that no collective under way is in the way of a read (or else a
  /// write, or an end) of the storage.
  void checkAtRest(StorageId id, bool isRead);
  void fail(Hazard::Kind kind, mlir::Operation *writer, StorageId id);
  /// What the storage of a tensor was given as a whole, while nobody can have
  /// written there since, under whatever name.
  std::optional<Id> findUnchanged(mlir::Value value) const;
  /// Notes that `op` ends the life of what its operand names.
  void noteFree(mlir::Operation *op);
  void noteDoubts(Id expression);
  /// Notes what `op` promises of its operands, or of what it makes.
  void notePromise(mlir::Operation *op);
  /// Notes that something is promised in `step`, or in what it calls.
  void notePromisesInside(mlir::Operation *step, Id expression);
  /// Notes what is left when the block has run.
  void noteFinals();
  /// Notes what values that other blocks use are.
  void noteCrossing();

  mlir::Block &block;
  const StorageAnalysis &analysis;
  Table &table;
  ExecutionScope &scope;
  Execution execution;

  Id root = 0;
  Id epoch = 0;
  /// The state that random numbers are drawn from.
  Id drawn = 0;
  mlir::Operation *running = nullptr;
  /// Storages that the op in progress may use although they were freed.
  size_t doubtful = 0;
  llvm::DenseMap<mlir::Value, Id> expression;
  llvm::DenseMap<mlir::Value, Id> origin;
  /// Results that are the content of another value, and what they are.
  llvm::DenseMap<mlir::Value, mlir::Value> baseOf;
  llvm::DenseMap<mlir::Value, Id> handedOut;
  llvm::DenseMap<unsigned, ClassState> classes;
  /// By storage: the tensor whose content it holds, who it is, who freed it.
  std::vector<mlir::Value> holder;
  std::vector<Id> identity;
  std::vector<mlir::Operation *> freedBy;
  /// Storages that a buffer or an address names once the block has run.
  llvm::DenseSet<StorageId> namedOutside;

private:
  void findNamedOutside();
  void findExposed();
  bool mayBeOutside(StorageId id) const;
  /// Who a storage is, whatever it holds.
  Id getInitialIdentity(StorageId id);
  Id getGlobal(mlir::StringAttr symbol);
  void setUpStorages();
  Id getArgument(mlir::BlockArgument argument);

  /// Whether others may hold what the storage names, so that they see its end.
  bool isEndSeen(StorageId id);
  bool isMadeByAlloc(StorageId id) const;
  bool isOnStack(StorageId id) const;
  /// Whether the block made the memory, so that no other name of it is freed.
  bool isOwnBuffer(StorageId id) const;
  bool areApart(StorageId one, StorageId other) const;
  /// The end of a buffer that no step of the block names.
  void noteEndOfUnnamed(mlir::Operation *op);
  /// The end of one of `ids`, and nobody knows which.
  void noteEndOfOneOf(mlir::Operation *op, llvm::ArrayRef<StorageId> ids);
  /// How many frees may have ended the storage, besides `freedBy`.
  size_t countDoubts(StorageId id) const;
  /// A free of one of `ids`; of a buffer that no step names if there are none.
  struct End {
    Id who;
    llvm::SmallVector<StorageId, 1> ids;
  };
  bool mayEndOneBuffer(const End &one, const End &other) const;
  /// Notes the doubts between a free and those before, whichever comes first.
  void noteEnd(Id who, llvm::ArrayRef<StorageId> ids);
  std::vector<End> ends;

  /// Adds who `buffer` is, whatever it holds.
  void addPromised(mlir::Value buffer, llvm::SmallVectorImpl<uint64_t> &words);
  /// By position: buffers of the block as something is promised of them.
  llvm::DenseMap<mlir::Value, unsigned> promised;
  /// How many buffers were made on the stack, by what they are.
  llvm::DenseMap<Id, unsigned> onStack;

  /// By alias class: the collectives under way that read it, and that fill it.
  llvm::DenseMap<unsigned, llvm::SmallVector<CollectiveStartOp, 1>> sources,
      destinations;
  /// By content: how many buffers have begun with it.
  llvm::DenseMap<Id, unsigned> numNamed;
  /// By storage: what was put there last, after how many changes of its class,
  /// and which effects.
  struct Put {
    Id content = 0;
    unsigned changes = 0;
    Id epoch = 0;
  };
  llvm::DenseMap<StorageId, Put> last;
  /// By storage: the time when an op handed it out, and when another one than
  /// that used it first.
  llvm::DenseMap<StorageId, unsigned> begun, firstUse;
  unsigned time = 0;
  /// By position: local storages that outlive the block, as they show up.
  llvm::DenseMap<StorageId, unsigned> appearance;
  /// Buffers that were freed and that no step of the block names.
  llvm::DenseMap<Id, mlir::Operation *> unnamedEnds;
  /// By storage: how often it was one of several of which one was freed.
  llvm::DenseMap<StorageId, size_t> possibleEnds;
  /// By storage: the effects before its end.
  llvm::DenseMap<StorageId, Id> endEpoch;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_SYMBOLICMEMORY_H
