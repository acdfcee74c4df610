# Finds HiGHS: its C header, to compile against, and its library, which
# Solver/Milp/Highs.cpp loads when a MILP solver is first asked for. Nothing
# links it. Looked for in PEBBLE_HIGHS_DIR (a prefix), then where tools/setup
# puts it, then on CMAKE_PREFIX_PATH and the system. Optional: without it the
# MILP solvers say what is missing.
option(PEBBLE_HIGHS "Use HiGHS for the MILP solvers where it is found" ON)
set(PEBBLE_HIGHS_DIR "" CACHE PATH "Where HiGHS is installed (a prefix with include/highs and lib)")
set(PEBBLE_HIGHS_FETCHED ${CMAKE_SOURCE_DIR}/.highs/highsbox/highs_dist)

set(PEBBLE_HAVE_HIGHS OFF)
if(PEBBLE_HIGHS)
  # A prefix that was named is the only one looked at.
  if(PEBBLE_HIGHS_DIR)
    set(where PATHS ${PEBBLE_HIGHS_DIR} NO_DEFAULT_PATH)
  else()
    set(where HINTS ${PEBBLE_HIGHS_FETCHED})
  endif()
  # Not cached: what tools/setup fetches later is found by the next configure.
  unset(PEBBLE_HIGHS_INCLUDE CACHE)
  unset(PEBBLE_HIGHS_LIBRARY CACHE)
  find_path(PEBBLE_HIGHS_INCLUDE interfaces/highs_c_api.h ${where}
    PATH_SUFFIXES include/highs highs)
  find_library(PEBBLE_HIGHS_LIBRARY NAMES highs ${where}
    PATH_SUFFIXES lib ${CMAKE_INSTALL_LIBDIR})
  if(PEBBLE_HIGHS_INCLUDE AND PEBBLE_HIGHS_LIBRARY)
    set(PEBBLE_HAVE_HIGHS ON)
    message(STATUS "HiGHS: ${PEBBLE_HIGHS_LIBRARY}")
  elseif(PEBBLE_HIGHS_DIR)
    message(FATAL_ERROR "no HiGHS in PEBBLE_HIGHS_DIR=${PEBBLE_HIGHS_DIR}: "
      "include/highs/interfaces/highs_c_api.h and lib/libhighs.so are needed")
  else()
    message(STATUS "HiGHS: not found, the MILP solvers will say so")
  endif()
endif()

# pebble_use_highs(SOURCE): lets one source file see HiGHS.
function(pebble_use_highs source)
  if(PEBBLE_HAVE_HIGHS)
    set_source_files_properties(${source} PROPERTIES
      COMPILE_DEFINITIONS "PEBBLE_HAVE_HIGHS;PEBBLE_HIGHS_FILE=\"${PEBBLE_HIGHS_LIBRARY}\""
      COMPILE_OPTIONS "-isystem;${PEBBLE_HIGHS_INCLUDE}")
  endif()
endfunction()

# A fetched library is laid down with an installed Pebble, where its tools
# look for it; one of the system stays where it is.
if(PEBBLE_HAVE_HIGHS AND PEBBLE_HIGHS_LIBRARY MATCHES "^${PEBBLE_HIGHS_FETCHED}/")
  install(PROGRAMS ${PEBBLE_HIGHS_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
