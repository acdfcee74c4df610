# How Pebble's targets are declared. Two kinds of library exist:
#   pebble_add_pure_library   Solver and Runtime: no LLVM or MLIR on the include path, ever.
#   pebble_add_mlir_library   everything else: links libMLIR.so and libLLVM.so only, never the static archives.

include(GNUInstallDirs)
include(CMakeParseArguments)

# How each Pebble target is compiled: warnings, and no exceptions. Pebble throws and
# catches none; what leads them through its functions took a tenth of the compiler's time.
add_library(PebbleOptions INTERFACE)
target_compile_options(PebbleOptions INTERFACE -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
if(PEBBLE_WERROR)
  target_compile_options(PebbleOptions INTERFACE -Werror)
endif()
if(PEBBLE_SANITIZE)
  add_compile_options(-fsanitize=${PEBBLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -gline-tables-only)
  add_link_options(-fsanitize=${PEBBLE_SANITIZE})
endif()

find_program(PEBBLE_LLD NAMES ld.lld-22 ld.lld HINTS /usr/lib/llvm-22/bin)
if(PEBBLE_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(--ld-path=${PEBBLE_LLD})
endif()

if(NOT PEBBLE_SOLVER_ONLY)
  find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
  if(NOT LLVM_VERSION_MAJOR EQUAL 22)
    message(FATAL_ERROR "Pebble needs LLVM and MLIR 22, found ${LLVM_PACKAGE_VERSION}; set MLIR_DIR")
  endif()
  list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
  set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
endif()

# The include path and definitions of code that sees MLIR. Kept off the pure
# libraries: a header of LLVM does not compile there.
# NDEBUG must be set wherever passes are declared: the size of Pass::Statistic
# depends on it, and Debian's libMLIR.so is built with it.
function(pebble_use_mlir target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE NDEBUG)
endfunction()

function(pebble_common target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:PebbleOptions>)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

function(pebble_install target)
  set_property(GLOBAL APPEND PROPERTY PEBBLE_EXPORTS ${target})
  install(TARGETS ${target} EXPORT PebbleTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# pebble_add_pure_library(NAME [SHARED] sources... [LINK libs...])
function(pebble_add_pure_library name)
  cmake_parse_arguments(ARG "SHARED" "" "LINK" ${ARGN})
  if(ARG_SHARED)
    add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS})
  else()
    add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  endif()
  pebble_common(${name})
  if(PEBBLE_UNITY)
    pebble_unite_by_folder(${name} ${ARG_UNPARSED_ARGUMENTS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  pebble_install(${name})
endfunction()

# pebble_unite_by_folder(NAME sources...): the sources of one folder are compiled
# as one. Folders have names of their own (pipeline::Answer, graph::Answer), which
# must not meet in one file. A library without folders is one.
function(pebble_unite_by_folder name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder)
      set(folder ${name})
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# pebble_unite(NAME): a dozen sources are compiled as one, where PEBBLE_UNITY is on.
function(pebble_unite name)
  if(PEBBLE_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()

# pebble_unite_apart(NAME sources...): these sources say `using namespace llvm`, and all
# others of the target `using namespace mlir`. Both have a Type, so they are two files.
function(pebble_unite_apart name)
  if(PEBBLE_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${name} SOURCES)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP mlir)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP llvm)
  endif()
endfunction()

# What most files of the pure rooms include; the tests add their own.
set(PEBBLE_STANDARD_HEADERS <algorithm> <cmath> <cstdint> <functional> <map> <memory> <numeric>
  <optional> <queue> <set> <string> <tuple> <unordered_map> <unordered_set> <vector>)

# A whole build with PEBBLE_UNITY takes less processor time, for headers are read
# and templates instantiated once for a dozen files; a build after a change of one
# file takes longer. So tools/setup has it on, and whoever works on Pebble off.
option(PEBBLE_UNITY "Compile a dozen files of a library, or all of a folder, as one" OFF)

# Precompiled headers of MLIR and of our dialect, shared by all libraries and tools
# that see MLIR: without them each file pays 8 s for the headers alone.
if(NOT PEBBLE_SOLVER_ONLY)
  file(WRITE ${CMAKE_BINARY_DIR}/PebblePCH.cpp "// Carries the precompiled header.\n")
  add_library(PebblePCH OBJECT ${CMAKE_BINARY_DIR}/PebblePCH.cpp)
  target_link_libraries(PebblePCH PRIVATE PebbleOptions)
  pebble_use_mlir(PebblePCH)
  target_precompile_headers(PebblePCH PRIVATE
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Bufferization/IR/Bufferization.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/IRMapping.h>
    <mlir/IR/Matchers.h>
    <mlir/IR/PatternMatch.h>
    <mlir/IR/Remarks.h>
    <mlir/IR/SymbolTable.h>
    <mlir/Interfaces/CallInterfaces.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Interfaces/LoopLikeInterface.h>
    <mlir/Parser/Parser.h>
    <mlir/Pass/Pass.h>
    <mlir/Pass/PassManager.h>
    <llvm/ADT/SetVector.h>
    <llvm/ADT/StringSet.h>
    <pebble/Dialect/PebbleOps.h>)
  target_include_directories(PebblePCH PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
  add_dependencies(PebblePCH PebbleDialectIncGen)
endif()

# pebble_add_mlir_library(NAME sources... [LINK libs...] [DEPENDS tablegen targets...])
function(pebble_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  pebble_common(${name})
  pebble_use_mlir(${name})
  target_precompile_headers(${name} REUSE_FROM PebblePCH)
  pebble_unite(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY PEBBLE_MLIR_EXPORTS ${name})
  pebble_install(${name})
endfunction()

# pebble_add_tool(NAME [NO_INSTALL] sources... [LINK libs...]): an executable that
# sees MLIR.
function(pebble_add_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  pebble_common(${name})
  pebble_use_mlir(${name})
  # The precompiled header is compiled -fPIC; an executable's -fPIE does not match it.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM PebblePCH)
  pebble_unite(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  if(ARG_NO_INSTALL)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY PEBBLE_TOOLS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
