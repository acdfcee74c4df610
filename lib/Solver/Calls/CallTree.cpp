//===- CallTree.cpp - which calls keep their tape -------------------------===//
//
// A dynamic program over the calls of a function, the last one first: what is
// kept for a call lives as long as all calls after it run and are reversed. So
// a suffix of the calls is known by what it keeps, by the two peaks that it
// reaches above what is kept for the calls before it, and by its cost.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Calls/CallTree.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pebble::calls {

namespace {
using Needs = std::vector<unsigned>;
using Variants = std::vector<std::shared_ptr<const Variant>>;

Needs unite(const Needs &a, const Needs &b) {
  Needs both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  return both;
}

/// Choices for a suffix of the sites, the first one in front.
struct Chosen {
  unsigned site;
  Choice choice;
  std::shared_ptr<const Chosen> next;
};

/// A way to run one site. Peaks are above what the caller has live.
struct Option {
  Choice choice;
  /// Bytes that are kept from the forward to the backward call.
  int64_t kept = 0;
  Needs needs;
  int64_t forwardPeak = 0, backwardPeak = 0, extraCost = 0;
};

/// A suffix of a function's sites.
struct Suffix {
  int64_t kept = 0;
  Needs needs;
  int64_t forwardPeak = Site::kNone, backwardPeak = Site::kNone, extraCost = 0;
  std::shared_ptr<const Chosen> chosen;
};

/// Sites of a root that one site encloses.
struct Inner {
  int64_t peak = Site::kNone, extraCost = 0;
  std::shared_ptr<const Chosen> chosen;
};

bool isNoWorse(const Suffix &a, const Suffix &b) {
  return a.extraCost <= b.extraCost && a.kept <= b.kept &&
         a.forwardPeak <= b.forwardPeak && a.backwardPeak <= b.backwardPeak &&
         std::includes(b.needs.begin(), b.needs.end(), a.needs.begin(),
                       a.needs.end());
}

/// Sorts `all` by what `getKey` says of its members; equals keep their order.
template <typename Member, typename Key>
void sortBy(std::vector<Member> &all, Key getKey) {
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    auto one = getKey(all[a]), other = getKey(all[b]);
    return one != other ? one < other : a < b;
  });
  std::vector<Member> sorted;
  for (size_t i : order)
    sorted.push_back(std::move(all[i]));
  all = std::move(sorted);
}

/// Of `all`, those that no other is better than: one of equals, cheap first.
std::vector<Suffix> getBest(std::vector<Suffix> all) {
  sortBy(all, [](const Suffix &s) {
    return std::tie(s.extraCost, s.kept, s.forwardPeak, s.backwardPeak,
                    s.needs);
  });
  std::vector<Suffix> best;
  for (Suffix &suffix : all)
    if (std::none_of(best.begin(), best.end(), [&](const Suffix &other) {
          return isNoWorse(other, suffix);
        }))
      best.push_back(std::move(suffix));
  return best;
}

std::vector<Inner> getBest(std::vector<Inner> all) {
  sortBy(all, [](const Inner &i) { return std::tie(i.extraCost, i.peak); });
  std::vector<Inner> best;
  for (Inner &inner : all)
    if (best.empty() || inner.peak < best.back().peak)
      best.push_back(std::move(inner));
  return best;
}

/// Leaves out members of `all`, evenly over its order, but never the first and
/// the one of the least peak.
void thin(std::vector<Suffix> &all, size_t most, bool &isExact) {
  if (all.size() <= most)
    return;
  isExact = false;
  auto leanest = std::min_element(all.begin(), all.end(), [](auto &a, auto &b) {
    return std::max(a.forwardPeak, a.backwardPeak) + a.kept <
           std::max(b.forwardPeak, b.backwardPeak) + b.kept;
  });
  std::vector<Suffix> some = {*leanest};
  for (size_t i = 0; i + 1 < most; ++i)
    some.push_back(all[i * all.size() / (most - 1)]);
  all = getBest(std::move(some));
}

