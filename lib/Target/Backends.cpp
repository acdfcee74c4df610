//===- Backends.cpp - what a backend materialises -------------------------===//

#include "pebble/Target/Backends.h"

#include "pebble/Target/StrictJson.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace pebble {

using hlo::Kind;
using hlo::toString;
using Rule = BackendRule;

// XLA on CPU with jaxlib 0.10: loops over elementwise and layout operations,
// and over the reductions that end them, are fused; what runs as a kernel or a
// call of a library reads and writes buffers.
static constexpr Rule kXlaCpu[] = {
    {Kind::Constant, Rule::Fused},
    {Kind::Elementwise, Rule::Shared, false, true},
    {Kind::View, Rule::Fused},
    {Kind::Layout, Rule::Shared},
    {Kind::Reduction, Rule::Kept},
    {Kind::Product, Rule::Kept, true},
    {Kind::Window, Rule::Kept, true},
    {Kind::Gather, Rule::Kept, true},
    {Kind::Update, Rule::Kept, false, true},
    {Kind::Scatter, Rule::Kept, true, true},
    {Kind::Algorithm, Rule::Kept, true},
    {Kind::Random, Rule::Kept, true},
    {Kind::Loop, Rule::Kept, true, true},
    {Kind::Branch, Rule::Kept, true},
};

// XLA for an H100, as `python -m pebble.jax.calibrate --target=h100` measures
// it: loops are fused over gathers, windows, updates of parts and random
// numbers as well. What is dear behind a view is not the view's.
static constexpr Rule kXlaGpu[] = {
    {Kind::Constant, Rule::Fused},
    {Kind::Elementwise, Rule::Shared, false, true},
    {Kind::View, Rule::Fused},
    {Kind::Layout, Rule::Fused},
    {Kind::Reduction, Rule::Kept},
    {Kind::Product, Rule::Kept, true},
    {Kind::Window, Rule::Shared},
    {Kind::Gather, Rule::Shared},
    {Kind::Update, Rule::Shared, false, true},
    {Kind::Scatter, Rule::Kept, false, true},
    {Kind::Algorithm, Rule::Kept, true},
    {Kind::Random, Rule::Shared},
    {Kind::Loop, Rule::Kept, false, true},
    {Kind::Branch, Rule::Kept, true},
};

namespace {
struct BackendRules {
  StringLiteral name;
  ArrayRef<Rule> rules;
  int64_t dear;
  /// Of products: BackendRule::freesCopied.
  bool freesCopied;
};
} // namespace

static constexpr BackendRules kBackendRules[] = {
    {StringLiteral("xla-cpu"), kXlaCpu, 10, false},
    // The order of the copies is XLA's: the first one may be of what is needed
    // later. So this is what XLA takes at best.
    {StringLiteral("xla-cpu-early"), kXlaCpu, 10, true},
    {StringLiteral("xla-gpu"), kXlaGpu, 10, false},
};

static constexpr struct {
  Rule::Result result;
  StringLiteral name;
} kResults[] = {
    {Rule::Fused, StringLiteral("fused")},
    {Rule::Shared, StringLiteral("shared")},
    {Rule::Kept, StringLiteral("kept")},
};

BackendRule Backend::getRule(Kind kind) const {
  for (const Rule &rule : rules)
    if (rule.kind == kind)
      return rule;
  return {kind, Rule::Kept, true};
}

