# The libraries that a program has where they are found: HDF5 and MPI, unless LTE_HDF5 and LTE_MPI are
# OFF. Sets LTE_HAVE_HDF5 (and target PkgConfig::HDF5), LTE_HAVE_MPI, and LTE_SETTLED, names as "hdf5 mpi"
# of those that it has or is to be without. What was not found is looked for again by each
# configuration; ./ltesim configures when one of the others has appeared.
if(LTE_HDF5)
  unset(__pkg_config_checked_HDF5 CACHE) # what pkg-config said before may be outdated
  pkg_search_module(HDF5 IMPORTED_TARGET hdf5-serial hdf5)
endif()
if(LTE_HDF5 AND HDF5_FOUND) # and a program links: one for MPI, or static ones, may ask for more
  include(CheckCSourceCompiles)
  if(LTE_STATIC) # its .pc file does not say what it needs itself
    target_link_libraries(PkgConfig::HDF5 INTERFACE -l:libsz.a -l:libaec.a -l:libz.a dl m)
  endif()
  if(NOT LTE_HDF5_LINKS) # another may be there now
    unset(LTE_HDF5_LINKS CACHE)
  endif()
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::HDF5)
  check_c_source_compiles("#include <hdf5.h>
    int main(void) { return H5Fopen(\"x\", H5F_ACC_RDONLY, H5P_DEFAULT) < 0; }" LTE_HDF5_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(LTE_HAVE_HDF5 ${LTE_HDF5_LINKS})
endif()
if(NOT LTE_HAVE_HDF5)
  message(STATUS "no usable HDF5: channels come from no file")
endif()

if(LTE_MPI)
  find_package(MPI COMPONENTS C)
  set(LTE_HAVE_MPI ${MPI_C_FOUND})
endif()

set(LTE_SETTLED "")
foreach(library HDF5 MPI)
  if(LTE_HAVE_${library} OR NOT LTE_${library})
    string(TOLOWER ${library} name)
    string(APPEND LTE_SETTLED " ${name}")
  endif()
endforeach()
string(STRIP "${LTE_SETTLED}" LTE_SETTLED)
