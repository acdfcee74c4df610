//===- PassSpelling.cpp - misspelt passes and options of passes -----------===//

#include "PassSpelling.h"

#include "Spelling.h"
#include "StderrCapture.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pebble;

static const PassRegistryEntry *lookup(StringRef name) {
  if (const PassRegistryEntry *pass = PassInfo::lookup(name))
    return pass;
  return PassPipelineInfo::lookup(name);
}

std::vector<std::string> tool::getOwnPasses() {
  std::vector<std::string> names;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name.starts_with("pebble-") && lookup(name))
      names.push_back(name.str());
  llvm::sort(names);
  return names;
}

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.';
}

/// Takes a word off the front of `text`.
static StringRef takeWord(StringRef &text) {
  StringRef word = text.take_while(isWordChar);
  text = text.drop_front(word.size());
  return word;
}

/// Takes what is in braces or quotes off the front of `text`, with both; all
/// of it where they are not closed.
static StringRef takeEnclosed(StringRef &text) {
  const StringRef whole = text;
  SmallVector<char> open;
  do {
    const char c = text.front();
    const bool isQuote = c == '"' || c == '\'';
    text = text.drop_front();
    if (!open.empty() && open.back() == c)
      open.pop_back();
    else if (c == '{')
      open.push_back('}');
    else if (isQuote && (open.empty() || open.back() == '}'))
      open.push_back(c);
  } while (!open.empty() && !text.empty());
  return whole.drop_back(text.size());
}

/// Names of the options in what stands behind a pass: `name=value ...`.
static std::vector<std::string> getOptionNames(StringRef text) {
  std::vector<std::string> names;
  while (!(text = text.ltrim()).empty()) {
    StringRef name = takeWord(text);
    if (name.empty()) {
      text = text.drop_front();
      continue;
    }
    names.push_back(name.str());
    if (!text.consume_front("="))
      continue;
    while (!text.empty() && !llvm::isSpace(text.front())) {
      if (StringRef("{\"'").contains(text.front()))
        takeEnclosed(text);
      else
        text = text.drop_front();
    }
  }
  return names;
}

/// A number that LLVM's parser of `type` does not take is none of these.
static std::string getWanted(StringRef type, StringRef value) {
  if (type == "boolean")
    return "is none of true, false";
  if (type.contains("floating"))
    return "is not a number";
  if (type == "uint")
    return "is not a whole number from 0 to 4294967295";
  if (type.starts_with("u"))
    return "is not a whole number from 0 to 18446744073709551615";
  if (!value.empty() && llvm::all_of(value, llvm::isDigit))
    return "is not a whole number up to 9223372036854775807";
  return "is not a whole number";
}

/// What LLVM's parsers said of a wrong value, without the program's name, and
/// of numbers and flags in our words: LLVM names types of C.
static std::string explainValue(StringRef said) {
  said = said.trim().split('\n').first;
  said = said.drop_front(std::min(said.find("for the "), said.size()));
  static const llvm::Regex wrong(
      "^(.*: )'(.*)' (value invalid|is invalid value) for ([a-z ]+) argument!");
  SmallVector<StringRef> parts;
  if (!wrong.match(said, &parts))
    return said.str();
  return (parts[1] + "'" + parts[2] + "' " + getWanted(parts[4], parts[2]))
      .str();
}

/// Whether the pass takes `options`; what is wrong where it does not.
static bool takes(const PassInfo &info, StringRef options, std::string &error) {
  OpPassManager passes;
  error.clear();
  tool::StderrCapture capture;
  const bool isTaken =
      succeeded(info.addToPipeline(passes, options, [&](const Twine &message) {
        error = StringRef(message.str()).trim().str();
        return failure();
      }));
  const std::string said = capture.finish();
  if (isTaken)
    llvm::errs() << said;
  else if (!StringRef(said).trim().empty())
    error = explainValue(said);
  return isTaken;
}

/// The options that a pass has.
static std::vector<std::string> getKnownOptions(const PassInfo &info) {
  OpPassManager passes;
  auto ignore = [](const Twine &) { return failure(); };
  if (failed(info.addToPipeline(passes, "", ignore)) || passes.size() != 1)
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.begin()->printAsTextualPipeline(os);
  auto [name, options] = StringRef(text).split('{');
  options.consume_back("}");
  std::vector<std::string> names = getOptionNames(options);
  // Empty lists are not printed.
  for (const char *list : {"functions", "pure", "slow-compress"})
    if (std::string error; !llvm::is_contained(names, list) &&
                           takes(info, list + std::string("=x"), error))
      names.push_back(list);
  llvm::sort(names);
  return names;
}

/// What is wrong with how options are parted, if anything is: by commas, or a
/// number from its unit.
static std::string findWrongBlank(StringRef options,
                                  ArrayRef<std::string> known) {
  for (const std::string &name : known)
    if (options.contains("," + name + "="))
      return "a blank, and no comma, stands between options";
  static const llvm::Regex apart("[0-9][ \t]+(%|[kKmMgG]i?[bB]?)([ \t]|$)");
  SmallVector<StringRef> parts;
  if (apart.match(options, &parts))
    return "'" + parts[1].str() + "' stands right behind its number, as in 7" +
           parts[1].str();
  return "";
}

