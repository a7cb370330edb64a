# Builds the programs and installs them in the home. Sourced; needs messages.sh and $checkout.
# shellcheck shell=bash

# The programs of the service; each is a product of Package.swift.
programs=(lectern lectern-fcgi lectern-pdf lectern-pictures lectern-realtime)

# find_swift: prints the path of swift. sudo resets PATH, so the usual installation folders are tried too.
find_swift() {
    local candidate
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift /usr/local/swift/usr/bin/swift \
        /usr/libexec/swift/*/usr/bin/swift "${HOME:-/root}/.local/share/swiftly/bin/swift"; do
        if [[ -x $candidate ]]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "swift is not installed or not on PATH. Lectern needs Swift 6.2 or newer:" \
        "https://www.swift.org/install/linux/debian/12/"
}

# build_programs: builds the release configuration and sets $built to the folder of the programs.
# If LECTERN_BUILD_DIR names a folder with the programs, nothing is built.
build_programs() {
    local swift program
    if [[ -n ${LECTERN_BUILD_DIR:-} ]]; then
        built=$(realpath -- "$LECTERN_BUILD_DIR")
        for program in "${programs[@]}"; do
            [[ -x $built/$program ]] || fail "the program $program is missing in LECTERN_BUILD_DIR ($built)"
        done
        return
    fi
    swift=$(find_swift)
    say "Building (the first build takes several minutes) …"
    for program in "${programs[@]}"; do
        "$swift" build --package-path "$checkout" --configuration release --static-swift-stdlib \
            --product "$program" >&2 || fail "building $program failed"
    done
    built=$("$swift" build --package-path "$checkout" --configuration release --static-swift-stdlib --show-bin-path)
}

# install_programs: copies the programs, the SQL and the web app into the home. A program is replaced by renaming, so a
# running process keeps its old file.
install_programs() {
    local program
    for program in "${programs[@]}"; do
        cmp --silent "$built/$program" "$home/bin/$program" && continue
        install -m 755 "$built/$program" "$home/bin/.$program.new"
        mv "$home/bin/.$program.new" "$home/bin/$program"
    done
    replace_folder "$checkout/sql" "$home/sql"
    replace_folder "$checkout/web" "$home/web"
}

# replace_folder FROM TO: replaces TO with a world-readable copy of FROM if the two differ. The copy is complete before
# it gets its name.
replace_folder() {
    local from=$1 to=$2
    if [[ -d $from ]]; then
        if diff --recursive --brief "$from" "$to" >/dev/null 2>&1; then return; fi
        rm -rf "$to.new" "$to.old"
        cp --recursive "$from" "$to.new"
        chmod --recursive u=rwX,go=rX "$to.new"
        if [[ -d $to ]]; then mv "$to" "$to.old"; fi
        mv "$to.new" "$to"
        rm -rf "$to.old"
    else
        install -d -m 755 "$to"
    fi
}
