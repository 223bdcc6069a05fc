# The package for plugin authors: find_package(Tabula), then tabula_add_game(NAME SOURCE...).
# The build tree gets one too, so that nothing needs to be installed to write a game.
set(package lib/cmake/Tabula)
set(helpers cmake/TabulaGame.cmake cmake/plugin.map)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${package}/TabulaConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)

set(TABULA_INCLUDE ${CMAKE_SOURCE_DIR})
configure_file(cmake/TabulaConfig.cmake.in ${CMAKE_BINARY_DIR}/${package}/TabulaConfig.cmake @ONLY)
file(COPY ${helpers} DESTINATION ${CMAKE_BINARY_DIR}/${package})
file(COPY front/new_game DESTINATION ${CMAKE_BINARY_DIR}/share/tabula)

set(TABULA_INCLUDE "\${prefix}/include/tabula")
configure_file(cmake/TabulaConfig.cmake.in ${CMAKE_BINARY_DIR}/installed/TabulaConfig.cmake @ONLY)
install(FILES ${helpers} ${CMAKE_BINARY_DIR}/installed/TabulaConfig.cmake
  ${CMAKE_BINARY_DIR}/${package}/TabulaConfigVersion.cmake DESTINATION ${package})
install(FILES core/game/adapter.h core/game/bitboard.h core/game/game.h core/game/game_abi.h
  core/game/names.h core/game/symmetry.h DESTINATION include/tabula/core/game)
install(FILES core/base/rng.h DESTINATION include/tabula/core/base)
install(DIRECTORY front/new_game DESTINATION share/tabula)
