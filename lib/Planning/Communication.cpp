//===- Communication.cpp - what messages between ranks cost ---------------===//

#include "pebble/Planning/Communication.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Solver/Ranks/Collectives.h"

#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

using namespace mlir;

namespace pebble {

std::optional<ranks::Topology> getTopology(HierarchyAttr hierarchy) {
  TopologyAttr attribute = hierarchy ? hierarchy.getTopology() : TopologyAttr();
  if (!attribute)
    return std::nullopt;
  ranks::Topology topology;
  topology.ranks = attribute.getRanks();
  topology.places = attribute.getPlaces().vec();
  for (GroupAttr group : attribute.getGroups())
    topology.groups.push_back({group.getName().str(), group.getSize(),
                               group.getBandwidth(), group.getLatency(),
                               group.getEnergy()});
  return topology;
}

static int64_t getBytes(Type type) {
  auto shaped = cast<ShapedType>(type);
  if (!shaped.hasStaticShape())
    return 0;
  return multiplyCounts(getElementBytes(shaped.getElementType()).value_or(0),
                        shaped.getNumElements());
}

/// The value as a whole, of which the ranks have or get parts.
static int64_t getWholeBytes(CollectiveOp op) {
  return std::max(getBytes(op.getInput().getType()),
                  getBytes(op.getInit().getType()));
}

static std::optional<ranks::Kind> getKind(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return ranks::Kind::AllReduce;
  case CollectiveKind::AllGather:
    return ranks::Kind::AllGather;
  case CollectiveKind::ReduceScatter:
    return ranks::Kind::ReduceScatter;
  case CollectiveKind::Broadcast:
    return ranks::Kind::Broadcast;
  case CollectiveKind::AllSlice:
    return std::nullopt;
  }
  llvm_unreachable("covered switch");
}

/// The ranks of the group that `rank` is in; of a broadcast the root first.
static std::vector<int64_t> getMembers(CollectiveOp op, int64_t rank) {
  const int64_t group = op.getGroup(), stride = op.getStride();
  const int64_t first = rank - rank / stride % group * stride;
  std::vector<int64_t> members;
  for (int64_t i = 0; i < group; ++i)
    members.push_back(first + i * stride);
  if (op.getKind() == CollectiveKind::Broadcast)
    std::rotate(members.begin(), members.begin() + op.getAxis(), members.end());
  return members;
}

static FailureOr<CommunicationCost> getCost(CollectiveOp op,
                                            const ranks::Topology &topology) {
  if (static_cast<int64_t>(op.getRanks()) != topology.ranks)
    return op.emitOpError("is for ")
           << op.getRanks() << " ranks, but the topology of the machine has "
           << topology.ranks;
  CommunicationCost cost;
  std::optional<ranks::Kind> kind = getKind(op.getKind());
  if (!kind)
    return cost;
  const int64_t group = op.getGroup();
  for (int64_t rank = 0; rank < topology.ranks; ++rank) {
    if (rank / static_cast<int64_t>(op.getStride()) % group != 0)
      continue; // not the first of its group
    std::optional<ranks::Cost> found = ranks::getLeastCost(
        topology, *kind, getMembers(op, rank), getWholeBytes(op));
    if (!found)
      return op.emitOpError("has no route between all ranks of the group of "
                            "rank ")
             << rank;
    cost.nanoseconds = std::max(cost.nanoseconds, found->nanoseconds);
    cost.femtojoules = std::max<int64_t>(
        cost.femtojoules, llvm::divideCeil(found->femtojoules, group));
  }
  return cost;
}

/// A message to somebody.
static CommunicationCost getMessageCost(Value buffer, bool sends,
                                        const ranks::Topology &topology) {
  const ranks::Group &widest = topology.groups.back();
  const int64_t bytes = getBytes(buffer.getType());
  return {ranks::getMessageTime(widest, bytes),
          sends ? multiplyCounts(bytes, widest.energy) : 0};
}

static CommunicationCost getTogetherCost(ranks::Kind kind, int64_t bytes,
                                         const ranks::Topology &topology) {
  std::vector<int64_t> all(topology.ranks);
  std::iota(all.begin(), all.end(), 0);
  std::optional<ranks::Cost> cost =
      ranks::getLeastCost(topology, kind, all, bytes);
  if (!cost)
    return {};
  return {cost->nanoseconds, static_cast<int64_t>(llvm::divideCeil(
                                 cost->femtojoules, topology.ranks))};
}