std::string getBackendNames() {
  return llvm::join(
      llvm::map_range(kBackendRules,
                      [](const BackendRules &each) { return each.name; }),
      ", ");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The kinds that rules are about; a return is part of what it ends.
static SmallVector<Kind> getKinds() {
  SmallVector<Kind> kinds;
  for (auto i = static_cast<int>(Kind::Constant);
       i < static_cast<int>(Kind::Return); ++i)
    kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

static llvm::Expected<Kind> parseKind(StringRef text) {
  SmallVector<Kind> kinds = getKinds();
  for (Kind kind : kinds)
    if (toString(kind) == text)
      return kind;
  return llvm::createStringError(
      "no kind of operation is '" + text + "'; there are: " +
      llvm::join(llvm::map_range(kinds, [](Kind k) { return toString(k); }),
                 ", "));
}

static llvm::Expected<Rule::Result> parseResult(StringRef text) {
  for (const auto &[result, name] : kResults)
    if (name == text)
      return result;
  return llvm::createStringError("a result is 'fused', 'shared' or 'kept', and "
                                 "not '" +
                                 text + "'");
}

static llvm::Error readFlag(const llvm::json::Object &object, StringRef name,
                            bool &flag) {
  const llvm::json::Value *value = object.get(name);
  if (!value)
    return llvm::Error::success();
  std::optional<bool> read = value->getAsBoolean();
  if (!read)
    return llvm::createStringError("'" + name + "' is true or false");
  flag = *read;
  return llvm::Error::success();
}

static llvm::Expected<Rule> parseRule(Kind kind,
                                      const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("a rule is an object");
  if (auto unknown = findUnknownMember(
          *object, {"result", "reads_memory", "in_place", "frees_copied"}))
    return llvm::createStringError("a rule has no '" + *unknown + "'");
  std::optional<StringRef> name = object->getString("result");
  if (!name)
    return llvm::createStringError("a rule says what becomes of a 'result'");
  llvm::Expected<Rule::Result> result = parseResult(*name);
  if (!result)
    return result.takeError();
  Rule rule{kind, *result};
  if (llvm::Error error = readFlag(*object, "reads_memory", rule.readsMemory))
    return std::move(error);
  if (llvm::Error error = readFlag(*object, "in_place", rule.isInPlace))
    return std::move(error);
  if (llvm::Error error = readFlag(*object, "frees_copied", rule.freesCopied))
    return std::move(error);
  return rule;
}

llvm::Expected<Backend> parseBackend(StringRef text) {
  llvm::Expected<llvm::json::Value> value = parseStrictJson(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *rules =
      object ? object->getObject("rules") : nullptr;
  if (!rules)
    return llvm::createStringError("not an object with 'rules'");
  if (auto unknown = findUnknownMember(*object, {"backend", "dear", "rules"}))
    return llvm::createStringError("a backend has no '" + *unknown + "'");
  Backend backend;
  std::optional<StringRef> name = object->getString("backend");
  std::optional<int64_t> dear = object->getInteger("dear");
  if (!name || name->empty())
    return llvm::createStringError("'backend' is its name");
  if (!dear || *dear < 1)
    return llvm::createStringError(
        "'dear' is a number of operations, 1 or more");
  backend.name = name->str();
  backend.dear = *dear;
  for (const auto &[key, each] : *rules) {
    llvm::Expected<Kind> kind = parseKind(key);
    if (!kind)
      return kind.takeError();
    llvm::Expected<Rule> rule = parseRule(*kind, each);
    if (!rule)
      return llvm::createStringError("'" + StringRef(key) +
                                     "': " + llvm::toString(rule.takeError()));
    backend.rules.push_back(*rule);
  }
  return backend;
}

FailureOr<Backend> readBackend(StringRef name, Location loc) {
  for (const BackendRules &backend : kBackendRules)
    if (backend.name == name) {
      Backend known{name.str(), llvm::to_vector<0>(backend.rules),
                    backend.dear};
      for (Rule &rule : known.rules)
        rule.freesCopied = backend.freesCopied && rule.kind == Kind::Product;
      return known;
    }
  auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
  if (!buffer)
    return emitError(loc) << "no backend '" << name
                          << "' is known, and no file can be read by this "
                             "name: there are "
                          << getBackendNames();
  llvm::Expected<Backend> backend = parseBackend((*buffer)->getBuffer());
  if (!backend)
    return emitError(loc) << name << ": "
                          << llvm::toString(backend.takeError());
  return std::move(*backend);
}

} // namespace pebble
