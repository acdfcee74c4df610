//===- Communication.cpp - what messages between ranks cost ---------------===//

#include "pebble/Planning/Communication.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Dialect/Trips.h"
#include "pebble/Solver/Ranks/Collectives.h"

#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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
static int64_t getWholeBytes(const CollectiveParts &op) {
  return std::max(getBytes(op.input.getType()), getBytes(op.init.getType()));
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
static std::vector<int64_t> getMembers(const TogetherShape &what,
                                       int64_t rank) {
  const int64_t group = what.group, stride = what.stride;
  const int64_t first = rank - rank / stride % group * stride;
  std::vector<int64_t> members;
  for (int64_t i = 0; i < group; ++i)
    members.push_back(first + i * stride);
  if (what.kind == CollectiveKind::Broadcast)
    std::rotate(members.begin(), members.begin() + what.root, members.end());
  return members;
}

static TogetherShape getShape(const CollectiveParts &op) {
  return {op.kind, op.group, op.stride, op.axis, getWholeBytes(op)};
}

std::optional<CommunicationCost>
getTogetherCost(const TogetherShape &what, const ranks::Topology &topology,
                int64_t *lost) {
  CommunicationCost cost;
  cost.bytes.resize(topology.groups.size(), 0);
  std::optional<ranks::Kind> kind = getKind(what.kind);
  if (!kind)
    return cost;
  for (int64_t rank = 0; rank < topology.ranks; ++rank) {
    if (rank / what.stride % what.group != 0)
      continue; // not the first of its group
    std::optional<ranks::Cost> found = ranks::getLeastCost(
        topology, *kind, getMembers(what, rank), what.bytes);
    if (!found) {
      if (lost)
        *lost = rank;
      return std::nullopt;
    }
    cost.nanoseconds = std::max(cost.nanoseconds, found->nanoseconds);
    cost.femtojoules = std::max<int64_t>(
        cost.femtojoules, llvm::divideCeil(found->femtojoules, what.group));
    for (auto [sum, bytes] : llvm::zip(cost.bytes, found->bytes))
      sum = addCounts(sum, bytes);
  }
  return cost;
}

static FailureOr<CommunicationCost> getCost(Operation *op,
                                            const ranks::Topology &topology) {
  const CollectiveParts parts = *getCollective(op);
  if (parts.ranks != topology.ranks)
    return op->emitOpError("is for ")
           << parts.ranks << " ranks, but the topology of the machine has "
           << topology.ranks;
  int64_t lost = 0;
  std::optional<CommunicationCost> cost =
      getTogetherCost(getShape(parts), topology, &lost);
  if (!cost)
    return op->emitOpError("has no route between all ranks of the group of "
                           "rank ")
           << lost;
  return std::move(*cost);
}

/// A message to somebody.
static CommunicationCost getMessageCost(Value buffer, bool sends,
                                        const ranks::Topology &topology) {
  const ranks::Group &widest = topology.groups.back();
  const int64_t bytes = getBytes(buffer.getType());
  CommunicationCost cost;
  cost.nanoseconds = ranks::getMessageTime(widest, bytes);
  cost.bytes.resize(topology.groups.size(), 0);
  if (sends) {
    cost.femtojoules = multiplyCounts(bytes, widest.energy);
    cost.bytes.back() = multiplyCounts(bytes, topology.ranks);
  }
  return cost;
}

/// An all-reduce of all ranks.
static CommunicationCost getTogetherCost(int64_t bytes,
                                         const ranks::Topology &topology) {
  return getTogetherCost(
             {CollectiveKind::AllReduce, topology.ranks, 1, 0, bytes}, topology)
      .value_or(CommunicationCost());
}

static FailureOr<CommunicationCost>
getOwnCost(Operation *op, const ranks::Topology &topology) {
  if (isa<CollectiveOp>(op))
    return getCost(op, topology);
  if (auto wait = dyn_cast<CollectiveWaitOp>(op))
    return getCost(getStart(wait), topology);
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
    return getTogetherCost(getBytes(reduce.getSendbuf().getType()), topology);
  if (isa<mpi::Barrier, mpi::CommSplitOp>(op))
    return getTogetherCost(0, topology);
  return CommunicationCost();
}

static void add(CommunicationCost &sum, const CommunicationCost &more,
                int64_t runs = 1) {
  sum.nanoseconds =
      addCounts(sum.nanoseconds, multiplyCounts(runs, more.nanoseconds));
  sum.femtojoules =
      addCounts(sum.femtojoules, multiplyCounts(runs, more.femtojoules));
  sum.bytes.resize(std::max(sum.bytes.size(), more.bytes.size()), 0);
  for (size_t i = 0; i < more.bytes.size(); ++i)
    sum.bytes[i] = addCounts(sum.bytes[i], multiplyCounts(runs, more.bytes[i]));
}

/// Of two sides of a branch, the dearer one in each respect.
static void takeMost(CommunicationCost &most, const CommunicationCost &other) {
  most.nanoseconds = std::max(most.nanoseconds, other.nanoseconds);
  most.femtojoules = std::max(most.femtojoules, other.femtojoules);
  most.bytes.resize(std::max(most.bytes.size(), other.bytes.size()), 0);
  for (size_t i = 0; i < other.bytes.size(); ++i)
    most.bytes[i] = std::max(most.bytes[i], other.bytes[i]);
}

static FailureOr<CommunicationCost>
getRegionCost(Region &region, const ranks::Topology &topology) {
  CommunicationCost sum;
  for (Operation &nested : region.getOps()) {
    FailureOr<CommunicationCost> inside =
        getCommunicationCost(&nested, topology);
    if (failed(inside))
      return failure();
    add(sum, *inside);
  }
  return sum;
}

FailureOr<CommunicationCost>
getCommunicationCost(Operation *op, const ranks::Topology &topology) {
  FailureOr<CommunicationCost> cost = getOwnCost(op, topology);
  if (failed(cost))
    return failure();
  // As for operations, a loop of unknown rounds is counted once.
  std::optional<llvm::APInt> trips = getStaticTrips(op);
  const bool isBranch = isa<scf::IfOp, scf::IndexSwitchOp>(op);
  CommunicationCost most;
  for (Region &region : op->getRegions()) {
    FailureOr<CommunicationCost> inside = getRegionCost(region, topology);
    if (failed(inside))
      return failure();
    if (isBranch)
      takeMost(most, *inside);
    else
      add(*cost, *inside, trips ? trips->getSExtValue() : 1);
  }
  add(*cost, most);
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee =
      call ? dyn_cast_if_present<CallableOpInterface>(call.resolveCallable())
           : CallableOpInterface();
  // A function that calls itself is not planned.
  if (callee && callee.getCallableRegion() && !callee->isProperAncestor(op)) {
    FailureOr<CommunicationCost> inside =
        getRegionCost(*callee.getCallableRegion(), topology);
    if (failed(inside))
      return failure();
    add(*cost, *inside);
  }
  return cost;
}

size_t getWidestGroup(int64_t group, int64_t stride,
                      const ranks::Topology &topology) {
  size_t widest = 0;
  for (int64_t rank = 0; rank < topology.ranks; ++rank) {
    const int64_t first = rank - rank / stride % group * stride;
    if (std::optional<size_t> route = topology.findRoute(first, rank))
      widest = std::max(widest, *route);
  }
  return widest;
}

size_t getWidestGroup(Operation *op, const ranks::Topology &topology) {
  std::optional<CollectiveParts> parts = getCollective(op);
  return parts ? getWidestGroup(parts->group, parts->stride, topology)
               : topology.groups.size() - 1;
}

FailureOr<std::vector<int64_t>> getMessageTimes(const StorageAnalysis &storage,
                                                HierarchyAttr hierarchy) {
  std::vector<int64_t> times(storage.getSteps().size(), 0);
  std::optional<ranks::Topology> topology = getTopology(hierarchy);
  if (!topology)
    return times;
  for (auto [step, time] : llvm::zip(storage.getSteps(), times)) {
    FailureOr<CommunicationCost> cost =
        getCommunicationCost(step.op, *topology);
    if (failed(cost))
      return failure();
    if (!step.op->hasAttr(attr::kCost))
      time = cost->nanoseconds;
  }
  return times;
}

FailureOr<std::optional<CommunicationCost>>
getMessageTotal(const StorageAnalysis &storage, HierarchyAttr hierarchy) {
  std::optional<ranks::Topology> topology = getTopology(hierarchy);
  if (!topology)
    return std::optional<CommunicationCost>();
  CommunicationCost sum;
  sum.bytes.resize(topology->groups.size(), 0);
  for (const Step &step : storage.getSteps()) {
    FailureOr<CommunicationCost> cost =
        getCommunicationCost(step.op, *topology);
    if (failed(cost))
      return failure();
    if (step.op->hasAttr(attr::kCost))
      cost->nanoseconds = 0;
    add(sum, *cost);
  }
  return std::optional<CommunicationCost>(std::move(sum));
}

/// What `op` itself hands over.
static std::optional<int64_t> getOwnSentBytes(Operation *op, int64_t rank) {
  Value sent;
  if (std::optional<CollectiveParts> collective = getCollective(op)) {
    const int64_t number = rank / collective->stride % collective->group;
    const bool isSilent = collective->kind == CollectiveKind::AllSlice ||
                          (collective->kind == CollectiveKind::Broadcast &&
                           number != collective->axis);
    if (!isSilent)
      sent = collective->input;
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

namespace {
/// Adds up what one rank sends.
class Sender {
public:
  Sender(int64_t rank, const ranks::Topology *topology)
      : rank(rank), topology(topology) {}

  std::optional<SentBytes> get(Region &region) {
    SentBytes sum;
    for (Operation &op : region.getOps()) {
      std::optional<SentBytes> sent = get(&op);
      // Which of several blocks run, and how often, is up to the run.
      if (!sent || (sent->bytes != 0 && !region.hasOneBlock()))
        return std::nullopt;
      add(sum, *sent);
    }
    return sum;
  }

private:
  static void add(SentBytes &sum, const SentBytes &more, int64_t runs = 1) {
    sum.bytes = addCounts(sum.bytes, multiplyCounts(runs, more.bytes));
    sum.isBound |= more.isBound;
    sum.hasLinks &= more.hasLinks;
    for (auto [link, bytes] : more.byLink)
      sum.byLink[link] =
          addCounts(sum.byLink[link], multiplyCounts(runs, bytes));
  }

  /// Whom a send reaches is often known to the run alone.
  SentBytes getOwn(Operation *op, int64_t bytes) const {
    SentBytes sent;
    sent.bytes = bytes;
    if (!topology || bytes == 0)
      return sent;
    sent.hasLinks = topology->groups.size() == 1 || getCollective(op) ||
                    isa<mpi::AllReduceOp>(op);
    if (sent.hasLinks)
      sent.byLink[getWidestGroup(op, *topology)] = bytes;
    return sent;
  }

  std::optional<SentBytes> get(Operation *op) {
    std::optional<int64_t> own = getOwnSentBytes(op, rank);
    std::optional<SentBytes> inside =
        isa<scf::IfOp, scf::IndexSwitchOp>(op) ? getMost(op) : getAll(op);
    if (!own || !inside)
      return std::nullopt;
    add(*inside, getOwn(op, *own));
    return addCallee(op, *inside);
  }

  /// One of the regions runs. A branch without an else sends nothing there.
  std::optional<SentBytes> getMost(Operation *op) {
    SentBytes most;
    bool isFirst = true;
    for (Region &region : op->getRegions()) {
      std::optional<SentBytes> sent = get(region);
      if (!sent)
        return std::nullopt;
      const bool isAlike = isFirst || sent->bytes == most.bytes;
      most.bytes = std::max(most.bytes, sent->bytes);
      most.isBound |= sent->isBound || !isAlike;
      most.hasLinks &=
          sent->hasLinks && (isFirst || sent->byLink == most.byLink);
      if (isFirst)
        most.byLink = sent->byLink;
      isFirst = false;
    }
    return most;
  }

  /// All regions run, as often as the operation says.
  std::optional<SentBytes> getAll(Operation *op) {
    int64_t runs = 1;
    bool isKnown = isa<StepOp, scf::ExecuteRegionOp>(op);
    if (std::optional<llvm::APInt> trips = getStaticTrips(op)) {
      runs = trips->getSExtValue();
      isKnown = true;
    }
    SentBytes sum;
    for (Region &region : op->getRegions()) {
      std::optional<SentBytes> sent = get(region);
      if (!sent || (!isKnown && sent->bytes != 0))
        return std::nullopt;
      add(sum, *sent, runs);
    }
    return sum;
  }

  std::optional<SentBytes> addCallee(Operation *op, SentBytes sum) {
    constexpr unsigned kDeepest = 64;
    auto call = dyn_cast<CallOpInterface>(op);
    auto callee =
        call ? dyn_cast_if_present<CallableOpInterface>(call.resolveCallable())
             : CallableOpInterface();
    if (!callee || !callee.getCallableRegion())
      return sum;
    if (depth == kDeepest)
      return std::nullopt;
    ++depth;
    std::optional<SentBytes> sent = get(*callee.getCallableRegion());
    --depth;
    if (!sent)
      return std::nullopt;
    add(sum, *sent);
    return sum;
  }

  const int64_t rank;
  const ranks::Topology *topology;
  unsigned depth = 0;
};
} // namespace

std::optional<SentBytes> getSentBytes(FunctionOpInterface function,
                                      int64_t rank,
                                      const ranks::Topology *topology) {
  return Sender(rank, topology).get(function.getFunctionBody());
}

} // namespace pebble
