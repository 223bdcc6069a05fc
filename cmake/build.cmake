# How our own targets are compiled.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# No contraction to fused multiply-add: a game must come out the same on every machine.
add_compile_options(-march=x86-64-v2 -ffp-contract=off)
if(TABULA_SANITIZE)
  add_compile_options(-fsanitize=${TABULA_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${TABULA_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-maybe-uninitialized)  # GCC 12 sees ghosts in what sanitizers insert
  endif()
  if(TABULA_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

add_library(tabula_warnings INTERFACE)
target_compile_options(tabula_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion $<$<BOOL:${TABULA_WERROR}>:-Werror>)

# All that a game may see: the headers of core/game.
add_library(tabula_game_headers INTERFACE)
add_library(Tabula::game ALIAS tabula_game_headers)
target_include_directories(tabula_game_headers INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_features(tabula_game_headers INTERFACE cxx_std_20)

# tabula_library(NAME SOURCE... LINK LIBRARY...)
function(tabula_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" LINK)
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE tabula_warnings)
  if(TABULA_FUZZ)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()
