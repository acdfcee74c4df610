//===- Promises.h - what functions promise of arguments (private) -*- C++ -*-=//
//
// Attributes by which a function promises something that nobody checks later:
// who owns an argument, that nobody else names it, and what LLVM is told. A
// rewrite must not promise more than the program did.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PROMISES_H
#define PEBBLE_LIB_PLANNING_PROMISES_H

#include "Expressions.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace pebble {

/// Emits an error at `after`, and fails, if it promises more than `before`.
llvm::LogicalResult comparePromises(mlir::FunctionOpInterface before,
                                    mlir::FunctionOpInterface after);

/// What the callees of a program that runs promise.
class CalleePromises {
public:
  using Id = ExpressionTable::Id;

  explicit CalleePromises(ExpressionTable &table) : table(table) {}

  /// A call: for each argument what it is, and for buffers whether nobody else
  /// names it in this call.
  struct Argument {
    Id identity;
    bool isBuffer = false;
    bool isAlone = false;
  };
  void add(mlir::Operation *call, mlir::FunctionOpInterface callee,
           llvm::ArrayRef<Argument> arguments);

  /// A call whose callee promises what no callee in `before` did; or null.
  mlir::Operation *findNew(const CalleePromises &before) const;

private:
  void add(mlir::Operation *call, mlir::DictionaryAttr attributes, Id of);

  ExpressionTable &table;
  llvm::MapVector<Id, mlir::Operation *> made;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PROMISES_H
