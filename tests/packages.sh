# shellcheck shell=bash
# Sourced: need_packages WHAT_FOR package:kind:name ... makes sure that each command, pkg-config
# module, file or Debian package is there. What is missing is installed with apt: as root, with CI set, or with
# sudo after asking on a terminal; otherwise the command to type is printed and 1 returned.

has_need() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$2" ;;
    file) [ -e "$2" ] ;;
    package) ! command -v dpkg >/dev/null 2>&1 || dpkg -s "$2" >/dev/null 2>&1 ;;
    esac
}

# have_packages package:kind:name ...: true if all are there; installs and says nothing.
have_packages() {
    local need rest
    for need in "$@"; do
        rest=${need#*:}
        has_need "${rest%%:*}" "${rest#*:}" || return 1
    done
}

# Prints the prefix that makes apt-get allowed ("" or "sudo"), or fails.
apt_prefix() {
    local answer
    if [ "$(id -u)" -eq 0 ]; then
        echo ""
    elif ! command -v sudo >/dev/null 2>&1; then
        return 1
    elif [ -n "${CI:-}" ]; then
        echo sudo
    elif [ -t 0 ] && [ -t 2 ]; then
        read -r -p "ltesim: install them now with sudo apt-get? [y/N] " answer
        case $answer in
        y | Y | yes) echo sudo ;;
        *) return 1 ;;
        esac
    else
        return 1
    fi
}

need_packages() {
    local what_for=$1 need package rest missing=() prefix log status=0
    shift
    for need in "$@"; do
        package=${need%%:*}
        rest=${need#*:}
        has_need "${rest%%:*}" "${rest#*:}" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "ltesim: missing for $what_for: ${missing[*]}" >&2
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "ltesim: install these (Debian's names) with your system's package manager" >&2
        return 1
    fi
    if ! prefix=$(apt_prefix); then
        echo "ltesim: to install: sudo apt-get install ${missing[*]}" >&2
        return 1
    fi
    echo "ltesim: installing them with apt-get" >&2
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # package lists may be missing or old: then fetch them and try once more
    # shellcheck disable=SC2086 # the prefix is one word or none
    $prefix apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 ||
        { $prefix apt-get update && $prefix apt-get install -y --no-install-recommends \
            "${missing[@]}"; } >>"$log" 2>&1 || status=1
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        echo "ltesim: the installation failed" >&2
    fi
    rm -f "$log"
    return "$status"
}

# unpack_packages FOLDER ARCHITECTURE package ...: unpacks packages of another architecture, with what
# they depend on, in the folder, unless that was done before. Nothing is installed; apt's lists of that
# architecture and the packages themselves lie beside it, in FOLDER.apt.
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
