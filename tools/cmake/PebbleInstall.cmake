# What `cmake --install` lays down for a frontend: headers, libraries, tools,
# the plugin, and a package that find_package(Pebble) finds.
include(CMakePackageConfigHelpers)

set(PEBBLE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Pebble)

foreach(root ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  install(DIRECTORY ${root}/include/pebble DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc")
endforeach()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/pebble-c
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT PebbleTargets NAMESPACE Pebble:: DESTINATION ${PEBBLE_CMAKE_DIR})

# The libraries that see MLIR need its headers at the consumer's as well; where
# those stand is the consumer's machine's to say, so the package adds them.
get_property(PEBBLE_LIBRARIES GLOBAL PROPERTY PEBBLE_EXPORTS)
get_property(PEBBLE_MLIR_LIBRARIES GLOBAL PROPERTY PEBBLE_MLIR_EXPORTS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PebbleConfig.cmake.in
  ${CMAKE_BINARY_DIR}/PebbleConfig.cmake INSTALL_DESTINATION ${PEBBLE_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PebbleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PebbleConfig.cmake
  ${CMAKE_BINARY_DIR}/PebbleConfigVersion.cmake DESTINATION ${PEBBLE_CMAKE_DIR})

# The pages, those that the build generates included.
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pebble)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_BINARY_DIR}/docs
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pebble
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
