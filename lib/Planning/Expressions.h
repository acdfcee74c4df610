//===- Expressions.h - what makes two ops the same (private) ----*- C++ -*-===//
//
// Words that an expression consists of, and the facts about single ops that the
// symbolic execution needs.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_EXPRESSIONS_H
#define PEBBLE_LIB_PLANNING_EXPRESSIONS_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace pebble {

/// Expressions by structure: equal word lists have equal ids. Exact, no hashes
/// are compared.
class ExpressionTable {
public:
  using Id = unsigned;
  /// What a word list stands for; its first word.
  enum Tag : uint64_t {
    Root,      ///< the whole of a storage, seen through no view
    Undefined, ///< content of a storage that nobody wrote
    Argument,
    Outside, ///< a value from outside of the block
    Global,
    Memory, ///< several storages not proven apart
    Constant,
    Operation,
    Result,
    View,
    Use, ///< content as seen through a view
    Place,
    Written,
    Freed,
    Extent,
    Crossing, ///< a value that one block makes and another uses
    Epoch,
    Region,
    Payload, ///< what an operation computes for an element
    Guard,   ///< something that may fail, or where it stands
    Promise  ///< what a function promises of an argument
  };
  Id get(Tag tag, llvm::ArrayRef<uint64_t> words);

  /// What `tree` says as well is `expression`, or what was unified with it
  /// before: the same operation, written in another way.
  Id unify(Id tree, Id expression) {
    return trees.try_emplace(tree, expression).first->second;
  }

  /// What was proven, or could not be, by the expression of the claim.
  llvm::DenseMap<Id, bool> proofs;

private:
  llvm::DenseMap<Id, Id> trees;
  llvm::StringMap<Id> ids;
};

uint64_t toWord(const void *pointer);
/// The type without the tier that it is placed in.
uint64_t toWord(mlir::Type type);

/// Adds name, properties, attributes (Pebble's own left out) and the number of
/// operands.
void addIdentity(mlir::Operation *op, llvm::SmallVectorImpl<uint64_t> &words);

/// Adds what `op`, which makes a buffer, promises of its address, and whether
/// the buffer ends with a function or region.
void addMaking(mlir::Operation *op, llvm::SmallVectorImpl<uint64_t> &words);

/// The alignment that `op`, an access, relies on, if it names one.
std::optional<uint64_t> getReliedAlignment(mlir::Operation *op);

/// The expression of an op without operands.
ExpressionTable::Id getConstant(mlir::Operation *op, ExpressionTable &table);

/// The structure of a region: values made inside by number, captured ones by
/// what `getCaptured` says they are.
ExpressionTable::Id getRegionExpression(
    mlir::Region &region, ExpressionTable &table,
    llvm::function_ref<ExpressionTable::Id(mlir::OpOperand &)> getCaptured);

/// True for ops whose result, or destination, holds just what the source holds.
bool isCopy(mlir::Operation *op);

/// True for tensors and memrefs.
bool isShaped(mlir::Value value);

/// Adds the symbols that `op` names. Bookkeeping of Pebble does not count.
void collectSymbols(mlir::Operation *op,
                    llvm::SetVector<mlir::SymbolRefAttr> &names);

/// True for moves, drops and opaque identities.
bool isPebbleOp(mlir::Operation *op);

/// Whether an op depends on what a tensor operand holds. A destination that the
/// op overwrites in full matters by its type alone.
bool readsContent(mlir::OpOperand &operand);

/// Whether the dynamic extents of a destination must be those of operands that
/// the op reads.
bool isSizedByInputs(mlir::OpOperand &operand);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_EXPRESSIONS_H
