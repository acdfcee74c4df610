//===- FormatsInstances.cpp - readers of published instances --------------===//
//
// "ops" instances and networkx node-link graphs. Both have one result per op
// and nothing in place; they differ in what must be there at the end.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

using namespace pebble::game;

namespace {

/// A compute tier without limit, since budgets are given beside the file, and
/// the slower tiers that it lists, by default one without limit. What a store
/// and a load cost per unit of size is what the tier takes to be written and
/// read.
Hierarchy readTiers(JsonReader &reader, const Json &root) {
  Hierarchy h;
  h.name = "tiers";
  h.tiers.resize(1);
  h.tiers[0].name = "fast";
  if (!JsonReader::optional(root, "tiers")) {
    h.tiers.emplace_back();
    h.tiers[1].name = "slow";
    return h;
  }
  const Json &tiers = reader.list(root, "", "tiers");
  for (size_t i = 0; i < tiers.size() && reader.ok(); ++i) {
    std::string path = at("tiers", i);
    Tier t;
    t.name = reader.name(reader.member(tiers[i], path, "name"), path + ".name");
    t.capacity = reader.sizeOr(tiers[i], path, "capacity", kUnbounded);
    t.writeEnergy = reader.sizeOr(tiers[i], path, "store_cost", 0);
    t.readEnergy = reader.sizeOr(tiers[i], path, "load_cost", 0);
    h.tiers.push_back(t);
  }
  return h;
}

/// Adds a step with one result of its own storage, both called `name`.
void addOp(Problem &p, const std::string &name, int64_t size, int64_t cost) {
  Id step = p.steps.size();
  p.storages.push_back({name, size, size, false, false});
  Value value;
  value.name = name;
  value.storage = p.storages.size() - 1;
  value.producer = step;
  p.values.push_back(value);
  p.steps.emplace_back();
  p.steps.back().name = name;
  p.steps.back().cost = cost;
  p.steps.back().writes.push_back({static_cast<Id>(p.values.size() - 1), size});
}

} // namespace

Problem pebble::game::readOps(JsonReader &reader, const Json &root) {
  Problem p;
  p.hierarchy = readTiers(reader, root);
  if (const Json *name = JsonReader::optional(root, "name"))
    p.name = reader.name(*name, "name");

  // Values: graph inputs first, then one per op.
  NameTable values(reader, "op or graph input");
  if (JsonReader::optional(root, "graph_inputs")) {
    const Json &inputs = reader.list(root, "", "graph_inputs");
    for (size_t i = 0; i < inputs.size() && reader.ok(); ++i) {
      std::string name = reader.name(inputs[i], at("graph_inputs", i));
      values.add(name, at("graph_inputs", i));
      p.storages.push_back({name, 0, 0, true, true});
      Value value;
      value.name = name;
      value.storage = i;
      value.offloadable = false;
      p.values.push_back(value);
    }
  }
  const Json &ops = reader.list(root, "", "ops");
  for (size_t i = 0; i < ops.size() && reader.ok(); ++i) {
    std::string path = at("ops", i);
    std::string name =
        reader.name(reader.member(ops[i], path, "name"), path + ".name");
    values.add(name, path + ".name");
    int64_t size =
        reader.size(reader.member(ops[i], path, "size"), path + ".size");
    addOp(p, name, size, reader.sizeOr(ops[i], path, "cost", 0));
  }
  for (size_t i = 0; i < ops.size() && reader.ok(); ++i) {
    std::string path = at("ops", i);
    const Json &inputs = reader.list(ops[i], path, "inputs");
    for (size_t k = 0; k < inputs.size() && reader.ok(); ++k) {
      Id v = values.find(inputs[k], at(path + ".inputs", k));
      if (reader.ok())
        p.steps[i].reads.push_back({v, p.storages[v].bytes});
    }
  }
  const Json &outputs = reader.list(root, "", "outputs");
  for (size_t i = 0; i < outputs.size() && reader.ok(); ++i) {
    Id v = values.find(outputs[i], at("outputs", i));
    if (reader.ok())
      p.values[v].required = true;
  }
  return p;
}

/// The order in which the nodes of a layered graph run.
static std::vector<Id> readOrder(JsonReader &reader, const Json *graph,
                                 NameTable &names, size_t count) {
  const Json empty = Json::object();
  const Json &given = reader.list(graph ? *graph : empty, "graph", "order");
  std::vector<bool> seen(count, false);
  std::vector<Id> order;
  for (size_t i = 0; i < given.size() && reader.ok(); ++i) {
    Id node = names.find(given[i], at("graph.order", i));
    if (!reader.ok())
      break;
    if (seen[node])
      reader.fail(at("graph.order", i), "lists a node twice");
    seen[node] = true;
    order.push_back(node);
  }
  if (order.size() != count)
    reader.fail("graph.order", "does not list every node");
  return order;
}

Problem pebble::game::readNodeLink(JsonReader &reader, const Json &root) {
  Problem p;
  p.hierarchy = readTiers(reader, root);
  const Json &nodes = reader.list(root, "", "nodes");
  const Json *graph = JsonReader::optional(root, "graph");
  if (graph)
    if (const Json *name = JsonReader::optional(*graph, "name"))
      p.name = reader.name(*name, "graph.name");
  // Layered graphs name nodes, sizes, costs and edge ends in their own way and
  // carry the given order; the others are listed in it.
  bool layered = !nodes.empty() && JsonReader::optional(nodes[0], "out_cost");
  const char *key = layered ? "name" : "id";
  const char *size = layered ? "out_cost" : "cost_ram";
  const char *cost = layered ? "duration" : "cost_cpu";
  const char *source = layered ? "0" : "source";
  const char *target = layered ? "1" : "target";

  NameTable names(reader, "node");
  for (size_t i = 0; i < nodes.size() && reader.ok(); ++i) {
    std::string path = at("nodes", i);
    std::string field = path + "." + key;
    names.add(reader.name(reader.member(nodes[i], path, key), field), field);
  }
  std::vector<Id> order;
  if (layered)
    order = readOrder(reader, graph, names, nodes.size());
  for (Id i = 0; !layered && i < nodes.size(); ++i)
    order.push_back(i);
  if (!reader.ok())
    return p;

  std::vector<Id> stepOf(nodes.size());
  for (Id node : order) {
    std::string path = at("nodes", node);
    stepOf[node] = p.steps.size();
    int64_t bytes = reader.size(reader.member(nodes[node], path, size),
                                JsonReader::join(path, size));
    addOp(p, reader.name(nodes[node][key], path), bytes,
          reader.size(reader.member(nodes[node], path, cost),
                      JsonReader::join(path, cost)));
  }
  const Json &links = reader.list(root, "", "links");
  for (size_t i = 0; i < links.size() && reader.ok(); ++i) {
    std::string path = at("links", i);
    Id from = names.find(reader.member(links[i], path, source),
                         JsonReader::join(path, source));
    Id to = names.find(reader.member(links[i], path, target),
                       JsonReader::join(path, target));
    if (!reader.ok())
      break;
    Id value = stepOf[from]; // steps and values are numbered alike
    p.steps[stepOf[to]].reads.push_back({value, p.storages[value].bytes});
  }
  return p;
}
