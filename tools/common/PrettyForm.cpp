//===- PrettyForm.cpp - StableHLO that only StableHLO can read ------------===//

#include "PrettyForm.h"

namespace pebble::tool {

/// The first word of an operation without its results, or nothing.
static std::string_view getOperation(std::string_view line) {
  size_t comment = line.find("//");
  line = line.substr(0, comment);
  size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos)
    return {};
  if (line[start] == '%') {
    size_t equals = line.find(" = ");
    if (equals == std::string_view::npos)
      return {};
    start = equals + 3;
  }
  size_t end = line.find_first_of(" (\t<", start);
  return line.substr(start, end == std::string_view::npos ? end : end - start);
}

std::string explainPrettyForm(std::string_view text) {
  unsigned number = 1;
  for (size_t start = 0; start < text.size(); ++number) {
    size_t end = text.find('\n', start);
    if (end == std::string_view::npos)
      end = text.size();
    std::string_view name = getOperation(text.substr(start, end - start));
    for (std::string_view dialect : {"stablehlo.", "chlo.", "mhlo."})
      if (name.substr(0, dialect.size()) == dialect)
        return "note: line " + std::to_string(number) + " has '" +
               std::string(name) +
               "' in its pretty form, which only StableHLO itself can read; "
               "print the generic form, in Python by "
               "module.operation.get_asm(print_generic_op_form=True)\n";
    start = end + 1;
  }
  return {};
}

} // namespace pebble::tool
