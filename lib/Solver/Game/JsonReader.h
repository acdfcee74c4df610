//===- JsonReader.h - typed access to JSON with located errors --*- C++ -*-===//
//
// Private to the readers in this folder. Every accessor takes the path of the
// field for its message; the first error wins and all later answers are empty.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GAME_JSONREADER_H
#define PEBBLE_LIB_SOLVER_GAME_JSONREADER_H

#include "pebble/Solver/Game/Formats.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace pebble::game {

using Json = nlohmann::ordered_json;

/// Path of an element of a list: "ops[3]".
inline std::string at(const std::string &path, size_t i) {
  return path + "[" + std::to_string(i) + "]";
}

/// Finds a member that an object has twice.
class RepeatedMember : public nlohmann::json_sax<Json> {
public:
  std::optional<std::string> name;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(std::size_t) override {
    members.emplace_back();
    return true;
  }
  bool key(string_t &key) override {
    if (members.back().insert(key).second)
      return true;
    name = key;
    return false;
  }
  bool end_object() override {
    members.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  // What is wrong is said by who reads the values.
  bool parse_error(std::size_t, const std::string &,
                   const Json::exception &) override {
    return false;
  }

private:
  /// Of the objects around.
  std::vector<std::unordered_set<std::string>> members;
};

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
  Json parse(const std::string &text) {
    // A pass of its own: a callback of Json::parse() takes time quadratic in
    // the length of a list of objects.
    RepeatedMember repeated;
    Json::sax_parse(text, &repeated);
    if (repeated.name)
      fail("json", "the member '" + *repeated.name + "' exists twice");
    try {
      Json root = Json::parse(text);
      return ok() ? root : Json();
    } catch (const Json::exception &e) {
      fail("json", e.what());
      return Json();
    }
  }

  /// The member `key` of `object`, or null after recording an error.
  const Json &member(const Json &object, const std::string &path,
                     const char *key) {
    static const Json null;
    if (!object.is_object()) {
      fail(path, "is not an object");
      return null;
    }
    auto it = object.find(key);
    if (it != object.end())
      return *it;
    fail(join(path, key), "is missing");
    return null;
  }

  const Json &list(const Json &object, const std::string &path,
                   const char *key) {
    const Json &j = member(object, path, key);
    if (ok() && !j.is_array())
      fail(join(path, key), "is not a list");
    static const Json empty = Json::array();
    return j.is_array() ? j : empty;
  }

  /// The moves of a document, which is an object with `moves` or `schedule`, or
  /// the list itself; in `path` where they stand.
  const Json &moves(const Json &root, std::string &path) {
    path = "moves";
    if (ok() && root.is_object()) {
      if (!root.contains("moves") && root.contains("schedule"))
        path = "schedule";
      return list(root, "", path.c_str());
    }
    if (ok() && !root.is_array())
      fail("json", "is neither an object nor a list");
    return root;
  }

  /// A member that may be missing.
  static const Json *optional(const Json &object, const char *key) {
    if (!object.is_object())
      return nullptr;
    auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
  }

  /// A whole number that is not negative. Floating point is fine if whole.
  int64_t size(const Json &j, const std::string &path) {
    if (j.is_number_float()) {
      double d = j.get<double>();
      if (d < 0)
        fail(path, "is negative");
      else if (d != std::floor(d) || d > 9e15)
        fail(path, "is not a whole number in range");
      return ok() ? static_cast<int64_t>(d) : 0;
    }
    if (!j.is_number_integer()) {
      fail(path, "is not a number");
      return 0;
    }
    if (j.is_number_unsigned() &&
        j.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
      fail(path, "is out of range");
      return 0;
    }
    int64_t n = j.get<int64_t>();
    if (n < 0)
      fail(path, "is negative");
    return ok() ? n : 0;
  }

  int64_t sizeOr(const Json &object, const std::string &path, const char *key,
                 int64_t otherwise) {
    const Json *j = optional(object, key);
    return j ? size(*j, join(path, key)) : otherwise;
  }

  bool flagOr(const Json &object, const std::string &path, const char *key,
              bool otherwise) {
    const Json *j = optional(object, key);
    if (j && !j->is_boolean())
      fail(join(path, key), "is neither true nor false");
    return j && j->is_boolean() ? j->get<bool>() : otherwise;
  }

  /// A name: a string, or a number written as one.
  std::string name(const Json &j, const std::string &path) {
    if (j.is_string())
      return j.get<std::string>();
    if (j.is_number_integer())
      return j.dump();
    fail(path, "is not a name");
    return {};
  }

  static std::string join(const std::string &path, const char *key) {
    return path.empty() ? std::string(key) : path + "." + key;
  }
};

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
