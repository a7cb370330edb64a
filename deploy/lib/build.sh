# Builds the programs and puts them into the home. Sourced; needs messages.sh and $checkout.
# shellcheck shell=bash

# The programs of the service, those that exist in Package.swift.
programs=(lectern lectern-fcgi lectern-pdf lectern-pictures)

# find_swift: prints where swift is. Under sudo PATH is the system's, so the usual places are tried too.
find_swift() {
    local candidate
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift /usr/local/swift/usr/bin/swift \
        /usr/libexec/swift/*/usr/bin/swift "${HOME:-/root}/.local/share/swiftly/bin/swift"; do
        if [[ -x $candidate ]]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "swift is not installed or not on PATH; Lectern is built with Swift 6.2 or newer, see https://www.swift.org/install/linux/debian/12/"
}

# build_programs: builds release and sets $built to the folder of the programs.
# LECTERN_BUILD_DIR names a folder of programs that are built already; then nothing is built.
build_programs() {
    local swift program
    if [[ -n ${LECTERN_BUILD_DIR:-} ]]; then
        built=$(realpath -- "$LECTERN_BUILD_DIR")
        for program in "${programs[@]}"; do
            [[ -x $built/$program ]] || fail "LECTERN_BUILD_DIR holds no program $program: $built"
        done
        return
    fi
    swift=$(find_swift)
    say "Building (the first time takes minutes) …"
    for program in "${programs[@]}"; do
        "$swift" build --package-path "$checkout" --configuration release --static-swift-stdlib \
            --product "$program" >&2 || fail "the build of $program failed"
    done
    built=$("$swift" build --package-path "$checkout" --configuration release --static-swift-stdlib --show-bin-path)
}

# install_programs: copies what the home runs. A running program keeps its old file: the new one takes only its name.
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

# replace_folder FROM TO: makes TO a copy that everybody can read, in one step, when they differ.
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
