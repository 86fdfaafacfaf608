# shellcheck shell=bash
# Sourced by ./ltesim and tests/run, which set here (the source tree) and build (its build folder):
# what a build needs, one build at a time, its progress, and its errors.
#
#     check_system && need_tools "the build" || exit 1
#     take_lock || exit $?         waits for another's build
#     configure if_needed && build_targets here
#     leave_lock
#
# In the build folder: build.log, what the last configuration or build printed; .lock, held by flock
# while one works; .builder, who that is, and a sign of life: its time of change.

: "${here:?}" "${build:?}"
# shellcheck source=sim/building/packages.sh
. "$here/sim/building/packages.sh"
# shellcheck source=sim/building/machine.sh
. "$here/sim/building/machine.sh"

log=$build/build.log
builder_pid='' shown='' locked=''

say() {
    clear_line
    echo "ltesim: $*" >&2
}

# ---- What the build needs

check_system() {
    [[ $OSTYPE = linux* ]] && return
    say "this system is $OSTYPE: ltesim builds and runs on Linux, also in a container or a" \
        "virtual machine"
    return 1
}

# cached NAME: a value of the build folder's configuration.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null; }

# Sets PKG_CONFIG to the system's where the one on the path, as conda's, does not know the modules.
choose_pkg_config() {
    local found
    [ -z "${PKG_CONFIG:-}" ] || return 0
    found=$(type -P pkg-config) || return 0
    if [ "$found" != /usr/bin/pkg-config ] &&
        { [ -x /usr/bin/pkg-config ] || [[ $found = "${CONDA_PREFIX:-/none}"/* ]]; } &&
        ! "$found" --exists gsl libconfig jansson 2>/dev/null; then
        say "$found does not find the system's libraries; using /usr/bin/pkg-config instead"
        export PKG_CONFIG=/usr/bin/pkg-config
    fi
}

# need_tools WHAT_FOR package:kind:name ...: what every build needs, and more, is there, or is
# installed.
need_tools() {
    local what_for=$1 maker="make:command:make" compiler="gcc:command:cc" generator
    shift
    [ -z "${CC:-}" ] || compiler="${CC%% *}:command:${CC%% *}"
    choose_pkg_config
    generator=$(cached CMAKE_GENERATOR)
    generator=${generator:-${CMAKE_GENERATOR:-}}
    if [[ $generator = Ninja* ]] || { [ -z "$generator" ] && ! type -P make >/dev/null; }; then
        maker="ninja-build:command:ninja"
    fi
    need_packages "$what_for" "cmake:command:cmake" "$maker" "$compiler" \
        "libc6-dev:file:/usr/include/stdio.h" "pkg-config:command:${PKG_CONFIG:-pkg-config}" \
        "libgsl-dev:module:gsl" "libconfig-dev:module:libconfig" "libjansson-dev:module:jansson" \
        "$@"
}

# old IS LEAST: true if a version is below another.
old() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# The tools are not too old, and work: before the first configuration.
check_tools() {
    local compiler=${CC:-cc} version kind least work status=0
    version=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
    if old "${version:-0}" 3.22; then
        say "$(type -P cmake) is CMake ${version:-of unknown version}, but ltesim needs 3.22 or" \
            "later; put a newer one first on the path (pip install cmake)"
        status=1
    fi
    read -r kind version < <(printf '%s\n' '#ifdef __clang__' 'clang __clang_major__' \
        '#elif defined __GNUC__' 'gcc __GNUC__' '#endif' | $compiler -E -P - 2>/dev/null | tail -n 1)
    case ${kind:-} in clang) least=12 ;; *) least=9 ;; esac
    work=$(mktemp -d)
    echo 'int main(void) { return 0; }' >"$work/main.c"
    if ! $compiler -o "$work/main" "$work/main.c" >"$work/log" 2>&1; then
        say "the C compiler $compiler cannot build a program: $(head -n 1 "$work/log")"
        status=1
    elif [ -n "${version:-}" ] && [ "$version" -lt "$least" ]; then
        say "$compiler is $kind $version, but the instruction sets of ltesim need $kind $least or later;" \
            "name a newer compiler in CC"
        status=1
    fi
    rm -rf "$work"
    return "$status"
}

# quota PROC_CGROUP ROOT: the processors that the control groups grant, rounded up; nothing: all.
quota() {
    local line at folder share period least=''
    while IFS= read -r line; do
        case $line in
        0::*) folder=$2 ;;
        *:cpu:* | *:cpu,*:* | *:*,cpu:* | *:*,cpu,*:*) folder=$2/cpu ;;
        *) continue ;;
        esac
        at=${line#*:*:}
        while :; do
            at=${at%/}
            read -r share period <<<"$(one_of "$folder$at/cpu.max")"
            if [ -z "$share" ]; then
                share=$(one_of "$folder$at/cpu.cfs_quota_us")
                period=$(one_of "$folder$at/cpu.cfs_period_us")
            fi
            if [[ $share =~ ^[0-9]+$ && $period =~ ^[1-9][0-9]*$ ]]; then
                share=$(((share + period - 1) / period))
                [ -n "$least" ] && [ "$least" -le "$share" ] || least=$share
            fi
            [ -n "$at" ] || break
            at=${at%/*}
        done
    done 2>/dev/null <"$1"
    echo "$least"
}

# one_of FILE ...: the first line of the first that can be read.
one_of() {
    local file line=''
    for file in "$@"; do
        if { read -r line <"$file"; } 2>/dev/null; then
            echo "$line"
            return
        fi
    done
}

# memory_left PROC_CGROUP ROOT MEMINFO: MB that programs can still take.
memory_left() {
    local line at folder limit used kept left rest
    left=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' "$3" 2>/dev/null)
    left=$((${left:-1073741824} / 1024))
    while IFS= read -r line; do
        case $line in
        0::*) folder=$2 ;;
        *:memory:*) folder=$2/memory ;;
        *) continue ;;
        esac
        at=${line#*:*:}
        while :; do
            at=${at%/}
            limit=$(one_of "$folder$at/memory.max" "$folder$at/memory.limit_in_bytes")
            used=$(one_of "$folder$at/memory.current" "$folder$at/memory.usage_in_bytes")
            if [[ $limit =~ ^[0-9]{1,15}$ && $used =~ ^[0-9]+$ ]]; then
                # what it caches can be taken; version 1 has totals beside
                kept=$(awk '/^(total_)?(in)?active_file / { n = /^total/ ? 1 : 0; sum[n] += $2 }
                    END { printf "%d", sum[1] ? sum[1] : sum[0] }' "$folder$at/memory.stat" 2>&-)
                rest=$(((limit - used + ${kept:-0}) / 1048576))
                [ "$rest" -ge "$left" ] || left=$rest
            fi
            [ -n "$at" ] || break
            at=${at%/*}
        done
    done 2>/dev/null <"$1"
    echo "$left"
}

# The processors that this process may use.
processors_here() {
    local n most
    n=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
    most=$(quota /proc/self/cgroup /sys/fs/cgroup)
    [ -z "$most" ] || [ "$most" -ge "$n" ] || n=$most
    echo "$n"
}

# Compilers at once: one for each of these processors, at most one for each 1.5 GB that is free.
jobs_here() {
    local n most
    n=$(processors_here)
    most=$(($(memory_left /proc/self/cgroup /sys/fs/cgroup /proc/meminfo) / 1536))
    [ "$most" -ge "$n" ] || n=$most
    [ "$n" -ge 1 ] || n=1
    echo "$n"
}

# ---- One build at a time

# True if another, which is not dead, holds .builder. It is there for file systems where the locks
# of flock are those of one host; on others it only says who builds.
others() {
    local pid host since age
    read -r pid host since <"$build/.builder" || return 1
    if [ "$host" = "${HOSTNAME:-}" ]; then # then this one has the lock, if there are locks
        [ -n "$no_locks" ] && kill -0 "$pid" && return
        return 1
    fi
    touch "$build/.now"
    age=$(($(stat -c %Y "$build/.now") - $(stat -c %Y "$build/.builder" || echo 0)))
    [ "$age" -lt 60 ]
} 2>/dev/null

# Writes .builder unless another has it.
claim() {
    (set -o noclobber && echo "$$ ${HOSTNAME:-} $(date '+%F %T')" >"$build/.builder") 2>/dev/null &&
        return
    ! others || return 1
    rm -f "$build/.builder"
    (set -o noclobber && echo "$$ ${HOSTNAME:-} $(date '+%F %T')" >"$build/.builder") 2>/dev/null
}

# Tries to get the lock of flock; also true where the file system has none.
gain() {
    flock -n 9 2>/dev/null
    case $? in
    0) ;;
    1) return 1 ;; # another has it
    *) no_locks=1 ;;
    esac
}

# Waits until nobody else builds here; true. Sets waited if that took a while.
take_lock() {
    local pid host since
    waited='' no_locks=''
    mkdir -p "$build" && exec 9>>"$build/.lock" || return 1
    until gain && claim; do
        flock -u 9 2>/dev/null
        pid='' host='' since=''
        { read -r pid host since <"$build/.builder"; } 2>/dev/null
        if [ -z "$waited" ] && [ -n "$since" ]; then
            say "process $pid on $host has been building in $build since $since; waiting for it"
            waited=1
            watch_from_here
        fi
        [ -z "$waited" ] || show_progress "it is at"
        sleep 0.5
    done
    locked=1
    clear_line
}

leave_lock() {
    rm -f "$build/.builder" "$build/.now"
    exec 9>&-
    locked=''
}

# ---- Progress

# The line that is rewritten goes from the terminal.
clear_line() {
    [ -z "$shown" ] || printf '\r\033[K' >&2
    shown=
}

# From here on the pace is measured.
watch_from_here() {
    began=$SECONDS said=$SECONDS share='' first='' object='' planned=''
}

# weigh: the seconds of the objects that lines of a build name, in units of weights.txt.
weigh() {
    awk 'FNR == NR { if ($1 !~ /^#/) seconds[$1] = $2; next }
        /^\[.*Building/ { name = $NF; sub(/.*\//, "", name); sub(/\.o$/, "", name)
            sum += name in seconds ? seconds[name] : 0.25 }
        END { printf "%d\n", 100 * sum }' "$here/sim/building/weights.txt" -
}

# plan_work TARGET ...: sets planned to the weight of what is to be built, where ninja can tell.
plan_work() {
    [[ $(cached CMAKE_GENERATOR) = Ninja ]] || return 0
    planned=$(ninja -C "$build" -n "$@" 2>/dev/null | weigh)
    [ "${planned:-0}" -gt 0 ] || planned=
}

# Takes the share that is done, in percent, and the object begun last from the end of the log: make
# says [ 12%], ninja [3/120].
read_progress() {
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^\[\ *([0-9]+)%\]\ (.*) ]]; then
            share=${BASH_REMATCH[1]}
        elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then
            share=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        else
            continue
        fi
        line=${BASH_REMATCH[-1]}
        [[ $line != *target* ]] || continue
        first=${first:-$share}
        [ "$first" -le "$share" ] || first=$share began=$SECONDS # make begins with another target
        object=${line##*[ /]}
        object=${object%.o}
    done < <(tail -n 30 "$log" 2>/dev/null)
    [ -z "$planned" ] || first=0 share=$((100 * $(weigh <"$log") / planned))
}

# show_progress DOING: on a terminal in a line that is rewritten, in a log every ten seconds.
show_progress() {
    local text=$1 elapsed=$((SECONDS - began)) columns
    if [ -t 2 ]; then
        [ "$SECONDS" -gt "$said" ] || return 0
    else
        [ "$((SECONDS - said))" -ge 10 ] || return 0
    fi
    said=$SECONDS
    read_progress
    if [ -z "$share" ]; then
        text+=" $elapsed s"
    else
        text+=" $share %${object:+, $object}"
        if [ "$elapsed" -ge 3 ] && [ "$((share - first))" -ge 5 ]; then
            text+=", about $((elapsed * (100 - share) / (share - first))) s left"
        fi
    fi
    if [ -t 2 ]; then
        columns=$(stty size <&2 2>/dev/null) && columns=${columns#* } || columns=80
        text="ltesim: $text"
        printf '\r\033[K%s' "${text:0:$((columns > 1 ? columns - 1 : 79))}" >&2
        shown=1
    else
        say "$text"
    fi
}

# ---- Work

# Ends what was begun: nothing is left locked, and the next call goes on from there.
stop() {
    trap '' INT TERM HUP
    if [ -n "$builder_pid" ]; then
        kill -TERM -- "-$builder_pid" 2>/dev/null
        wait "$builder_pid" 2>/dev/null
        say "interrupted; the next call continues from here"
    fi
    [ -z "${apt_pid:-}" ] || "${prefix[@]}" kill "$apt_pid" 2>/dev/null
    [ -z "$locked" ] || leave_lock
    clear_line
    exit "$1"
}

catch_signals() {
    trap 'stop 130' INT
    trap 'stop 143' TERM
    trap 'stop 129' HUP
}

# work DOING COMMAND...: runs it in a process group of its own, its output at the end of build.log.
# What it starts does not get the lock, but the shell around it keeps it to its end.
work() {
    local doing=$1 status lived=$SECONDS pause=0.02
    shift
    watch_from_here
    [ "$doing" != building ] || plan_work "${targets[@]}"
    set -m
    (
        trap - INT TERM HUP
        "$@" 9>&- </dev/null >>"$log" 2>&1 &
        wait $!
    ) &
    builder_pid=$!
    set +m
    while kill -0 "$builder_pid" 2>/dev/null; do
        sleep "$pause"
        [ "$SECONDS" -eq "$lived" ] || pause=0.2
        show_progress "$doing"
        if [ "$((SECONDS - lived))" -ge 5 ]; then # a sign of life for other hosts
            touch "$build/.builder" 2>/dev/null
            lived=$SECONDS
        fi
    done
    wait "$builder_pid"
    status=$?
    builder_pid=
    clear_line
    return "$status"
}

# The first error in build.log, at most ten lines of it, and where the rest is.
explain_failure() {
    local doing=$1 error
    error=$(awk '
        function other() { return /^\[|^g?make|^ninja:|^FAILED:|^-- |^Call Stack/ }
        !found && !/^\[/ && (/(^|[^A-Za-z_-])([Ff]atal )?error[: ]/ || /^CMake Error/ ||
            /undefined reference|multiple definition|cannot find -l|No space left on device/ ||
            /No rule to make target|ptxas fatal|nvcc fatal|[Cc]ommand not found/) { found = 1 }
        found && (other() && n > 0 || n == 10) { exit }
        found && NF { print; n++ }' "$log" 2>/dev/null)
    [ -n "$error" ] || error=$(grep -v '^\[\|^g\{0,1\}make' "$log" 2>/dev/null | tail -n 10)
    [ -z "$error" ] || printf '%s\n' "$error" >&2
    if ! head -c 65536 /dev/zero 2>/dev/null >"$build/.room" ||
        grep -q 'No space left on device' "$log"; then
        say "the disk of $build is full"
    elif grep -q 'Killed\|[Ss]ignal 9\|out of memory' "$log" 2>/dev/null; then
        say "a compiler was killed, perhaps because memory ran out"
    fi
    rm -f "$build/.room"
    say "$doing failed; its full output is in $log"
}

# The source tree that the build folder is of; nothing if it is of none yet.
built_from() { cached CMAKE_HOME_DIRECTORY; }

# True if the build folder came here with a tree that was copied or moved.
displaced() {
    local from
    from=$(built_from)
    [ -n "$from" ] && [ "$from" != "$here" ]
}

# Empties a build folder that is another tree's, unless the user has named it.
adopt_folder() {
    displaced || return 0
    if [ -n "${LTE_BUILD:-}" ]; then
        say "$build contains a build of $(built_from); name another folder in LTE_BUILD, or remove it"
        return 1
    fi
    say "$build was copied from $(built_from); building it anew"
    find "$build" -mindepth 1 ! -name .lock ! -name .builder -delete
}

# configure if_needed|again: configures the build folder; once done CMake itself sees what changed.
configure() {
    local options=()
    : >"$log" || return 1
    if [ "$1" != again ] && [ -e "$build/.configured" ] && [ -e "$build/CMakeCache.txt" ]; then
        return 0
    fi
    if [ ! -e "$build/CMakeCache.txt" ]; then
        check_tools || return 1
        if [ -z "${CCACHE_DISABLE:-}${CMAKE_C_COMPILER_LAUNCHER:-}" ] &&
            type -P ccache >/dev/null; then
            options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
        fi
        if [ -z "${CMAKE_GENERATOR:-}" ] && type -P ninja >/dev/null; then
            options+=(-G Ninja) # make takes a quarter more
        fi
    fi
    if work "configuring" cmake -S "$here" -B "$build" "${options[@]}"; then
        touch "$build/.configured"
    else
        explain_failure "the configuration"
        return 1
    fi
}

# build_targets TARGET ...
build_targets() {
    local targets=("$@")
    if ! work "building" cmake --build "$build" --config Release --target "$@" \
        -j "$(jobs_here)"; then
        rm -f "$build/.configured" # half a configuration may be the reason
        explain_failure "the build"
        return 1
    fi
}
