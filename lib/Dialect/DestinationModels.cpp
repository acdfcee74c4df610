//===- DestinationModels.cpp - who overwrites what it is given ------------===//

#include "pebble/Dialect/DestinationModels.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace {
/// A scatter into a tensor leaves what it does not write.
struct ScatterDestination
    : DestinationStyleOpInterface::ExternalModel<ScatterDestination,
                                                 vector::ScatterOp> {
  MutableOperandRange getDpsInitsMutable(Operation *op) const {
    return cast<vector::ScatterOp>(op).getBaseMutable();
  }
};

void attachToVector(MLIRContext *context, vector::VectorDialect *) {
  vector::ScatterOp::attachInterface<ScatterDestination>(*context);
}
} // namespace

void pebble::registerDestinationModels(DialectRegistry &registry) {
  registry.addExtension(attachToVector);
}
