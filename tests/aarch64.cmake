# Builds for aarch64 on another processor, and has ctest run that under qemu-aarch64:
#
#     cmake -S . -B build-arm -DLTE_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE=tests/aarch64.cmake \
#         -DLTE_AARCH64_ROOT=/path/of/root
#
# It takes Debian's gcc-aarch64-linux-gnu and, for the last step, qemu-user. The root has the C
# library, GSL, libconfig, jansson and cmocka for arm64: `./tests/run --all` unpacks one, aarch64/root of
# the build folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER-NOTFOUND) # for peers of benchmarks alone
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${LTE_AARCH64_ROOT})

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LTE_AARCH64_ROOT) # this file is read there too
set(CMAKE_SYSROOT ${LTE_AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LTE_AARCH64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${LTE_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
