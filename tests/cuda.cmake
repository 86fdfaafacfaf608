# Tests that need a device: label gpu; without one they count as skipped.
lte_unit(cuda)
target_sources(test_cuda PRIVATE cuda_probe.cu)
target_link_libraries(test_cuda PRIVATE CUDA::cudart_static)
lte_unit(cuda_coding)
target_link_libraries(test_cuda_coding PRIVATE CUDA::cudart_static)
lte_unit(cuda_transpose)
target_link_libraries(test_cuda_transpose PRIVATE CUDA::cudart_static)
lte_unit(cuda_inverse)
target_link_libraries(test_cuda_inverse PRIVATE CUDA::cudart_static)
lte_unit(cuda_product)
target_sources(test_cuda_product PRIVATE array_probe.cu)
target_link_libraries(test_cuda_product PRIVATE CUDA::cudart_static)
add_executable(ltesim_faulty ${CMAKE_SOURCE_DIR}/sim/main.c failing_device.c faulty_device.c
               cuda_probe.cu)
target_link_libraries(ltesim_faulty PRIVATE lte_sim CUDA::cudart_static)
target_link_options(ltesim_faulty PRIVATE LINKER:--wrap=lte_sweep_cuda
                    LINKER:--wrap=lte_slot_persistent_cuda)
foreach(call cudaMalloc cudaHostAlloc cudaMemcpyAsync cudaMemsetAsync cudaGetLastError
        cudaStreamSynchronize)
  target_link_options(ltesim_faulty PRIVATE LINKER:--wrap=${call})
endforeach()
lte_script(golden_cuda $<TARGET_FILE:ltesim>)
lte_script(rows_cuda $<TARGET_FILE:ltesim>)
lte_script(places_cuda $<TARGET_FILE:ltesim>)
lte_script(library_cuda $<TARGET_FILE:ltesim> $<TARGET_FILE:test_library>
           $<TARGET_FILE:example_invert_batch> $<TARGET_FILE:example_detect_slot>
           $<TARGET_FILE:example_decode_blocks>)
lte_script(fault_cuda $<TARGET_FILE:ltesim> $<TARGET_FILE:ltesim_faulty>)
lte_run(coded_cuda coded_cuda.py $<TARGET_FILE:ltesim>)
lte_run(faults_cuda faults_cuda.py $<TARGET_FILE:ltesim> $<TARGET_FILE:ltesim_faulty> 50)
lte_script(sanitize_cuda $<TARGET_FILE:ltesim> $<TARGET_FILE:test_cuda>
           $<TARGET_FILE:test_cuda_transpose> $<TARGET_FILE:test_cuda_inverse>
           $<TARGET_FILE:test_cuda_product> $<TARGET_FILE:test_cuda_coding>)
set_tests_properties(cuda cuda_coding cuda_inverse cuda_product cuda_transpose PROPERTIES SKIP_RETURN_CODE 77)
# They look at the device's free memory.
set_tests_properties(cuda sanitize_cuda PROPERTIES RUN_SERIAL ON)
set_tests_properties(cuda cuda_coding cuda_inverse cuda_product cuda_transpose golden_cuda rows_cuda coded_cuda
                     fault_cuda faults_cuda library_cuda places_cuda sanitize_cuda PROPERTIES LABELS gpu)
