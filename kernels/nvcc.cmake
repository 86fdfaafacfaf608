# Device code, by commands of nvcc: CMake's own CUDA language would compile three programs at each
# first configuration, also where no device code is built. Flags: toolkit.cmake.

# lte_device_objects(OUT FOLDER SOURCE ... OPTIONS OPTION ...): objects of .cu files, in a folder of the
# build; OUT: their paths.
function(lte_device_objects out folder)
  cmake_parse_arguments(with "" "" OPTIONS ${ARGN})
  set(objects "")
  foreach(source ${with_UNPARSED_ARGUMENTS})
    get_filename_component(source ${source} ABSOLUTE)
    string(FIND ${source} ${CMAKE_BINARY_DIR}/ made)
    if(made EQUAL 0)
      file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${source})
    else()
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
    endif()
    set(object ${CMAKE_BINARY_DIR}/${folder}/${name}.o)
    get_filename_component(place ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${place})
    add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${LTE_NVCC} ${LTE_NVCC_FLAGS} ${with_OPTIONS}
              -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      COMMENT "Building CUDA object ${folder}/${name}.o" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# lte_architectures(OUT PAIRS ARCHITECTURE ...): nvcc's options for machine code of each architecture
# and PTX of the lowest. One pass of the front end serves all, but for what computes with pairs of 16
# bits (PAIRS): 9.0 has instructions for them, which PTX of a lower one does not know.
function(lte_architectures out pairs)
  set(list ${ARGN})
  list(SORT list COMPARE NATURAL)
  list(GET list 0 lowest)
  set(options "")
  set(codes "")
  foreach(architecture ${list})
    set(base ${lowest})
    if(pairs)
      set(base 90)
      if(architecture LESS 90)
        set(base ${architecture})
      endif()
      list(APPEND options -gencode=arch=compute_${base},code=sm_${architecture})
    endif()
    list(APPEND codes sm_${architecture})
    set(ptx ${base})
  endforeach()
  list(JOIN codes "," codes)
  if(pairs)
    list(APPEND options -gencode=arch=compute_${ptx},code=compute_${ptx})
  else()
    set(options -gencode=arch=compute_${lowest},code=[${codes},compute_${lowest}])
  endif()
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# What runs on processors and calls the runtime: once for all architectures.
add_library(lte_device_host OBJECT EXCLUDE_FROM_ALL
  base/cuda_status.c backends/cuda/device_code_cuda.c backends/cuda/cuda.c
  backends/cuda/cuda_batch.c backends/cuda/cuda_decoding.c backends/cuda/cuda_device.c
  backends/cuda/cuda_inversion.c backends/cuda/cuda_large.c backends/cuda/cuda_matrices.c
  backends/cuda/cuda_methods.c
  backends/cuda/cuda_memory.c backends/cuda/cuda_paths.c backends/cuda/cuda_periods.c backends/cuda/cuda_persistent.c
  backends/cuda/cuda_slots.c backends/cuda/cuda_stages.c backends/cuda/cuda_sweep.c
  backends/cuda/cuda_tables.c coding/coded_cuda.c
  coding/coded_memory_cuda.c coding/turbo_cuda.c)
target_link_libraries(lte_device_host PRIVATE lte_backends lte_cudart)
target_compile_definitions(lte_device_host PRIVATE LTE_CUDA_VERSION="${LTE_CUDA_VERSION}")

include(device_objects.cmake)

# lte_device_library(NAME ARCHITECTURE ...): all device code for these architectures.
function(lte_device_library name)
  # what takes longest comes first, so that all cores stay busy to the end
  set(sources
    cuda/sweep/sweep_soft_cuda.cu cuda/sweep/sweep_solving_cuda.cu
    cuda/slot/slot_throughput_soft_cuda.cu cuda/slot/slot_throughput_solving_cuda.cu
    cuda/slot/slot_latency_cuda.cu ${detector_sources}
    methods/product/product_cuda.cu cuda/inversion/inversion_cuda.cu
    cuda/sweep/sweep_square_cuda.cu cuda/sweep/sweep_soft_square_cuda.cu
    cuda/detectors/detectors_cuda.cu
    cuda/stages/detect_cuda.cu cuda/large/large_detect_cuda.cu cuda/stages/estimate_cuda.cu
    cuda/stages/channel_cuda.cu coding/coded_cuda.cu coding/coded_deliver_cuda.cu
    cuda/stages/corner_turn_cuda.cu
    cuda/stages/count_cuda.cu cuda/stages/gram_cuda.cu cuda/large/large_cuda.cu
    cuda/large/large_fused_cuda.cu cuda/device/loads_cuda.cu
    methods/inverse/published/inverse_blocks_double_cuda.cu
    methods/inverse/published/inverse_blocks_single_cuda.cu
    methods/inverse/published/inverse_cholesky_blocks_cuda.cu
    methods/inverse/inverse_cholesky_cuda.cu
    methods/inverse/inverse_lu_cuda.cu methods/inverse/inverse_lu_rows_cuda.cu
    methods/reference/reference_cuda.cu methods/transpose/transpose_cuda.cu
    cuda/stages/pack_cuda.cu cuda/stages/receive_cuda.cu cuda/slot/slot_searching_cuda.cu
    cuda/slot/slot_throughput_cuda.cu
    cuda/stages/source_cuda.cu cuda/sweep/sweep_cuda.cu cuda/sweep/sweep_units_cuda.cu)
  lte_architectures(options OFF ${ARGN})
  lte_architectures(options_pairs ON ${ARGN})
  lte_device_objects(objects ${name} ${sources} OPTIONS ${options})
  lte_device_objects(objects_pairs ${name} coding/turbo_cuda.cu OPTIONS ${options_pairs})
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${objects} ${objects_pairs}
    $<TARGET_OBJECTS:lte_device_host>)
  set_source_files_properties(${objects} ${objects_pairs} PROPERTIES EXTERNAL_OBJECT ON)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C LTE_NVCC_OPTIONS "${options}")
  target_link_libraries(${name} PUBLIC lte_kernels lte_cudart)
endfunction()
