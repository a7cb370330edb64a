# Runs swift, as an unprivileged user where this was started as root. Sourced; needs messages.sh, home.sh and $checkout.
# shellcheck shell=bash
#
# An ordinary user builds in the checkout. Started as root, swift runs as the user lectern-build, who can write nothing
# of anybody else. This user may not be able to enter the checkout, so it builds a copy:
#
#   /var/cache/lectern/<hash of the checkout's path>    belongs to root; only lectern-build may enter
#     package      a copy of what swift reads, with the folders it builds in (.build, .build-tests, …)
#     home         the user's home, with the caches of SwiftPM
#     gitconfig    where git finds packages
#     lock         held while the copy or the finished programs are updated
#
# The files in package and home belong to lectern-build. Root writes none of them and copies none of them by itself,
# because a build could replace each with a link to another file: commands that run as lectern-build do both.

build_user=lectern-build
build_caches=/var/cache/lectern

# What swift reads. sql and docs are for the tests in Swift.
build_inputs=(Package.swift Sources Tests sql docs deploy/bench.d/programs)

# The environment that a build as root keeps: the language, how to reach the network, and variables of the build.
build_variables=(
    LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES TERM TZ
    http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
    GIT_SSL_CAINFO GIT_SSL_CAPATH SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
    PKG_CONFIG_PATH LINK_SWIFT_STATICALLY
)

# swift_candidates: prints the paths where swift is. sudo resets PATH, so the usual installation folders are tried too.
swift_candidates() {
    local candidate
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift /usr/local/swift/usr/bin/swift \
        /usr/libexec/swift/*/usr/bin/swift "${HOME:-/root}/.local/share/swiftly/bin/swift"; do
        if [[ -x $candidate ]]; then printf '%s\n' "$candidate"; fi
    done
}

# find_swift: prints the path of swift.
find_swift() {
    local candidates
    mapfile -t candidates < <(swift_candidates)
    ((${#candidates[@]})) ||
        fail "swift is not installed or not on PATH. Lectern needs Swift 6.2 or newer:" \
            "https://www.swift.org/install/linux/debian/12/"
    printf '%s\n' "${candidates[0]}"
}

# prepare_build: sets $swift and $package, the folder of the package that swift builds. As root, creates the user that
# builds and its folder, and updates the copy of the checkout.
prepare_build() {
    local hash
    swift=$(find_swift) || exit
    package=$checkout
    if ((EUID != 0)); then return; fi

    id "$build_user" >/dev/null 2>&1 || make_system_user "$build_user" "which builds the programs"
    uid_of[build]=$(id -u "$build_user")
    gid_of[build]=$(id -g "$build_user")
    hash=$(printf '%s' "$checkout" | sha256sum)
    build_cache=$build_caches/${hash:0:12}
    package=$build_cache/package
    install -d -m 755 "$build_caches"
    install -d -m 750 --group "$build_user" "$build_cache"
    lock_build
    own_folder "$package" "${uid_of[build]}" "${gid_of[build]}" 755
    own_folder "$build_cache/home" "${uid_of[build]}" "${gid_of[build]}" 755
    find_swift_for_builder
    write_git_configuration
    update_package
    unlock_build
}

# find_swift_for_builder: sets $swift to the first swift that the user who builds can run.
find_swift_for_builder() {
    local candidate
    while IFS= read -r candidate; do
        if as_builder test -x "$candidate" </dev/null; then
            swift=$candidate
            return
        fi
    done < <(swift_candidates)
    fail "swift is at $swift, where the user $build_user, who builds the programs, cannot run it. Install Swift where" \
        "every user can run it, such as in /opt/swift, or name a folder with built programs in LECTERN_BUILD_DIR"
}

# lock_build: lets only one script at a time update the folder of the user that builds. Builds take no such lock:
# SwiftPM has its own.
lock_build() {
    (umask 077 && : >>"$build_cache/lock")
    exec {build_lock}>>"$build_cache/lock"
    flock "$build_lock"
}

unlock_build() {
    exec {build_lock}>&-
}

# run_swift ARGUMENT…: runs swift in $package.
run_swift() {
    if ((EUID == 0)); then
        as_builder "$swift" "$@" </dev/null
    else
        (cd -- "$package" && exec "$swift" "$@")
    fi
}

# as_builder COMMAND…: as root, runs a command in $package as the user that builds. It gets the standard streams, but no
# other open file, no variable but those above, and not the terminal, on which it could type commands in root's name.
# It ends if this script does.
as_builder() {
    local name descriptor
    set_drop_privileges build
    (
        for name in $(compgen -e); do
            if [[ " ${build_variables[*]} " != *" $name "* ]]; then export -n "${name?}"; fi
        done
        # Foundation, and so SwiftPM, looks for the home in the list of users unless this names it.
        export HOME=$build_cache/home CFFIXED_USER_HOME=$build_cache/home GIT_CONFIG_GLOBAL=$build_cache/gitconfig
        export PATH=${swift%/*}:/usr/local/bin:/usr/bin:/bin
        for descriptor in /proc/self/fd/*; do
            descriptor=${descriptor##*/}
            if ((descriptor > 2)); then exec {descriptor}>&-; fi
        done
        cd -- "$package" || exit
        exec setsid "${drop_privileges[@]}" --pdeathsig TERM "$@"
    ) <&0 &
    # In the background, so that a signal ends this script at once.
    wait "$!"
}

