# Tests with builds or tools of their own, label slow: ./tests/run --all runs them.

# lte_slow(name cost): a test that is there gets the label, and a COST in seconds.
function(lte_slow name cost)
  set_tests_properties(${name} PROPERTIES LABELS slow COST ${cost})
endfunction()

# lte_long(name cost): a test that takes another one further, over more seeds, levels or calls, gets the
# label long, too; .ci/run leaves it out.
function(lte_long name cost)
  set_tests_properties(${name} PROPERTIES LABELS "slow;long" COST ${cost})
endfunction()

# The other compilers. One level of each, and fmaf as an instruction once, stand for the rest.
foreach(compiler gcc clang)
  foreach(way O1 O2 O3 fma)
    lte_run(${compiler}_${way} compiler.sh ${CMAKE_BINARY_DIR} ${compiler} ${way})
    lte_long(${compiler}_${way} 100)
  endforeach()
endforeach()
lte_slow(gcc_O2 10)
lte_slow(clang_O2 200)
lte_slow(clang_fma 150)

# Arm's processors, emulated elsewhere.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(lanes neon)
else()
  set(lanes v3)
  lte_run(aarch64 aarch64.sh ${CMAKE_BINARY_DIR})
  lte_slow(aarch64 400)
endif()

# A processor without AVX-512, emulated.
lte_run(haswell haswell.sh ${CMAKE_BINARY_DIR})
lte_long(haswell 400)

# Lines of the turbo decoder are for GPUs below 9.0 alone (__CUDA_ARCH__); .ci/run compiles for 9.0.
if(LTE_CUDA_CODE)
  add_test(NAME device_80 COMMAND ${LTE_NVCC} ${LTE_NVCC_FLAGS} -arch=sm_80 -cubin
           -o ${CMAKE_CURRENT_BINARY_DIR}/turbo_80.cubin ${CMAKE_SOURCE_DIR}/kernels/coding/turbo_cuda.cu)
  lte_slow(device_80 10)
endif()

# The whole program installed and in a wheel, and the Debian package on a system of its own.
if(TARGET libltesim)
  lte_run(install_whole install.sh ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND} whole)
  lte_slow(install_whole 10)
  lte_run(python_whole python.sh ${CMAKE_BINARY_DIR} $<TARGET_FILE:library_probe> whole)
  lte_slow(python_whole 20)
  lte_run(debian debian.sh ${CMAKE_BINARY_DIR} ${CMAKE_CPACK_COMMAND})
  lte_slow(debian 100)
  foreach(name install_whole python_whole debian)
    lte_tested(${name} ltesim libltesim)
  endforeach()
endif()

# The pictures of every scenario.
lte_run(pictures_all cli/pictures.py ${ltesim})
lte_long(pictures_all 180)
lte_tested(pictures_all program_tests)

# The sanitizers: one build, then the other tests once more with it. OpenMP keeps its threads;
# everything else that is not freed is an error.
lte_run(sanitize sanitize.sh ${CMAKE_BINARY_DIR})
lte_slow(sanitize 800) # others wait for it
set_tests_properties(sanitize PROPERTIES FIXTURES_SETUP sanitized)

# lte_sanitized(name cost command argument ...): as ctest sanitized_<name>, after that build.
function(lte_sanitized name cost)
  add_test(NAME sanitized_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
           COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=1
                   UBSAN_OPTIONS=print_stacktrace=1 ${ARGN})
  lte_slow(sanitized_${name} ${cost})
  set_tests_properties(sanitized_${name} PROPERTIES FIXTURES_REQUIRED sanitized)
endfunction()

set(sanitized ${CMAKE_BINARY_DIR}/sanitize)
set(here ${CMAKE_CURRENT_SOURCE_DIR})
get_property(units GLOBAL PROPERTY LTE_UNITS)
foreach(name ${units})
  lte_sanitized(${name} 5 ${sanitized}/tests/test_${name})
