//===- JsonReader.cpp - typed access to JSON with located errors ----------===//
//
// Here alone is text parsed and written: the library's code for that takes
// seconds to compile, once for each file that asks for it.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

#include <cmath>
#include <optional>
#include <unordered_set>
#include <vector>

using namespace pebble::game;

namespace {

/// Finds what is wrong with a text: where it is no JSON, or a member that an
/// object has twice.
class TextCheck : public nlohmann::json_sax<Json> {
public:
  std::optional<std::string> error;

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
    error = "the member '" + key + "' exists twice";
    return false;
  }
  bool end_object() override {
    members.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string &,
                   const Json::exception &e) override {
    error = e.what();
    return false;
  }

private:
  /// Of the objects around.
  std::vector<std::unordered_set<std::string>> members;
};

} // namespace

Json JsonReader::parse(const std::string &text) {
  // A pass of its own: a callback of Json::parse() takes time quadratic in
  // the length of a list of objects.
  TextCheck check;
  Json::sax_parse(text, &check);
  if (check.error)
    fail("json", *check.error);
  if (!ok())
    return Json();
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

const Json &JsonReader::member(const Json &object, const std::string &path,
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

const Json &JsonReader::list(const Json &object, const std::string &path,
                             const char *key) {
  const Json &j = member(object, path, key);
  if (ok() && !j.is_array())
    fail(join(path, key), "is not a list");
  static const Json empty = Json::array();
  return j.is_array() ? j : empty;
}

const Json &JsonReader::moves(const Json &root, std::string &path) {
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

const Json *JsonReader::optional(const Json &object, const char *key) {
  if (!object.is_object())
    return nullptr;
  auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

int64_t JsonReader::size(const Json &j, const std::string &path) {
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

int64_t JsonReader::sizeOr(const Json &object, const std::string &path,
                           const char *key, int64_t otherwise) {
  const Json *j = optional(object, key);
  return j ? size(*j, join(path, key)) : otherwise;
}

bool JsonReader::flagOr(const Json &object, const std::string &path,
                        const char *key, bool otherwise) {
  const Json *j = optional(object, key);
  if (j && !j->is_boolean())
    fail(join(path, key), "is neither true nor false");
  return j && j->is_boolean() ? j->get<bool>() : otherwise;
}

std::string JsonReader::name(const Json &j, const std::string &path) {
  if (j.is_string())
    return j.get<std::string>();
  if (j.is_number_integer())
    return j.dump();
  fail(path, "is not a name");
  return {};
}

std::string pebble::game::toText(const Json &j, int indent) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}
