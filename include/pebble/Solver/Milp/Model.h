//===- Model.h - a mixed-integer linear program -----------------*- C++ -*-===//
//
// Columns with bounds, costs and integrality; rows with bounds; names for both.
// Formulations build one, HiGHS solves it (Highs.h), and it can be written as
// an MPS file for any other solver. It knows none of them.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_MILP_MODEL_H
#define PEBBLE_SOLVER_MILP_MODEL_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pebble::milp {

/// No bound on that side.
constexpr double kInfinity = 1e30;

/// Index of a column or row.
using Index = int32_t;

struct Column {
  std::string name;
  double lower = 0, upper = 1;
  /// Its coefficient in the objective, which is minimised.
  double cost = 0;
  bool integer = false;
};

/// One entry of a row.
struct Term {
  Index column = 0;
  double factor = 0;
};

/// lower <= sum of terms <= upper.
struct Row {
  std::string name;
  double lower = -kInfinity, upper = kInfinity;
  std::vector<Term> terms;
};

class Model {
public:
  explicit Model(std::string name = "model") : title(std::move(name)) {}

  /// Names are not empty, hold no blank, and are distinct.
  Index addColumn(Column column);
  /// Terms of one column are added up; those that come to zero vanish.
  Index addRow(Row row);
  void fixColumn(Index column, double value) {
    all[column].lower = all[column].upper = value;
  }
  /// Added to the objective.
  void addConstant(double value) { offset += value; }

  const std::string &name() const { return title; }
  const std::vector<Column> &columns() const { return all; }
  const std::vector<Row> &rows() const { return lines; }
  double constant() const { return offset; }
  size_t termCount() const { return entries; }
  /// What it takes here, with the copies that a solver makes of it before it
  /// begins. What the search in it takes is not known.
  uint64_t countBytes() const;

  double objective(const std::vector<double> &values) const;
  /// The most by which `values` break a bound of a column or a row, or miss a
  /// whole number. O(terms).
  double violation(const std::vector<double> &values) const;

  /// A lower bound on the objective over the columns' bounds, whatever
  /// `multipliers` (one a row) are: the Lagrangian of the rows. With optimal
  /// dual values it is the optimum of the relaxation, and it needs no trust in
  /// who found them. -kInfinity if a column without bound spoils it.
  /// (Neumaier and Shcherbina 2004.)
  double lagrangianBound(const std::vector<double> &multipliers) const;

private:
  std::string title;
  std::vector<Column> all;
  std::vector<Row> lines;
  double offset = 0;
  size_t entries = 0;
};

/// The model in free MPS format, minimising, ranges included.
std::string writeMps(const Model &model);

} // namespace pebble::milp

#endif // PEBBLE_SOLVER_MILP_MODEL_H
