# shellcheck shell=bash
# Sourced: need_packages WHAT_FOR package:kind:name ... makes sure that each command, pkg-config
# module, file or Debian package is there. What is missing is installed with apt: as root, with CI
# set, or with sudo after asking on a terminal; otherwise the command to type is printed, in the
# words of this system's package manager, and 1 returned.

# Names of packages where they differ from Debian's; a dash: it comes with another.
package_names="
# Debian              dnf                  pacman                zypper            apk
libc6-dev             glibc-devel          glibc                 glibc-devel       musl-dev
g++                   gcc-c++              gcc                   gcc-c++           g++
pkg-config            pkgconf-pkg-config   pkgconf               pkg-config        pkgconf
ninja-build           ninja-build          ninja                 ninja             samurai
libgsl-dev            gsl-devel            gsl                   gsl-devel         gsl-dev
libconfig-dev         libconfig-devel      libconfig             libconfig-devel   libconfig-dev
libjansson-dev        jansson-devel        jansson               libjansson-devel  jansson-dev
gnuplot-nox           gnuplot              gnuplot               gnuplot           gnuplot
librsvg2-bin          librsvg2-tools       librsvg               rsvg-convert      rsvg-convert
libcmocka-dev         libcmocka-devel      cmocka                libcmocka-devel   cmocka-dev
libhdf5-dev           hdf5-devel           hdf5                  hdf5-devel        hdf5-dev
python3               python3              python                python3           python3
python3-venv          python3-pip          python-pip            python3-pip       py3-pip
libomp-dev            libomp-devel         openmp                libomp-devel      openmp-dev
clang-tidy            clang-tools-extra    clang                 clang-tools       clang-extra-tools
clang-format          clang-tools-extra    clang                 clang-tools       clang-extra-tools
shellcheck            ShellCheck           shellcheck            ShellCheck        shellcheck
openmpi-bin           openmpi              openmpi               openmpi           openmpi
libopenmpi-dev        openmpi-devel        openmpi               openmpi-devel     openmpi-dev
gcc-aarch64-linux-gnu gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc cross-aarch64-gcc13 -
qemu-user             qemu-user            qemu-user             qemu-linux-user   qemu-aarch64
"

# The pkg-config to ask: one that is not the system's, as conda's, knows its own modules alone.
pkg_config() { "${PKG_CONFIG:-pkg-config}" "$@"; }

has_need() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg_config --exists "$2" 2>/dev/null ;;
    file) [ -e "$2" ] ;;
    package) ! command -v dpkg >/dev/null 2>&1 || dpkg -s "$2" >/dev/null 2>&1 ;;
    esac
}

# Prints the packages that are missing of package:kind:name ...
missing_packages() {
    local need rest
    for need in "$@"; do
        rest=${need#*:}
        has_need "${rest%%:*}" "${rest#*:}" || echo "${need%%:*}"
    done
}

# Prints the command that installs packages with this system's package manager; fails without one.
install_command() {
    local manager tool column=1 name other names=()
    for manager in "apt-get install" "dnf install" "pacman -S" "zypper install" "apk add" ""; do
        tool=${manager%% *}
        [ -n "$tool" ] || return 1
        ! command -v "$tool" >/dev/null 2>&1 || break
        column=$((column + 1))
    done
    for name in "$@"; do
        other=$(sed -n "s/^$name  *//p" <<<"$package_names")
        if [ "$column" -gt 1 ] && [ -n "$other" ]; then
            read -r -a other <<<"$other"
            name=${other[column - 2]}
        fi
        [ "$name" = - ] || [[ " ${names[*]} " = *" $name "* ]] || names+=("$name")
    done
    [ "$(id -u)" -eq 0 ] || manager="sudo $manager"
    echo "$manager ${names[*]}"
}

# True if packages can be installed, perhaps after asking.
can_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" -ne 0 ] || return 0
    command -v sudo >/dev/null 2>&1 && { [ -n "${CI:-}" ] || { [ -t 0 ] && [ -t 2 ]; }; }
}

# Sets prefix to what makes apt-get allowed (none or "sudo"), or fails.
apt_prefix() {
    local answer=
    prefix=()
    can_install || return 1
    [ "$(id -u)" -ne 0 ] || return 0
    prefix=(sudo)
    [ -z "${CI:-}" ] || return 0
    # nobody may be there to answer
    read -r -t 120 -p "ltesim: install them now with sudo apt-get? [y/N] " answer || echo >&2
    [[ $answer =~ ^(y|Y|yes)$ ]]
}

