#!/usr/bin/env bash
# The launcher ./ltesim: when it builds and when it only runs, what it says, how it is interrupted;
# and the scripts of sim/building/. On tools that only pretend, and where that would prove nothing
# on a small project that cmake and the compiler build.
#
#     tests/launcher.sh [PROGRAM]     PROGRAM: what answers without a program must equal
set -u
source=$(realpath "$(dirname "$0")/..")
program=${1:+$(realpath "$1")}
top=$(mktemp -d)
cleanup() {
    ! mountpoint -q "$top/small" 2>/dev/null || umount "$top/small"
    chmod -R u+w "$top"
    rm -rf "$top"
}
trap cleanup EXIT
passed=0 failed=0 skipped=0

# judge NAME WHY FILE...: counts; if it failed says why and shows the ends of the files.
judge() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: ${2#; }"
        tail -q -n 12 "${@:3}" 2>/dev/null | sed 's/^/    /'
    fi
}

# holds NAME COMMAND...: judges by whether the command succeeds.
holds() {
    local why=''
    "${@:2}" || why="not so"
    judge "$1" "$why" "$top/out" "$top/err"
}

# equal NAME A B
equal() { judge "$1" "$([ "$2" = "$3" ] || echo "'$2', not '$3'")"; }

skip() {
    echo "skipped: $*"
    skipped=$((skipped + 1))
}

# wait_for SECONDS COMMAND...: until the command is true.
wait_for() {
    local i
    for ((i = 0; i < 10 * $1; i++)); do
        "${@:2}" && return
        sleep 0.1
    done
    return 1
}

mkdir -p "$top/bin" "$top/a/sim" "$top/cuda/bin"
for tool in awk bash cat chmod cut date dirname env find flock git grep head id mkdir mktemp mv \
    nproc readlink rm sed sleep sort stat tail touch tr; do
    ! command -v "$tool" >/dev/null || ln -s "$(command -v "$tool")" "$top/bin/$tool"
done
# pretend TOOL LINE...: a script that stands for the tool.
pretend() {
    printf '%s\n' '#!/bin/bash' "${@:2}" >"$top/bin/$1"
    chmod +x "$top/bin/$1"
}
build_tools=(cmake make cc c++ pkg-config)
for tool in make c++ pkg-config; do pretend "$tool" 'exit 0'; done
# shellcheck disable=SC2016 # expanded there
pretend cc 'case "$*" in *-E*) echo "${SAYS:-gcc 12}" ;; esac'
pretend apt-get 'exit 100'
pretend gnuplot 'exit 0'
# shellcheck disable=SC2016 # expanded there
pretend cmake 'case $1 in' '--version) echo "cmake version ${VERSION:-3.25.1}" ;;' \
    '--build) echo "$6" >>"$ASKED"' \
    '    [ -z "${SAYS_MAKE:-}" ] || { echo "$SAYS_MAKE"; exit 2; }' \
    '    from=$(sed -n "s/^CMAKE_HOME_DIRECTORY:INTERNAL=//p" "$2/CMakeCache.txt")' \
    '    printf "#!/bin/bash\necho ran %s\n" "$from" >"$2/ltesim"' \
    '    chmod +x "$2/ltesim"; [ -e "$2/program.txt" ] || echo here >"$2/program.txt" ;;' \
    '*) echo configure >>"$ASKED"; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$4/CMakeCache.txt"' \
    '    [ -e "$4/here.txt" ] || "$2/sim/building/machine.sh" cc "$4" >"$4/here.txt" ;;' 'esac'
# tree FOLDER: what the launcher asks of a source tree.
tree() {
    mkdir -p "$1/sim/cli" "$1/kernels" "$1/phy" "$1/scenarios"
    cp "$source/ltesim" "$1/"
    cp -r "$source/sim/building" "$1/sim/"
    cp "$source/sim/cli/options.c" "$1/sim/cli/"
    cp "$source/CMakeLists.txt" "$1/"
    touch "$1/sim/cli/main.c" "$1/scenarios/quick.cfg"
}
tree "$top/a"

