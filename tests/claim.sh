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
