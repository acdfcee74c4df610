//===- JsonReader.h - typed access to JSON with located errors --*- C++ -*-===//
//
// Private to the readers in this folder. Every accessor takes the path of the
// field for its message; the first error wins and all later answers are empty.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GAME_JSONREADER_H
#define PEBBLE_LIB_SOLVER_GAME_JSONREADER_H

#include "pebble/Solver/Game/Formats.h"

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

namespace pebble::game {

using Json = nlohmann::ordered_json;

/// Path of an element of a list: "ops[3]".
inline std::string at(const std::string &path, size_t i) {
  return path + "[" + std::to_string(i) + "]";
}

class JsonReader {
public:
  std::string error;

  bool ok() const { return error.empty(); }
  void fail(const std::string &path, const std::string &why) {
    if (error.empty())
      error = path + ": " + why;
  }

  /// Parses `text`; a null value after an error. A member that exists twice is
  /// one, for nobody knows which of them was meant.
  Json parse(const std::string &text);

  /// The member `key` of `object`, or null after recording an error.
  const Json &member(const Json &object, const std::string &path,
                     const char *key);
  const Json &list(const Json &object, const std::string &path,
                   const char *key);

  /// The moves of a document, which is an object with `moves` or `schedule`, or
  /// the list itself; in `path` where they stand.
  const Json &moves(const Json &root, std::string &path);
  const Json &moves(Json &&root, std::string &path) = delete;

  /// A member that may be missing.
  static const Json *optional(const Json &object, const char *key);

  /// A whole number that is not negative. Floating point is fine if whole.
  int64_t size(const Json &j, const std::string &path);
  int64_t sizeOr(const Json &object, const std::string &path, const char *key,
                 int64_t otherwise);
  bool flagOr(const Json &object, const std::string &path, const char *key,
              bool otherwise);

  /// A name: a string, or a number written as one.
  std::string name(const Json &j, const std::string &path);

  static std::string join(const std::string &path, const char *key) {
    return path.empty() ? std::string(key) : path + "." + key;
  }
};

/// The text of `j`: on one line, or on lines that are indented by so much.
std::string toText(const Json &j, int indent = -1);

/// Names to ids, with errors for what is unknown or occurs twice.
class NameTable {
public:
  NameTable(JsonReader &reader, const char *what)
      : reader(reader), what(what) {}

  void add(const std::string &name, const std::string &path) {
    Id id = ids.size();
    if (!ids.emplace(name, id).second)
      reader.fail(path, std::string(what) + " '" + name + "' exists twice");
  }
  bool contains(const std::string &name) const { return ids.count(name); }
  Id find(const std::string &name, const std::string &path) {
    auto it = ids.find(name);
    if (it != ids.end())
      return it->second;
    reader.fail(path, std::string("there is no ") + what + " '" + name + "'");
    return kNone;
  }
  Id find(const Json &j, const std::string &path) {
    std::string n = reader.name(j, path);
    return reader.ok() ? find(n, path) : kNone;
  }

private:
  JsonReader &reader;
  const char *what;
  std::unordered_map<std::string, Id> ids;
};

/// What is no part of a Problem goes into `result`.
Problem readNative(JsonReader &reader, const Json &root, ParsedProblem &result);
Problem readOps(JsonReader &reader, const Json &root);
Problem readNodeLink(JsonReader &reader, const Json &root);

} // namespace pebble::game

#endif // PEBBLE_LIB_SOLVER_GAME_JSONREADER_H
