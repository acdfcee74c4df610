//===- Shortage.cpp - the error of a budget that is not met ---------------===//

#include "pebble/Planning/Shortage.h"

using namespace mlir;

namespace pebble {

static constexpr llvm::StringLiteral kMark = "pebble.shortage";

/// Tenths of a percent as `12.5%`, without a zero behind the point.
static std::string writeTenths(int64_t tenths) {
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10)
    text += "." + std::to_string(tenths % 10);
  return text + "%";
}

static int64_t getTenths(int64_t bytes, int64_t all, bool isUp) {
  const __int128 scaled = static_cast<__int128>(bytes) * 1000;
  return static_cast<int64_t>((scaled + (isUp ? all - 1 : 0)) / all);
}

std::string writeShareUp(int64_t bytes, int64_t all) {
  return writeTenths(getTenths(bytes, all, /*isUp=*/true));
}

void describeShortage(Diagnostic &error, const Shortage &shortage) {
  const int64_t all = shortage.inputPeak;
  const std::optional<int64_t> needed = shortage.needed;
  if (all > 0) {
    const int64_t budget = std::max<int64_t>(0, shortage.budget);
    error << (needed ? ": " : "; it is ")
          << writeTenths(getTenths(budget, all, /*isUp=*/false));
    if (needed)
      error << " and " << writeShareUp(*needed, all);
    error << " of the input peak of " << all << " bytes";
  }
  auto &marks = error.getMetadata();
  marks.emplace_back(StringRef(kMark));
  marks.emplace_back(Attribute(shortage.function));
  marks.emplace_back(shortage.budget);
  marks.emplace_back(shortage.inputPeak);
  if (needed)
    marks.emplace_back(*needed);
}

std::optional<Shortage> getShortage(Diagnostic &error) {
  ArrayRef<DiagnosticArgument> marks = error.getMetadata();
  if (marks.size() < 4 ||
      marks[0].getKind() !=
          DiagnosticArgument::DiagnosticArgumentKind::String ||
      marks[0].getAsString() != kMark)
    return std::nullopt;
  Shortage found{cast<StringAttr>(marks[1].getAsAttribute()),
                 marks[2].getAsInteger(), marks[3].getAsInteger(),
                 std::nullopt};
  if (marks.size() > 4)
    found.needed = marks[4].getAsInteger();
  return found;
}

} // namespace pebble
