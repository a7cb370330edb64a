# Messages to the person at the terminal. Sourced.
# shellcheck shell=bash

# say TEXT…: prints a line to standard error.
say() {
    printf '%s\n' "$*" >&2
}

# fail TEXT…: prints an error and exits with status 1.
fail() {
    say "${0##*/}: $*"
    exit 1
}
