//===- IntegerOption.h - numbers on a tool's command line -------*- C++ -*-===//
//
// LLVM's own parsers take whatever fits the type, and say of the rest that it
// is invalid: a tool's user is told which numbers an option takes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_INTEGEROPTION_H
#define PEBBLE_ANALYSIS_INTEGEROPTION_H

#include "llvm/Support/CommandLine.h"

#include <cstdint>
#include <limits>

namespace pebble {

/// Parses an integer from `kFirst` to `kLast`; anything else is an error that
/// names the option, what was given, and both.
template <typename T, T kFirst, T kLast = std::numeric_limits<T>::max()>
class IntegerFrom final : public llvm::cl::basic_parser<T> {
public:
  explicit IntegerFrom(llvm::cl::Option &option)
      : llvm::cl::basic_parser<T>(option), plain(option) {}

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    if (!text.getAsInteger(10, value) && value >= kFirst && value <= kLast)
      return false;
    return option.error("'" + text + "' is not a whole number from " +
                            llvm::Twine(kFirst) + " to " + llvm::Twine(kLast),
                        name);
  }

  llvm::StringRef getValueName() const override { return "number"; }
  void anchor() override {}
  /// LLVM prints values through its own parsers, which nobody can derive from.
  operator const llvm::cl::parser<T> &() const { return plain; }

private:
  llvm::cl::parser<T> plain;
};

/// An option of such a number.
template <typename T, T kFirst, T kLast = std::numeric_limits<T>::max()>
using IntegerOption = llvm::cl::opt<T, false, IntegerFrom<T, kFirst, kLast>>;

} // namespace pebble

#endif // PEBBLE_ANALYSIS_INTEGEROPTION_H
