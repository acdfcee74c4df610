//===- PrintForms.cpp - print what may be kept instead --------------------===//

#include "PrintPasses.h"

#include "pebble/Dialect/ProgramNames.h"
#include "pebble/Planning/DerivedForms.h"
#include "pebble/Transforms/Passes.h"

namespace pebble {
#define GEN_PASS_DEF_PRINTFORMSPASS
#include "pebble/Transforms/Passes.h.inc"
} // namespace pebble

using namespace mlir;
using namespace pebble;

namespace {
struct PrintFormsPass : pebble::impl::PrintFormsPassBase<PrintFormsPass> {
  using PrintFormsPassBase::PrintFormsPassBase;

  void runOnOperation() override {
    auto print = [](FunctionOpInterface function,
                    const StorageAnalysis &storage) {
      DerivedForms forms(storage, /*leastBytes=*/1, FormKinds());
      llvm::outs() << "@" << getProgramName(function) << ": " << forms.size()
                   << (forms.size() == 1 ? " form\n" : " forms\n");
      for (unsigned i = 0; i < forms.size(); ++i) {
        DerivedForm form = forms.getForm(i);
        llvm::outs() << "  ";
        if (form.kind == DerivedForm::Smaller)
          llvm::outs() << form.value << ": " << form.formBytes << " instead of "
                       << form.bytes << " bytes\n";
        else
          llvm::outs() << describeForm(form) << "\n";
      }
      return success();
    };
    if (failed(printEachFunction(getOperation(), print)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
