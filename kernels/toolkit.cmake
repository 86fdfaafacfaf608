# The CUDA toolkit: nvcc with a C++ compiler beside it, headers and the runtime as a static library.
# Sets LTE_CUDA_CODE where device code can be compiled, LTE_NVCC, LTE_CUDA_VERSION, library lte_cudart.
find_program(LTE_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin PATHS /usr/local/cuda/bin)
find_program(LTE_CXX NAMES g++ c++ clang++)
if(LTE_NVCC AND NOT LTE_NVCC_VERSION) # asked once
  execute_process(COMMAND ${LTE_NVCC} --version OUTPUT_VARIABLE says ERROR_QUIET)
  if(says MATCHES "release ([0-9]+\\.[0-9]+)")
    set(LTE_NVCC_VERSION ${CMAKE_MATCH_1} CACHE INTERNAL "version of nvcc")
  endif()
endif()
if(LTE_NVCC)
  get_filename_component(program ${LTE_NVCC} REALPATH)
  get_filename_component(bin ${program} DIRECTORY)
  find_path(LTE_CUDA_INCLUDE cuda_runtime_api.h
            HINTS ${bin}/../include ${bin}/../targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include
                  ${bin}/../targets/sbsa-linux/include)
  find_library(LTE_CUDART libcudart_static.a
               HINTS ${bin}/../lib64 ${bin}/../lib ${bin}/../targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib
                     ${bin}/../targets/sbsa-linux/lib)
endif()
if(LTE_NVCC_VERSION AND LTE_CXX AND LTE_CUDA_INCLUDE AND LTE_CUDART)
  set(LTE_CUDA_VERSION ${LTE_NVCC_VERSION})
  set(LTE_CUDA_CODE ON)
  set(LTE_NVCC_FLAGS -std=c++17 -O3 -DNDEBUG -D_GNU_SOURCE -I${CMAKE_SOURCE_DIR} --fmad=false
    -Xfatbin=-compress-all -Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra,-Wshadow,-Wno-unknown-pragmas)
  add_library(lte_cudart INTERFACE)
  target_include_directories(lte_cudart SYSTEM INTERFACE ${LTE_CUDA_INCLUDE})
  # and the C++ library, which guards the static variables of nvcc's host code
  target_link_libraries(lte_cudart INTERFACE ${LTE_CUDART} Threads::Threads ${CMAKE_DL_LIBS} rt
    $<IF:$<BOOL:${LTE_STATIC}>,-l:libstdc++.a,stdc++>)
else()
  message(STATUS "no working CUDA toolkit: the backends are those of the CPU")
endif()
