# The topics on the device. cuBLAS and cuSOLVER are opened at run time, only their headers are
# needed: ltebench starts on machines that have neither.
if(NOT LTE_HAVE_CUDA)
  target_sources(ltebench PRIVATE race_none.c)
  return()
endif()
target_sources(ltebench PRIVATE gpu_ceilings.c gpu_reference.c gpu_transpose.c movers.c race_detector.c race_device.c race_field.c race_kernels.cu
               race_peers.c race_run.c race_sets.c race_time.c)
target_link_libraries(ltebench PRIVATE CUDA::cudart_static PkgConfig::GSL ${CMAKE_DL_LIBS})
find_path(LTE_CUBLAS_INCLUDE_DIR cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_path(LTE_CUSOLVER_INCLUDE_DIR cusolverDn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
if(LTE_CUBLAS_INCLUDE_DIR AND LTE_CUSOLVER_INCLUDE_DIR)
  target_sources(ltebench PRIVATE race_libraries.c)
  target_include_directories(ltebench SYSTEM PRIVATE
    ${LTE_CUBLAS_INCLUDE_DIR} ${LTE_CUSOLVER_INCLUDE_DIR})
  target_compile_definitions(ltebench PRIVATE
    LTE_BENCH_CUBLAS LTE_BENCH_CUDA_FOLDER="${CUDAToolkit_LIBRARY_DIR}")
endif()
