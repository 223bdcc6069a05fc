# tabula_add_game(NAME SOURCE...): a game as a plugin, NAME.so.
#
# One symbol is visible, the baseline is x86-64-v2, and nothing in a plugin may be merged with
# another plugin's (STB_GNU_UNIQUE would do that behind RTLD_LOCAL's back).
set(TABULA_PLUGIN_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/plugin.map")

function(tabula_add_game name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Tabula::game)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS "${TABULA_PLUGIN_EXPORTS}")
  target_compile_options(${name} PRIVATE -march=x86-64-v2
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique> $<$<CONFIG:>:-O2>)
  target_link_options(${name} PRIVATE "-Wl,--version-script=${TABULA_PLUGIN_EXPORTS}")
endfunction()