# run_apt LOG ARGUMENT ...: apt-get, which waits two minutes for another that holds its lock. 2: the
# network is dead, from which nothing came in ten seconds.
run_apt() {
    local log=$1 waited=0 line status
    shift
    : >"$log"
    "${prefix[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=120 \
        -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10 -o Acquire::Retries=0 \
        "$@" >>"$log" 2>&1 </dev/null &
    apt_pid=$!
    while kill -0 "$apt_pid" 2>/dev/null || [ -e "/proc/$apt_pid" ]; do
        sleep 0.2
        if grep -q '^Get:\|^Hit:\|^Unpacking \|^Setting up ' "$log"; then
            break # it answers
        fi
        line=$(tail -n 1 "$log")
        if [[ $line = *lock* ]]; then
            waited=0
        elif [ "$1" = update ] || grep -q '^Need to get' "$log"; then
            waited=$((waited + 1))
        fi
        if [ "$waited" -ge 50 ]; then
            "${prefix[@]}" kill "$apt_pid" 2>/dev/null
            wait "$apt_pid" 2>/dev/null
            apt_pid=''
            return 2
        fi
    done
    wait "$apt_pid"
    status=$?
    apt_pid=''
    return "$status"
}

need_packages() {
    local what_for=$1 missing prefix log status=0
    shift
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "ltesim: missing for $what_for: ${missing[*]}" >&2
    if ! apt_prefix; then
        echo "ltesim: to install: $(install_command "${missing[@]}" ||
            echo "these (Debian's names) with your system's package manager")" >&2
        return 1
    fi
    echo "ltesim: installing them with apt-get" >&2
    log=$(mktemp)
    # package lists may be missing or old: then fetch them and try once more
    run_apt "$log" install -y --no-install-recommends "${missing[@]}" || status=$?
    if [ "$status" -ne 0 ] && [ "$status" -ne 2 ]; then
        status=0
        run_apt "$log" update || status=$?
        [ "$status" -eq 2 ] || {
            status=0
            run_apt "$log.2" install -y --no-install-recommends "${missing[@]}" || status=$?
            cat "$log.2" >>"$log"
        }
    fi
    if [ "$status" -eq 2 ]; then
        echo "ltesim: the network does not answer" >&2
    elif [ "$status" -ne 0 ]; then
        { grep '^E: \|^Err:' "$log" || cat "$log"; } | tail -n 5 >&2
    fi
    [ "$status" -eq 0 ] ||
        echo "ltesim: not installed; to install: $(install_command "${missing[@]}")" >&2
    rm -f "$log" "$log.2"
    return "$((status > 0))"
}

# unpack_packages FOLDER ARCHITECTURE package ...: unpacks packages of another architecture, with
# what they depend on, in the folder, unless that was done before. Nothing is installed; apt's lists
# of that architecture and the packages themselves lie beside it, in FOLDER.apt.
unpack_packages() {
    local folder store architecture=$2 package status=0
    folder=$(realpath -m "$1")
    store=$folder.apt
    shift 2
    [ ! -e "$folder" ] || return 0
    echo "ltesim: fetching for $architecture, into $folder: $*" >&2
    rm -rf "$store"
    mkdir -p "$store/lists/partial" "$store/cache/archives/partial" "$store/root"
    : >"$store/status"
    local options=(-o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
        -o "APT::Sandbox::User=" -o "Debug::NoLocking=true" -o "Dir::State::Lists=$store/lists"
        -o "Dir::State::status=$store/status" -o "Dir::Cache=$store/cache")
    {
        apt-get "${options[@]}" update
        apt-get "${options[@]}" install -y --no-install-recommends --download-only "$@" &&
            for package in "$store"/cache/archives/*.deb; do
                dpkg-deb -x "$package" "$store/root" || exit 1
            done
    } >"$store/log" 2>&1 </dev/null || status=1
    if [ "$status" -ne 0 ]; then
        cat "$store/log" >&2
        echo "ltesim: fetching failed" >&2
        return 1
    fi
    mv "$store/root" "$folder"
}
