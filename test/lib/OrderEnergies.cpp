//===- OrderEnergies.cpp - what every legal order costs -------------------===//
//
// Prices each legal order of a small function by the analyses, and says how the
// energies are distributed. No solver: this is what their answers, and figures
// from elsewhere, are compared with.
//
//===----------------------------------------------------------------------===//

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/InitAll.h"
#include "pebble/Target/Presets.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

#include <cmath>

using namespace mlir;
using namespace pebble;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE.mlir"));
static cl::opt<std::string> target("target", cl::init("sutro"),
                                   cl::desc("The machine"));
static cl::opt<CacheModel>
    model("cache-model", cl::desc("How caches are priced"),
          cl::values(clEnumValN(CacheModel::Lru, "lru", ""),
                     clEnumValN(CacheModel::Sutro, "sutro", "")),
          cl::init(CacheModel::Lru));
static cl::opt<bool> printOrders("print-orders",
                                 cl::desc("Print one order of each extreme"));

namespace {
constexpr size_t kMostOrders = 1000000;

struct PricedOrder {
  int64_t energy;
  std::vector<unsigned> order;
};

/// Every order that keeps the dependences, in lexicographic order of steps.
class Enumeration {
public:
  explicit Enumeration(const DependenceGraph &graph)
      : before(graph.getStorage().getSteps().size()), after(before.size(), 0) {
    for (const Dependence &edge : graph.getDependences()) {
      before[edge.before].push_back(edge.after);
      ++after[edge.after];
    }
  }

  /// False if there are too many.
  bool run(llvm::function_ref<void(ArrayRef<unsigned>)> visit) {
    if (order.size() == before.size()) {
      visit(order);
      return ++count <= kMostOrders;
    }
    for (unsigned step = 0; step < before.size(); ++step) {
      if (after[step] != 0)
        continue;
      after[step] = kTaken;
      order.push_back(step);
      for (unsigned next : before[step])
        --after[next];
      bool ok = run(visit);
      for (unsigned next : before[step])
        ++after[next];
      order.pop_back();
      after[step] = 0;
      if (!ok)
        return false;
    }
    return true;
  }

private:
  static constexpr int64_t kTaken = int64_t(1) << 40;
  std::vector<std::vector<unsigned>> before;
  std::vector<int64_t> after;
  std::vector<unsigned> order;
  size_t count = 0;
};
} // namespace

static void print(StringRef name, int64_t energy, ArrayRef<PricedOrder> all,
                  const StorageAnalysis &storage) {
  auto isEqual = [&](const PricedOrder &o) { return o.energy == energy; };
  llvm::outs() << name << ": " << energy << " fJ, "
               << llvm::count_if(all, isEqual) << " orders\n";
  if (!printOrders)
    return;
  llvm::outs() << " ";
  for (unsigned step : llvm::find_if(all, isEqual)->order)
    llvm::outs() << " " << storage.getStepName(step);
  llvm::outs() << "\n";
}

static LogicalResult run(FunctionOpInterface function,
                         const HierarchyCosts &costs) {
  ProgramContext context;
  StorageAnalysis storage(function.getFunctionBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  std::vector<PricedOrder> all;
  double leastDistance = std::numeric_limits<double>::infinity();
  bool complete =
      Enumeration(DependenceGraph(storage)).run([&](ArrayRef<unsigned> order) {
        LifetimeAnalysis lifetime(storage, order);
        TrafficAnalysis traffic(lifetime, costs, model);
        all.push_back({traffic.getEnergy(), order.vec()});
        if (auto distance = traffic.getAverageReuseDistance())
          leastDistance = std::min(leastDistance, *distance);
      });
  if (!complete)
    return function.emitError() << "more than " << kMostOrders << " orders";
  std::vector<int64_t> sorted;
  double mean = 0, variance = 0;
  for (const PricedOrder &one : all) {
    sorted.push_back(one.energy);
    mean += double(one.energy) / all.size();
  }
  for (int64_t energy : sorted)
    variance += (energy - mean) * (energy - mean) / sorted.size();
  llvm::sort(sorted);
  llvm::outs() << "orders: " << all.size() << "\n";
  print("least", sorted.front(), all, storage);
  print("most", sorted.back(), all, storage);
  size_t half = sorted.size() / 2;
  double median = sorted.size() % 2
                      ? double(sorted[half])
                      : (double(sorted[half - 1]) + sorted[half]) / 2;
  llvm::outs() << llvm::format("mean: %.0f pJ\n", mean / 1000)
               << llvm::format("median: %.0f pJ\n", median / 1000)
               << llvm::format("deviation: %.0f pJ\n",
                               std::sqrt(variance) / 1000)
               << llvm::format("least average reuse distance: %.1f B\n",
                               leastDistance);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "prices every legal order\n");
  DialectRegistry registry;
  registerUpstream(registry);
  registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  if (!module)
    return 1;
  HierarchyAttr hierarchy = getPreset(&context, target);
  if (!hierarchy) {
    llvm::errs() << "error: there is no machine called '" << target << "'\n";
    return 1;
  }
  for (auto function : module->getOps<FunctionOpInterface>())
    if (!function.isExternal() &&
        failed(run(function, HierarchyCosts::get(hierarchy))))
      return 1;
  return 0;
}
