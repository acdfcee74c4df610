//===- ChoiceOption.h - choices on a command line ---------------*- C++ -*-===//
//
// LLVM's parser of choices says of a wrong one that it cannot be found. Who
// gives one to a pass or a tool of ours is told which ones there are.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_CHOICEOPTION_H
#define PEBBLE_ANALYSIS_CHOICEOPTION_H

#include "llvm/Support/CommandLine.h"

namespace pebble {

/// llvm::cl::parser<T> of choices, but for its error.
template <typename T>
class ChoiceParser : public llvm::cl::generic_parser_base {
protected:
  class OptionInfo : public GenericOptionInfo {
  public:
    OptionInfo(llvm::StringRef name, T value, llvm::StringRef help)
        : GenericOptionInfo(name, help), V(value) {}
    llvm::cl::OptionValue<T> V;
  };
  llvm::SmallVector<OptionInfo, 8> Values;

public:
  using generic_parser_base::generic_parser_base;
  using parser_data_type = T;

  unsigned getNumOptions() const override {
    return static_cast<unsigned>(Values.size());
  }
  llvm::StringRef getOption(unsigned n) const override {
    return Values[n].Name;
  }
  llvm::StringRef getDescription(unsigned n) const override {
    return Values[n].HelpStr;
  }
  const llvm::cl::GenericOptionValue &
  getOptionValue(unsigned n) const override {
    return Values[n].V;
  }

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    std::string names;
    for (const OptionInfo &info : Values) {
      if (info.Name == text) {
        value = info.V.getValue();
        return false;
      }
      names += (names.empty() ? "" : ", ") + info.Name.str();
    }
    return option.error("'" + text + "' is none of " + names, name);
  }

  template <class Value>
  void addLiteralOption(llvm::StringRef name, const Value &value,
                        llvm::StringRef help) {
    Values.push_back(OptionInfo(name, static_cast<T>(value), help));
    AddLiteralOption(Owner, name);
  }
};

} // namespace pebble

/// Wherever an option of this type is declared, this must stand before it.
#define PEBBLE_CHOICES(T)                                                      \
  template <>                                                                  \
  class llvm::cl::parser<T> : public pebble::ChoiceParser<T> {                 \
    using ChoiceParser::ChoiceParser;                                          \
  }

#endif // PEBBLE_ANALYSIS_CHOICEOPTION_H
