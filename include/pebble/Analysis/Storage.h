//===- Storage.h - which values share a buffer ------------------*- C++ -*-===//
//
// Decides, in near-linear time and for one block, what MLIR's SSA form leaves
// open: which tensors share a buffer (views, results written in place), which
// memrefs may name the same one, who owns the arguments, and which steps touch
// what, in which order. It looks and never changes anything; the pass
// materialize-storage writes the decision down.
//
// The rule for tensors: a result tied to an operand (a destination) is written
// in place if nothing after the op, in the order that came in, still reads the
// operand's content, and the operand's storage may be written (it was made
// here, or its owner donated it). Otherwise the result gets a storage of its
// own, after a copy if the op reads its destination. So the decision rests on
// the order that came in, and every later order must respect the anti-
// dependences that it creates.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_STORAGE_H
#define PEBBLE_ANALYSIS_STORAGE_H

#include "pebble/Analysis/ProgramContext.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseSet.h"

#include <limits>
#include <string>

namespace pebble {

using StorageId = unsigned;

enum class StorageKind {
  Argument, ///< the caller's; counted throughout
  Donated,  ///< the caller gave it away; counted until its last use
  Constant, ///< reported apart
  Global,   ///< a memref.global or ml_program global; reported apart
  Local,    ///< made by this block
  Unknown,  ///< a memref from elsewhere (an unknown call's result)
  Anywhere  ///< whatever memory escaped or belongs to others, as one storage
};
llvm::StringRef toString(StorageKind kind);

/// A buffer.
struct Storage {
  StorageKind kind = StorageKind::Local;
  /// The value that names it first: argument, allocation, or first result; null
  /// for a global that only callees touch.
  mlir::Value root;
  /// If `root` is a tuple, the element's place among its shaped elements.
  std::optional<unsigned> element;
  /// Bytes, unrounded. The footprint is this rounded up to 64.
  int64_t bytes = 0;
  /// Storages with the same class may be the same memory (memref arguments
  /// without `llvm.noalias`, whatever escaped). Otherwise its own id.
  unsigned aliasClass = 0;
  /// A buffer or a pointer names it, and not tensors alone: what is in it is
  /// what was written last, through whatever name.
  bool isMemory = false;
  /// Still needed when the block ends: returned, yielded, or used elsewhere.
  bool outlives = false;
  /// A run may find less here: a region or a callee that may hand out memory of
  /// its own may hand out other memory instead.
  bool mayBeMissing = false;
  /// Unknown memory that a callee may have made, to be freed here.
  bool mayBeOurs = false;
  /// Name of the tier that holds it; empty for the compute tier.
  llvm::StringRef tier;

  int64_t getFootprint() const { return pebble::getFootprint(bytes); }
  /// Counted in footprints and peaks.
  bool isCounted() const {
    return kind == StorageKind::Argument || kind == StorageKind::Donated ||
           kind == StorageKind::Local || mayBeOurs;
  }
};

enum class AccessKind {
  Read,
  Write,
  /// Neither: the storage must stay alive (a transfer is in flight, or a view
  /// is passed on). Costs nothing, orders nothing.
  Hold
};

struct Access {
  StorageId storage;
  AccessKind kind;
  /// Bytes accessed; fewer than the storage's for a view.
  int64_t bytes;
  /// The value through which it is accessed.
  mlir::Value value;
};

/// One operation of the block that does something. Constants, destinations,
/// allocations, views and drops are no steps: they cost nothing and stand where
/// the steps that use them need them.
struct Step {
  mlir::Operation *op;
  /// Operands in order, then results.
  llvm::SmallVector<Access, 4> accesses;
  /// Peak bytes of what lives only inside the op (its regions, its callee).
  int64_t scratch = 0;
  /// The same in tiers other than the compute tier, by their names: what its
  /// regions make there.
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>, 0> slowScratch;
  /// Must keep its place among all barriers and all accesses of memory that is
  /// not known to be private. Empty: no barrier; otherwise the reason.
  std::string barrier;
};

/// How a tensor result gets its storage.
struct Destination {
  /// The operand whose storage it takes (in place); null for a storage of its
  /// own.
  mlir::OpOperand *overwrites = nullptr;
  /// The operand whose content must be copied into the result's own storage
  /// first; null if the op initialises it.
  mlir::OpOperand *copies = nullptr;
};

class StorageAnalysis {
public:
  /// For the pass manager: analyses the only block of the function `op`.
  /// Functions without a body have no storages.
  explicit StorageAnalysis(mlir::Operation *op);

