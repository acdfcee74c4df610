//===- Inverses.cpp - what an operation was given -------------------------===//

#include "pebble/Target/Inverses.h"

#include "pebble/Dialect/Flags.h"
#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace pebble;

#include "pebble/Target/InvertibleOpInterface.cpp.inc"

bool pebble::mayRound(Operation *op) {
  for (; op; op = op->getParentOp())
    if (op->hasAttr(attr::kAllowRounding))
      return true;
  return false;
}

Inversion pebble::getInversion(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto model = dyn_cast<InvertibleOpInterface>(op);
  // The result may say less than the operands, and what is made of it is no
  // better.
  if (hasFlags(op))
    return Inversion::None;
  // What is given twice would be read by its own inverse.
  if (!model || llvm::count(op->getOperands(), operand.get()) > 1)
    return Inversion::None;
  const Inversion inversion = model.getInversion(operand);
  return inversion == Inversion::Rounded && !mayRound(op) ? Inversion::None
                                                          : inversion;
}

Value pebble::buildInverse(OpBuilder &builder, Location loc, OpOperand &operand,
                           ValueRange results) {
  return cast<InvertibleOpInterface>(operand.getOwner())
      .buildInverse(builder, loc, operand, results);
}

//===----------------------------------------------------------------------===//
// Functions that are said to be inverses
//===----------------------------------------------------------------------===//

static std::string describe(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(";
  llvm::interleaveComma(types, os);
  os << ")";
  return text;
}

static LogicalResult checkDeclared(FunctionOpInterface function,
                                   DictionaryAttr inverse) {
  auto name = inverse.getAs<FlatSymbolRefAttr>("function");
  const int64_t operand = inverse.getAs<IntegerAttr>("operand").getInt();
  auto other = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      function->getParentOp(), name);
  if (!other)
    return function.emitError("the inverse ")
           << name << " is not a function of this module";
  SmallVector<Type> takes(function.getResultTypes());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (static_cast<int64_t>(index) != operand)
      takes.push_back(type);
  Type gives = function.getArgumentTypes()[operand];
  if (llvm::equal(other.getArgumentTypes(), takes) &&
      llvm::equal(other.getResultTypes(), ArrayRef(gives)))
    return success();
  InFlightDiagnostic error =
      other.emitError("the inverse of @")
      << function.getName() << " must take its results and its other "
      << "arguments, " << describe(takes) << ", and return argument " << operand
      << ", " << describe(gives);
  error.attachNote(function.getLoc()) << "said to be its inverse here";
  return error;
}

LogicalResult pebble::checkDeclaredInverses(ModuleOp module) {
  bool isRight = true;
  module.walk([&](FunctionOpInterface function) {
    if (auto inverse = function->getAttrOfType<DictionaryAttr>(attr::kInverse))
      isRight &= succeeded(checkDeclared(function, inverse));
  });
  return success(isRight);
}
