# Builds for aarch64 elsewhere, with Debian's gcc-aarch64-linux-gnu and libc6-dev-arm64-cross, and has
# ctest run what it built under qemu-aarch64:
#
#     cmake -S . -B build-aarch64 -DLTE_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE=tests/aarch64.cmake \
#         -DLTE_AARCH64_ROOT=FOLDER
#
# FOLDER: where GSL, libconfig, jansson and cmocka for arm64 are unpacked, as tests/aarch64.sh does.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER-NOTFOUND) # for peers of benchmarks alone
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${LTE_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu)

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LTE_AARCH64_ROOT) # they read this file too
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu ${LTE_AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LTE_AARCH64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${LTE_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
