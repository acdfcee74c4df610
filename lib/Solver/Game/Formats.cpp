//===- Formats.cpp - which format a text is in ----------------------------===//
//
// Tells formats apart by their fields and hands over to their readers.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Game/Formats.h"

#include "JsonReader.h"

using namespace pebble::game;

ParsedProblem pebble::game::readProblem(const std::string &text) {
  ParsedProblem result;
  JsonReader reader;
  Json root = reader.parse(text);
  Problem problem;
  if (reader.ok()) {
    if (!root.is_object()) {
      reader.fail("json", "is not an object");
    } else if (root.contains("storages")) {
      problem = readNative(reader, root, result);
    } else if (root.contains("ops")) {
      result.format = Format::Ops;
      problem = readOps(reader, root);
    } else if (root.contains("nodes")) {
      result.format = Format::NodeLink;
      problem = readNodeLink(reader, root);
    } else if (root.contains("chain")) {
      reader.fail("chain", "is a chain with saved internals, no problem of "
                           "steps and values");
    } else {
      reader.fail("json", "has none of the fields storages, ops, nodes and "
                          "chain, by which formats are told apart");
    }
  }
  result.error = reader.error;
  if (reader.ok())
    result.problem = std::move(problem);
  return result;
}
