//===- KeptNames.cpp - names of the file that was read --------------------===//
//
// The text is parsed once more, by the parser that remembers where things were
// defined, and both modules are walked side by side.
//
//===----------------------------------------------------------------------===//

#include "KeptNames.h"

#include "pebble/Analysis/ValueNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace pebble {

static bool isKept(Attribute attribute) {
  auto name = dyn_cast_or_null<StringAttr>(attribute);
  return name && name.getValue().starts_with("%");
}

StringRef getKeptName(FusedLoc loc, unsigned result) {
  Attribute kept = loc.getMetadata();
  if (auto names = dyn_cast_or_null<ArrayAttr>(kept))
    if (!names.empty())
      kept = names[result < names.size() ? result : 0];
  return isKept(kept) ? cast<StringAttr>(kept).getValue() : StringRef();
}

/// Whether somebody has kept a name in `loc`.
static bool hasKept(Location loc) {
  return loc
      ->walk([](Location part) {
        auto fused = dyn_cast<FusedLoc>(part);
        return fused && !getKeptName(fused, 0).empty() ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
class NameKeeper {
public:
  explicit NameKeeper(Operation *root) : root(root) {}

  void run(StringRef text) {
    if (!parse(text) || !pair())
      return;
    for (auto [mine, other] : llvm::zip(ours, theirs)) {
      count(mine->getLoc(), mine->getNumResults());
      for (Region &region : mine->getRegions())
        for (BlockArgument argument : getArguments(region))
          count(argument.getLoc(), 1);
    }
    for (auto [mine, other] : llvm::zip(ours, theirs))
      keep(mine, other);
  }

private:
  /// What tensors hold is left out where it stands behind the program.
  bool parse(StringRef text) {
    StringRef program = text.substr(0, text.rfind("\n{-#"));
    // All that there is to say was said when it was read first.
    ScopedDiagnosticHandler quiet(root->getContext(),
                                  [](Diagnostic &) { return success(); });
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(program, "names"), {});
    ParserConfig config(root->getContext(), /*verifyAfterParse=*/false);
    return succeeded(parseAsmSourceFile(sources, &copy, config, &state));
  }

  /// Lists the operations of both, which must be the same.
  bool pair() {
    bool isWhole = llvm::hasSingleElement(copy) &&
                   copy.front().getName() == root->getName();
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isWhole || op != root)
        ours.push_back(op);
    });
    for (Operation &op : copy)
      op.walk<WalkOrder::PreOrder>(
          [&](Operation *op) { theirs.push_back(op); });
    auto isSame = [](Operation *a, Operation *b) {
      return a->getName() == b->getName() &&
             a->getNumResults() == b->getNumResults() &&
             a->getNumRegions() == b->getNumRegions();
    };
    return ours.size() == theirs.size() &&
           llvm::all_of(llvm::zip(ours, theirs), [&](auto both) {
             return isSame(std::get<0>(both), std::get<1>(both));
           });
  }

  static SmallVector<BlockArgument> getArguments(Region &region) {
    SmallVector<BlockArgument> arguments;
    for (Block &block : region)
      llvm::append_range(arguments, block.getArguments());
    return arguments;
  }

  void count(Location loc, unsigned values) {
    if (StringRef name = findLocationName(loc); !name.empty())
      users[name] += values;
  }

  /// Puts `names` into `loc`, unless they say nothing new of it.
  Location wrap(Location loc, ArrayRef<Attribute> names) {
    if (names.empty() || hasKept(loc) || !llvm::all_of(names, isKept))
      return loc;
    if (StringRef name = findLocationName(loc);
        !name.empty() && users[name] == 1)
      return loc;
    MLIRContext *context = root->getContext();
    Attribute kept =
        names.size() == 1 ? names[0] : ArrayAttr::get(context, names);
    return FusedLoc::get(context, {loc}, kept);
  }

  Attribute getName(SMRange range, const Twine &suffix = "") {
    StringRef text(range.Start.getPointer(),
                   range.End.getPointer() - range.Start.getPointer());
    return StringAttr::get(root->getContext(), text + suffix);
  }

  void keep(Operation *mine, Operation *other) {
    const AsmParserState::OperationDefinition *known = state.getOpDef(other);
    if (known && !known->resultGroups.empty()) {
      SmallVector<Attribute> names;
      for (auto [i, group] : llvm::enumerate(known->resultGroups)) {
        unsigned end = i + 1 < known->resultGroups.size()
                           ? known->resultGroups[i + 1].startIndex
                           : mine->getNumResults();
        const unsigned size = end - group.startIndex;
        for (unsigned at = 0; at < size; ++at)
          names.push_back(size == 1
                              ? getName(group.definition.loc)
                              : getName(group.definition.loc, "#" + Twine(at)));
      }
      mine->setLoc(wrap(mine->getLoc(), names));
    }
    for (auto [here, there] :
         llvm::zip(mine->getRegions(), other->getRegions()))
      for (auto [block, copied] : llvm::zip(here, there))
        keepArguments(block, state.getBlockDef(&copied));
  }

  void keepArguments(Block &block,
                     const AsmParserState::BlockDefinition *known) {
    if (!known)
      return;
    for (auto [argument, definition] :
         llvm::zip(block.getArguments(), known->arguments))
      if (definition.loc.isValid())
        argument.setLoc(wrap(argument.getLoc(), getName(definition.loc)));
  }

  Operation *root;
  /// Holds the text that definitions point into.
  llvm::SourceMgr sources;
  Block copy;
  AsmParserState state;
  std::vector<Operation *> ours, theirs;
  /// How many values have the name that their location gives them.
  llvm::StringMap<unsigned> users;
};
} // namespace

void keepNames(Operation *root, StringRef text) {
  if (!isBytecode(llvm::MemoryBufferRef(text, "")))
    NameKeeper(root).run(text);
}

void keepNamesOfSplit(Operation *root, StringRef text, StringRef marker) {
  if (marker.empty() || !text.contains(marker))
    return keepNames(root, text);
  auto place = root->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return;
  // A module lies behind the marker that is on its line.
  SmallVector<StringRef> chunks;
  text.split(chunks, marker);
  StringRef own = chunks.front();
  unsigned line = 1 + own.count('\n');
  for (StringRef chunk : llvm::drop_begin(chunks)) {
    if (place.getLine() < line)
      break;
    own = chunk;
    line += chunk.count('\n');
  }
  keepNames(root, own);
}

} // namespace pebble
