# The topics on the device. cuBLAS and cuSOLVER are opened at run time, only their headers are
# needed: ltebench starts on machines that have neither.
if(NOT LTE_HAVE_CUDA)
  target_sources(ltebench PRIVATE gpu_none.c)
  return()
endif()
target_sources(ltebench PRIVATE
  copy_bench.c gpu_ceilings.c gpu_detector.c gpu_device.c gpu_inverse.c gpu_kernels.cu gpu_product.c
  gpu_reference.c
  gpu_transpose.c gpu_turbo.c race_buffers.c race_entries.c race_run.c race_sets.c race_time.c)
target_link_libraries(ltebench PRIVATE CUDA::cudart_static PkgConfig::GSL ${CMAKE_DL_LIBS})
find_path(LTE_CUBLAS_INCLUDE_DIR cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_path(LTE_CUSOLVER_INCLUDE_DIR cusolverDn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
if(LTE_CUBLAS_INCLUDE_DIR AND LTE_CUSOLVER_INCLUDE_DIR)
  target_sources(ltebench PRIVATE gpu_libraries.c)
  target_include_directories(ltebench SYSTEM PRIVATE
    ${LTE_CUBLAS_INCLUDE_DIR} ${LTE_CUSOLVER_INCLUDE_DIR})
  target_compile_definitions(ltebench PRIVATE
    BENCH_HAVE_CUBLAS BENCH_CUDA_FOLDER="${CUDAToolkit_LIBRARY_DIR}")
endif()

# What traffic_cuda.sh has ncu look at.
add_executable(traffic_cuda traffic_cuda.c large_matrices.c)
target_link_libraries(traffic_cuda PRIVATE lte_kernels lte_phy CUDA::cudart_static
  PkgConfig::GSL)