# write_git_configuration: tells git of the user that builds what it needs to know from root's configuration: mirrors,
# proxies and certificates.
write_git_configuration() {
    local file=$build_cache/gitconfig entry
    rm -f "$file.new"
    # A mirror on this machine belongs to another user.
    git config --file "$file.new" safe.directory '*'
    while IFS= read -r -d '' entry; do
        git config --file "$file.new" --add "${entry%%$'\n'*}" "${entry#*$'\n'}"
    done < <(git -C / config --null --get-regexp \
        '^(url\..*\.(insteadof|pushinsteadof)|http\.(.*\.)?(proxy|sslcainfo|sslcapath))$' || true)
    mv "$file.new" "$file"
}

# update_package: makes $package a copy of what swift reads in the checkout. Files that have not changed stay as they
# are, so that swift compiles only what has changed.
update_package() {
    local wanted=$build_cache/wanted found=$build_cache/found
    list_inputs "$checkout" >"$wanted" || fail "the files of $checkout could not be listed"
    list_inputs "$package" as_builder </dev/null >"$found" || fail "the files of $package could not be listed"
    if cmp --silent "$wanted" "$found"; then return; fi
    LC_ALL=C comm --zero-terminated -13 <(input_paths <"$wanted") <(input_paths <"$found") |
        as_builder xargs --null --no-run-if-empty rm -f -- || fail "old files in $package could not be deleted"
    # An empty folder may have the name of a new file.
    as_builder find . -mindepth 1 ! -path './.build*' -type d -empty -delete </dev/null
    # Only this format has times with fractions of seconds.
    LC_ALL=C comm --zero-terminated -23 "$wanted" "$found" | input_paths |
        tar --create --format=posix --directory="$checkout" --null --no-recursion --files-from=- |
        as_builder tar --extract || fail "the files of $checkout could not be copied to $package"
}

# list_inputs FOLDER [as_builder]: prints what swift reads in FOLDER, sorted: type, size, time and path of each file.
# Tests/EndToEnd is left out: Python writes there while the tests run.
list_inputs() {
    local input inputs=()
    for input in "${build_inputs[@]}"; do
        if [[ -e $1/$input ]]; then inputs+=("$input"); fi
    done
    ((${#inputs[@]})) || return 0
    (cd -- "$1" && "${@:2}" find "${inputs[@]}" \( -name '.build*' -o -path Tests/EndToEnd \) -prune \
        -o ! -type d -printf '%y %s %T@ %p\0') | LC_ALL=C sort --zero-terminated
}

# input_paths: prints the sorted paths of a list of files.
input_paths() {
    cut --zero-terminated --delimiter=' ' --fields=4- | LC_ALL=C sort --zero-terminated
}

# keep_programs FOLDER NAME…: as root, copies programs that were built in FOLDER of $package to FOLDER of the checkout,
# where they are if an ordinary user builds.
keep_programs() {
    local to=$checkout/$1/release triple
    if ((EUID != 0)); then return; fi
    triple=$(uname -m)-unknown-linux-gnu
    lock_build
    if [[ ! -e $to ]]; then
        install -d -m 755 "$checkout/$1/$triple/release"
        ln --symbolic --force --no-dereference "$triple/release" "$to"
    fi
    copy_programs "$1" "$to" "${@:2}"
    unlock_build
}

# copy_programs FOLDER TO NAME…: copies programs that were built in FOLDER of $package to the folder TO. A program is
# replaced by renaming.
copy_programs() {
    local from=$1/release to=$2 name
    for name in "${@:3}"; do
        if read_built "$from/$name" | cmp --silent - "$to/$name"; then continue; fi
        read_built "$from/$name" >"$to/.$name.new" || fail "$package/$from/$name cannot be read"
        chmod 755 "$to/.$name.new"
        mv "$to/.$name.new" "$to/$name"
    done
}

# read_built PATH: prints a file of $package.
read_built() {
    if ((EUID == 0)); then as_builder cat -- "$1" </dev/null; else cat -- "$package/$1"; fi
}