class Solver {
public:
  Solver(const CallTree &tree, size_t most) : tree(tree), most(most) {}

  Curve solve() {
    for (const Function &function : tree.functions)
      variants.push_back(getVariants(function));
    Curve curve;
    for (const Inner &best : solveRoot()) {
      Plan plan{std::max(best.peak, tree.outside), best.extraCost, {}};
      // What is outside bounds all of them.
      if (!curve.plans.empty() && plan.peak >= curve.plans.back().peak)
        continue;
      plan.choices.resize(tree.sites.size());
      for (const Chosen *at = best.chosen.get(); at; at = at->next.get())
        plan.choices[at->site] = at->choice;
      curve.plans.push_back(std::move(plan));
    }
    std::reverse(curve.plans.begin(), curve.plans.end());
    curve.isExact = isExact;
    return curve;
  }

private:
  const CallTree &tree;
  size_t most;
  std::vector<Variants> variants;
  bool isExact = true;

  /// What it takes to have `needs` of the callee there, in `option`.
  static void keepArguments(const Site &site, const Needs &needs,
                            Option &option) {
    for (unsigned argument : needs) {
      const Site::Argument &given = site.arguments[argument];
      option.kept += given.bytes;
      if (given.passed)
        option.needs.push_back(*given.passed);
    }
    std::sort(option.needs.begin(), option.needs.end());
    option.needs.erase(std::unique(option.needs.begin(), option.needs.end()),
                       option.needs.end());
  }

