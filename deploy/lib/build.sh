# Builds the programs and installs them in the home. Sourced; needs messages.sh, installation.sh,
# builder.sh, settings.sh, web.sh and $checkout.
# shellcheck shell=bash

# The programs of the service; each is a product of Package.swift.
programs=(lectern lectern-fcgi lectern-pdf lectern-pictures lectern-realtime)

# build_programs: builds the release configuration and sets $built to the folder of the programs.
# If LECTERN_BUILD_DIR names a folder with the programs, nothing is built.
build_programs() {
    local program
    if [[ -n ${LECTERN_BUILD_DIR:-} ]]; then
        built=$(realpath -- "$LECTERN_BUILD_DIR")
        for program in "${programs[@]}"; do
            [[ -x $built/$program ]] || fail "the program $program is missing in LECTERN_BUILD_DIR ($built)"
        done
        return
    fi
    say "Building (the first build takes several minutes) …"
    build_products "${programs[@]}"
}

# build_products NAME…: builds these programs and sets $built to their folder.
build_products() {
    local program
    prepare_build
    for program; do
        run_swift build --scratch-path .build --configuration release --static-swift-stdlib --product "$program" >&2 ||
            fail "building $program failed"
    done
    keep_programs .build "$@"
    built=$(realpath -- "$checkout/.build/release")
}

# install_programs: copies the programs, the SQL and the web app into the home. A program is replaced by renaming, so a
# running process keeps its old file. It keeps the time of the built one, by which the supervisor tells programs apart.
install_programs() {
    local program
    for program in "${programs[@]}"; do
        cmp --silent "$built/$program" "$home/bin/$program" && continue
        install --preserve-timestamps -m 755 "$built/$program" "$home/bin/.$program.new"
        mv "$home/bin/.$program.new" "$home/bin/$program"
    done
    replace_folder "$checkout/sql" "$home/sql"
    if is_package; then
        rm -rf "$home/web.made"
        cp --recursive "$checkout/web" "$home/web.made"
    else
        make_web "$home/web.made"
    fi
    put_below_path "$home/web.made" "$public_path"
    if [[ -n $pullread_viewer ]]; then
        install -D -m 644 "$pullread_viewer" "$home/web.made/pullread/index.html"
    fi
    replace_folder "$home/web.made" "$home/web"
    rm -rf "$home/web.made"
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