static std::optional<std::string> findMisspeltOption(StringRef pass,
                                                     StringRef options) {
  const PassInfo *info = PassInfo::lookup(pass);
  if (!pass.starts_with("pebble-") || options.trim().empty())
    return std::nullopt;
  // MLIR refuses these without a word.
  if (PassPipelineInfo::lookup(pass))
    return "pipeline '" + pass.str() + "' has no options, and no '" +
           options.trim().str() + "'";
  if (!info)
    return std::nullopt;
  const std::string start = "pass '" + pass.str() + "' ";
  const std::vector<std::string> known = getKnownOptions(*info);
  if (std::string wrong = findWrongBlank(options, known); !wrong.empty())
    return start + "cannot be given '" + options.str() + "': " + wrong;
  std::string error;
  for (const std::string &name : getOptionNames(options)) {
    if (llvm::is_contained(known, name))
      continue;
    if (known.empty())
      return start + "has no options, and no '" + name + "'";
    // Who gives a size to a pass with a budget means that.
    const bool isBudget =
        llvm::isDigit(name.front()) && llvm::is_contained(known, "budget");
    return start + "has no option '" + name + "'" +
           (isBudget ? "; did you mean 'budget=" + options.trim().str() + "'?"
                     : tool::suggest(name, known)) +
           "\nits options are " + llvm::join(known, ", ");
  }
  if (takes(*info, options, error))
    return std::nullopt;
  return start + "cannot be given '" + options.str() + "'" +
         (error.empty() ? "" : ": " + error);
}

/// In `a(b,c{options},d(e))`.
static std::optional<std::string>
findMisspeltInPipeline(StringRef text, const std::vector<std::string> &passes) {
  while (!text.empty()) {
    StringRef name = takeWord(text);
    if (name.empty()) {
      text = text.drop_front();
      continue;
    }
    StringRef options;
    if (text.starts_with("{"))
      options = takeEnclosed(text).drop_front().rtrim('}');
    // Ops that passes are nested under have a dialect, or are any.
    if (!lookup(name) && !name.contains('.') && !text.starts_with("(")) {
      std::string meant = tool::suggest(name.str(), passes);
      if (!meant.empty())
        return "unknown pass '" + name.str() + "'" + meant;
    }
    if (auto error = findMisspeltOption(name, options))
      return error;
  }
  return std::nullopt;
}

std::optional<std::string>
tool::findMisspeltPass(llvm::ArrayRef<const char *> arguments) {
  const std::vector<std::string> passes = getOwnPasses();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    StringRef text = argument;
    if (!text.consume_front("-"))
      continue;
    text.consume_front("-");
    auto [name, value] = text.split('=');
    std::optional<std::string> error;
    if (name == "pass-pipeline") {
      if (text == name && index + 1 < arguments.size())
        value = arguments[index + 1];
      error = findMisspeltInPipeline(value, passes);
    } else {
      error = findMisspeltOption(name, value);
    }
    if (error)
      return error;
  }
  return std::nullopt;
}

std::optional<std::string>
tool::findOptionOfPass(llvm::ArrayRef<const char *> arguments) {
  const std::vector<std::string> ownPasses = getOwnPasses();
  StringRef before;
  for (StringRef argument : arguments) {
    const StringRef passBefore = std::exchange(before, argument).ltrim('-');
    auto [name, value] = argument.ltrim('-').split('=');
    if (!argument.starts_with("-") && !value.empty() &&
        llvm::is_contained(ownPasses, passBefore))
      return "'" + argument.str() + "' stands alone: say --" +
             passBefore.str() + "=\"" + argument.str() + "\"";
    if (!argument.starts_with("--") || value.empty() ||
        llvm::cl::getRegisteredOptions().count(name) ||
        llvm::is_contained(ownPasses, ("pebble-" + name).str()))
      continue;
    std::vector<std::string> passes;
    for (const std::string &pass : ownPasses)
      if (const PassInfo *info = PassInfo::lookup(pass))
        if (llvm::is_contained(getKnownOptions(*info), name))
          passes.push_back(pass);
    if (passes.empty())
      continue;
    // Most who say this want to schedule.
    const std::string usual = "pebble-schedule";
    const std::string &shown =
        llvm::is_contained(passes, usual) ? usual : passes.front();
    return "'--" + name.str() + "' is an option of passes (" +
           llvm::join(passes, ", ") + "): say --" + shown + "=\"" + name.str() +
           "=" + value.str() + "\"";
  }
  return std::nullopt;
}

void tool::printPassHelp() {
  const std::vector<std::string> passes = getOwnPasses();
  size_t width = 0;
  for (const std::string &name : passes)
    width = std::max(width, lookup(name)->getOptionWidth() + 4);
  llvm::outs() << "\nPasses:\n";
  for (const std::string &name : passes) {
    llvm::outs() << "\n";
    lookup(name)->printHelpStr(/*indent=*/2, width);
  }
}
