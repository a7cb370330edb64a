# Makes the man pages from what the programs print with --help. Sourced; needs $built, $version and $checkout.
# shellcheck shell=bash

# make_man_pages FOLDER: writes a page for each program that an admin starts.
make_man_pages() {
    install -d "$1"
    {
        # The other two are started by `lectern jobs run` only.
        man_page_head LECTERN 1 'lectern, lectern\-pdf, lectern\-pictures' 'a self\-hosted read\-later service'
        describe_command
        man_page_end
    } >"$1/lectern.1"
    {
        man_page_head LECTERN-FCGI 8 'lectern\-fcgi' 'FastCGI worker of Lectern, which lectern fcgi starts'
        print_help fcgi | man_text
        man_page_end
    } >"$1/lectern-fcgi.8"
    {
        man_page_head LECTERN-REALTIME 8 'lectern\-realtime' 'realtime service of Lectern'
        "$built/lectern-realtime" --help | man_text
        man_page_end
    } >"$1/lectern-realtime.8"
}

# man_page_head TITLE SECTION NAMES PURPOSE
man_page_head() {
    printf '.TH %s %s %s "Lectern %s"\n' "$1" "$2" "$(date --utc --date="@$SOURCE_DATE_EPOCH" +%F)" "$version"
    printf '.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n' "$3" "$4"
}

man_page_end() {
    printf '.SH SEE ALSO\nThe documentation in /usr/share/doc/lectern.\n'
}

# describe_command [SUBCOMMAND…]: prints the help of lectern or of one of its subcommands, and then of those below it.
describe_command() {
    local text name names
    text=$(print_help "$@")
    if (($#)); then printf '.SS lectern %s\n' "$*"; fi
    man_text <<<"$text"
    if ((! $#)); then printf '.SH COMMANDS\n'; fi
    mapfile -t names < <(awk '
        /^SUBCOMMANDS:/ { listed = 1; next }
        /^[^ ]/ { listed = 0 }
        listed && /^  [a-z]/ { print $1 }' <<<"$text")
    for name in "${names[@]}"; do
        describe_command "$@" "$name"
    done
}

# print_help [SUBCOMMAND…]: prints the help without the hint at its end, which a page with all subcommands does not need.
print_help() {
    COLUMNS=80 "$built/lectern" help "$@" </dev/null | sed "/^  See 'lectern help .*detailed help\.\$/d"
}

# man_text: prints standard input as text that man shows as it is.
man_text() {
    printf '.nf\n'
    sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
    printf '.fi\n'
}