static FailureOr<CommunicationCost>
getOwnCost(Operation *op, const ranks::Topology &topology) {
  if (auto collective = dyn_cast<CollectiveOp>(op))
    return getCost(collective, topology);
  if (auto send = dyn_cast<mpi::SendOp>(op))
    return getMessageCost(send.getRef(), true, topology);
  if (auto receive = dyn_cast<mpi::RecvOp>(op))
    return getMessageCost(receive.getRef(), false, topology);
  if (auto wait = dyn_cast<mpi::Wait>(op)) {
    if (auto send = wait.getReq().getDefiningOp<mpi::ISendOp>())
      return getMessageCost(send.getRef(), true, topology);
    if (auto receive = wait.getReq().getDefiningOp<mpi::IRecvOp>())
      return getMessageCost(receive.getRef(), false, topology);
  }
  if (auto reduce = dyn_cast<mpi::AllReduceOp>(op))
    return getTogetherCost(ranks::Kind::AllReduce,
                           getBytes(reduce.getSendbuf().getType()), topology);
  if (isa<mpi::Barrier, mpi::CommSplitOp>(op))
    return getTogetherCost(ranks::Kind::AllReduce, 0, topology);
  return CommunicationCost();
}

FailureOr<CommunicationCost>
getCommunicationCost(Operation *op, const ranks::Topology &topology) {
  FailureOr<CommunicationCost> cost = getOwnCost(op, topology);
  if (failed(cost))
    return failure();
  int64_t runs = 1;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (std::optional<llvm::APInt> trips = loop.getStaticTripCount())
      runs = trips->getSExtValue();
  auto add = [&](const CommunicationCost &inside) {
    cost->nanoseconds =
        addCounts(cost->nanoseconds, multiplyCounts(runs, inside.nanoseconds));
    cost->femtojoules =
        addCounts(cost->femtojoules, multiplyCounts(runs, inside.femtojoules));
  };
  auto visit = [&](Region &region) -> LogicalResult {
    for (Operation &nested : region.getOps()) {
      FailureOr<CommunicationCost> inside =
          getCommunicationCost(&nested, topology);
      if (failed(inside))
        return failure();
      add(*inside);
    }
    return success();
  };
  for (Region &region : op->getRegions())
    if (failed(visit(region)))
      return failure();
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_if_present<CallableOpInterface>(call.resolveCallable())
           : CallableOpInterface();
  // A function that calls itself is not planned.
  if (callee && callee.getCallableRegion() && !callee->isProperAncestor(op) &&
      failed(visit(*callee.getCallableRegion())))
    return failure();
  return cost;
}

/// What `op` itself hands over.
static std::optional<int64_t> getOwnSentBytes(Operation *op, int64_t rank) {
  Value sent;
  if (auto collective = dyn_cast<CollectiveOp>(op)) {
    const int64_t number = rank / static_cast<int64_t>(collective.getStride()) %
                           static_cast<int64_t>(collective.getGroup());
    const bool isSilent =
        collective.getKind() == CollectiveKind::AllSlice ||
        (collective.getKind() == CollectiveKind::Broadcast &&
         number != static_cast<int64_t>(collective.getAxis()));
    if (!isSilent)
      sent = collective.getInput();
  } else if (auto send = dyn_cast<mpi::SendOp>(op)) {
    sent = send.getRef();
  } else if (auto send = dyn_cast<mpi::ISendOp>(op)) {
    sent = send.getRef();
  } else if (auto reduce = dyn_cast<mpi::AllReduceOp>(op)) {
    sent = reduce.getSendbuf();
  }
  if (!sent)
    return 0;
  if (!cast<ShapedType>(sent.getType()).hasStaticShape())
    return std::nullopt;
  return getBytes(sent.getType());
}

static std::optional<int64_t> getSentBytes(Region &region, int64_t rank,
                                           unsigned depth);

static std::optional<int64_t> getSentBytes(Operation *op, int64_t rank,
                                           unsigned depth) {
  std::optional<int64_t> sum = getOwnSentBytes(op, rank);
  int64_t runs = 1;
  bool isKnown = op->getNumRegions() == 0 || isa<StepOp>(op);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (std::optional<llvm::APInt> trips = loop.getStaticTripCount()) {
      runs = trips->getSExtValue();
      isKnown = true;
    }
  auto add = [&](Region &region) {
    std::optional<int64_t> inside = getSentBytes(region, rank, depth);
    if (!inside || !sum || (!isKnown && *inside != 0))
      sum = std::nullopt;
    else
      sum = addCounts(*sum, multiplyCounts(runs, *inside));
  };
  for (Region &region : op->getRegions())
    add(region);
  constexpr unsigned kDeepest = 64;
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_if_present<CallableOpInterface>(call.resolveCallable())
           : CallableOpInterface();
  if (callee && callee.getCallableRegion()) {
    if (depth == kDeepest)
      return std::nullopt;
    ++depth;
    add(*callee.getCallableRegion());
  }
  return sum;
}

static std::optional<int64_t> getSentBytes(Region &region, int64_t rank,
                                           unsigned depth) {
  int64_t sum = 0;
  for (Operation &op : region.getOps()) {
    std::optional<int64_t> bytes = getSentBytes(&op, rank, depth);
    if (!bytes || (*bytes != 0 && !region.hasOneBlock()))
      return std::nullopt;
    sum = addCounts(sum, *bytes);
  }
  return sum;
}

std::optional<int64_t> getSentBytes(FunctionOpInterface function,
                                    int64_t rank) {
  return getSentBytes(function.getFunctionBody(), rank, 0);
}

} // namespace pebble
