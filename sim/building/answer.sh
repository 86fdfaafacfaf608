# shellcheck shell=bash
# Sourced by ./ltesim when nothing is built: answers in the program's words, which stand in
# sim/cli/options.c, what needs no program.

: "${here:?}" "${build:?}"

# Ends the script with an answer, unless the program is needed for it.
answer() {
    local options=$here/sim/cli/options.c scenario=''
    case $#:${1:-} in
    0:)
        refuse "$(sed -n 's/.*lte_refuse("\(no scenario: .*\)");/\1/p' "$options")"
        ;;
    1:--help | 1:-h)
        sed -n '/\/\* help begins/,/\/\* help ends/s/^[^"]*"\(.*\)\\n";\{0,1\}$/\1/p' "$options" |
            sed 's/\\\(.\)/\1/g'
        exit 0
        ;;
    1:--version)
        echo "ltesim $(sed -n 's/^project(ltesim VERSION \([0-9.]*\).*/\1/p' \
            "$here/CMakeLists.txt") ($(git -C "$here" describe --always --dirty 2>/dev/null ||
            echo unknown))"
        echo "nothing is built yet: a run of a scenario builds it first, in $build"
        exit 0
        ;;
    esac
    find_scenario "$@"
    case $scenario in
    '' | - | */ | merge | report | compare) ;;
    3gpp) [[ " $* " = *" --verify "* ]] || miss "$scenario" ;;
    */*) [ -e "$scenario" ] || miss "$scenario" ;;
    *)
        [ -e "$scenario" ] || [ -r "$here/scenarios/$scenario" ] ||
            [ -r "$here/scenarios/$scenario.cfg" ] || miss "$scenario"
        ;;
    esac
}

# Sets scenario to the argument that names it, if every option is one of the program's.
find_scenario() {
    local names takes name
    names=" $(sed -n 's/^    {"\([a-z-]*\)", [a-z]*_argument,.*/\1/p' "$options" | tr '\n' ' ')"
    takes=" $(sed -n 's/^    {"\([a-z-]*\)", required_argument,.*/\1/p' "$options" | tr '\n' ' ')"
    while [ $# -gt 0 ]; do
        case $1 in
        --help | --version | --list | -h) # these run no scenario
            scenario=
            return
            ;;
        --?*)
            name=${1%%=*}
            [[ $names = *" ${name#--} "* ]] || refuse "${1:0:60}: unknown option; see ltesim --help"
            [[ $1 = *=* || $takes != *" ${name#--} "* ]] || shift
            ;;
        -o) shift ;;
        -?*) ;;
        *) scenario=${scenario:-$1} ;;
        esac
        [ $# -eq 0 ] || shift
    done
}

miss() {
    local base=${1##*/} level
    case ${base%.cfg} in
    low_10mhz_2x2 | low_20mhz_4x4 | medium_10mhz_2x2 | medium_20mhz_4x4 | high_10mhz_2x2 | high_20mhz_4x4)
        level=${base%%_*}
        refuse "$1: is now ${1%"$base"}correlated${base#"$level"} --set channel.correlation.level=$level"
        ;;
    esac
    refuse "$1: cannot be read: No such file or directory"
}

refuse() {
    echo "ltesim: ${1//[[:cntrl:]]/?}" >&2
    exit 2
}
