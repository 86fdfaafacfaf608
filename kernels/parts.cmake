# What a program is made of: instruction sets of the processor and device code.
#
# A set is compiled once, into libraries of its own; a program differs from another in the tables
# that name what it has (kernels/backends/program_parts.h). There are three programs:
#
#     here     this machine's: ref, the fastest set that the processor runs, code for its devices
#     ltesim   the whole one: every set of the architecture, code for LTE_CUDA_ARCHITECTURES
#     tests    every set that this processor runs, device code as here
#
# What `here` has stands in build/here.txt, a part a line: v3, v4, neon, cuda:90. The launcher adds to
# it; where it is missing, sim/building/machine.sh writes it. A change configures again.

# Pieces of all sets that want more than -O2.
set_source_files_properties(cpu/stages_cpu.c cpu/sweep_soft_cpu.c cpu/slot_llrs_cpu.c PROPERTIES
                            COMPILE_OPTIONS "${LTE_FASTER}")
set_source_files_properties(cpu/slot_bits_cpu.c PROPERTIES COMPILE_OPTIONS "${LTE_PEELED}")

# lte_set(NAME OPTION ...): the pieces of an instruction set, as libraries lte_<piece>_<NAME>.
function(lte_set name)
  set(header "LTE_SET_HEADER=\"kernels/cpu/set_${name}.h\"")
  set(pieces cpu/table_cpu.c cpu/stages_cpu.c cpu/detectors_cpu.c cpu/scaled_cpu.c cpu/detect_cpu.c cpu/sweep_bits_cpu.c
    cpu/sweep_soft_cpu.c cpu/slot_bits_cpu.c cpu/slot_llrs_cpu.c)
  add_library(lte_stages_${name} STATIC EXCLUDE_FROM_ALL ${pieces})
  target_link_libraries(lte_stages_${name} PUBLIC lte_cpu)
  add_library(lte_backend_${name} STATIC EXCLUDE_FROM_ALL backends/cpu/cpu_backend.c)
  target_link_libraries(lte_backend_${name} PUBLIC lte_stages_${name} lte_backends_cpu)
  target_compile_definitions(lte_stages_${name} PRIVATE ${header})
  target_compile_definitions(lte_backend_${name} PRIVATE ${header})
  target_compile_options(lte_stages_${name} PRIVATE ${ARGN})
  target_compile_options(lte_backend_${name} PRIVATE ${ARGN})
  if(NOT name STREQUAL ref) # the plain ones stand beside what they are the reference of
    foreach(piece turbo inverse product)
      if(piece STREQUAL turbo)
        add_library(lte_turbo_${name} STATIC EXCLUDE_FROM_ALL coding/turbo_${name}.c)
        target_link_libraries(lte_turbo_${name} PUBLIC lte_coding)
        target_compile_options(lte_turbo_${name} PRIVATE ${LTE_FASTER})
      else()
        add_library(lte_${piece}_${name} STATIC EXCLUDE_FROM_ALL methods/${piece}/${piece}_${name}.c)
        target_link_libraries(lte_${piece}_${name} PUBLIC lte_methods_${piece})
      endif()
      target_compile_options(lte_${piece}_${name} PRIVATE ${ARGN})
    endforeach()
  endif()
endfunction()

