/*===- plan.c - a frontend in C that plans a function ----------------------===*\
|*                                                                            *|
|* plan FILE.mlir BUDGET: plans every function, prints what each plan came    *|
|* to, lowers the module, and says what went wrong where something does.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "pebble-c/Pebble.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print(MlirStringRef text, void *to) {
  fwrite(text.data, 1, text.length, to);
}

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *count) {
  ++*(int *)count;
  printf("heard: ");
  mlirDiagnosticPrint(diagnostic, print, stdout);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit(2);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size)
    exit(2);
  fclose(file);
  return text;
}

static void printPlans(MlirModule module) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    PebblePlanResult plan;
    MlirAttribute name = mlirOperationGetAttributeByName(
        op, mlirStringRefCreateFromCString("sym_name"));
    print(mlirStringAttrGetValue(name), stdout);
    if (!pebbleGetPlanResult(op, &plan)) {
      printf(": no plan\n");
      continue;
    }
    printf(": peak %" PRId64 " -> %" PRId64 ", extent %" PRId64
           ", cost %" PRId64 " of %" PRId64 " once, %s, kept %" PRId64
           ", again %" PRId64 ", moved %" PRId64 " (%" PRId64 " bytes)\n",
           plan.inputPeakBytes, plan.peakBytes, plan.extentBytes, plan.cost,
           plan.onceCost, plan.isOptimal ? "optimal" : "feasible",
           plan.keptValues, plan.recomputedValues, plan.movedValues,
           plan.movedBytes);
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pebbleRegisterUpstreamDialects(registry);
  pebbleRegisterAllDialects(registry);
  pebbleRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  int heard = 0;
  mlirContextAttachDiagnosticHandler(context, onDiagnostic, &heard, NULL);

  char *text = readFile(argv[1]);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  free(text);
  int status = 1;
  if (!mlirModuleIsNull(module)) {
    printPlans(module);
    PebblePlanOptions options = pebblePlanOptionsGetDefault();
    options.budget = mlirStringRefCreateFromCString(argv[2]);
    options.target = mlirStringRefCreateFromCString("red-blue");
    options.means = PebbleMeansBoth;
    options.objective = PebbleObjectiveEnergy;
    MlirLogicalResult planned = pebblePlan(module, options);
    printf("planned: %d\n", mlirLogicalResultIsSuccess(planned));
    printPlans(module);
    MlirLogicalResult unknown = pebbleRunPipeline(
        module, mlirStringRefCreateFromCString("pebble-nonsense"));
    MlirLogicalResult lowered = pebbleRunPipeline(
        module, mlirStringRefCreateFromCString(
                    "builtin.module(pebble-verify-schedule,pebble-to-llvm)"));
    printf("unknown pass ran: %d, lowered: %d\n",
           mlirLogicalResultIsSuccess(unknown),
           mlirLogicalResultIsSuccess(lowered));
    if (mlirLogicalResultIsSuccess(planned) &&
        mlirLogicalResultIsSuccess(lowered)) {
      mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
      status = 0;
    }
    mlirModuleDestroy(module);
  }
  printf("diagnostics: %d\n", heard);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return status;
}
