//===- Highs.cpp - solve a model with HiGHS -------------------------------===//

#include "pebble/Solver/Milp/Highs.h"

#ifndef PEBBLE_HAVE_HIGHS

using namespace pebble::milp;

const std::string &pebble::milp::highsMissing() {
  static const std::string why =
      "this build has no HiGHS; let tools/setup fetch it, or configure with "
      "-DPEBBLE_HIGHS_DIR=DIR, where HiGHS is installed, and build again";
  return why;
}

std::string pebble::milp::highsVersion() { return ""; }

HighsAnswer pebble::milp::solveWithHighs(const Model &, const HighsOptions &) {
  return {};
}

HighsAnswer pebble::milp::solveMpsWithHighs(const std::string &,
                                            const HighsOptions &) {
  return {};
}

#else

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

using namespace pebble::milp;

namespace {

/// The functions of the C interface that are used here, with the types that
/// its header gives them.
struct Library {
  decltype(&Highs_create) create = nullptr;
  decltype(&Highs_destroy) destroy = nullptr;
  decltype(&Highs_version) version = nullptr;
  decltype(&Highs_versionMajor) versionMajor = nullptr;
  decltype(&Highs_getSizeofHighsInt) sizeofInt = nullptr;
  decltype(&Highs_passMip) passMip = nullptr;
  decltype(&Highs_readModel) readModel = nullptr;
  decltype(&Highs_run) run = nullptr;
  decltype(&Highs_setSolution) setSolution = nullptr;
  decltype(&Highs_setBoolOptionValue) setBool = nullptr;
  decltype(&Highs_setIntOptionValue) setInt = nullptr;
  decltype(&Highs_setDoubleOptionValue) setDouble = nullptr;
  decltype(&Highs_setStringOptionValue) setString = nullptr;
  decltype(&Highs_getModelStatus) getModelStatus = nullptr;
  decltype(&Highs_getObjectiveValue) getObjective = nullptr;
  decltype(&Highs_getIntInfoValue) getIntInfo = nullptr;
  decltype(&Highs_getInt64InfoValue) getInt64Info = nullptr;
  decltype(&Highs_getDoubleInfoValue) getDoubleInfo = nullptr;
  decltype(&Highs_getSolution) getSolution = nullptr;
  decltype(&Highs_getNumCol) getNumCol = nullptr;
  decltype(&Highs_getNumRow) getNumRow = nullptr;
  decltype(&Highs_setCallback) setCallback = nullptr;
  decltype(&Highs_startCallback) startCallback = nullptr;

  std::string missing;

