//===- PebbleTransformOps.cpp - plans from transform scripts --------------===//
//
// Puts the chosen functions and what they call into a module of their own, runs
// the pass there, and takes over what it made of them.
//
//===----------------------------------------------------------------------===//

#include "pebble/TransformOps/PebbleTransformOps.h"

#include "pebble/Analysis/CallOrder.h"
#include "pebble/Dialect/PebbleDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace pebble;
using mlir::transform::CheckpointLoopsTransformOp;
using mlir::transform::OrderTransformOp;
using mlir::transform::ScheduleTransformOp;

namespace {
/// Functions of one module that a pass is to see, and no others.
class ChosenFunctions {
public:
  explicit ChosenFunctions(transform::TransformOpInterface script)
      : script(script) {}

  /// Fails where `targets` are not functions of one module, or others call them
  /// or are called by them.
  DiagnosedSilenceableFailure choose(ArrayRef<Operation *> targets) {
    for (Operation *target : targets) {
      auto here = dyn_cast_or_null<ModuleOp>(
          target->getBlock() ? target->getParentOp() : nullptr);
      if (!isa<FunctionOpInterface>(target) || !here ||
          (module && here != module))
        return refuse(target, "only functions of one module can be planned");
      module = here;
      functions.insert(target);
    }
    // A handle to what is in a callee would go on to point at what is gone.
    for (Operation *target : targets)
      for (Operation *callee : getCallees(target))
        if (!functions.contains(callee) &&
            !cast<FunctionOpInterface>(callee).isExternal())
          return refuse(callee, "a chosen function calls one that is not "
                                "chosen and would be planned with it");
    for (Operation *op : getCalleesFirst(module)) {
      if (functions.contains(op))
        continue;
      for (Operation *callee : getCallees(op))
        if (functions.contains(callee))
          return refuse(op, "a function that is not chosen calls one that is, "
                            "and was planned for what that takes");
    }
    return DiagnosedSilenceableFailure::success();
  }

  /// Runs `pass` on them alone.
  DiagnosedSilenceableFailure run(StringRef pass, DictionaryAttr options) {
    for (NamedAttribute option : options)
      if (auto text = dyn_cast<StringAttr>(option.getValue());
          text &&
          text.getValue().find_first_of(" \t\n{}\"'") != StringRef::npos)
        return emitDefiniteFailure(script)
               << "the value of '" << option.getName().getValue()
               << "' holds a space, a quote or a brace, which options cannot";
    std::string message;
    llvm::raw_string_ostream os(message);
    PassManager plain(module.getContext(), ModuleOp::getOperationName());
    if (failed(parsePassPipeline(pass, plain, os)))
      return emitDefiniteFailure(script) << StringRef(message).trim();
    for (NamedAttribute option : options)
      if (auto text = dyn_cast<StringAttr>(option.getValue()))
        if (StringRef wanted =
                getWanted(*plain.begin(), option.getName(), text);
            !wanted.empty())
          return emitDefiniteFailure(script)
                 << "'" << option.getName().getValue() << "' takes " << wanted
                 << ", got '" << text.getValue() << "'";
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    if (failed(parsePassPipeline(
            (pass + "{" + writeOptions(options) + "}").str(), pm, os)))
      return emitDefiniteFailure(script) << StringRef(message).trim();
    OwningOpRef<ModuleOp> apart = takeApart();
    // What the pass says against them is said where somebody may still choose
    // another way.
    SmallVector<Diagnostic> errors;
    LogicalResult result = success();
    {
      ScopedDiagnosticHandler listen(
          module.getContext(), [&](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
              return failure();
            errors.push_back(std::move(diagnostic));
            return success();
          });
      result = pm.run(*apart);
    }
    if (failed(result)) {
      DiagnosedSilenceableFailure failure = emitSilenceableFailure(script)
                                            << pass << " failed";
      for (Diagnostic &error : errors)
        failure.attachNote(error.getLocation()) << error.str();
      return failure;
    }
    takeOver(*apart);
    return DiagnosedSilenceableFailure::success();
  }

private:
  DiagnosedSilenceableFailure refuse(Operation *op, StringRef why) {
    DiagnosedSilenceableFailure failure = emitSilenceableFailure(script) << why;
    failure.attachNote(op->getLoc()) << "this one";
    return failure;
  }

  /// What an option of `pass` takes if `value` is none of it; empty otherwise.
  /// LLVM's parser would say that in words of its own, in no place. The kind of
  /// an option is that of its default.
  static StringRef getWanted(Pass &pass, StringRef name, StringRef value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    pass.printAsTextualPipeline(os);
    StringRef all(text);
    for (StringRef before : {" ", "{"}) {
      size_t at = all.find((before + name + "=").str());
      if (at == StringRef::npos)
        continue;
      StringRef known =
          all.drop_front(at + name.size() + 2).take_until([](char c) {
            return c == ' ' || c == '}';
          });
      int64_t number;
      if (!known.getAsInteger(10, number) && value.getAsInteger(10, number))
        return "a whole number";
      if ((known == "true" || known == "false") && value != "true" &&
          value != "false")
        return "true or false";
    }
    return {};
  }

