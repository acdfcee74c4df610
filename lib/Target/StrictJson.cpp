//===- StrictJson.cpp - JSON that says each thing once --------------------===//

#include "pebble/Target/StrictJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace pebble;

static constexpr size_t kDeepest = 100;

/// The literal that `text` begins with, quotes included; all of `text` if it
/// does not end.
static StringRef takeString(StringRef text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return text.take_front(i + 1);
  }
  return text;
}

/// What a literal spells: "\u0061" and "a" are one name.
static std::string spell(StringRef literal) {
  if (literal.contains('\\')) {
    auto value = json::parse(literal);
    if (!value)
      consumeError(value.takeError());
    else if (std::optional<StringRef> text = value->getAsString())
      return text->str();
  }
  return literal.drop_front().drop_back(literal.size() > 1).str();
}

/// Whether JSON has such a number: llvm::json takes "007" and "+1" as well.
static bool isNumber(StringRef text) {
  auto takeDigits = [&] {
    StringRef digits = text.take_while(isDigit);
    text = text.drop_front(digits.size());
    return digits;
  };
  text.consume_front("-");
  StringRef whole = takeDigits();
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0'))
    return false;
  if (text.consume_front(".") && takeDigits().empty())
    return false;
  if (text.consume_front("e") || text.consume_front("E")) {
    if (!text.consume_front("-"))
      text.consume_front("+");
    if (takeDigits().empty())
      return false;
  }
  return text.empty();
}

/// What the parser does not mind; the rest of the errors is its own.
static Error checkOnceAndFlat(StringRef text) {
  // The objects and lists around, with the names of an object's members.
  SmallVector<std::pair<bool, llvm::StringSet<>>> open;
  auto fail = [&](size_t at, const Twine &why) {
    StringRef before = text.take_front(at);
    size_t column = at - (before.rfind('\n') + 1) + 1;
    return createStringError("[" + Twine(before.count('\n') + 1) + ":" +
                             Twine(column) + ", byte=" + Twine(at) +
                             "]: " + why);
  };
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '{' || c == '[') {
      if (open.size() == kDeepest)
        return fail(at, "nested deeper than " + Twine(kDeepest) + " levels");
      open.emplace_back(c == '{', llvm::StringSet<>());
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == '"') {
      StringRef literal = takeString(text.drop_front(at));
      bool isName =
          text.drop_front(at + literal.size()).ltrim().starts_with(":");
      if (isName && !open.empty() && open.back().first)
        if (std::string name = spell(literal);
            !open.back().second.insert(name).second)
          return fail(at, "the member '" + name + "' exists twice");
      at += literal.size() - 1;
    } else if (isDigit(c) || c == '-' || c == '+') {
      StringRef number = text.drop_front(at).take_while(
          [](char c) { return isDigit(c) || StringRef("+-.eE").contains(c); });
      if (!isNumber(number))
        return fail(at, "'" + number + "' is no number of JSON");
      at += number.size() - 1;
    }
  }
  return Error::success();
}

Expected<json::Value> pebble::parseStrictJson(StringRef text) {
  // The mark that some editors write in front of UTF-8.
  text.consume_front("\xEF\xBB\xBF");
  // A file of another kind is told as one, and not by its first odd number.
  const StringRef start = text.ltrim();
  const StringRef word =
      start.take_until([](char c) { return isSpace(c); }).take_front(20);
  if (!word.empty() && word != "true" && word != "false" && word != "null" &&
      !isDigit(word.front()) && !StringRef("{[\"-+").contains(word.front()))
    return createStringError("this is no JSON: it begins with '" + word + "'");
  if (Error error = checkOnceAndFlat(text))
    return std::move(error);
  return json::parse(text);
}

std::optional<StringRef> pebble::findUnknownMember(const json::Object &object,
                                                   ArrayRef<StringRef> known) {
  for (const auto &member : object)
    if (StringRef name = member.first; !is_contained(known, name))
      return name;
  return std::nullopt;
}