# run FOLDER [SETTING...] [-- ARGUMENT...]: the launcher on the pretend tools; sets got.
run() {
    local folder=$1 settings=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    : >"$top/asked"
    [ $# -gt 0 ] || set -- -- quick
    "${as[@]}" env -i PATH="$top/bin" HOME="$top" ASKED="$top/asked" CUDA_HOME="$top/cuda" \
        ${LTE_PRETEND_LEVEL:+"LTE_PRETEND_LEVEL=$LTE_PRETEND_LEVEL"} \
        ${settings[@]+"${settings[@]}"} "$folder/ltesim" "${@:2}" \
        >"$top/out" 2>"$top/err" </dev/null
    got=$?
}

# expect NAME CODE LAST_LINE ASKED LINES FOLDER [SETTING...] [-- ARGUMENT...]: it ends so; the tools
# that were asked, and how many lines it said on stderr ("" any).
expect() {
    local name=$1 code=$2 last=$3 asked=$4 lines=$5 why=
    run "${@:6}"
    [ "$got" -eq "$code" ] || why="exit $got, not $code"
    [ "$(tail -n 1 "$top/out" "$top/err" -q | grep -c -- "$last")" -ge 1 ] || why="$why; no '$last'"
    [ "$(tr '\n' ' ' <"$top/asked")" = "$asked" ] || why="$why; not '$asked' was asked"
    [ -z "$lines" ] || [ "$(wc -l <"$top/err")" -eq "$lines" ] || why="$why; not $lines lines"
    judge "$name" "$why" "$top/asked" "$top/out" "$top/err"
}
as=()
later() { touch -d "$1" "$2"; }
if [ "$(id -u)" -eq 0 ]; then # root may write anywhere and install: be nobody
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${as[@]}" true 2>/dev/null || as=()
    [ ${#as[@]} -eq 0 ] || chown -R 65534:65534 "$top"
fi
touch "$top/asked" && chmod 666 "$top/asked"

# ---- Answers without a program
answers() {
    local name=$1 code why=
    shift
    run "$top/a" -- "$@"
    [ ! -e "$top/a/build/CMakeCache.txt" ] || why="it built"
    [ ! -s "$top/asked" ] || why="$why; a tool was asked"
    if [ -n "$program" ]; then # the tree's words are the program's
        (cd "$top/a" && "$program" "$@" >"$top/out2" 2>"$top/err2" </dev/null)
        code=$?
        [ "$got" -eq "$code" ] || why="$why; exit $got, the program's is $code"
        cmp -s "$top/out" "$top/out2" || why="$why; stdout differs"
        cmp -s "$top/err" "$top/err2" || why="$why; stderr differs"
    fi
    judge "$name" "$why" "$top/out" "$top/err" "$top/out2" "$top/err2"
}
answers help_is_the_programs --help
answers so_is_its_short_form -h
answers no_argument_has_three_commands_to_try
answers a_missing_scenario_is_one_line nosuch.cfg
answers one_that_went_says_what_to_type medium_10mhz_2x2
answers so_does_one_in_a_folder scenarios/high_20mhz_4x4.cfg
answers so_is_one_in_a_folder scenarios/nosuch.cfg --only ber
answers and_one_that_reads_like_an_option --set modulation=64qam --quiet nosuch -o x
answers an_unknown_option_is_one_line quick --bogus=1
answers an_option_may_be_meant quick --Qiute
answers of_two_letters_one_may_be_wrong quick --st x=1
answers a_scenario_may_be_meant quik
answers so_may_one_of_a_folder scenarios/quikc.cfg
answers and_one_with_letters_swapped qucik --only ber
answers 3gpp_is_a_scenario_of_verify_alone 3gpp --explain
expect version_says_that_nothing_is_built 0 'ltesim is not built yet' '' 0 "$top/a" -- --version
holds version_has_the_revision grep -q "^ltesim [0-9.]* (" "$top/out"
expect no_system_but_linux 1 'is darwin22: ltesim builds and runs on Linux' '' 1 "$top/a" \
    OSTYPE=darwin22 -- quick
rm -rf "$top/a/build"

# ---- What it needs
expect an_old_cmake_is_one_line 1 'is CMake 3.18.4, but ltesim needs 3.22 or later' '' '' "$top/a" \
    VERSION=3.18.4
expect an_old_compiler_is_one_line 1 'cc is gcc 8, but the .* ltesim need gcc 9 or later' '' '' \
    "$top/a" SAYS="gcc 8"
expect an_old_clang_is_one_line 1 'cc is clang 11, but the .* need clang 12' '' '' "$top/a" \
    SAYS="clang 11"
mv "$top/bin/cc" "$top/cc"
expect no_compiler_is_one_line 1 'to install: .*apt-get install gcc$' '' 2 "$top/a"
# shellcheck disable=SC2016 # expanded there
pretend cc 'echo "cc: cannot execute cc1" >&2; exit 1'
expect a_compiler_that_fails_is_one_line 1 'cannot build a program: cc: cannot execute cc1' '' '' \
    "$top/a"
mv "$top/cc" "$top/bin/cc"
if [ -x /usr/bin/pkg-config ]; then
    pretend pkg-config 'exit 1'
    run "$top/a"
    holds another_pkg_config_is_not_asked \
        grep -q "$top/bin/pkg-config does not find the system's libraries" "$top/err"
    pretend pkg-config 'exit 0'
fi
rm -rf "$top/a/build"

# ---- When it builds
rm "$top/bin/gnuplot"
expect without_gnuplot_it_builds 0 "^ran $top/a$" 'configure here ' '' "$top/a"
pretend gnuplot 'exit 0'
expect built_it_only_runs 0 "^ran $top/a$" '' 0 "$top/a"
mkdir "$top/hidden"
for tool in "${build_tools[@]}"; do mv "$top/bin/$tool" "$top/hidden/"; done
expect built_it_needs_no_tools 0 "^ran $top/a$" '' 0 "$top/a"
later '1 hour' "$top/a/sim/cli/main.c"
expect to_build_it_needs_them 1 'to install: .*apt-get install cmake ninja-build gcc' '' '' "$top/a"
mv "$top/hidden"/* "$top/bin/"
later '1 hour ago' "$top/a/sim/cli/main.c"
touch "$top/a/sim/new.c"
later '1 minute' "$top/a/sim/new.c"
expect a_new_source_is_built 0 "^ran $top/a$" 'here ' '' "$top/a"
later '1 minute' "$top/a/sim/new.c"
expect the_first_error_is_shown 1 "the build failed; its full output is in $top/a/build/build.log" \
    'here ' 3 "$top/a" SAYS_MAKE="[ 3%] Building C object sim/error.c.o
x.c:3: error: first
  3 | x
make: *** [error.c.o] Error 1
y.c:1: error: second"
holds it_is_the_first_alone [ "$(head -n 2 "$top/err")" = $'x.c:3: error: first\n  3 | x' ]
expect a_full_disk_is_named 1 '' 'configure here ' '' "$top/a" \
    SAYS_MAKE='cc1: error: writing x.s: No space left on device'
holds by_its_folder grep -q "ltesim: the disk of $top/a/build is full" "$top/err"
expect and_later_it_builds 0 "^ran $top/a$" 'configure here ' '' "$top/a"
echo whole >"$top/a/build/program.txt"
expect a_whole_program_stays_whole 0 "^ran $top/a$" 'ltesim ' '' "$top/a"
later '1 hour ago' "$top/a/sim/new.c"
echo here >"$top/a/build/program.txt"
part=$(head -n 1 "$top/a/build/here.txt")
if [ -n "$part" ]; then
    echo other >"$top/a/build/here.txt"
    expect a_set_that_is_lacking_is_added 0 "^ran $top/a$" 'here ' 1 "$top/a"
    holds as_it_says grep -q "has $part, which" "$top/err"
    holds and_the_list_grows [ "$(tr '\n' ' ' <"$top/a/build/here.txt")" = "other $part " ]
    echo other >"$top/a/build/here.txt"
    expect an_addition_that_failed 1 'the build failed' 'here ' '' "$top/a" SAYS_MAKE='x.c:1: error: no'
    expect is_made_the_next_time 0 "^ran $top/a$" 'configure here ' '' "$top/a"
    echo other >"$top/a/build/here.txt"
    echo whole >"$top/a/build/program.txt"
    expect a_whole_program_lacks_no_set 0 "^ran $top/a$" '' 0 "$top/a"
    echo here >"$top/a/build/program.txt"
    mv "$top/bin/cmake" "$top/hidden/"
    expect what_cannot_be_added_is_run_without 0 "^ran $top/a$" '' 3 "$top/a"
    mv "$top/hidden/cmake" "$top/bin/"
    echo "$part" >"$top/a/build/here.txt"
else
    skip "this processor runs ref alone"
fi
mkdir -p "$top/a/.git/logs"
touch "$top/a/.git/index" "$top/a/.git/logs/HEAD"
later '1 hour ago' "$top/a/.git/logs/HEAD"
later '1 minute' "$top/a/.git/index"
expect a_look_at_the_index_builds_nothing 0 "^ran $top/a$" '' 0 "$top/a"
cp -a "$top/a" "$top/b"
expect a_copied_tree_builds_itself 0 "^ran $top/b$" 'configure here ' '' "$top/b"
expect the_original_stays 0 "^ran $top/a$" '' 0 "$top/a"
mv "$top/b" "$top/c"
expect a_moved_tree_builds_itself 0 "^ran $top/c$" 'configure here ' '' "$top/c"
expect another_build_folder_is_left_alone 1 "contains a build of $top/a" "" "" "$top/c" \
    LTE_BUILD="$top/a/build"
if [ ${#as[@]} -gt 0 ] || [ "$(id -u)" -ne 0 ]; then
    later '1 hour' "$top/a/sim/cli/main.c"
    chmod -R a-w "$top/a"
    expect read_only_it_runs_what_is_there 0 "^ran $top/a$" '' 1 "$top/a"
    chmod -R u+w "$top/a"
    later '1 hour ago' "$top/a/sim/cli/main.c"
    if [ -n "$part" ]; then
        echo other >"$top/a/build/here.txt"
        chmod -R a-w "$top/a"
        expect read_only_it_says_what_is_lacking 0 "^ran $top/a$" '' 1 "$top/a"
        chmod -R u+w "$top/a"
    fi
    rm -r "$top/a/build"
    chmod a-w "$top/a"
    expect read_only_without_a_build_is_one_line 1 'its owner must run' '' 1 "$top/a"
    chmod u+w "$top/a"
else
    skip "a read-only tree, root writes anywhere"
fi

# ---- Pictures: gnuplot comes when it is called
cp -r "$source/sim/building" "$top/building"
cp -r "$top/bin" "$top/bin2"
rm "$top/bin2/gnuplot"
printf '%s\n' '#!/bin/bash' 'echo 0' >"$top/id"
# shellcheck disable=SC2016 # expanded there
printf '%s\n' '#!/bin/bash' 'echo "$*" >>"$ASKED"' \
    'printf "#!/bin/bash\necho drew \"\$@\"\n" >"${0%/*}/gnuplot"; chmod +x "${0%/*}/gnuplot"' \
    >"$top/apt"
rm "$top/bin2/id" "$top/bin2/apt-get"
mv "$top/id" "$top/bin2/id"
mv "$top/apt" "$top/bin2/apt-get"
chmod +x "$top/bin2/id" "$top/bin2/apt-get"
: >"$top/asked"
got=$(env -i PATH="$top/bin2:$top/building/late" ASKED="$top/asked" gnuplot -c x 2>"$top/err")
holds gnuplot_is_installed_when_it_is_called [ "$got" = "drew -c x" ]
holds by_apt grep -q 'install -y --no-install-recommends gnuplot-nox$' "$top/asked"
holds which_waits_for_its_lock_and_not_for_a_network \
    grep -q 'DPkg::Lock::Timeout=120 .*Timeout=10 .*Retries=0 ' "$top/asked"
rm "$top/bin2/gnuplot" "$top/bin2/apt-get"
env -i PATH="$top/bin2:$top/building/late" gnuplot --version >"$top/out" 2>"$top/err"
equal without_it_there_is_none "$?" 127

# ---- Words of package managers
# installs NAME TOOL LINE: the line of a system that has this tool alone.
installs() {
    local got
    rm -f "$top/bin2"/{apt-get,dnf,pacman,zypper,apk}
    ln -s "$(type -P true)" "$top/bin2/$2"
    # shellcheck disable=SC2016 # expanded there
    got=$(env -i PATH="$top/bin2" bash -c '. "$1" && shift && install_command "$@"' - \
        "$top/building/packages.sh" cmake g++ pkg-config libgsl-dev libjansson-dev gnuplot-nox gcc)
    judge "$1" "$([ "$got" = "$3" ] || echo "'$got'")"
}
installs debian apt-get \
    'apt-get install cmake g++ pkg-config libgsl-dev libjansson-dev gnuplot-nox gcc'
installs fedora dnf \
    'dnf install cmake gcc-c++ pkgconf-pkg-config gsl-devel jansson-devel gnuplot gcc'
installs arch pacman 'pacman -S cmake gcc pkgconf gsl jansson gnuplot'
installs opensuse zypper \
    'zypper install cmake gcc-c++ pkg-config gsl-devel libjansson-devel gnuplot gcc'
installs alpine apk 'apk add cmake g++ pkgconf gsl-dev jansson-dev gnuplot gcc'
rm "$top/bin2/apk"

# a network from which nothing comes: judged below, after ten seconds
printf '%s\n' '#!/bin/bash' 'echo "Need to get 1 kB of archives."' 'exec sleep 60' \
    >"$top/bin2/apt-get"
chmod +x "$top/bin2/apt-get"
(
    began=$SECONDS
    # shellcheck disable=SC2016 # expanded there
    env -i PATH="$top/bin2" bash -c '. "$1" && need_packages "the build" x:file:/nonexistent' - \
        "$top/building/packages.sh" >"$top/dead" 2>&1
    echo "exit $? after $((SECONDS - began)) s" >>"$top/dead"
) &
dead=$!

# ---- Processors and memory
# shellcheck disable=SC2034 # asked for by what is sourced
here=$source build=$top/nothing
# shellcheck source=sim/building/build.sh
. "$source/sim/building/build.sh"
mkdir -p "$top/v2/job/part" "$top/v1/cpu/job" "$top/v1/memory/job"
echo "0::/job/part" >"$top/v2.cgroup"
echo "250000 100000" >"$top/v2/job/cpu.max"
echo "max 100000" >"$top/v2/job/part/cpu.max"
equal a_quota_of_a_parent_counts "$(quota "$top/v2.cgroup" "$top/v2")" 3
echo "100000 100000" >"$top/v2/job/part/cpu.max"
equal the_least_quota_counts "$(quota "$top/v2.cgroup" "$top/v2")" 1
echo "400000 100000" >"$top/v2/job/part/cpu.max"
equal also_where_it_is_a_parents "$(quota "$top/v2.cgroup" "$top/v2")" 3
printf '%s\n' "4:memory:/job" "2:cpu,cpuacct:/job" "0::/" >"$top/v1.cgroup"
echo 400000 >"$top/v1/cpu/job/cpu.cfs_quota_us"
echo 100000 >"$top/v1/cpu/job/cpu.cfs_period_us"
equal so_do_those_of_version_1 "$(quota "$top/v1.cgroup" "$top/v1")" 4
echo -1 >"$top/v1/cpu/job/cpu.cfs_quota_us"
equal without_one_all_are_granted "$(quota "$top/v1.cgroup" "$top/v1")" ''
echo "MemAvailable:    8388608 kB" >"$top/meminfo"
equal memory_that_is_available "$(memory_left "$top/v1.cgroup" "$top/v1" "$top/meminfo")" 8192
echo 4294967296 >"$top/v1/memory/job/memory.limit_in_bytes"
echo 3221225472 >"$top/v1/memory/job/memory.usage_in_bytes"
echo "total_inactive_file 1073741824" >"$top/v1/memory/job/memory.stat"
equal memory_of_the_group "$(memory_left "$top/v1.cgroup" "$top/v1" "$top/meminfo")" 2048
echo 4294967296 >"$top/v2/job/memory.max"
echo 3221225472 >"$top/v2/job/memory.current"
echo "inactive_file 536870912" >"$top/v2/job/memory.stat"
equal memory_of_a_parent "$(memory_left "$top/v2.cgroup" "$top/v2" "$top/meminfo")" 1536
# shellcheck disable=SC2016 # expanded there
equal one_processor_is_one_job "$(export OMP_NUM_THREADS=8
    taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" bash -c \
        'here=$1 build=$2; . "$1/sim/building/build.sh"; jobs_here' - "$source" "$top/nothing")" 1
equal threads_of_a_run_are_no_jobs "$(OMP_NUM_THREADS=1 OMP_THREAD_LIMIT=1 processors_here)" \
    "$(processors_here)"
[ "$(processors_here)" -gt 1 ] || skip "one processor: threads are no jobs"

# ---- The devices of this machine, by a driver and a toolkit that pretend
if command -v cc >/dev/null; then
    cat >"$top/driver.c" <<'END'
#include <stdlib.h>
#include <unistd.h>
int cuInit(unsigned flags) { if (getenv("HANGS")) sleep(20); return (int)flags; }
int cuDeviceGetCount(int *n) { *n = atoi(getenv("DEVICES")); return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    const int capability = atoi(getenv("CAPABILITIES") + 3 * device);
    *value = attribute == 75 ? capability / 10 : capability % 10;
    return 0;
}
END
    mkdir "$top/driver" "$top/m" "$top/toolkit" "$top/toolkit/bin"
    cc -shared -fPIC -o "$top/driver/libcuda.so.1" "$top/driver.c"
    # shellcheck disable=SC2016 # expanded there
    printf '%s\n' '#!/bin/bash' '[ "$1" != --list-gpu-arch ] || printf "%s\n" ${KNOWS:-}' \
        '[ -z "${REFUSES:-}" ] && exit 0' \
        'case $* in *"-ccbin $TAKES "*) exit 0 ;; esac' \
        'echo "in $4" >&2; echo "$REFUSES" >&2; exit 1' \
        >"$top/toolkit/bin/nvcc"
    chmod +x "$top/toolkit/bin/nvcc"
    # machine NAME PARTS SAYS SETTING...: what this machine is beside its instruction set, and says.
    machine() {
        local why='' parts
        env LD_LIBRARY_PATH="$top/driver" CUDA_HOME="$top/toolkit" "${@:4}" \
            "$source/sim/building/machine.sh" "${cc:-cc}" "$top/m" >"$top/out" 2>"$top/err"
        parts=$(grep cuda "$top/out" | tr '\n' ' ')
        [ "$parts" = "$2" ] || why="'$parts', not '$2'"
        if [ -z "$3" ]; then
            [ ! -s "$top/err" ] || why="$why; it says something"
        else
            grep -q -- "$3" "$top/err" || why="$why; no '$3'"
            [ "$(wc -l <"$top/err")" -eq 1 ] || why="$why; not one line"
        fi
        judge "$1" "$why" "$top/out" "$top/err"
    }
    forget() { rm -f "$top/m/machine.txt"; }
    two=(DEVICES=3 "CAPABILITIES=90 80 90")
    machine devices_are_found 'cuda:80 cuda:90 ' '' "${two[@]}"
    cc=false machine found_nothing_is_looked_at 'cuda:80 cuda:90 ' '' "${two[@]}" HANGS=1
    machine others_are_seen_for_another_choice 'cuda:86 ' '' DEVICES=1 CAPABILITIES=86 \
        CUDA_VISIBLE_DEVICES=1
    cc=false machine and_both_are_kept 'cuda:80 cuda:90 ' '' "${two[@]}"
    forget
    machine no_device_is_one_line '' 'no GPU answers (the driver reports no device)' DEVICES=0
    machine and_is_said_once '' '' DEVICES=0
    forget
    machine a_device_that_is_too_old '' 'compute capability 7.5, but 8.0 or later' DEVICES=1 CAPABILITIES=75
    forget
    began=$SECONDS
    machine a_driver_that_hangs_is_one_line '' 'does not answer within 3 s' HANGS=1
    holds and_is_not_waited_for [ "$((SECONDS - began))" -le 5 ]
    equal nor_left_behind "$(pgrep -f "^$top/m/.devices")" ''
    machine but_asked_again 'cuda:80 cuda:90 ' '' "${two[@]}"
    forget
    machine a_device_newer_than_the_toolkit 'cuda:90 ' '' DEVICES=1 CAPABILITIES=120 \
        KNOWS='compute_75 compute_80 compute_90'
    forget
    machine a_toolkit_that_refuses_the_compiler '' \
        'cannot compile (error: unsupported GNU version!); building for the processor only' \
        "${two[@]}" REFUSES='error: unsupported GNU version!' TAKES=none
    forget
    ln -s "$(type -P true)" "$top/bin/g++-11"
    machine and_takes_another_names_it '' 'it accepts g++-11: NVCC_CCBIN=g++-11' \
        "${two[@]}" REFUSES='error: unsupported GNU version!' TAKES=g++-11 PATH="$PATH:$top/bin"
    forget
    machine a_toolkit_without_its_compiler '' 'cannot compile (sh: 1: cicc: not found)' \
        "${two[@]}" REFUSES='sh: 1: cicc: not found' TAKES=none
    equal it_leaves_nothing_behind "$(ls -A "$top/m")" machine.txt
else
    skip "devices: no C compiler"
fi

# cpu NAME SET FLAGS: the set of a processor with these flags.
cpu() {
    printf 'processor : 0\nflags\t\t: fpu %s sse\nbugs : x\n' "$3" >"$top/cpuinfo"
    equal "$1" "$(HOSTTYPE=x86_64 LTE_PRETEND_LEVEL=${4:-} instruction_set "$top/cpuinfo")" "$2"
}
avx512="avx512f avx512bw avx512cd avx512dq avx512vl"
cpu a_processor_of_level_3 v3 "avx2 fma bmi2"
cpu one_of_level_4 v4 "avx2 fma bmi2 $avx512"
cpu one_with_a_part_of_it v3 "avx2 fma bmi2 avx512f"
cpu one_below '' "avx fma4"
cpu pretended_it_is_one_below v3 "avx2 fma bmi2 $avx512" v3
cpu or_the_lowest '' "avx2 fma bmi2 $avx512" ref
cpu a_higher_one_is_not_pretended v3 "avx2 fma bmi2" v4
cpu nor_one_above_ref '' "avx fma4" v3
equal an_arm "$(HOSTTYPE=aarch64 LTE_PRETEND_LEVEL='' instruction_set /dev/null)" neon
equal and_one_that_pretends "$(HOSTTYPE=aarch64 LTE_PRETEND_LEVEL=ref instruction_set /dev/null)" ''

# ---- File systems without the locks of flock
mkdir "$top/nothing"
# locks NAME FREE HOST PID CODE: whether a build can begin while that one is named; flock ends so.
locks() {
    local code=$5
    echo "$4 $3 2026-01-01 00:00:00" >"$top/nothing/.builder"
    equal "$1" "$(flock() { return "$code"; } && no_locks='' && gain && claim && echo free)" "$2"
}
locks without_locks_a_living_builder_holds_it '' "$HOSTNAME" $$ 71
locks a_dead_one_does_not free "$HOSTNAME" 4194305 71
locks with_them_the_lock_alone_counts free "$HOSTNAME" $$ 0
locks but_for_another_host '' elsewhere 1 0

# ---- A small project: cmake, make and the compiler are real, three objects wait for a sign
if command -v cmake >/dev/null && command -v make >/dev/null; then
    tree "$top/p"
    cat >"$top/p/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(ltesim C)
file(WRITE ${CMAKE_BINARY_DIR}/here.txt.new "")
if(NOT EXISTS ${CMAKE_BINARY_DIR}/here.txt)
  file(WRITE ${CMAKE_BINARY_DIR}/here.txt "v3\nv4\nneon\n")
endif()
set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/wait)
add_executable(here a.c b.c main.c)
set_target_properties(here PROPERTIES OUTPUT_NAME ltesim)
add_custom_target(count
                  COMMAND sh -c "echo build >>${CMAKE_SOURCE_DIR}/builds" VERBATIM)
add_dependencies(here count)
END
    # shellcheck disable=SC2016 # expanded there
    printf '%s\n' '#!/bin/bash' 'here=${0%/*}' 'echo $$ >>"$here/pids"' \
        'case $* in */b.c) until [ -e "$here/go" ]; do sleep 0.1; done ;; esac' \
        '"$@" && echo "${!#}" >>"$here/compiled"' >"$top/p/wait"
    chmod +x "$top/p/wait"
    echo 'int a;' >"$top/p/a.c"
    echo 'int b;' >"$top/p/b.c"
    printf '%s\n' '#include <stdio.h>' \
        'int main(int n, char **v) { return puts(n > 1 ? v[1] : "") < 0; }' >"$top/p/main.c"
    project() { CUDA_HOME="$top/cuda" LTE_BUILD='' CCACHE_DISABLE=1 "$top/p/ltesim" quick; }
    compiled() { grep -c "/$1.c$" "$top/p/compiled"; }
    # has_waited N: so many compilers have begun since the last build, and all but b's have ended.
    has_waited() {
        local pid living=0
        [ "$(wc -l <"$top/p/pids")" -ge "$1" ] && [ -s "$top/p/compiled" ] || return 1
        while read -r pid; do
            gone "$pid" || living=$((living + 1))
        done <"$top/p/pids"
        [ "$living" -eq 1 ]
    } 2>/dev/null
    # interrupted SIGNAL CODE: a build that gets it ends so, leaves no process and no lock.
    interrupted() {
        local pid why='' code
        rm -f "$top/p/pids"
        # a shell without a terminal has SIGINT ignored in what it starts behind its back
        CUDA_HOME="$top/cuda" LTE_BUILD='' CCACHE_DISABLE=1 python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$top/p/ltesim" quick >"$top/out" 2>"$top/err" </dev/null &
        pid=$!
        wait_for 20 has_waited "$3" || why="it does not build"
        kill "-$1" "$pid"
        wait_for 5 gone "$pid" || why="$why; it goes on"
        kill -KILL "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
        code=$?
        [ "$code" -eq "$2" ] || why="$why; exit $code, not $2"
        while read -r pid; do
            wait_for 2 gone "$pid" || why="$why; a compiler lives"
            kill -KILL "$pid" 2>/dev/null
        done <"$top/p/pids"
        flock -n "$top/p/build/.lock" true || why="$why; the lock is held"
        [ ! -e "$top/p/build/.builder" ] || why="$why; a builder is named"
        grep -q 'interrupted; the next call continues' "$top/err" || why="$why; it does not say so"
        judge "interrupted_by_$1" "$why" "$top/out" "$top/err"
    }
    gone() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }
    interrupted INT 130 2
    interrupted TERM 143 1
    began=$(compiled a)
    rm -f "$top/p/builds"
    # many at once, while the first waits longer than ten seconds
    for i in $(seq 20); do
        project >"$top/out.$i" 2>"$top/err.$i" </dev/null &
        pids[i]=$!
    done
    waiting() { [ "$(grep -l 'waiting for it' "$top"/err.* | wc -l)" -eq 19 ]; }
    why=''
    wait_for 20 waiting || why="not 19 of them wait"
    shows() { grep -q 'ltesim: building [0-9]* %' "$top"/err.*; }
    holds a_log_shows_progress wait_for 20 shows
    touch "$top/p/go"
    for i in $(seq 20); do
        wait "${pids[i]}" || why="$why; exit $?"
        [ "$(cat "$top/out.$i")" = quick ] || why="$why; not run"
    done
    [ "$(wc -l <"$top/p/builds")" -eq 1 ] || why="$why; built $(wc -l <"$top/p/builds") times"
    judge twenty_at_once_build_once "$why" "$top"/err.*
    equal what_was_compiled_stays "$(compiled a)" "$began"
    equal and_was_compiled_once "$began" 1
    equal who_builds_is_said "$(grep -h 'waiting for it' "$top"/err.* | grep -c \
        "^ltesim: process [0-9]* on $HOSTNAME has been building in $top/p/build since 20")" 19
    # another host's build, on a file system whose locks do not reach so far
    touch "$top/p/phy/new.c"
    later '1 minute' "$top/p/phy/new.c"
    echo "1 elsewhere 2026-01-01 00:00:00" >"$top/p/build/.builder"
    project >"$top/out" 2>"$top/err" </dev/null &
    pid=$!
    holds another_hosts_build_is_waited_for \
        wait_for 5 grep -q 'process 1 on elsewhere has been building' "$top/err"
    later '2 minutes ago' "$top/p/build/.builder"
    holds unless_it_is_dead wait_for 20 gone "$pid"
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    # a disk that fills up
    mkdir "$top/small"
    if mount -t tmpfs -o size=100k tmpfs "$top/small" 2>/dev/null; then
        LTE_BUILD=$top/small CUDA_HOME="$top/cuda" "$top/p/ltesim" quick >"$top/out" 2>"$top/err"
        equal a_full_disk_exits_1 "$?" 1
        holds and_is_said grep -q "the disk of $top/small is full" "$top/err"
        mount -o remount,size=16m "$top/small"
        LTE_BUILD=$top/small CUDA_HOME="$top/cuda" "$top/p/ltesim" quick >"$top/out" 2>"$top/err"
        equal with_room_it_builds "$?" 0
    else
        skip "a full disk: nothing can be mounted"
    fi
else
    skip "a small project: no cmake and make"
fi

# ---- Libraries that are installed after the program was built: cmake and the compiler are real,
# pkg-config knows what lies in a folder
if command -v cmake >/dev/null && [ -x /usr/bin/pkg-config ]; then
    tree "$top/q"
    cat >"$top/q/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(ltesim C)
find_package(PkgConfig REQUIRED)
option(LTE_HDF5 "" ON)
option(LTE_MPI "" ON)
if(NOT EXISTS ${CMAKE_BINARY_DIR}/here.txt)
  file(WRITE ${CMAKE_BINARY_DIR}/here.txt "v3\nv4\nneon\n")
endif()
include(sim/building/libraries.cmake)
add_executable(program main.c)
if(LTE_HAVE_HDF5)
  target_compile_definitions(program PRIVATE HDF5)
  target_link_libraries(program PRIVATE PkgConfig::HDF5)
endif()
add_custom_target(here COMMAND sh -c "echo build >>${CMAKE_SOURCE_DIR}/builds"
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:program> -DWORD=here "-DLIBRARIES=${LTE_SETTLED}"
          -DBUILD=${CMAKE_BINARY_DIR} -P ${CMAKE_SOURCE_DIR}/sim/building/take.cmake VERBATIM)
add_dependencies(here program)
END
    printf '%s\n' '#ifdef HDF5' '#include <hdf5.h>' '#define WORD "HDF5"' '#else' \
        '#define WORD "none"' '#endif' '#include <stdio.h>' 'int main(void) { return puts(WORD) < 0; }' \
        >"$top/q/main.c"
    mkdir "$top/pc" "$top/hdf5" "$top/nowhere" "$top/mpi"
    # module NAME VERSION CFLAGS: what pkg-config finds.
    module() { printf '%s\n' "Name: $1" "Description: $1" "Version: $2" "Cflags: $3" >"$top/pc/$1.pc"; }
    for name in gsl libconfig jansson; do module "$name" 9.9 ''; done
    # starts NAME WORD BUILDS LINES: the launcher, whose program prints the word; so often it has built by
    # now, and so many lines say what is new.
    starts() {
        local why=''
        PKG_CONFIG=/usr/bin/pkg-config PKG_CONFIG_LIBDIR="$top/pc" CUDA_HOME="$top/cuda" LTE_BUILD='' \
            CCACHE_DISABLE=1 PATH="$PATH:$top/mpi" "$top/q/ltesim" quick >"$top/out" 2>"$top/err" </dev/null
        [ "$(cat "$top/out")" = "$2" ] || why="'$(cat "$top/out")', not '$2'"
        [ "$(wc -l <"$top/q/builds")" -eq "$3" ] || why="$why; built $(wc -l <"$top/q/builds") times, not $3"
        [ "$(grep -c '^ltesim: this machine has ' "$top/err")" -eq "$4" ] ||
            why="$why; not $4 lines"
        judge "$1" "$why" "$top/out" "$top/err"
    }
    starts without_a_library_it_builds none 1 0
    starts and_only_runs_then none 1 0
    module hdf5 1.0 "-I$top/nowhere"
    starts one_that_does_not_link_is_tried none 2 1
    holds as_is_said grep -q 'this machine has hdf5 now' "$top/err"
    starts but_once none 2 0
    echo 'enum { H5F_ACC_RDONLY, H5P_DEFAULT };
static inline int H5Fopen(const char *name, int how, int plan) { return name[0] - how - plan; }' \
        >"$top/hdf5/hdf5.h"
    module hdf5 1.1 "-I$top/hdf5"
    starts one_that_is_installed_later_is_used HDF5 3 1
    starts and_then_it_is_there HDF5 3 0
    builds=3
    if ! command -v mpicc >/dev/null; then
        printf '%s\n' '#!/bin/bash' 'exit 1' >"$top/mpi/mpicc"
        chmod +x "$top/mpi/mpicc"
        starts mpi_without_its_header_is_not_tried HDF5 3 0
        printf '%s\n' '#!/bin/bash' 'exit 0' >"$top/mpi/mpicc"
        builds=4
        starts mpi_that_does_not_work_is_tried HDF5 "$builds" 1
        starts it_too_only_once HDF5 "$builds" 0
    fi
    # configured anew by others, as by the tests, the program still has not what was installed since
    rm -rf "$top/q/build" "$top/pc/hdf5.pc"
    starts built_anew_without_it none "$((builds + 1))" 0
    module hdf5 1.1 "-I$top/hdf5"
    PKG_CONFIG=/usr/bin/pkg-config PKG_CONFIG_LIBDIR="$top/pc" cmake -S "$top/q" -B "$top/q/build" >"$top/out" 2>&1
    starts others_have_configured_since HDF5 "$((builds + 2))" 1
else
    skip "libraries: no cmake and pkg-config"
fi

wait "$dead"
holds a_dead_network_is_left_after_ten_seconds grep -qx 'exit 1 after 1[0-9] s' "$top/dead"
holds and_said grep -q 'the network does not answer' "$top/dead"
holds with_the_packages grep -q 'to install: .*apt-get install x$' "$top/dead"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
