# What is said to the person at the terminal. Sourced.
# shellcheck shell=bash

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "${0##*/}: $*"
    exit 1
}