  Library() {
    void *handle = open();
    if (!handle)
      return;
    find(handle, create, "Highs_create");
    find(handle, destroy, "Highs_destroy");
    find(handle, version, "Highs_version");
    find(handle, versionMajor, "Highs_versionMajor");
    find(handle, sizeofInt, "Highs_getSizeofHighsInt");
    find(handle, passMip, "Highs_passMip");
    find(handle, readModel, "Highs_readModel");
    find(handle, run, "Highs_run");
    find(handle, setSolution, "Highs_setSolution");
    find(handle, setBool, "Highs_setBoolOptionValue");
    find(handle, setInt, "Highs_setIntOptionValue");
    find(handle, setDouble, "Highs_setDoubleOptionValue");
    find(handle, setString, "Highs_setStringOptionValue");
    find(handle, getModelStatus, "Highs_getModelStatus");
    find(handle, getObjective, "Highs_getObjectiveValue");
    find(handle, getIntInfo, "Highs_getIntInfoValue");
    find(handle, getInt64Info, "Highs_getInt64InfoValue");
    find(handle, getDoubleInfo, "Highs_getDoubleInfoValue");
    find(handle, getSolution, "Highs_getSolution");
    find(handle, getNumCol, "Highs_getNumCol");
    find(handle, getNumRow, "Highs_getNumRow");
    find(handle, setCallback, "Highs_setCallback");
    find(handle, startCallback, "Highs_startCallback");
    if (!missing.empty())
      return;
    if (versionMajor() != HIGHS_VERSION_MAJOR)
      missing = "HiGHS " + std::string(version()) +
                " was loaded, this build is for version " +
                std::to_string(HIGHS_VERSION_MAJOR);
    void *probe = create();
    if (sizeofInt(probe) != static_cast<HighsInt>(sizeof(HighsInt)))
      missing = "HiGHS was built with integers of another size";
    destroy(probe);
  }

private:
  /// A file named by the environment and no other; else beside an installed
  /// program or wherever the loader looks; else where it was at build time.
  void *open() {
    const char *named = std::getenv("PEBBLE_HIGHS_LIBRARY");
    void *handle = nullptr;
    if (named && *named) {
      handle = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    } else {
      handle = dlopen(PEBBLE_HIGHS_FILE, RTLD_NOW | RTLD_LOCAL);
      for (const char *name : {"libhighs.so.1", "libhighs.so"})
        if (!handle)
          handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (!handle) {
      const char *why = dlerror();
      missing = std::string("HiGHS cannot be loaded (") + (why ? why : "?") +
                "); name the library in PEBBLE_HIGHS_LIBRARY, or let "
                "tools/setup fetch it and build again";
    }
    return handle;
  }

  template <typename Function>
  void find(void *handle, Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function)
      missing = std::string("HiGHS cannot be used: it has no ") + name;
  }
};

const Library &library() {
  static const Library loaded;
  return loaded;
}

double bound(double value) {
  if (value >= kInfinity)
    return HUGE_VAL;
  return value <= -kInfinity ? -HUGE_VAL : value;
}

/// One run of HiGHS.
class Run {
public:
  Run() : api(library()), highs(api.create()) {}
  ~Run() { api.destroy(highs); }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Tolerances are absolute, so costs are brought to where they mean
  /// something: by a power of two, which changes no digit.
  void scaleCosts(const Model &m) {
    constexpr double most = 1 << 20;
    double largest = 0;
    for (const Column &c : m.columns())
      largest = std::max(largest, std::fabs(c.cost));
    for (scale = 1; largest * scale > most;)
      scale /= 2;
  }

  void setOptions(const HighsOptions &o) {
    api.setBool(highs, "output_flag", 0);
    api.setInt(highs, "threads", 1);
    api.setString(highs, "parallel", "off");
    api.setInt(highs, "random_seed", static_cast<HighsInt>(o.seed % 1000000));
    if (const int64_t left = o.limits.left())
      api.setDouble(highs, "time_limit", static_cast<double>(left) / 1000);
    limits = o.limits;
    api.setCallback(highs, &Run::look, this);
    for (HighsInt when :
         {kHighsCallbackSimplexInterrupt, kHighsCallbackIpmInterrupt,
          kHighsCallbackMipInterrupt})
      api.startCallback(highs, when);
    if (o.nodeLimit)
      api.setInt(
          highs, "mip_max_nodes",
          static_cast<HighsInt>(std::min<uint64_t>(o.nodeLimit, INT32_MAX)));
    api.setDouble(highs, "mip_rel_gap", 0);
    api.setDouble(highs, "mip_abs_gap", std::max(o.absoluteGap * scale, 1e-6));
    if (o.cutoff < kInfinity)
      api.setDouble(highs, "objective_bound", o.cutoff * scale);
    if (o.relax)
      api.setBool(highs, "solve_relaxation", 1);
    if (o.interiorPoint) {
      api.setString(highs, "solver", "ipm");
      api.setString(highs, "run_crossover", "off");
    }
  }

  bool pass(const Model &m) {
    std::vector<double> cost, lower, upper, rowLower, rowUpper, factor;
    std::vector<HighsInt> start, index, integer;
    for (const Column &c : m.columns()) {
      cost.push_back(c.cost * scale);
      lower.push_back(bound(c.lower));
      upper.push_back(bound(c.upper));
      integer.push_back(c.integer ? kHighsVarTypeInteger
                                  : kHighsVarTypeContinuous);
    }
    factor.reserve(m.termCount());
    index.reserve(m.termCount());
    for (const Row &r : m.rows()) {
      start.push_back(static_cast<HighsInt>(index.size()));
      rowLower.push_back(bound(r.lower));
      rowUpper.push_back(bound(r.upper));
      for (const Term &t : r.terms) {
        index.push_back(t.column);
        factor.push_back(t.factor);
      }
    }
    start.push_back(static_cast<HighsInt>(index.size()));
    return api.passMip(highs, static_cast<HighsInt>(cost.size()),
                       static_cast<HighsInt>(rowLower.size()),
                       static_cast<HighsInt>(index.size()),
                       kHighsMatrixFormatRowwise, kHighsObjSenseMinimize, 0,
                       cost.data(), lower.data(), upper.data(), rowLower.data(),
                       rowUpper.data(), start.data(), index.data(),
                       factor.data(), integer.data()) != kHighsStatusError;
  }