  std::vector<Option> getOptions(const Site &site) const {
    std::vector<Option> options;
    const Function &callee = tree.functions[site.callee];
    if (site.maySplit)
      for (const auto &variant : variants[site.callee]) {
        Option option;
        option.choice = {Mode::Split, variant};
        keepArguments(site, variant->needs, option);
        option.forwardPeak = variant->forwardPeak;
        // The adjoint owns the tape.
        option.backwardPeak = option.kept + variant->backwardPeak;
        option.kept += variant->tape;
        option.extraCost = variant->extraCost;
        options.push_back(std::move(option));
      }
    if (!site.mayJoin)
      return options;
    Option joint;
    keepArguments(site, callee.reads, joint);
    joint.choice.mode = Mode::Joint;
    joint.kept += site.snapshots;
    joint.forwardPeak = site.snapshots + callee.plainPeak;
    // By rising cost: one that takes no less is of no use.
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const auto &variant : variants[site.callee]) {
      int64_t peak = callee.wholePeak.value_or(
          std::max(variant->forwardPeak, variant->backwardPeak));
      if (peak >= least)
        continue;
      least = peak;
      Option option = joint;
      option.choice.variant = variant;
      option.backwardPeak = joint.kept + site.restored + peak;
      option.extraCost = callee.plainCost + variant->extraCost;
      options.push_back(std::move(option));
    }
    return options;
  }

  Variants getVariants(const Function &function) {
    std::vector<Suffix> suffixes(1);
    for (size_t i = function.sites.size(); i-- > 0;) {
      const Site &site = function.sites[i];
      std::vector<Suffix> longer;
      for (const Option &option : getOptions(site)) {
        for (const Suffix &suffix : suffixes)
          longer.push_back(
              extend(site, static_cast<unsigned>(i), option, suffix));
        // One option at a time, so that tables stay small.
        longer = getBest(std::move(longer));
      }
      thin(longer, most, isExact);
      suffixes = std::move(longer);
    }
    Variants result;
    for (const Suffix &suffix : suffixes)
      result.push_back(makeVariant(function, suffix));
    return result;
  }

  static Suffix extend(const Site &site, unsigned index, const Option &option,
                       const Suffix &after) {
    Suffix longer;
    longer.kept = option.kept + after.kept;
    longer.needs = unite(option.needs, after.needs);
    longer.forwardPeak =
        std::max(site.forwardLive + option.forwardPeak,
                 option.kept + std::max(site.forwardGap, after.forwardPeak));
    longer.backwardPeak =
        std::max(site.backwardLive + option.backwardPeak,
                 option.kept + std::max(site.backwardGap, after.backwardPeak));
    longer.extraCost = option.extraCost + after.extraCost;
    longer.chosen =
        std::make_shared<Chosen>(Chosen{index, option.choice, after.chosen});
    return longer;
  }

  static std::shared_ptr<const Variant> makeVariant(const Function &function,
                                                    const Suffix &suffix) {
    auto variant = std::make_shared<Variant>();
    variant->tape = function.tape + suffix.kept;
    variant->needs = unite(function.needs, suffix.needs);
    variant->forwardPeak = std::max(function.forwardHead, suffix.forwardPeak);
    variant->backwardPeak =
        std::max(function.backwardTail, suffix.backwardPeak);
    variant->extraCost = suffix.extraCost;
    variant->choices.resize(function.sites.size());
    for (const Chosen *at = suffix.chosen.get(); at; at = at->next.get())
      variant->choices[at->site] = at->choice;
    return variant;
  }

  std::vector<Inner> solveRoot() {
    // By site, and last for the root itself.
    std::vector<std::vector<Inner>> inside(tree.sites.size() + 1,
                                           std::vector<Inner>(1));
    for (size_t i = tree.sites.size(); i-- > 0;) {
      const RootSite &at = tree.sites[i];
      std::vector<Inner> all;
      for (const Option &option : getOptions(at.site))
        for (const Inner &inner : inside[i])
          all.push_back(enclose(at, static_cast<unsigned>(i), option, inner));
      std::vector<Inner> &outer =
          inside[at.parent < 0 ? tree.sites.size() : size_t(at.parent)];
      outer = join(getBest(std::move(all)), outer);
    }
    return inside.back();
  }

  static Inner enclose(const RootSite &at, unsigned index, const Option &option,
                       const Inner &inner) {
    Inner outer;
    outer.peak = std::max({at.site.forwardLive + option.forwardPeak,
                           at.site.backwardLive + option.backwardPeak,
                           option.kept + std::max(at.gap, inner.peak)});
    outer.extraCost = option.extraCost + inner.extraCost;
    outer.chosen =
        std::make_shared<Chosen>(Chosen{index, option.choice, inner.chosen});
    return outer;
  }

  /// One after the other.
  static std::vector<Inner> join(const std::vector<Inner> &some,
                                 const std::vector<Inner> &others) {
    std::vector<Inner> all;
    for (const Inner &one : some)
      for (const Inner &other : others) {
        Inner both{std::max(one.peak, other.peak),
                   one.extraCost + other.extraCost, other.chosen};
        std::vector<const Chosen *> links;
        for (const Chosen *at = one.chosen.get(); at; at = at->next.get())
          links.push_back(at);
        for (size_t i = links.size(); i-- > 0;)
          both.chosen = std::make_shared<Chosen>(
              Chosen{links[i]->site, links[i]->choice, both.chosen});
        all.push_back(std::move(both));
      }
    return getBest(std::move(all));
  }
};
} // namespace

Curve solve(const CallTree &tree, size_t mostVariants) {
  return Solver(tree, std::max<size_t>(mostVariants, 2)).solve();
}

Plan getUniform(const CallTree &tree, Mode mode) {
  CallTree forced = tree;
  auto force = [&](Site &site) {
    if (mode == Mode::Split && site.maySplit)
      site.mayJoin = false;
    else if (mode == Mode::Joint && site.mayJoin)
      site.maySplit = false;
  };
  for (Function &function : forced.functions)
    std::for_each(function.sites.begin(), function.sites.end(), force);
  for (RootSite &at : forced.sites)
    force(at.site);
  return solve(forced).plans.front();
}

} // namespace pebble::calls
