# Tests that need a device: label gpu. Where no device code is built they count as skipped; the target
# tested_device compiles them all the same where there is a toolkit.
set(gpu_units cuda cuda_coding cuda_inverse cuda_inversion cuda_product cuda_slots cuda_transpose)
set(gpu_topics race detector gpu-turbo gpu-coded gpu-clock gpu-sweep gpu-slot gpu-channels gpu-massive transpose
  reference inverse-large product)
list(TRANSFORM gpu_topics PREPEND bench_ OUTPUT_VARIABLE gpu_benchmarks)
set(gpu_scripts golden_cuda methods_cuda versions_cuda rows_cuda places_cuda library_cuda detection_cuda fault_cuda coded_cuda faults_cuda
  sanitize_cuda ${gpu_benchmarks})
if(NOT LTE_CUDA_CODE)
  foreach(name ${gpu_units} ${gpu_scripts})
    add_test(NAME ${name} COMMAND sh -c "echo 'skipped: no CUDA toolkit'; exit 77")
    lte_tested(${name})
  endforeach()
  set_tests_properties(${gpu_units} ${gpu_scripts} PROPERTIES LABELS gpu SKIP_RETURN_CODE 77)
  return()
endif()

# What they link: this machine's device code; without a device the whole program's.
if(TARGET lte_device_here)
  set(device lte_device_here)
else()
  set(device lte_device_whole)
endif()
get_target_property(device_options ${device} LTE_NVCC_OPTIONS)
lte_device_objects(cuda_probe tests_device cuda/cuda_probe.cu OPTIONS ${device_options})
lte_device_objects(array_probe tests_device cuda/array_probe.cu OPTIONS ${device_options})
set_source_files_properties(${cuda_probe} ${array_probe} PROPERTIES EXTERNAL_OBJECT ON)

# lte_device_needs(name target ...): targets of a test of a device, which others need not build.
function(lte_device_needs name)
  add_dependencies(tested_device ${ARGN})
  if(TARGET lte_device_here)
    lte_tested(${name} ${ARGN})
  else()
    lte_tested(${name})
  endif()
endfunction()

# lte_gpu_unit(name source ...): tests/cuda/test_<name>.c with device code.
function(lte_gpu_unit name)
  add_executable(test_${name} cuda/test_${name}.c cuda/unwritten_memory.c ${ARGN})
  target_link_libraries(test_${name} PRIVATE ${device} ${sim} PkgConfig::CMOCKA)
  target_link_options(test_${name} PRIVATE LINKER:--wrap=cudaMalloc)
  add_test(NAME ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/lib/gpu_unit.sh $<TARGET_FILE:test_${name}>)
  lte_device_needs(${name} test_${name})
endfunction()
lte_gpu_unit(cuda ${cuda_probe})
lte_gpu_unit(cuda_coding)
lte_gpu_unit(cuda_transpose)
lte_gpu_unit(cuda_inverse)
lte_gpu_unit(cuda_inversion)
lte_gpu_unit(cuda_slots ${cuda_probe})
lte_gpu_unit(cuda_product ${array_probe})

add_executable(ltesim_faulty ${CMAKE_SOURCE_DIR}/sim/cli/main.c faults/failing_device.c faults/faulty_device.c
               ${cuda_probe})
target_link_libraries(ltesim_faulty PRIVATE ${device} ${sim})
target_link_options(ltesim_faulty PRIVATE LINKER:--wrap=lte_sweep_cuda
                    LINKER:--wrap=lte_slot_persistent_cuda)
foreach(call cudaMalloc cudaHostAlloc cudaMemcpyAsync cudaMemsetAsync cudaGetLastError
        cudaStreamSynchronize)
  target_link_options(ltesim_faulty PRIVATE LINKER:--wrap=${call})
endforeach()

# lte_gpu_script(name script argument ...): a script, of the tests' program and of such ones.
function(lte_gpu_script name script)
  add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  string(REGEX MATCHALL "TARGET_FILE:[a-z_0-9]+" files "${ARGN}")
  list(TRANSFORM files REPLACE "TARGET_FILE:" "")
  lte_device_needs(${name} ${files})
endfunction()
lte_gpu_script(golden_cuda cuda/golden_cuda.sh ${ltesim})
lte_gpu_script(methods_cuda cli/methods.py ${ltesim} cuda)
lte_gpu_script(versions_cuda cli/versions.py ${ltesim} cuda)
lte_gpu_script(rows_cuda cuda/rows_cuda.sh ${ltesim})
lte_gpu_script(places_cuda cuda/places_cuda.sh ${ltesim})
lte_gpu_script(library_cuda cuda/library_cuda.sh ${ltesim} $<TARGET_FILE:test_library>
           $<TARGET_FILE:test_library_ranges> $<TARGET_FILE:example_invert_batch> $<TARGET_FILE:example_detect_slot>
           $<TARGET_FILE:example_decode_blocks>)
lte_gpu_script(detection_cuda cuda/detection_cuda.sh ${ltesim} $<TARGET_FILE:test_units>
           $<TARGET_FILE:test_layers> $<TARGET_FILE:test_all_vectors> $<TARGET_FILE:test_not_finite>
           $<TARGET_FILE:test_stored_detections>)
lte_gpu_script(fault_cuda faults/fault_cuda.sh ${ltesim} $<TARGET_FILE:ltesim_faulty>)
lte_gpu_script(coded_cuda cuda/coded_cuda.py ${ltesim})
lte_gpu_script(faults_cuda faults/faults_cuda.py ${ltesim} $<TARGET_FILE:ltesim_faulty> 50)
lte_gpu_script(sanitize_cuda cuda/sanitize_cuda.sh ${ltesim} $<TARGET_FILE:test_cuda>
           $<TARGET_FILE:test_cuda_slots> $<TARGET_FILE:test_cuda_inversion>
           $<TARGET_FILE:test_cuda_transpose> $<TARGET_FILE:test_cuda_inverse>
           $<TARGET_FILE:test_cuda_product> $<TARGET_FILE:test_cuda_coding>)
foreach(topic ${gpu_topics})
  lte_gpu_script(bench_${topic} bench/topic.py $<TARGET_FILE:ltebench> ${ltesim} ${topic} cuda)
endforeach()
# They look at the device's free memory.
set_tests_properties(cuda_slots sanitize_cuda PROPERTIES RUN_SERIAL ON)
# Several run at a time: with all threads each they wait for one another.
set_tests_properties(${gpu_units} ${gpu_scripts} PROPERTIES LABELS gpu SKIP_RETURN_CODE 77
                     ENVIRONMENT OMP_NUM_THREADS=4)