# lte_tables(PROGRAM DEVICE SET ...): the tables of a program as library lte_<PROGRAM>_parts, and those
# of a room alone, lte_<PROGRAM>_<stages|turbo|inverse|product|device>. DEVICE: a library of device
# code, or "".
function(lte_tables program device)
  set(folder ${CMAKE_BINARY_DIR}/parts/${program})
  add_library(lte_${program}_parts INTERFACE)
  # table(ROOM TEXT LIBRARY ...)
  macro(lte_table room text)
    file(CONFIGURE OUTPUT ${folder}/${room}.c CONTENT
      "/* Made by kernels/parts.cmake. */\n#include \"kernels/backends/program_parts.h\"\n\n${text}" @ONLY)
    add_library(lte_${program}_${room}_table OBJECT EXCLUDE_FROM_ALL ${folder}/${room}.c)
    target_link_libraries(lte_${program}_${room}_table PRIVATE lte_flags)
    add_library(lte_${program}_${room} INTERFACE)
    target_sources(lte_${program}_${room} INTERFACE
      $<TARGET_OBJECTS:lte_${program}_${room}_table>)
    target_link_libraries(lte_${program}_${room} INTERFACE ${ARGN})
    target_link_libraries(lte_${program}_parts INTERFACE lte_${program}_${room})
  endmacro()
  foreach(room stages turbo inverse product)
    set(rows "")
    set(libraries "")
    foreach(set ${ARGN})
      string(APPEND rows "&lte_${room}_${set}, ")
      if(TARGET lte_${room}_${set})
        list(APPEND libraries lte_${room}_${set})
      endif()
    endforeach()
    set(stages_type "lte_stages *const lte_stages_all")
    set(turbo_type "lte_turbo_version *const lte_turbo_versions")
    set(inverse_type "lte_inverse_level *const lte_inverse_levels")
    set(product_type "lte_product_level *const lte_product_levels")
    lte_table(${room} "const ${${room}_type}[] = {${rows}NULL};\n" ${libraries})
  endforeach()
  set(code NULL)
  set(rows "")
  set(libraries "")
  foreach(set ${ARGN})
    string(APPEND rows "&lte_backend_cpu_${set}, ")
    list(APPEND libraries lte_backend_${set})
  endforeach()
  if(device)
    set(code "&lte_cuda_code")
    string(APPEND rows "&lte_backend_cuda, ")
  endif()
  lte_table(device "const lte_device_code *const lte_device_code_here = ${code};\n" ${device})
  set(whole "cmake --build ${CMAKE_BINARY_DIR} --target ltesim")
  if(program STREQUAL ltesim) # no path of the machine that built it
    set(whole "build it anew there")
  endif()
  set(cuda ${whole})
  if(NOT LTE_CUDA_CODE)
    set(cuda "install the CUDA toolkit, then ${whole}")
  endif()
  lte_table(backends "const lte_backend *const lte_backends[] = {${rows}NULL};
const char lte_backend_set_command[] = \"${whole}\";
const char lte_backend_cuda_command[] = \"${cuda}\";\n" ${libraries} ${device})
endfunction()

# The sets of the architecture, slowest first, and those that go with this machine's processor. Loops
# begin on 32 bytes: else their time hangs on what stands before them.
set(LTE_SETS ref)
lte_set(ref)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND LTE_SETS v3 v4)
  lte_set(v3 -march=x86-64-v3 -falign-loops=32)
  lte_set(v4 -march=x86-64-v4 -mprefer-vector-width=512 -falign-loops=32)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND LTE_SETS neon)
  lte_set(neon)
endif()

set(here_file ${CMAKE_BINARY_DIR}/here.txt)
if(NOT EXISTS ${here_file} AND CMAKE_CROSSCOMPILING) # the machine that it is for is not here
  list(JOIN LTE_SETS "\n" parts)
  file(WRITE ${here_file} "${parts}\n")
elseif(NOT EXISTS ${here_file})
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/sim/building/machine.sh ${CMAKE_C_COMPILER}
                          ${CMAKE_BINARY_DIR}
                  OUTPUT_VARIABLE parts)
  file(WRITE ${here_file} "${parts}")
endif()
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${here_file})
file(STRINGS ${here_file} parts)
set(here_sets ref)
set(tested_sets ref)
set(here_capabilities "")
foreach(set ${LTE_SETS})
  if(set IN_LIST parts AND NOT set STREQUAL ref)
    list(APPEND here_sets ${set})
  endif()
endforeach()
set(wider_than_tested OFF)
foreach(set ${LTE_SETS}) # what runs a set runs those before it
  if(NOT set STREQUAL ref AND NOT wider_than_tested)
    list(APPEND tested_sets ${set})
  endif()
  list(GET here_sets -1 widest)
  if(set STREQUAL widest)
    set(wider_than_tested ON)
  endif()
endforeach()
foreach(part ${parts})
  if(part MATCHES "^cuda:([0-9]+)$")
    list(APPEND here_capabilities ${CMAKE_MATCH_1})
  endif()
endforeach()

set(device_here "")
set(device_whole "")
if(LTE_CUDA_CODE)
  include(nvcc.cmake)
  lte_device_library(lte_device_whole ${LTE_CUDA_ARCHITECTURES})
  set(device_whole lte_device_whole)
  if(here_capabilities)
    list(SORT here_capabilities COMPARE NATURAL)
    lte_device_library(lte_device_here ${here_capabilities})
    set(device_here lte_device_here)
  endif()
endif()
lte_tables(here "${device_here}" ${here_sets})
lte_tables(tests "${device_here}" ${tested_sets})
lte_tables(ltesim "${device_whole}" ${LTE_SETS})
