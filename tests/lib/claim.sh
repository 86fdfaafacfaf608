# shellcheck shell=bash
# Sourced: claim NAME COMMAND... counts in passed and failed whether the command holds.
claim() {
    local name=$1
    shift
    if "$@" > claim.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: not so: $*"
        head -5 claim.log | sed 's/^/    /'
    fi
}

# has_files FOLDER NAMES: these and no others, names in C's order with a space between.
has_files() { [ "$(cd "$1" && find . -mindepth 1 -printf '%P\n' | LC_ALL=C sort | tr '\n' ' ')" = "$2 " ]; }
# soon COMMAND...: it holds within a dozen seconds.
soon() {
    for ((i = 0; i < 600; i++)); do
        "$@" && return 0
        sleep 0.02
    done
    return 1
}

# counts FOLDER: ber.csv without its seconds.
counts() { cut -d, -f1-15 "$1/ber.csv"; }
# same_counts FOLDER FOLDER: two sweeps have the same tables, but for seconds.
same_counts() {
    cmp <(counts "$1") <(counts "$2") && cmp "$1/layers.csv" "$2/layers.csv"
}
