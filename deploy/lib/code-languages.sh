# Makes the script that knows programming languages, for the colours of code in articles, from Debian's highlight.js.
# Sourced; needs messages.sh.
# shellcheck shell=bash

highlighter_folder=/usr/share/nodejs/highlight.js/lib

# Most code in articles is in one of these. Aliases such as js, html and c++ belong to them. The order matters: some
# languages are built on others.
code_languages=(
    xml css scss less javascript typescript json yaml ini markdown diff bash shell powershell dos makefile cmake
    dockerfile nginx apache http sql pgsql python ruby perl php lua r julia cpp cs java kotlin scala groovy swift
    objectivec go rust dart haskell ocaml fsharp elixir erlang clojure lisp scheme vim awk tex protobuf x86asm
    verilog matlab elm nix vbnet delphi
)

# make_code_languages FOLDER: writes languages.js, a classic script that defines `hljs`, and its licence.
make_code_languages() {
    local language file
    {
        sed 's/^module\.exports = Highlight;$//' "$highlighter_folder/highlight.js"
        for language in "${code_languages[@]}"; do
            file=$highlighter_folder/languages/$language.js
            printf "hljs.registerLanguage('%s', (function () { var module = {};\n" "$language"
            cat "$file"
            printf '\nreturn module.exports; })());\n'
        done
    } >"$1/languages.js"
    cp --dereference /usr/share/doc/node-highlight.js/copyright "$1/licence.txt"
}
