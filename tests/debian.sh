#!/usr/bin/env bash
# The Debian package on a Debian that has nothing else: it installs with what it depends on, runs,
# finds its scenarios and plots, and a stranger's program builds with it.
#
#     tests/debian.sh BUILD_DIR CPACK
#
# The system, this one's release, is made by debootstrap once, as BUILD_DIR/debian.tar. Exit 77
# (skipped) where that cannot be: not Debian, not root, no debootstrap, nothing to fetch from.
set -u
build=$(realpath "$1") cpack=$2
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "chroot is root's"
command -v debootstrap >/dev/null || skip "no debootstrap"
[ "$(sed -n 's/^ID=//p' /etc/os-release)" = debian ] || skip "not Debian"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
top=$(mktemp -d -p "$build")
trap 'rm -rf "$top"' EXIT
root=$top/root
passed=0 failed=0
# shellcheck source=tests/lib/claim.sh
. "$here/lib/claim.sh"
cd "$top" || exit 1
if [ ! -e "$build/debian.tar" ]; then
    debootstrap --variant=minbase "$release" "$top/base" >bootstrap.log 2>&1 ||
        skip "debootstrap: $(tail -n 1 bootstrap.log)"
    apt-config dump Acquire >"$top/base/etc/apt/apt.conf.d/00host" # as packages come here
    tar -C "$top/base" -cf "$build/debian.tar.tmp" . && mv "$build/debian.tar.tmp" "$build/debian.tar"
fi
mkdir "$root" && tar -C "$root" -xf "$build/debian.tar"
(cd "$build" && "$cpack" -G DEB -B "$top" >"$top/cpack.log") || { cat cpack.log; exit 1; }
mkdir "$root/root/mine"
cp "$top"/*.deb "$root/root"
cp "$here"/examples/{invert_batch,detect_slot,decode_blocks,read_result}.c "$here/examples/check.sh" "$root/root/mine"

# there COMMAND: in that system, from a folder of its own.
there() { chroot "$root" env LC_ALL=C DEBIAN_FRONTEND=noninteractive bash -c "cd /root/mine && $1"; }
claim it_installs_with_what_it_needs \
    there 'apt-get update && apt-get install -y --no-install-recommends /root/*.deb'
claim it_runs there 'ltesim --version && ltesim quick --only ber --quiet'
claim results_are_there there 'test -s out/quick/ber.csv'
claim it_recommends_gnuplot there "dpkg -s ltesim | grep '^Recommends:.*gnuplot'"
there 'apt-get install -y --no-install-recommends gnuplot-nox gcc libc6-dev pkg-config cmake make' \
    >tools.log 2>&1 || { tail tools.log; exit 1; }
claim its_plots_are_found there "ltesim quick --only ber --quiet | grep ' ber.png, '"
for name in invert_batch detect_slot decode_blocks read_result; do
    claim "${name}_is_compiled" \
        there "gcc -O2 $name.c \$(pkg-config --cflags --libs ltesim) -lm -o $name"
done
claim invert_batch_runs there './check.sh ./invert_batch -- flagged 1 1'
claim detect_slot_runs there "./check.sh ./detect_slot -- 'bit errors' 4410 7190"
claim decode_blocks_runs there './check.sh ./decode_blocks -- wrong 360 400'
claim read_result_runs there './check.sh ./read_result out/quick -- rows 9 9'
cat >"$root/root/mine/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(mine LANGUAGES C)
find_package(ltesim REQUIRED)
add_executable(mine invert_batch.c)
target_link_libraries(mine PRIVATE ltesim::ltesim m)
EOF
claim find_package_finds_it there 'cmake -S . -B by && cmake --build by && by/mine'
claim it_leaves_nothing there 'dpkg -P ltesim && ! ls /usr/*/ltesim* /usr/lib/libltesim*'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