  /// As a command line has them.
  static std::string writeOptions(DictionaryAttr options) {
    std::string text;
    llvm::raw_string_ostream os(text);
    auto write = [&](Attribute value) {
      if (auto string = dyn_cast<StringAttr>(value))
        os << string.getValue();
      else if (auto flag = dyn_cast<BoolAttr>(value))
        os << (flag.getValue() ? "true" : "false");
      else if (auto number = dyn_cast<IntegerAttr>(value))
        os << number.getValue();
      else
        value.print(os);
    };
    for (NamedAttribute option : options) {
      os << (text.empty() ? "" : " ") << option.getName().getValue() << "=";
      if (auto list = dyn_cast<ArrayAttr>(option.getValue()))
        llvm::interleave(list, os, write, ",");
      else
        write(option.getValue());
    }
    return text;
  }

  /// Other functions are there by name only, and scripts are not.
  OwningOpRef<ModuleOp> takeApart() {
    OwningOpRef<ModuleOp> apart = ModuleOp::create(module.getLoc());
    apart.get()->setAttrs(module->getAttrDictionary());
    OpBuilder builder = OpBuilder::atBlockEnd(apart->getBody());
    for (Operation &op : *module.getBody())
      if (functions.contains(&op) || !isa<FunctionOpInterface>(op))
        builder.clone(op);
      else if (isa<LLVM::LLVMFuncOp>(op) &&
               cast<FunctionOpInterface>(op).isExternal())
        builder.clone(op);
      else if (auto other = dyn_cast<func::FuncOp>(op))
        func::FuncOp::create(builder, other.getLoc(), other.getName(),
                             other.getFunctionType())
            .setPrivate();
    return apart;
  }

  void takeOver(ModuleOp apart) {
    Operation *last = nullptr;
    for (Operation &op : llvm::make_early_inc_range(*apart.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      Operation *old =
          symbol ? SymbolTable::lookupSymbolIn(module, symbol.getNameAttr())
                 : nullptr;
      if (!symbol)
        continue;
      if (!old) {
        // A leaner function to fall back to, or one of the runtime.
        op.moveBefore(module.getBody(), last ? std::next(Block::iterator(last))
                                             : module.getBody()->begin());
        last = &op;
        continue;
      }
      last = old;
      if (!functions.contains(old))
        continue;
      auto from = cast<FunctionOpInterface>(op);
      auto to = cast<FunctionOpInterface>(old);
      to.getFunctionBody().takeBody(from.getFunctionBody());
      to->setAttrs(from->getAttrDictionary());
    }
  }

  transform::TransformOpInterface script;
  ModuleOp module;
  llvm::DenseSet<Operation *> functions;
};
} // namespace

template <typename OpT>
static DiagnosedSilenceableFailure runOn(OpT op, StringRef pass,
                                         transform::TransformResults &results,
                                         transform::TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(op.getTarget()));
  auto script = cast<transform::TransformOpInterface>(op.getOperation());
  if (targets.empty()) {
    results.set(cast<OpResult>(op.getPlanned()), ArrayRef<Operation *>());
    return DiagnosedSilenceableFailure::success();
  }
  ChosenFunctions chosen(script);
  DiagnosedSilenceableFailure failure = chosen.choose(targets);
  if (failure.succeeded())
    failure = chosen.run(pass, op.getOptions());
  if (failure.succeeded())
    results.set(cast<OpResult>(op.getPlanned()), targets);
  return failure;
}

template <typename OpT>
static void
addEffects(OpT op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(op.getTargetMutable(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
OrderTransformOp::apply(transform::TransformRewriter &,
                        transform::TransformResults &results,
                        transform::TransformState &state) {
  return runOn(*this, "pebble-order-operations", results, state);
}
void OrderTransformOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(*this, effects);
}

DiagnosedSilenceableFailure
ScheduleTransformOp::apply(transform::TransformRewriter &,
                           transform::TransformResults &results,
                           transform::TransformState &state) {
  return runOn(*this, "pebble-schedule", results, state);
}
void ScheduleTransformOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(*this, effects);
}

DiagnosedSilenceableFailure
CheckpointLoopsTransformOp::apply(transform::TransformRewriter &,
                                  transform::TransformResults &results,
                                  transform::TransformState &state) {
  return runOn(*this, "pebble-checkpoint-loops", results, state);
}
void CheckpointLoopsTransformOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(*this, effects);
}

namespace {
struct Extension : transform::TransformDialectExtension<Extension> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extension)

  void init() {
    // What the passes may leave behind.
    declareGeneratedDialect<PebbleDialect>();
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<bufferization::BufferizationDialect>();
    declareGeneratedDialect<func::FuncDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "pebble/TransformOps/PebbleTransformOps.cpp.inc"
        >();
  }
};
} // namespace

#define GET_OP_CLASSES
#include "pebble/TransformOps/PebbleTransformOps.cpp.inc"

void pebble::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<Extension>();
}