  bool read(const std::string &file) {
    return api.readModel(highs, file.c_str()) != kHighsStatusError;
  }

  void startFrom(const std::vector<double> &values) {
    if (!values.empty())
      api.setSolution(highs, values.data(), nullptr, nullptr, nullptr);
  }

  HighsAnswer solve(const HighsOptions &o) {
    HighsAnswer a;
    if (api.run(highs) == kHighsStatusError)
      return a;
    HighsInt status = api.getModelStatus(highs);
    if (status == kHighsModelStatusOptimal ||
        status == kHighsModelStatusModelEmpty)
      a.outcome = Outcome::Optimal;
    else if (status == kHighsModelStatusInfeasible)
      a.outcome = Outcome::Infeasible;
    else if (status == kHighsModelStatusTimeLimit ||
             status == kHighsModelStatusIterationLimit ||
             status == kHighsModelStatusSolutionLimit ||
             status == kHighsModelStatusUnknown ||
             status == kHighsModelStatusInterrupt)
      a.outcome = Outcome::Limited;
    HighsInt primal = 0, dual = 0;
    api.getIntInfo(highs, "primal_solution_status", &primal);
    api.getIntInfo(highs, "dual_solution_status", &dual);
    constexpr HighsInt feasible = 2;
    const auto columns = static_cast<size_t>(api.getNumCol(highs));
    const auto rows = static_cast<size_t>(api.getNumRow(highs));
    std::vector<double> values(columns), reduced(columns), activity(rows);
    a.multipliers.resize(rows);
    api.getSolution(highs, values.data(), reduced.data(), activity.data(),
                    a.multipliers.data());
    if (primal == feasible) {
      a.values = std::move(values);
      a.objective = api.getObjective(highs) / scale;
    }
    for (double &multiplier : a.multipliers)
      multiplier /= scale;
    if (!o.relax) {
      a.multipliers.clear();
      double best = -HUGE_VAL;
      if (api.getDoubleInfo(highs, "mip_dual_bound", &best) == kHighsStatusOk &&
          std::isfinite(best))
        a.boundBeyond = best / scale;
      int64_t nodes = 0;
      if (api.getInt64Info(highs, "mip_node_count", &nodes) == kHighsStatusOk)
        a.nodes = nodes;
    } else if (a.outcome == Outcome::Optimal) {
      a.boundBeyond = a.objective;
    }
    if (a.boundBeyond > -kInfinity)
      a.bound = a.boundBeyond;
    return a;
  }

private:
  /// HiGHS asks now and then whether to go on.
  static void look(int, const char *, const HighsCallbackDataOut *,
                   HighsCallbackDataIn *answer, void *run) {
    if (answer)
      answer->user_interrupt = static_cast<Run *>(run)->limits.isInterrupted();
  }

  const Library &api;
  void *highs;
  pebble::graph::Limits limits;
  double scale = 1;
};

} // namespace

const std::string &pebble::milp::highsMissing() { return library().missing; }

std::string pebble::milp::highsVersion() {
  return highsMissing().empty() ? library().version() : "";
}

HighsAnswer pebble::milp::solveWithHighs(const Model &model,
                                         const HighsOptions &options) {
  if (!highsMissing().empty())
    return {};
  if (model.countBytes() > options.limits.tableBytes()) {
    HighsAnswer limited;
    limited.outcome = Outcome::Limited;
    return limited;
  }
  Run run;
  run.scaleCosts(model);
  run.setOptions(options);
  if (!run.pass(model))
    return {};
  run.startFrom(options.start);
  HighsAnswer answer = run.solve(options);
  answer.objective += model.constant();
  answer.bound += model.constant();
  return answer;
}

HighsAnswer pebble::milp::solveMpsWithHighs(const std::string &file,
                                            const HighsOptions &options) {
  if (!highsMissing().empty())
    return {};
  Run run;
  run.setOptions(options);
  if (!run.read(file))
    return {};
  return run.solve(options);
}

#endif // PEBBLE_HAVE_HIGHS
