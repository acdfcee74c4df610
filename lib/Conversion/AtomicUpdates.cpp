//===- AtomicUpdates.cpp - updates that upstream can lower ----------------===//

#include "AtomicUpdates.h"

#include "CannotRun.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pebble;

/// An update whose new element does not depend on the old one is a plain write.
/// Upstream looks for that element inside of the update, and gives up.
static void simplifyUpdates(ModuleOp module) {
  module.walk([](memref::GenericAtomicRMWOp update) {
    Region &region = update.getRegion();
    Value stored = region.front().getTerminator()->getOperand(0);
    if (region.isAncestor(stored.getParentRegion()))
      return;
    OpBuilder builder(update);
    memref::AtomicRMWOp::create(builder, update.getLoc(),
                                arith::AtomicRMWKind::assign, stored,
                                update.getMemref(), update.getIndices());
    update.replaceAllUsesWith(stored);
    update.erase();
  });
}

/// No machine multiplies in one go: it compares and exchanges the product.
static void expandProducts(ModuleOp module) {
  module.walk([](memref::AtomicRMWOp product) {
    arith::AtomicRMWKind kind = product.getKind();
    if (kind != arith::AtomicRMWKind::mulf &&
        kind != arith::AtomicRMWKind::muli)
      return;
    OpBuilder builder(product);
    Location loc = product.getLoc();
    auto update = memref::GenericAtomicRMWOp::create(
        builder, loc, product.getMemref(), product.getIndices());
    builder.setInsertionPointToStart(update.getBody());
    Value old = update.getCurrentValue();
    Value factor = product.getValue();
    Value stored =
        kind == arith::AtomicRMWKind::mulf
            ? arith::MulFOp::create(builder, loc, old, factor).getResult()
            : arith::MulIOp::create(builder, loc, old, factor).getResult();
    memref::AtomicYieldOp::create(builder, loc, stored);
    product.replaceAllUsesWith(update.getResult());
    product.erase();
  });
}

/// The machine compares and exchanges integers, so a float is updated as its
/// bits. Fails, with an error, for elements that are no number of so few bits.
static LogicalResult updateFloatsAsBits(ModuleOp module) {
  WalkResult result = module.walk([](memref::GenericAtomicRMWOp update) {
    Value memref = update.getMemref();
    auto type = cast<MemRefType>(memref.getType());
    Type element = type.getElementType();
    const unsigned width =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
    if (element.isIndex() || element.isInteger(width)) {
      if (element.isIndex() || (width >= 8 && llvm::isPowerOf2_32(width)))
        return WalkResult::advance();
    } else if (width >= 8 && width <= 64 && llvm::isPowerOf2_32(width)) {
      OpBuilder builder(update);
      Location loc = update.getLoc();
      Type bits = builder.getIntegerType(width);
      auto cast = UnrealizedConversionCastOp::create(
          builder, loc,
          MemRefType::get(type.getShape(), bits, type.getLayout(),
                          type.getMemorySpace()),
          memref);
      update.getMemrefMutable().assign(cast.getResult(0));
      Block &body = update.getRegion().front();
      BlockArgument old = body.getArgument(0);
      old.setType(bits);
      builder.setInsertionPointToStart(&body);
      auto number = arith::BitcastOp::create(builder, loc, element, old);
      old.replaceAllUsesExcept(number, number);
      Operation *yield = body.getTerminator();
      builder.setInsertionPoint(yield);
      yield->setOperand(0, arith::BitcastOp::create(builder, loc, bits,
                                                    yield->getOperand(0)));
      builder.setInsertionPointAfter(update);
      Value result = update.getResult();
      result.setType(bits);
      auto latest = arith::BitcastOp::create(builder, loc, element, result);
      result.replaceAllUsesExcept(latest, latest);
      return WalkResult::advance();
    }
    InFlightDiagnostic error = update.emitError("elements of type ")
                               << element
                               << " cannot be updated atomically: that takes "
                                  "an integer or a float of 8, 16, 32 or 64 "
                                  "bits";
    error.attachNote() << CannotRunNotes::kText;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void pebble::writeUpdatesWithRegions(Operation *root) {
  root->walk([](memref::GenericAtomicRMWOp update) {
    Block *body = update.getBody();
    if (llvm::none_of(*body,
                      [](Operation &op) { return op.getNumRegions() > 0; }))
      return;
    IRRewriter rewriter(update);
    Operation *yield = body->getTerminator();
    Location loc = update.getLoc();
    Value old = memref::LoadOp::create(rewriter, loc, update.getMemref(),
                                       update.getIndices());
    rewriter.inlineBlockBefore(body, update, old);
    Value stored = yield->getOperand(0);
    memref::StoreOp::create(rewriter, loc, stored, update.getMemref(),
                            update.getIndices());
    rewriter.eraseOp(yield);
    rewriter.replaceOp(update, stored);
  });
}

LogicalResult pebble::prepareUpdates(ModuleOp module) {
  expandProducts(module);
  simplifyUpdates(module);
  return updateFloatsAsBits(module);
}
