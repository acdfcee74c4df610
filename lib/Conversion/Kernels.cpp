//===- Kernels.cpp - one function per structured operation ----------------===//

#include "Kernels.h"

#include "pebble/Analysis/BufferTables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pebble;

Kernels::Kernels(ModuleOp module)
    : module(module), symbols(module), ownership(module),
      hasTables(holdsBufferTable(module)) {}

/// Whether two memrefs cannot reach the same memory: they name different
/// buffers, of which one is owned by a block here and so reached by its names
/// alone.
bool Kernels::areApart(Value a, Value b) const {
  ArrayRef<Value> first = ownership.getRoots(a), second = ownership.getRoots(b);
  // What is found in memory may be any buffer that was put there.
  if (first.empty() || second.empty() || hasTables)
    return false;
  for (Value r : first)
    for (Value s : second)
      if (r == s || (!ownership.getOwner(r) && !ownership.getOwner(s)))
        return false;
  return true;
}

SmallVector<int64_t> Kernels::getPrivatePointers(linalg::LinalgOp op) {
  SmallVector<int64_t> pointers;
  int64_t position = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      ++position;
      continue;
    }
    bool isApart = true;
    for (OpOperand &other : op->getOpOperands())
      if (&other != &operand && isa<MemRefType>(other.get().getType()) &&
          (op.isDpsInit(&operand) || op.isDpsInit(&other)))
        isApart &= areApart(operand.get(), other.get());
    if (isApart)
      pointers.push_back(position + 1); // the aligned pointer is accessed
    position += 3 + 2 * type.getRank();
  }
  return pointers;
}

linalg::LinalgOp Kernels::outline(linalg::LinalgOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> arguments(op->getOperands());
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  SmallVector<Operation *> constants;
  for (Value value : captured)
    if (matchPattern(value, m_Constant()))
      constants.push_back(value.getDefiningOp());
    else
      arguments.push_back(value);

  auto func = func::FuncOp::create(
      loc, "pebble_kernel", builder.getFunctionType(TypeRange(arguments), {}));
  func.setPrivate();
  func->setAttr(kKernelAttr,
                builder.getDenseI64ArrayAttr(getPrivatePointers(op)));
  Block *body = func.addEntryBlock();
  IRMapping mapping;
  builder.setInsertionPointToStart(body);
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  mapping.map(arguments, body->getArguments());
  // An operand that is passed twice has two places.
  Operation *clone = builder.clone(*op, mapping);
  for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i)
    clone->setOperand(i, body->getArgument(i));
  func::ReturnOp::create(builder, loc);

  std::string text;
  llvm::raw_string_ostream os(text);
  func->print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
  auto [it, isNew] = kernels.try_emplace(text, func);
  if (isNew)
    symbols.insert(func); // finds a name of its own
  else
    func->erase();
  builder.setInsertionPoint(op);
  func::CallOp::create(builder, loc, it->second, arguments);
  op->erase();
  return isNew ? cast<linalg::LinalgOp>(clone) : linalg::LinalgOp();
}
