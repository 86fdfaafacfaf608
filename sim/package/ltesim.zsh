#compdef ltesim
# zsh completion of ltesim: commands, options and what they take, all out of what --help says.

local program=${commands[ltesim]:-$words[1]} line name value
local -a help specs verbs
help=("${(@f)$($program --help | sed 's/, -[a-z]\( [A-Z]*\)\{0,1\}  /  /')}") # no short options

for line in $help; do
    if [[ $line =~ '^(usage:|      ) ltesim ([a-z]+) ' ]]; then
        verbs+=($match[2])
    elif [[ $line =~ '^  (--[a-z-]+)( ([^ ]+))?  +(.*)' ]]; then
        name=$match[1] value=$match[3] line=${${match[4]//\[/(}//\]/)}
        case $value in
        '') specs+=("${name}[$line]") ;;
        *'|'*) specs+=("${name}[$line]:value:(${value//|/ })") ;;
        NAME) specs+=("${name}[$line]:backend:(${(f)"$($program --list | sed -n '/^backends/,$s/^  \([^ ]*\).*/\1/p')"//:/\\:})") ;;
        DIR) specs+=("${name}[$line]:folder:_files -/") ;;
        FILE) specs+=("${name}[$line]:file:_files") ;;
        *) specs+=("${name}[$line]:$value: ") ;;
        esac
    fi
done
specs=("*"${^specs})

_ltesim_words() {
    _alternative "commands:command:($verbs)" 'scenarios:scenario:_files -g "*.cfg"' \
        'folders:folder:_files -/'
}
_arguments $specs '*:scenario: _ltesim_words'
