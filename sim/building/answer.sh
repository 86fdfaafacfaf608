# shellcheck shell=bash
# Sourced by ./ltesim when nothing is built: answers in the program's words, which stand in
# sim/cli/options.c, what needs no program.

: "${here:?}" "${build:?}"

# Ends the script with an answer, unless the program is needed for it.
answer() {
    local options=$here/sim/cli/options.c scenario=''
    case $#:${1:-} in
    0:)
        put_text start >&2
        exit 2
        ;;
    1:--help | 1:-h)
        put_text help
        exit 0
        ;;
    1:--version)
        echo "ltesim $(sed -n 's/^project(ltesim VERSION \([0-9.]*\).*/\1/p' \
            "$here/CMakeLists.txt") ($(git -C "$here" describe --always --dirty 2>/dev/null ||
            echo unknown))"
        echo "ltesim is not built yet; running a scenario builds it first, in $build"
        exit 0
        ;;
    esac
    find_scenario "$@"
    case $scenario in
    '' | - | */ | merge | report | compare | plot | methods | bench) ;;
    3gpp) [[ " $* " = *" --verify "* ]] || miss "$scenario" ;;
    */*) [ -e "$scenario" ] || miss "$scenario" ;;
    *)
        [ -e "$scenario" ] || [ -r "$here/scenarios/$scenario" ] ||
            [ -r "$here/scenarios/$scenario.cfg" ] || miss "$scenario"
        ;;
    esac
}

# Prints the text that the program has between two marks.
put_text() {
    sed -n "/\/\* $1 begins/,/\/\* $1 ends/s/^[^\"]*\"\(.*\)\\\\n\";\{0,1\}\$/\1/p" "$options" |
        sed 's/\\\(.\)/\1/g'
}

# Sets near to the known name that is closest to one, or to nothing: NAME KNOWN...; it counts edits
# as phy/base/names.c does.
find_near() {
    local name=${1,,} known other most=2 best i k cost
    local -A d
    near=''
    [ ${#name} -ge 5 ] || most=1
    best=$((most + 1))
    for known in "${@:2}"; do
        other=${known,,}
        ((${#other} - ${#name} <= most && ${#name} - ${#other} <= most)) || continue
        for ((i = 0; i <= ${#name}; i++)); do
            for ((k = 0; k <= ${#other}; k++)); do
                d[$i,$k]=$((i + k))
                ((i > 0 && k > 0)) || continue
                cost=1
                [ "${name:i-1:1}" != "${other:k-1:1}" ] || cost=0
                cost=$((d[$((i - 1)),$((k - 1))] + cost))
                [ $((d[$((i - 1)),$k] + 1)) -ge "$cost" ] || cost=$((d[$((i - 1)),$k] + 1))
                [ $((d[$i,$((k - 1))] + 1)) -ge "$cost" ] || cost=$((d[$i,$((k - 1))] + 1))
                if [ "$i" -gt 1 ] && [ "$k" -gt 1 ] && [ "${name:i-2:2}" = "${other:k-1:1}${other:k-2:1}" ] &&
                    [ $((d[$((i - 2)),$((k - 2))] + 1)) -lt "$cost" ]; then
                    cost=$((d[$((i - 2)),$((k - 2))] + 1))
                fi
                d[$i,$k]=$cost
            done
        done
        if [ "${d[${#name},${#other}]}" -lt "$best" ]; then
            best=${d[${#name},${#other}]}
            near=$known
        fi
    done
}

# Sets scenario to the argument that names it, if every option is one of the program's.
find_scenario() {
    local names takes name near
    names=" $(sed -n 's/^    {"\([a-z-]*\)", [A-Z]*, .*/\1/p' "$options" | tr '\n' ' ')"
    takes=" $(sed -n 's/^    {"\([a-z-]*\)", \(OWN\|COUNT\|TEXT\), .*/\1/p' "$options" | tr '\n' ' ')"
    while [ $# -gt 0 ]; do
        case $1 in
        --help | --version | --list | -h) # these run no scenario
            scenario=
            return
            ;;
        --?*)
            name=${1%%=*}
            if [[ $names != *" ${name#--} "* ]]; then
                # shellcheck disable=SC2086 # words
                find_near "${name#--}" $names
                [ -z "$near" ] || refuse "${1:0:60}: unknown option; did you mean --$near?"
                refuse "${1:0:60}: unknown option; see ltesim --help"
            fi
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
    local base=${1##*/} level near scenarios
    case ${base%.cfg} in
    low_10mhz_2x2 | low_20mhz_4x4 | medium_10mhz_2x2 | medium_20mhz_4x4 | high_10mhz_2x2 | high_20mhz_4x4)
        level=${base%%_*}
        refuse "$1: is now ${1%"$base"}correlated${base#"$level"} --set channel.correlation.level=$level"
        ;;
    esac
    scenarios=("$here"/scenarios/*.cfg)
    scenarios=("${scenarios[@]##*/}")
    find_near "${base%.cfg}" "${scenarios[@]%.cfg}"
    if [ -n "$near" ]; then
        near="; did you mean $near?"
    elif [[ $1 != */* ]]; then
        near="; ltesim --list shows the scenarios"
    fi
    refuse "$1: cannot be read: No such file or directory$near"
}

refuse() {
    echo "ltesim: ${1//[[:cntrl:]]/?}" >&2
    exit 2
}