  StorageAnalysis(mlir::Block &block, ProgramContext &context);
  ~StorageAnalysis();

  /// Emits an error at each op or argument whose size is not known; failure if
  /// there was one. The other answers mean something only after success.
  llvm::LogicalResult verify() const;

  /// Adds to `errors` where a size is missing, and why.
  template <typename Errors>
  void addErrorsTo(Errors &to) const {
    to.append(errors.begin(), errors.end());
  }

  mlir::Block *getBlock() const { return block; }
  ProgramContext &getContext() const { return *context; }

  llvm::ArrayRef<Storage> getStorages() const { return storages; }
  const Storage &getStorage(StorageId id) const { return storages[id]; }
  /// False if memory from elsewhere may be some that is counted under another
  /// name too: then peaks are bounds, and no budget is proven to be the least.
  bool countsMemoryOnce() const {
    return llvm::none_of(storages, [](const Storage &s) {
      return s.kind == StorageKind::Unknown && s.bytes > 0;
    });
  }
  /// The steps in block order (the terminator is none).
  llvm::ArrayRef<Step> getSteps() const { return steps; }
  /// Index of the step of `op`, or of the ancestor of `op` in the block.
  std::optional<unsigned> getStepIndex(mlir::Operation *op) const;

  /// The storages that the shaped value `value` may name; empty for scalars.
  /// A tensor names one; a memref names several only after a select or a
  /// region that picks one; a tuple names one for each shaped element, in their
  /// order.
  llvm::ArrayRef<StorageId> lookup(mlir::Value value) const;

  /// The symbol of a global's storage; null for other storages.
  mlir::StringAttr getGlobal(StorageId id) const;

  /// How `result`, a tensor made by a step, gets its storage.
  Destination getDestination(mlir::OpResult result) const;

  /// Names for people (ValueNames.h).
  std::string getStorageName(StorageId id) const;
  std::string getStepName(unsigned step) const;

  /// True if the call that owns `operand` gets the storage for good: the callee
  /// owns the argument and nobody here needs it any more. A donated argument
  /// that is not consumed must be copied first.
  bool isConsumed(mlir::OpOperand &operand) const;

  /// True for ops that are no steps.
  static bool isFree(mlir::Operation *op);
  /// If `op` is a view (of a tensor or memref), an identity, or takes an
  /// element out of a tuple, its source. Most views are free; one that reads
  /// its shape from another operand is a step.
  static mlir::Value getViewSource(mlir::Operation *op);

private:
  class Builder;
  void run();

  std::unique_ptr<ProgramContext> ownContext;
  mlir::Block *block = nullptr;
  ProgramContext *context = nullptr;
  llvm::SmallVector<Storage, 0> storages;
  std::vector<Step> steps;
  llvm::DenseMap<mlir::Operation *, unsigned> stepIndex;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<StorageId, 1>> valueStorages;
  llvm::DenseMap<mlir::Value, Destination> destinations;
  llvm::DenseMap<StorageId, mlir::StringAttr> globals;
  llvm::DenseSet<mlir::OpOperand *> consumed;
  /// Where a size is missing, and why.
  llvm::SmallVector<std::pair<mlir::Location, std::string>> errors;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_STORAGE_H
