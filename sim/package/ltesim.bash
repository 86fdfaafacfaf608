# bash completion of ltesim: commands, options and what they take, all out of what --help says.

# The value of an option as --help writes it: "ber|deadline", "DIR"; nothing if it has none.
_ltesim_value() {
    sed -n "s/^  $1 \([^ ]*\).*/\1/p" <<<"$2"
}

_ltesim() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program help words=''
    COMPREPLY=()
    program=$(type -P ltesim) || return
    help=$("$program" --help | sed 's/, -[a-z]\( [A-Z]*\)\{0,1\}  /  /') # no short options
    [[ $before == --* ]] && before=$(_ltesim_value "$before" "$help") || before=''
    case $before in
    *'|'*) words=${before//|/ } ;;
    NAME) words=$("$program" --list | sed -n '/^backends/,$s/^  \([^ ]*\).*/\1/p') ;;
    DIR) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    FILE) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    ?*) ;;
    *)
        if [[ $word == -* ]]; then
            words=$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$help")
        else
            mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.cfg' -- "$word")
            words=$(sed -n 's/^\(usage:\|      \) ltesim \([a-z][a-z]*\) .*/\2/p' <<<"$help")
        fi
        ;;
    esac
    [ ${#COMPREPLY[@]} -eq 0 ] || compopt -o filenames 2>/dev/null
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$word")
    # a colon parts words: what stands before it is there already
    [[ $word == "$before" || $word != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%:*}:"}")
}

complete -F _ltesim ltesim
