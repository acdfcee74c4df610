//===- AdjointLoop.cpp - a loop and its adjoint ---------------------------===//
//
// Rules D35 to D39 of docs/PebbleGame.md: what the regions of a
// pebble.adjoint_loop take and yield. What a slot can hold, and which effects a
// step may have, is for the pass that decides what is kept.
//
//===----------------------------------------------------------------------===//

#include "pebble/Dialect/PebbleOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pebble;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

namespace {
/// `NAME(%a, %b : TYPE, TYPE)`, which is resolved once all is read.
struct Values {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc location;

  ParseResult parse(OpAsmParser &parser) {
    if (parser.parseLParen())
      return failure();
    location = parser.getCurrentLocation();
    return failure(parser.parseOperandList(operands) || parser.parseColon() ||
                   parser.parseTypeList(types) || parser.parseRParen());
  }
};
} // namespace

/// A region that is written has a block, if an empty one: `{}` is not left out.
static ParseResult parseBlock(OpAsmParser &parser, Region &region) {
  if (parser.parseRegion(region))
    return failure();
  if (region.empty())
    region.emplaceBlock();
  return success();
}

/// `STEPS states(...) (adjoints(...))? (gradients(...))? attributes
/// primal REGION (turn REGION)? adjoint REGION`. By hand, because the regions
/// must belong to `state` before they are read: what stands outside of them may
/// use a value of theirs (in a broken text, or ahead of its definition), and if
/// the text breaks off, only the regions of `state` are freed without harm to
/// such a use.
ParseResult AdjointLoopOp::parse(OpAsmParser &parser, OperationState &state) {
  Region &primal = *state.addRegion();
  Region &turn = *state.addRegion();
  Region &adjoint = *state.addRegion();
  OpAsmParser::UnresolvedOperand steps;
  Values states, adjoints, gradients;
  if (parser.parseOperand(steps) || parser.parseKeyword("states") ||
      states.parse(parser))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("adjoints")) &&
      adjoints.parse(parser))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("gradients")) &&
      gradients.parse(parser))
    return failure();
  SMLoc attributes = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      failed(verifyInherentAttrs(state.name, state.attributes,
                                 [&] { return parser.emitError(attributes); })))
    return failure();
  if (parser.parseKeyword("primal") || parseBlock(parser, primal))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("turn")) &&
      parseBlock(parser, turn))
    return failure();
  if (parser.parseKeyword("adjoint") || parseBlock(parser, adjoint) ||
      parser.resolveOperand(steps, parser.getBuilder().getIndexType(),
                            state.operands))
    return failure();

  auto &sizes = state.getOrAddProperties<Properties>().operandSegmentSizes;
  sizes.front() = 1;
  Values *groups[] = {&states, &adjoints, &gradients};
  for (auto [size, values] :
       llvm::zip(MutableArrayRef(sizes).drop_front(), groups)) {
    size = static_cast<int32_t>(values->operands.size());
    if (parser.resolveOperands(values->operands, values->types,
                               values->location, state.operands))
      return failure();
    state.addTypes(values->types);
  }
  return success();
}

static void printValues(OpAsmPrinter &printer, StringRef name,
                        OperandRange values) {
  printer << " " << name << "(" << values << " : " << values.getTypes() << ")";
}

void AdjointLoopOp::print(OpAsmPrinter &printer) {
  printer << " " << getSteps();
  printValues(printer, "states", getStates());
  if (!getAdjoints().empty())
    printValues(printer, "adjoints", getAdjoints());
  if (!getGradients().empty())
    printValues(printer, "gradients", getGradients());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           getOperandSegmentSizeAttr());
  printer << " primal ";
  printer.printRegion(getPrimal());
  if (!getTurn().empty()) {
    printer << " turn ";
    printer.printRegion(getTurn());
  }
  printer << " adjoint ";
  printer.printRegion(getAdjoint());
}

//===----------------------------------------------------------------------===//
// Facts and rules
//===----------------------------------------------------------------------===//

std::optional<int64_t> AdjointLoopOp::getConstantSteps() {
  APInt steps;
  if (!matchPattern(getSteps(), m_ConstantInt(&steps)))
    return std::nullopt;
  return steps.getSExtValue();
}

bool AdjointLoopOp::needsFinalStates() {
  return !getTurn().empty() || llvm::any_of(getFinalStates(), [](Value result) {
    return !result.use_empty();
  });
}

LogicalResult AdjointLoopOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  // All but the number of steps come back.
  llvm::append_range(inferred, operands.drop_front().getTypes());
  return success();
}

/// D35: every result has the type of the value that it began as.
LogicalResult AdjointLoopOp::verify() {
  auto inits = (*this)->getOperands().drop_front();
  if (inits.size() != getNumResults())
    return emitError("[D35] the loop returns a value for each of its ")
           << inits.size() << " initial values, and this one returns "
           << getNumResults();
  for (auto [index, init, result] : llvm::enumerate(inits, getResults()))
    if (init.getType() != result.getType())
      return emitError("[D35] result ")
             << index << " has type " << result.getType()
             << ", but began as a value of type " << init.getType();
  if (getStates().empty() || (getAdjoints().empty() && getGradients().empty()))
    return emitError(
        "[D36] a loop without a state, or without an adjoint and a "
        "gradient, has nothing to reverse");
  std::optional<int64_t> steps = getConstantSteps();
  if (steps && *steps < 0)
    return emitError("[D37] the trip count is ")
           << *steps << ", which may not be negative";
  return success();
}

/// D38 and D39: the types that the region's block takes and yields.
static LogicalResult verifyStep(Operation *op, Region &region, StringRef name,
                                ArrayRef<Type> taken, TypeRange yielded) {
  Block &block = region.front();
  if (!llvm::equal(block.getArgumentTypes(), taken)) {
    InFlightDiagnostic error = op->emitError("[D38] the block of '")
                               << name << "' takes ("
                               << block.getArgumentTypes() << "), wanted ("
                               << taken << ")";
    return error;
  }
  Operation *end = block.empty() ? nullptr : &block.back();
  if (!isa_and_present<YieldOp>(end))
    return op->emitError("[D39] the block of '")
           << name << "' does not end with pebble.yield";
  if (!llvm::equal(end->getOperandTypes(), yielded))
    return end->emitError("[D39] '")
           << name << "' yields (" << end->getOperandTypes() << "), wanted ("
           << yielded << ")";
  return success();
}

LogicalResult AdjointLoopOp::verifyRegions() {
  TypeRange states = getStates().getTypes();
  SmallVector<Type> adjoints(getAdjoints().getTypes());
  llvm::append_range(adjoints, getGradients().getTypes());
  SmallVector<Type> inPrimal = {getSteps().getType()};
  llvm::append_range(inPrimal, states);
  SmallVector<Type> inTurn(states);
  llvm::append_range(inTurn, adjoints);
  SmallVector<Type> inAdjoint(inPrimal);
  llvm::append_range(inAdjoint, adjoints);
  if (failed(verifyStep(*this, getPrimal(), "primal", inPrimal, states)))
    return failure();
  if (!getTurn().empty() &&
      failed(verifyStep(*this, getTurn(), "turn", inTurn, adjoints)))
    return failure();
  return verifyStep(*this, getAdjoint(), "adjoint", inAdjoint, adjoints);
}
