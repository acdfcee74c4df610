//===- Jit.cpp - compile a lowered module and call its entry --------------===//

#include "Jit.h"

#include "Spelling.h"

#include "pebble/Runtime/Runtime.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/IRTransformLayer.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdlib>

using namespace llvm;
using namespace pebble;

static std::string getEntryName(size_t index) {
  return "__pebble_run_entry_" + std::to_string(index);
}

/// `free` of compiled code: what the runtime does not know came from a library
/// that allocated it for the program.
static void freeAny(void *pointer) {
  if (pebble_rt_is_live(pointer))
    pebble_rt_free(pointer);
  else
    std::free(pointer);
}

/// A function void(void **) called `name` that loads the arguments of `callee`
/// and stores its result.
static void buildEntry(llvm::Module &module, Function *callee, StringRef name) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Function *entry = Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer}, false),
      Function::ExternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  auto slot = [&](unsigned i) {
    Value *where = builder.CreateConstGEP1_64(pointer, entry->getArg(0), i);
    return builder.CreateLoad(pointer, where);
  };
  SmallVector<Value *> arguments;
  for (Argument &argument : callee->args()) {
    Type *type = argument.getType();
    arguments.push_back(builder.CreateLoad(type, slot(arguments.size())));
  }
  Value *result = builder.CreateCall(callee, arguments);
  if (!result->getType()->isVoidTy())
    builder.CreateStore(result, slot(arguments.size()));
  builder.CreateRetVoid();
}

/// Code generators warn of a CPU that they do not know, and end the process
/// where a 32-bit one is to run 64-bit code.
static Error checkCpu(const Triple &triple, StringRef cpu) {
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  const std::unique_ptr<MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  std::vector<std::string> known;
  for (const SubtargetSubTypeKV &each : info->getAllProcessorDescriptions())
    known.push_back(each.Key);
  const std::string start = "--cpu=" + cpu.str() + ": ";
  if (!is_contained(known, cpu))
    return createStringError(start + "no CPU of " + triple.getArchName().str() +
                             " is called so" +
                             tool::suggest(cpu.str(), known, "--cpu="));
  const std::unique_ptr<MCSubtargetInfo> chosen(
      target->createMCSubtargetInfo(triple, cpu, ""));
  if (triple.getArch() == Triple::x86_64 && !chosen->checkFeatures("+64bit"))
    return createStringError(start + "this CPU runs no 64-bit code");
  return Error::success();
}

Jit::Jit() = default;
Jit::~Jit() = default;

/// The module as LLVM IR, with an entry for each of `names`.
static Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, ArrayRef<std::string> names,
          LLVMContext &context) {
  std::unique_ptr<llvm::Module> ir =
      mlir::translateModuleToLLVMIR(module, context);
  if (!ir)
    return createStringError(inconvertibleErrorCode(),
                             "the module does not translate to LLVM IR");
  for (auto [index, name] : enumerate(names)) {
    Function *callee = ir->getFunction("_mlir_ciface_" + name);
    if (!callee || callee->isDeclaration())
      callee = ir->getFunction(name);
    if (!callee || callee->isDeclaration())
      return createStringError(inconvertibleErrorCode(),
                               "no function '" + name + "' after lowering");
    buildEntry(*ir, callee, getEntryName(index));
  }
  return std::move(ir);
}

/// Optimises `ir` for the machine that `options` names; returns how to build
/// its code.
static Expected<orc::JITTargetMachineBuilder> optimize(llvm::Module &ir,
                                                       JitOptions options) {
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  if (!options.cpu.empty()) {
    if (Error error = checkCpu(target->getTargetTriple(), options.cpu))
      return std::move(error);
    target->setCPU(options.cpu);
    target->getFeatures() = SubtargetFeatures();
  }
  target->setCodeGenOptLevel(static_cast<CodeGenOptLevel>(options.optLevel));
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  ir.setDataLayout((*machine)->createDataLayout());
  ir.setTargetTriple((*machine)->getTargetTriple());
  if (Error error = mlir::makeOptimizingTransformer(options.optLevel, 0,
                                                    machine->get())(&ir))
    return std::move(error);
  return target;
}

/// Lets compiled code find what it calls: our memory functions first, then
/// those of this process.
static Error defineSymbols(orc::LLJIT &jit) {
  orc::JITDylib &library = jit.getMainJITDylib();
  orc::MangleAndInterner mangle(jit.getExecutionSession(), jit.getDataLayout());
  orc::SymbolMap symbols;
  auto define = [&](StringRef symbol, auto *function) {
    symbols[mangle(symbol)] = {orc::ExecutorAddr::fromPtr(function),
                               JITSymbolFlags::Exported};
  };
  // Code that was not compiled by Pebble is metered as well.
  define("malloc", &pebble_rt_malloc);
  define("aligned_alloc", &pebble_rt_aligned_alloc);
  define("free", &freeAny);
  if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return Error::success();
}

Expected<std::unique_ptr<Jit>> Jit::create(mlir::ModuleOp module,
                                           ArrayRef<std::string> names,
                                           JitOptions options) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  auto context = std::make_unique<LLVMContext>();
  auto ir = translate(module, names, *context);
  if (!ir)
    return ir.takeError();
  auto target = optimize(**ir, options);
  if (!target)
    return target.takeError();
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create();
  if (!jit)
    return jit.takeError();
  if (Error error = defineSymbols(**jit))
    return std::move(error);
  if (Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(*ir), std::move(context))))
    return std::move(error);
  if (Error error = (*jit)->initialize((*jit)->getMainJITDylib()))
    return std::move(error);
  std::unique_ptr<Jit> result(new Jit);
  for (size_t index = 0; index < names.size(); ++index) {
    auto address = (*jit)->lookup(getEntryName(index));
    if (!address)
      return address.takeError();
    result->entries.push_back(address->toPtr<Entry>());
  }
  result->jit = std::move(*jit);
  return result;
}

bool pebble::loadRunnerLibraries() {
  bool loaded = true;
  for (StringRef name :
       {"libmlir_c_runner_utils.so", "libmlir_runner_utils.so"}) {
    std::string path = (PEBBLE_LLVM_LIBDIR "/" + name).str();
    if (sys::DynamicLibrary::LoadLibraryPermanently(path.c_str()) &&
        sys::DynamicLibrary::LoadLibraryPermanently(name.str().c_str()))
      loaded = false;
  }
  return loaded;
}
