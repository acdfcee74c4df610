//===- PipelineFormats.cpp - pipelines as text ----------------------------===//
//
// Reads pipelines, reads and writes their tasks. Judges the shape of the text;
// whether a pipeline makes sense is check()'s business.
//
//===----------------------------------------------------------------------===//

#include "../Game/JsonReader.h"

#include "pebble/Solver/Pipeline/Pipeline.h"

#include <iterator>

using namespace pebble;
using namespace pebble::pipeline;
using game::at;
using game::Json;
using game::JsonReader;

namespace {

/// In the order of TaskKind.
constexpr const char *kVerbs[] = {"forward", "plain", "recompute", "backward",
                                  "weight",  "store", "wait",      "load"};

/// The members of a stage, with what they are where they are missing.
struct Member {
  const char *name;
  int64_t Stage::*field;
};
constexpr Member kMembers[] = {
    {"forward", &Stage::forward}, {"backward", &Stage::backward},
    {"weight", &Stage::weight},   {"store", &Stage::store},
    {"load", &Stage::load},       {"tape", &Stage::tape},
    {"input", &Stage::input},     {"weight_tape", &Stage::weightTape},
    {"fixed", &Stage::fixed},     {"work", &Stage::work},
    {"send", &Stage::send},       {"send_back", &Stage::sendBack},
    {"message", &Stage::message}, {"message_back", &Stage::messageBack}};

uint32_t readCount(JsonReader &reader, const Json &j, const std::string &path) {
  const int64_t number = reader.size(j, path);
  if (number > static_cast<int64_t>(kMostTasks))
    reader.fail(path, "is more than " + std::to_string(kMostTasks));
  return reader.ok() ? static_cast<uint32_t>(number) : 0;
}

Stage readStage(JsonReader &reader, const Json &j, const std::string &path,
                uint32_t rank) {
  Stage stage;
  if (!j.is_object()) {
    reader.fail(path, "is not an object");
    return stage;
  }
  stage.rank = rank;
  if (const Json *given = JsonReader::optional(j, "rank"))
    stage.rank = readCount(reader, *given, JsonReader::join(path, "rank"));
  for (const Member &member : kMembers)
    stage.*member.field = reader.sizeOr(j, path, member.name, 0);
  // What runs again is the forward task, and what it reads the whole tape,
  // until somebody says otherwise.
  stage.recompute = reader.sizeOr(j, path, "recompute", stage.forward);
  for (const auto &[key, value] : j.items()) {
    bool isKnown = key == "rank" || key == "recompute" || key == "name";
    for (const Member &member : kMembers)
      isKnown |= key == member.name;
    if (!isKnown)
      reader.fail(JsonReader::join(path, key.c_str()),
                  "is no member of a stage");
  }
  return stage;
}

Task readTask(JsonReader &reader, const Json &j, const std::string &path) {
  Task task;
  if (!j.is_array() || j.size() != 3 || !j[0].is_string()) {
    reader.fail(path, "is not a task, a stage and a micro-batch");
    return task;
  }
  const std::string verb = j[0].get<std::string>();
  size_t kind = 0;
  while (kind < std::size(kVerbs) && verb != kVerbs[kind])
    ++kind;
  if (kind == std::size(kVerbs))
    reader.fail(path, "'" + verb + "' is no task");
  task.kind = static_cast<TaskKind>(kind);
  task.stage = readCount(reader, j[1], at(path, 1));
  task.microBatch = readCount(reader, j[2], at(path, 2));
  return task;
}

} // namespace

ParsedPipeline pebble::pipeline::readPipeline(const std::string &text) {
  ParsedPipeline result;
  JsonReader reader;
  const Json root = reader.parse(text);
  result.isPipeline = root.is_object() && root.contains("pipeline");
  if (!result.isPipeline)
    return result;
  Pipeline p;
  if (const Json *name = JsonReader::optional(root, "name"))
    p.name = reader.name(*name, "name");
  const Json &j = root["pipeline"];
  p.microBatches =
      readCount(reader, reader.member(j, "pipeline", "micro_batches"),
                "pipeline.micro_batches");
  const Json &stages = reader.list(j, "pipeline", "stages");
  p.ranks = stages.size();
  if (const Json *ranks = JsonReader::optional(j, "ranks"))
    p.ranks = readCount(reader, *ranks, "pipeline.ranks");
  for (size_t i = 0; i < stages.size() && reader.ok(); ++i)
    p.stages.push_back(readStage(reader, stages[i], at("pipeline.stages", i),
                                 p.ranks ? i % p.ranks : 0));
  if (JsonReader::optional(j, "budgets")) {
    const Json &budgets = reader.list(j, "pipeline", "budgets");
    for (size_t i = 0; i < budgets.size() && reader.ok(); ++i)
      p.budgets.push_back(reader.size(budgets[i], at("pipeline.budgets", i)));
  }
  result.error = reader.error;
  if (reader.ok())
    result.pipeline = std::move(p);
  return result;
}

ParsedTasks pebble::pipeline::readTasks(const Pipeline &pipeline,
                                        const std::string &text) {
  ParsedTasks result;
  JsonReader reader;
  const Json root = reader.parse(text);
  std::string base;
  const Json &ranks = reader.moves(root, base);
  Tasks tasks;
  for (size_t rank = 0; rank < ranks.size() && reader.ok(); ++rank) {
    const std::string path = at(base, rank);
    if (!ranks[rank].is_array())
      reader.fail(path, "is not the list of a rank's tasks");
    std::vector<Task> &of = tasks.emplace_back();
    for (size_t i = 0; i < ranks[rank].size() && reader.ok(); ++i)
      of.push_back(readTask(reader, ranks[rank][i], at(path, i)));
  }
  if (reader.ok() && tasks.size() != pipeline.ranks)
    reader.fail(base, "has the tasks of " + std::to_string(tasks.size()) +
                          " ranks, not of " + std::to_string(pipeline.ranks));
  result.error = reader.error;
  if (reader.ok())
    result.tasks = std::move(tasks);
  return result;
}

std::string pebble::pipeline::toString(const Task &task) {
  return std::string("[\"") + kVerbs[static_cast<size_t>(task.kind)] + "\"," +
         std::to_string(task.stage) + "," + std::to_string(task.microBatch) +
         "]";
}

std::string pebble::pipeline::writeTasksJson(const Tasks &tasks) {
  std::string text = "[";
  for (const std::vector<Task> &rank : tasks) {
    text += text.size() > 1 ? ",[" : "[";
    for (size_t i = 0; i < rank.size(); ++i)
      text += (i ? "," : "") + toString(rank[i]);
    text += "]";
  }
  return text + "]";
}
