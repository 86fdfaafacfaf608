# The plain scalar link and Eigen, once per instruction set that the stages are built for.
function(bench_level level)
  add_library(bench_${level} OBJECT peers/scalar_link.c)
  target_link_libraries(bench_${level} PRIVATE lte_flags)
  target_compile_definitions(bench_${level} PRIVATE BENCH_SCALAR_LINK=bench_scalar_link_${level})
  target_compile_options(bench_${level} PRIVATE ${ARGN})
  target_sources(ltebench PRIVATE $<TARGET_OBJECTS:bench_${level}>)
  if(EIGEN3_INCLUDE_DIR AND CMAKE_CXX_COMPILER)
    # Eigen's templates are weak symbols: a namespace of its own for each level keeps them apart.
    # -ffast-math: the peer is held to no bits, so it gets what makes it fastest.
    add_library(bench_eigen_${level} OBJECT peers/peer_eigen.cpp)
    target_include_directories(bench_eigen_${level} PRIVATE ${CMAKE_SOURCE_DIR})
    target_include_directories(bench_eigen_${level} SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIR})
    target_compile_definitions(bench_eigen_${level} PRIVATE
      BENCH_EIGEN=bench_eigen_${level} BENCH_EIGEN_LARGE=bench_eigen_large_${level} Eigen=Eigen_${level} EIGEN_NO_DEBUG)
    target_compile_options(bench_eigen_${level} PRIVATE -ffast-math ${ARGN})
    target_sources(ltebench PRIVATE $<TARGET_OBJECTS:bench_eigen_${level}>)
  endif()
endfunction()

if(EIGEN3_INCLUDE_DIR AND CMAKE_CXX_COMPILER)
  target_compile_definitions(ltebench PRIVATE BENCH_HAVE_EIGEN)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  bench_level(v3 -march=x86-64-v3)
  bench_level(v4 -march=x86-64-v4)
else()
  bench_level(ref)
endif()
