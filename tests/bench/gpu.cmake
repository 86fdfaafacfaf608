# The topics on the device. cuBLAS and cuSOLVER are opened at run time, only their headers are
# needed: ltebench starts on machines that have neither.
if(NOT TARGET lte_device_here)
  target_sources(ltebench PRIVATE topics/gpu_none.c)
  return()
endif()
get_target_property(device_options lte_device_here LTE_NVCC_OPTIONS)
lte_device_objects(gpu_kernels bench_device topics/gpu_kernels.cu OPTIONS ${device_options})
set_source_files_properties(${gpu_kernels} PROPERTIES EXTERNAL_OBJECT ON)
target_compile_definitions(ltebench PRIVATE BENCH_CUDA_VERSION="${LTE_CUDA_VERSION}")
target_sources(ltebench PRIVATE
  peers/copy_bench.c topics/gpu_ceilings.c topics/gpu_detector.c gpu_device.c
  topics/gpu_inverse.c ${gpu_kernels} topics/gpu_product.c topics/gpu_reference.c
  topics/gpu_transpose.c topics/gpu_turbo.c peers/race_buffers.c peers/race_entries.c
  peers/race_run.c peers/race_sets.c peers/race_time.c)
target_link_libraries(ltebench PRIVATE lte_device_here PkgConfig::GSL ${CMAKE_DL_LIBS})
get_filename_component(cuda_folder ${LTE_CUDART} DIRECTORY)
find_path(LTE_CUBLAS_INCLUDE_DIR cublas_v2.h HINTS ${LTE_CUDA_INCLUDE})
find_path(LTE_CUSOLVER_INCLUDE_DIR cusolverDn.h HINTS ${LTE_CUDA_INCLUDE})
if(LTE_CUBLAS_INCLUDE_DIR AND LTE_CUSOLVER_INCLUDE_DIR)
  target_sources(ltebench PRIVATE peers/gpu_libraries.c)
  target_include_directories(ltebench SYSTEM PRIVATE
    ${LTE_CUBLAS_INCLUDE_DIR} ${LTE_CUSOLVER_INCLUDE_DIR})
  target_compile_definitions(ltebench PRIVATE
    BENCH_HAVE_CUBLAS BENCH_CUDA_FOLDER="${cuda_folder}")
endif()

# What traffic_cuda.sh has ncu look at.
add_executable(traffic_cuda peers/traffic_cuda.c large_matrices.c)
target_link_libraries(traffic_cuda PRIVATE lte_device_here lte_tests_parts lte_kernels
  PkgConfig::GSL)
