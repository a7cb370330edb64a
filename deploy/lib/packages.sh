# The Debian packages that building, running and testing need. Sourced; needs messages.sh and $checkout.
# shellcheck shell=bash

# To build: the libraries Swift itself links against, and the C libraries of the C bindings in Sources/.
packages_to_build=(
    binutils git libc6-dev libgcc-12-dev libstdc++-12-dev libsqlite3-0 libxml2 pkg-config tzdata zlib1g-dev
    libargon2-dev libcld2-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libcurl4-openssl-dev libfcgi-dev libicu-dev
    libpoppler-glib-dev libpq-dev libqrencode-dev libseccomp-dev libssl-dev libvips-dev libzip-dev
)
packages_to_run=(
    ca-certificates curl fonts-dejavu-core john-data libcld2-0 libcmark-gfm0.29.0.gfm.6
    libcmark-gfm-extensions0.29.0.gfm.6 libpoppler-glib8 libqrencode4 libvips42 nginx poppler-data postgresql
)
# To make the web app: what lib/web.sh runs and takes from other packages.
packages_for_web=(
    fonts-inter fonts-opendyslexic fonts-vollkorn libharfbuzz-bin libjs-marked node-highlight.js perl woff2
)
# To make the Debian package.
packages_to_package=(debhelper dpkg-dev)
packages_to_test=(
    age chromium chromium-driver chromium-headless-shell default-jre-headless fcgiwrap firefox-esr gpg gpg-agent newsboat
    nodejs openssl python3 python3-venv shellcheck wrk
)
# For deploy/test --long, which installs the Debian package in a system of its own.
packages_to_test_package=(debootstrap lintian systemd-container)

# missing_packages NAME…: prints the packages that are not installed.
missing_packages() {
    local name status
    local -A status_of=()
    while read -r name status; do
        status_of[$name]=$status
    done < <(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
    for name; do
        [[ ${status_of[$name]:-} == installed ]] || printf '%s\n' "$name"
    done
}

# install_packages PURPOSE NAME…: installs the missing packages, as root or through sudo, without prompts.
install_packages() {
    local purpose=$1 missing become_root=()
    shift
    command -v dpkg-query >/dev/null || fail "this needs Debian 12, but dpkg-query was not found"
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0

    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "Debian packages are missing; install them as root: apt-get install ${missing[*]}"
        # Without a terminal nobody can type a password, so sudo must not wait for one.
        if [[ -t 0 ]]; then become_root=(sudo); else become_root=(sudo --non-interactive); fi
    fi
    say "Installing Debian packages $purpose: ${missing[*]}"
    "${become_root[@]}" bash "$checkout/deploy/lib/install-packages" "${missing[@]}" >&2 ||
        fail "installing Debian packages failed: ${missing[*]}"
}
