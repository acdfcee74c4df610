//===- ToolOptions.cpp - options that our MLIR tools share ----------------===//

#include "ToolOptions.h"

#include "Spelling.h"

#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Target/HierarchyFile.h"
#include "pebble/Target/Presets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

cl::OptionCategory &tool::getCategory() {
  static cl::OptionCategory category("Pebble options");
  return category;
}

namespace {
struct SharedOptions {
  cl::opt<std::string> target{
      "target",
      cl::desc("The machine, in place of the module's: a name, or a file with "
               "a #pebble.hierarchy"),
      cl::value_desc("name|file"), cl::cat(tool::getCategory())};
  cl::alias oldTarget{"pebble-target", cl::desc("Alias for --target"),
                      cl::aliasopt(target), cl::Hidden};
  cl::opt<bool> listTargets{"list-targets",
                            cl::desc("List the machines that --target knows, "
                                     "with their tiers, and stop"),
                            cl::cat(tool::getCategory())};
};
} // namespace

static llvm::ManagedStatic<SharedOptions> shared;
static std::string program;

void tool::registerVersion(const std::string &name) {
  program = name;
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << program << " " << PEBBLE_VERSION << " (LLVM " << LLVM_VERSION_STRING
       << ")\n";
  });
}

void tool::registerToolOptions(const std::string &name) {
  registerVersion(name);
  (void)*shared;
}

void tool::hideOthers(llvm::ArrayRef<llvm::StringRef> alsoShown) {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (!llvm::is_contained(option->Categories, &getCategory()) &&
        !llvm::is_contained(alsoShown, name) &&
        option->getOptionHiddenFlag() == cl::NotHidden &&
        !name.starts_with("help") && name != "version")
      option->setHiddenFlag(cl::Hidden);
}

std::vector<std::string> tool::getOwnOptions() {
  std::vector<std::string> names = {"help", "help-hidden", "version"};
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (llvm::is_contained(option->Categories, &getCategory()))
      names.push_back(name.str());
  llvm::sort(names);
  return names;
}

/// The error on a flag of ours that is given something else than true or false;
/// the option with a longer name that takes it, if there is one.
static std::optional<std::string> findGivenFlag(const cl::Option &option,
                                                llvm::StringRef value) {
  static constexpr llvm::StringRef kTaken[] = {
      "", "true", "TRUE", "True", "1", "false", "FALSE", "False", "0"};
  // Among ours, only flags may be given nothing.
  if (option.getValueExpectedFlag() != cl::ValueOptional ||
      llvm::is_contained(kTaken, value))
    return std::nullopt;
  const std::string name = option.ArgStr.str();
  std::vector<std::string> longer;
  for (const std::string &own : tool::getOwnOptions())
    if (llvm::StringRef(own).starts_with(name + "-"))
      longer.push_back(own);
  return "option '--" + name + "' takes no value, got '" + value.str() + "'" +
         (longer.size() == 1
              ? "; did you mean '--" + longer.front() + "=" + value.str() + "'?"
              : "");
}

std::optional<std::string>
tool::findMisspelt(llvm::ArrayRef<const char *> arguments,
                   const std::vector<std::string> &known) {
  const auto &registered = cl::getRegisteredOptions();
  for (llvm::StringRef argument : arguments) {
    if (argument == "--")
      break;
    if (!argument.starts_with("-"))
      continue;
    auto [name, value] = argument.ltrim('-').split('=');
    auto found = registered.find(name);
    const bool isOwn =
        found != registered.end() &&
        llvm::is_contained(found->second->Categories, &getCategory());
    // Nothing would be read or written, and nothing said. Of machines more is
    // said: which there are.
    if (isOwn && argument.ends_with("=") && name != "target")
      return "option '--" + name.str() + "' is given nothing";
    if (isOwn)
      if (auto error = findGivenFlag(*found->second, value))
        return error;
    if (name.empty() || registered.count(name) ||
        llvm::is_contained(known, name))
      continue;
    std::string meant = suggest(name.str(), known, "--");
    // What LLVM would suggest is an option of its own, which nobody means.
    if (meant.empty() && argument.starts_with("--"))
      meant = "; --help lists the options";
    if (!meant.empty())
      return "unknown option '--" + name.str() + "'" + meant;
  }
  return std::nullopt;
}

std::optional<int> tool::parseToolLine(int argc, char **argv,
                                       const char *overview) {
  hideOthers();
  if (std::optional<std::string> error = findMisspelt(
          llvm::ArrayRef<const char *>(argv + 1, argc - 1), getOwnOptions())) {
    llvm::errs() << program << ": error: " << *error << "\n";
    return 1;
  }
  // What is read is not needed to list machines.
  if (llvm::any_of(llvm::ArrayRef<const char *>(argv + 1, argc - 1),
                   [](llvm::StringRef argument) {
                     return argument == "--list-targets" ||
                            argument == "-list-targets";
                   })) {
    llvm::outs() << listTargets();
    return 0;
  }
  cl::ParseCommandLineOptions(argc, argv, overview);
  return std::nullopt;
}

bool tool::listsTargets() {
  if (shared->listTargets)
    llvm::outs() << listTargets();
  return shared->listTargets;
}

std::optional<std::string> tool::getTargetOption() {
  if (!shared->target.getNumOccurrences())
    return std::nullopt;
  return shared->target;
}

LogicalResult tool::attachTarget(ModuleOp module) {
  if (!shared->target.getNumOccurrences())
    return success();
  FailureOr<HierarchyAttr> hierarchy =
      getTarget(module.getLoc(), shared->target);
  if (failed(hierarchy))
    return failure();
  module->setAttr(attr::kHierarchy, *hierarchy);
  return success();
}
