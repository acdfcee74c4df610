//===- Model.cpp - a mixed-integer linear program -------------------------===//

#include "pebble/Solver/Milp/Model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace pebble::milp;

Index Model::addColumn(Column column) {
  all.push_back(std::move(column));
  return static_cast<Index>(all.size() - 1);
}

Index Model::addRow(Row row) {
  std::vector<Term> &terms = row.terms;
  std::sort(terms.begin(), terms.end(),
            [](const Term &a, const Term &b) { return a.column < b.column; });
  size_t kept = 0;
  for (size_t i = 0; i < terms.size();) {
    Term sum = terms[i];
    for (++i; i < terms.size() && terms[i].column == sum.column; ++i)
      sum.factor += terms[i].factor;
    if (sum.factor != 0)
      terms[kept++] = sum;
  }
  terms.resize(kept);
  entries += kept;
  lines.push_back(std::move(row));
  return static_cast<Index>(lines.size() - 1);
}

uint64_t Model::countBytes() const {
  // A solver has it by rows, by columns, and once more while it presolves.
  constexpr uint64_t kCopies = 3, kNumbers = 8 * sizeof(double);
  const uint64_t lineBytes =
      all.size() * (sizeof(Column) + kCopies * kNumbers) +
      lines.size() * (sizeof(Row) + kCopies * kNumbers);
  return lineBytes + entries * (1 + kCopies) * sizeof(Term);
}

double Model::objective(const std::vector<double> &values) const {
  double sum = offset;
  for (size_t i = 0; i < all.size(); ++i)
    sum += all[i].cost * values[i];
  return sum;
}

double Model::violation(const std::vector<double> &values) const {
  double most = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    most = std::max({most, all[i].lower - values[i], values[i] - all[i].upper});
    if (all[i].integer)
      most = std::max(most, std::fabs(values[i] - std::round(values[i])));
  }
  for (const Row &row : lines) {
    double sum = 0;
    for (const Term &t : row.terms)
      sum += t.factor * values[t.column];
    most = std::max({most, row.lower - sum, sum - row.upper});
  }
  return most;
}

double Model::lagrangianBound(const std::vector<double> &multipliers) const {
  // min over the box of  c x + sum y_i (b_i - a_i x), with b_i the bound of the
  // row on the side that the sign of y_i asks for.
  long double sum = offset;
  std::vector<long double> reduced(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    reduced[i] = all[i].cost;
  for (size_t r = 0; r < lines.size(); ++r) {
    double y = multipliers[r];
    double side = y > 0 ? lines[r].lower : lines[r].upper;
    if (y == 0 || std::fabs(side) >= kInfinity)
      continue; // a multiplier of the wrong sign is taken as 0
    sum += static_cast<long double>(y) * side;
    for (const Term &t : lines[r].terms)
      reduced[t.column] -= static_cast<long double>(y) * t.factor;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    double side = reduced[i] > 0 ? all[i].lower : all[i].upper;
    if (reduced[i] == 0)
      continue;
    if (std::fabs(side) >= kInfinity)
      return -kInfinity;
    sum += reduced[i] * side;
  }
  return static_cast<double>(sum);
}

namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

class MpsWriter {
public:
  explicit MpsWriter(const Model &model) : model(model) {}

  std::string write() {
    out = "NAME " + model.name() + "\n";
    rows();
    columns();
    sides();
    bounds();
    return out + "ENDATA\n";
  }

private:
  static bool finite(double bound) { return std::fabs(bound) < kInfinity; }
  static bool ranged(const Row &r) {
    return finite(r.lower) && finite(r.upper) && r.lower != r.upper;
  }

  void rows() {
    out += "ROWS\n N cost\n";
    for (const Row &r : model.rows()) {
      const char *kind = !finite(r.lower) && !finite(r.upper) ? " N "
                         : r.lower == r.upper                 ? " E "
                         : finite(r.upper)                    ? " L "
                                                              : " G ";
      out += kind + r.name + "\n";
    }
  }

  void columns() {
    std::vector<std::vector<std::pair<Index, double>>> entries(
        model.columns().size());
    for (size_t r = 0; r < model.rows().size(); ++r)
      for (const Term &t : model.rows()[r].terms)
        entries[t.column].push_back({static_cast<Index>(r), t.factor});
    out += "COLUMNS\n";
    bool integer = false;
    size_t markers = 0;
    auto switchTo = [&](bool to) {
      if (integer == to)
        return;
      integer = to;
      out += " MARKER" + std::to_string(markers++) + " 'MARKER' " +
             (to ? "'INTORG'" : "'INTEND'") + "\n";
    };
    for (size_t i = 0; i < entries.size(); ++i) {
      const Column &c = model.columns()[i];
      switchTo(c.integer);
      // A column without entries has to be named all the same.
      if (c.cost != 0 || entries[i].empty())
        out += " " + c.name + " cost " + number(c.cost) + "\n";
      for (auto [row, factor] : entries[i])
        out += " " + c.name + " " + model.rows()[row].name + " " +
               number(factor) + "\n";
    }
    switchTo(false);
  }

  void sides() {
    out += "RHS\n";
    // By convention the objective's constant stands there negated.
    if (model.constant() != 0)
      out += " rhs cost " + number(-model.constant()) + "\n";
    for (const Row &r : model.rows()) {
      double side = finite(r.upper) ? r.upper : r.lower;
      if (finite(side) && side != 0)
        out += " rhs " + r.name + " " + number(side) + "\n";
    }
    bool header = false;
    for (const Row &r : model.rows())
      if (ranged(r)) {
        out += header ? "" : "RANGES\n";
        header = true;
        out += " range " + r.name + " " + number(r.upper - r.lower) + "\n";
      }
  }

  void bounds() {
    out += "BOUNDS\n";
    for (const Column &c : model.columns()) {
      auto line = [&](const char *kind, double value) {
        out += std::string(" ") + kind + " bound " + c.name + " " +
               number(value) + "\n";
      };
      if (c.lower == c.upper) {
        line("FX", c.lower);
        continue;
      }
      if (!finite(c.lower))
        out += " MI bound " + c.name + "\n";
      else if (c.lower != 0)
        line("LO", c.lower);
      if (finite(c.upper))
        line("UP", c.upper);
      else
        out += " PL bound " + c.name + "\n";
    }
  }

  const Model &model;
  std::string out;
};

} // namespace

std::string pebble::milp::writeMps(const Model &model) {
  return MpsWriter(model).write();
}