endforeach()
# their statistics are many slots of what sanitized_golden and sanitized_stages run
list(TRANSFORM units PREPEND sanitized_ OUTPUT_VARIABLE sanitized_units)
set_tests_properties(${sanitized_units} PROPERTIES ENVIRONMENT LTE_TEST_SHORT=1)
lte_slow(sanitized_stages 200)
foreach(name sweep subframes invert backend pilot_combination)
  lte_slow(sanitized_${name} 60)
endforeach()
if(bad_channels)
  set(bad_channels ${sanitized}/tests/bad_channels)
endif()
lte_sanitized(bad_input 15 ${here}/cli/bad_input.sh ${sanitized}/programs/tests/ltesim ${bad_channels})
lte_sanitized(golden 10 ${here}/cli/golden.sh check ${sanitized}/programs/tests/ltesim cpu)
lte_sanitized(merge 60 ${here}/cli/merge.sh ${sanitized}/programs/tests/ltesim)
lte_sanitized(cli 70 ${here}/cli/cli.sh ${sanitized}/programs/tests/ltesim)

# The statistics of tests above over four times the slots.
foreach(name link stages stage_edges turbo channel_validation units)
  add_test(NAME ${name}_long COMMAND test_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  lte_tested(${name}_long test_${name})
endforeach()
lte_run(coded_runs_long cli/coded.py ${ltesim})
lte_run(block_runs_long cli/blocks.py ${ltesim})
lte_run(coverage_all cli/coverage.py ${ltesim} all)
lte_long(coverage_all 900)
lte_run(soft_runs_long cli/soft.py ${ltesim})
lte_run(nodes_endless phy/nodes.py ${ltesim} endless)
lte_long(nodes_endless 180)
lte_run(conformance_long cli/conformance.sh ${ltesim})
foreach(name link stages stage_edges turbo channel_validation units coded_runs block_runs soft_runs conformance)
  lte_long(${name}_long 90)
  set_tests_properties(${name}_long PROPERTIES ENVIRONMENT LTE_TEST_LONG=1)
endforeach()
lte_run(faults_more faults/faults.py ${ltesim} $<TARGET_FILE:ltesim_failing_host> 40)
lte_long(faults_more 200)

# Every call of a run that can fail, two hundred kills, ten million slots.
lte_run(faults_all faults/faults.py ${ltesim} $<TARGET_FILE:ltesim_failing_host>)
lte_long(faults_all 700)
if(LTE_HAVE_MPI)
  lte_run(faults_ranks_all faults/faults_ranks.py ${ltesim} $<TARGET_FILE:ltesim_failing_mpi>
          1 ${MPIEXEC_EXECUTABLE})
  lte_long(faults_ranks_all 600)
endif()
if(LTE_HAVE_HDF5)
  lte_run(odd_channels_5000 cli/odd_channels.py ${ltesim} $<TARGET_FILE:odd_channels> 5000)
  lte_long(odd_channels_5000 500)
endif()
lte_run(resume_200 cli/resume.sh ${ltesim} 200)
lte_long(resume_200 500)
lte_run(search_seeds_100 cli/search.py ${ltesim})
lte_long(search_seeds_100 160)
lte_run(soak cli/memory.py ${ltesim} 10000000)
lte_long(soak 60)

lte_run(fuzz fuzz.sh ${CMAKE_BINARY_DIR})
lte_slow(fuzz 100)

foreach(backend ref ${lanes})
  lte_run(valgrind_${backend} valgrind.sh ${ltesim} cpu:${backend})
  lte_slow(valgrind_${backend} 2)
endforeach()

lte_run(format style.sh format)
lte_run(shell style.sh shell)
lte_slow(format 5)
lte_slow(shell 5)
set(parts 4)
foreach(part RANGE 1 ${parts})
  lte_run(tidy_${part} style.sh tidy ${CMAKE_BINARY_DIR} ${part} ${parts})
  lte_slow(tidy_${part} 180)
endforeach()
