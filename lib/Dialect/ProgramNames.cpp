//===- ProgramNames.cpp - what functions are called -----------------------===//

#include "pebble/Dialect/ProgramNames.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace pebble {

/// Whether `name` stays what it is in a line of text and in JSON.
static bool isText(StringRef name) {
  return llvm::json::isUTF8(name) && llvm::none_of(name, [](unsigned char c) {
           return c < 0x20 || c == 0x7F;
         });
}

/// `name` as a part of a path, so that no other path reads like it.
static std::string quote(StringRef name) {
  if (!name.contains("::") && !name.starts_with("#") && !name.contains('"') &&
      isText(name))
    return name.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
  return text;
}

/// The part of a path that `module` is.
static std::string getPart(Operation *module) {
  if (StringAttr name = SymbolTable::getSymbolName(module))
    return quote(name);
  size_t before = 0;
  for (Operation &other : *module->getBlock()) {
    if (&other == module)
      break;
    before += other.hasTrait<OpTrait::SymbolTable>() &&
              !SymbolTable::getSymbolName(&other);
  }
  return "#" + std::to_string(before);
}

std::string getModulePath(Operation *op, Operation *outermost) {
  std::string path;
  Operation *module = op->getParentOp();
  for (; module && module != outermost; module = module->getParentOp()) {
    if (!module->getParentOp())
      break;
    if (module->hasTrait<OpTrait::SymbolTable>())
      path = getPart(module) + "::" + path;
  }
  if (module)
    if (auto before = module->getAttrOfType<StringAttr>(attr::kPath))
      path = before.str() + "::" + path;
  return path;
}

std::string getProgramName(FunctionOpInterface function, Operation *outermost) {
  std::string path = getModulePath(function, outermost);
  StringRef name = function.getName();
  if (!path.empty())
    return path + quote(name);
  std::string quoted = quote(name);
  Operation *module = function->getParentOp();
  if (quoted == name || !module || name.starts_with("\"") || !isText(name))
    return quoted;
  const bool hasInside = llvm::any_of(module->getRegions(), [](Region &region) {
    return !region.getOps<ModuleOp>().empty();
  });
  return hasInside ? quoted : name.str();
}

std::string getFileName(StringRef name, llvm::StringSet<> &taken) {
  constexpr size_t kMost = 100;
  std::string file;
  for (char c : name.take_front(kMost))
    file += llvm::isAlnum(c) || StringRef("_.-").contains(c) ? c : '_';
  std::string unlike = file;
  for (int copies = 1; !taken.insert(unlike).second; ++copies)
    unlike = file + "-" + std::to_string(copies);
  return unlike;
}

} // namespace pebble
