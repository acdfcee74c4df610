//===- WaitSyntax.h - how waits are written (private) -----------*- C++ -*-===//
//
// `TOKEN (for COPY)? attributes (: TYPE OF THE COPY)?`. By hand, because a
// directive for the optional type would leave a space behind.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_DIALECT_WAITSYNTAX_H
#define PEBBLE_LIB_DIALECT_WAITSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace pebble {

mlir::ParseResult parseWait(mlir::OpAsmParser &parser,
                            mlir::OperationState &state);

template <typename Op>
void printWait(Op op, mlir::OpAsmPrinter &printer) {
  printer << " " << op.getToken();
  if (op.getCopy())
    printer << " for " << op.getCopy();
  printer.printOptionalAttrDict(op->getAttrs());
  if (op.getCopy())
    printer << " : " << op.getCopy().getType();
}

} // namespace pebble

#endif // PEBBLE_LIB_DIALECT_WAITSYNTAX_H
