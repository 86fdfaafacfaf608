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

# counts FOLDER: ber.csv without its seconds.
counts() { cut -d, -f1-15 "$1/ber.csv"; }
# same_counts FOLDER FOLDER: two sweeps have the same tables, but for seconds.
same_counts() {
    cmp <(counts "$1") <(counts "$2") && cmp "$1/layers.csv" "$2/layers.csv"
}
