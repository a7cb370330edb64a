# Prepares the web app for a home. Sourced; needs code-languages.sh, fonts.sh and $checkout.
# shellcheck shell=bash

# make_web FOLDER: creates a copy of web/ with the files that are made from others: the icons, the fonts, the
# script that knows programming languages, and files.js, which tells the service worker the files of this version.
make_web() {
    rm -rf "$1"
    cp --recursive "$checkout/web" "$1"
    "$checkout/deploy/lib/draw-icons" "$1"
    make_fonts "$1/fonts"
    make_code_languages "$1/reader/code"
    make_viewer_libraries "$1"
    list_web_files "$1" >"$1/files.js"
}

# make_viewer_libraries FOLDER: writes the libraries that the page of PullRead's viewer loads, from Debian's packages. That
# page calls a function of a newer highlight.js.
make_viewer_libraries() {
    local styles=/usr/share/nodejs/highlight.js/styles
    mkdir "$1/lib"
    cp --dereference /usr/share/javascript/marked/marked.min.js "$1/lib/marked.min.js"
    {
        cat "$1/reader/code/languages.js"
        printf 'hljs.highlightElement = hljs.highlightElement || hljs.highlightBlock;\n'
    } >"$1/lib/highlight.min.js"
    cp --dereference "$styles/github.css" "$1/lib/github.min.css"
    cp --dereference "$styles/atom-one-dark.css" "$1/lib/github-dark.min.css"
    cp --dereference /usr/share/doc/libjs-marked/copyright "$1/lib/licence-marked.txt"
    cp "$1/reader/code/licence.txt" "$1/lib/licence-highlight.txt"
}

# put_below_path FOLDER PATH: changes the addresses in the pages and the manifest of the web app so that they are below
# PATH, which a proxy in front takes off. Modules know their own addresses. PATH is empty at the root of a host.
put_below_path() {
    local folder=$1 path=$2
    [[ -n $path ]] || return 0
    find "$folder" -name '*.html' -exec sed --in-place --regexp-extended "s@( (href|src|action)=\")/@\\1$path/@g" {} +
    sed --in-place "s@\"/@\"$path/@g" "$folder/manifest.webmanifest"
    list_web_files "$folder" >"$folder/files.js"
}

# list_web_files FOLDER: prints files.js. The version changes with any file, and with the headers that nginx adds to
# them. A browser installs a new version when this file or web/sw.js has changed. It fetches a font when a text needs it.
# The English words stand in the modules and pages.
list_web_files() {
    local folder=$1 lines line version
    lines=$(cd "$folder" && find . -type f ! -path './sw.js' ! -path './files.js' ! -path './worker/*' \
        ! -path './locales/en.json' ! -path './lib/*' ! -path './pullread/*' \( ! -path './fonts/*' -o -name fonts.css \) -print0 |
        LC_ALL=C sort --zero-terminated | xargs --null sha256sum)
    version=$(cat - "$checkout/nginx/static-headers.conf" "$folder"/sw.js "$folder"/worker/* <<<"$lines" | sha256sum)
    printf "self.VERSION = '%s';\n" "${version%% *}"
    printf 'self.FILES = {\n'
    while IFS= read -r line; do
        printf "  '%s': '%s',\n" "${line#*  .}" "${line%% *}"
    done <<<"$lines"
    printf '};\n'
}
