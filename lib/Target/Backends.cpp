//===- Backends.cpp - what a backend materialises -------------------------===//

#include "pebble/Target/Backends.h"

#include "llvm/ADT/STLExtras.h"

namespace pebble {

using hlo::Kind;
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

static constexpr Backend kBackends[] = {
    {"xla-cpu", kXlaCpu, 10},
};

BackendRule Backend::getRule(Kind kind) const {
  for (const Rule &rule : rules)
    if (rule.kind == kind)
      return rule;
  return {kind, Rule::Kept, true};
}

const Backend *lookupBackend(llvm::StringRef name) {
  const Backend *found = llvm::find_if(
      kBackends, [&](const Backend &entry) { return entry.name == name; });
  return found == std::end(kBackends) ? nullptr : found;
}

std::string getBackendNames() {
  std::string names;
  for (const Backend &entry : kBackends)
    names += (names.empty() ? "" : ", ") + entry.name.str();
  return names;
}

} // namespace pebble
