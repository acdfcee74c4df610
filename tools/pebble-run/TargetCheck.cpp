//===- TargetCheck.cpp - functions that are for another machine -----------===//

#include "TargetCheck.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using llvm::MCSubtargetInfo;

namespace {

/// What code of this process may be compiled for.
class ThisMachine {
public:
  static llvm::Expected<ThisMachine> get();

  /// Why code for `cpu` with `features` cannot run here; empty if it can.
  std::string refuse(llvm::StringRef cpu,
                     llvm::ArrayRef<StringAttr> features) const;

private:
  std::string refuseFeature(llvm::StringRef feature) const;
  std::unique_ptr<MCSubtargetInfo> getSubtarget(llvm::StringRef cpu) const {
    return std::unique_ptr<MCSubtargetInfo>(
        target->createMCSubtargetInfo(triple, cpu, ""));
  }
  bool isForX86() const { return triple.getArch() == llvm::Triple::x86_64; }

  llvm::Triple triple;
  const llvm::Target *target = nullptr;
  llvm::StringMap<bool> has; ///< features of this machine, as far as known
  std::unique_ptr<MCSubtargetInfo> least; ///< what every such machine has
  llvm::StringSet<> names;                ///< of all features
};

} // namespace

llvm::Expected<ThisMachine> ThisMachine::get() {
  llvm::InitializeNativeTarget();
  ThisMachine machine;
  machine.triple = llvm::Triple(llvm::sys::getProcessTriple());
  std::string error;
  machine.target = llvm::TargetRegistry::lookupTarget(machine.triple, error);
  if (!machine.target)
    return llvm::createStringError(error);
  machine.least = machine.getSubtarget(machine.isForX86() ? "x86-64" : "");
  if (!machine.least)
    return llvm::createStringError("no code can be made for this machine");
  for (const llvm::SubtargetFeatureKV &each :
       machine.least->getAllProcessorFeatures())
    machine.names.insert(each.Key);
  machine.has = llvm::sys::getHostCPUFeatures();
  return std::move(machine);
}

std::string ThisMachine::refuseFeature(llvm::StringRef feature) const {
  llvm::StringRef name = llvm::SubtargetFeatures::StripFlag(feature);
  if (!names.contains(name))
    return "target feature '" + feature.str() + "' is none of this machine's";
  if (llvm::SubtargetFeatures::isEnabled(feature)) {
    auto known = has.find(name);
    if (known != has.end() && !known->second)
      return "this machine lacks the target feature '" + name.str() + "'";
  } else if (least->checkFeatures("+" + name.str())) {
    return "target feature '" + feature.str() +
           "' leaves out what all code of this machine needs";
  }
  return "";
}

std::string ThisMachine::refuse(llvm::StringRef cpu,
                                llvm::ArrayRef<StringAttr> features) const {
  if (!cpu.empty() && !least->isCPUStringValid(cpu))
    return "target CPU '" + cpu.str() + "' is none of this machine's";
  if (!cpu.empty() && isForX86() && !getSubtarget(cpu)->checkFeatures("+64bit"))
    return "target CPU '" + cpu.str() + "' runs no 64-bit code";
  for (StringAttr feature : features)
    if (std::string why = refuseFeature(feature); !why.empty())
      return why;
  return "";
}

static bool isScalable(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.isScalable();
}

/// Whether `op` has to do with vectors whose length the machine decides.
static bool usesScalableVectors(Operation *op) {
  return isa<LLVM::vscale>(op) ||
         llvm::any_of(op->getOperandTypes(), isScalable) ||
         llvm::any_of(op->getResultTypes(), isScalable);
}

static LogicalResult checkScalableVectors(ModuleOp module) {
  const llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  // Those of AArch64 and of RISC-V.
  if (has.lookup("sve") || has.lookup("v"))
    return success();
  WalkResult result = module.walk([](Operation *op) {
    if (!usesScalableVectors(op))
      return WalkResult::advance();
    op->emitError("cannot run vectors of scalable length: this machine has "
                  "none");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult pebble::checkTargets(ModuleOp module) {
  if (failed(checkScalableVectors(module)))
    return failure();
  SmallVector<LLVM::LLVMFuncOp> funcs;
  module.walk([&](LLVM::LLVMFuncOp func) {
    if (!func.isExternal() && (func.getTargetCpu() || func.getTargetFeatures()))
      funcs.push_back(func);
  });
  if (funcs.empty())
    return success();
  llvm::Expected<ThisMachine> machine = ThisMachine::get();
  if (!machine)
    return emitError(module.getLoc(), llvm::toString(machine.takeError()));
  LogicalResult result = success();
  for (LLVM::LLVMFuncOp func : funcs) {
    llvm::ArrayRef<StringAttr> features;
    if (auto list = func.getTargetFeatures())
      features = list->getFeatures();
    std::string why =
        machine->refuse(func.getTargetCpu().value_or(""), features);
    if (!why.empty())
      result = func.emitError("cannot run function '")
               << func.getName() << "': " << why;
  }
  return result;
}
