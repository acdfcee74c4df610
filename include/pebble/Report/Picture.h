//===- Picture.h - the footprint over the schedule, as SVG ------*- C++ -*-===//
//
// One self-contained picture: live bytes at each step, stacked by storage and
// coloured by role, a panel for each tier; where the peak is and what is live
// there. Two programs are drawn one above the other on the same scales.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_REPORT_PICTURE_H
#define PEBBLE_REPORT_PICTURE_H

#include "pebble/Report/Comparison.h"

namespace pebble {

struct PictureOptions {
  /// Drawn as a line in the compute tier. Without it, and in other tiers, what
  /// the tier holds is drawn, as long as it is not far above the peak.
  std::optional<int64_t> budgetBytes;
};

void writePicture(llvm::raw_ostream &os, const FunctionReport &report,
                  const PictureOptions &options = {});
void writePicture(llvm::raw_ostream &os, const Comparison &comparison,
                  const PictureOptions &options = {});

} // namespace pebble

#endif // PEBBLE_REPORT_PICTURE_H
