# Makes the fonts of the reading view from those of Debian's packages. Sourced; needs messages.sh,
# builder.sh and $checkout.
# shellcheck shell=bash

# Family, weight, style, and the file of the package. OpenDyslexic is small enough to be served whole.
font_faces=(
    'Inter 400 normal opentype/inter/Inter-Regular.otf'
    'Inter 400 italic opentype/inter/Inter-Italic.otf'
    'Inter 700 normal opentype/inter/Inter-Bold.otf'
    'Inter 700 italic opentype/inter/Inter-BoldItalic.otf'
    'Vollkorn 400 normal truetype/vollkorn/Vollkorn-Regular.ttf'
    'Vollkorn 400 italic truetype/vollkorn/Vollkorn-Italic.ttf'
    'Vollkorn 700 normal truetype/vollkorn/Vollkorn-Bold.ttf'
    'Vollkorn 700 italic truetype/vollkorn/Vollkorn-BoldItalic.ttf'
    'OpenDyslexic 400 normal opentype/opendyslexic/OpenDyslexic-Regular.otf'
    'OpenDyslexic 400 italic opentype/opendyslexic/OpenDyslexic-Italic.otf'
    'OpenDyslexic 700 normal opentype/opendyslexic/OpenDyslexic-Bold.otf'
    'OpenDyslexic 700 italic opentype/opendyslexic/OpenDyslexic-BoldItalic.otf'
)
font_folder=/usr/share/fonts

# The characters of the two parts that a font is served in; a browser loads a part when a text has a character of it.
# Latin with its marks, phonetic signs, punctuation, currencies, letter-like signs, numbers, arrows and ligatures.
latin_characters=0-24F,259,2B0-2FF,300-36F,1E00-1EFF,2000-206F,2070-209F,20A0-20CF,2100-218F,2190-2199,2212,FB00-FB06
# Greek and Cyrillic.
other_characters=370-3FF,400-52F,1F00-1FFF

# make_fonts FOLDER: makes the fonts and fonts.css in FOLDER. Compressing takes seconds, on a busy machine minutes, so
# what was made from the same files before is kept and copied.
make_fonts() {
    local folder=$1 key kept
    key=$(sha256sum "$checkout/deploy/lib/fonts.sh" "${font_faces[@]/#* /$font_folder/}")
    key=$(sha256sum <<<"${key//"$checkout"/}")
    key=${key%% *}
    kept=$build_caches/fonts-${key:0:12}
    # Another user takes those of root, or keeps its own.
    if ((EUID != 0)) && [[ ! -d $kept ]]; then kept=$checkout/.build/fonts-${key:0:12}; fi
    if [[ ! -d $kept ]]; then
        compress_fonts "$folder"
        # A checkout that cannot be written to has no kept fonts. Of two runs at once, the first one keeps its own.
        mkdir --parents "${kept%/*}" 2>/dev/null && cp --recursive "$folder" "$kept.$$" 2>/dev/null || return 0
        mv --no-target-directory "$kept.$$" "$kept" 2>/dev/null || rm -rf "$kept.$$"
        return
    fi
    cp --recursive "$kept" "$folder"
}

# compress_fonts FOLDER: does the work of make_fonts.
compress_fonts() {
    local folder=$1 face family weight style file
    mkdir "$folder"
    for face in "${font_faces[@]}"; do
        read -r family weight style file <<<"$face"
        if [[ $family == OpenDyslexic ]]; then
            cp "$font_folder/$file" "$folder/${family,,}-$weight-$style-all.font"
            continue
        fi
        hb-subset --unicodes="$latin_characters" --output-file="$folder/${family,,}-$weight-$style-latin.font" \
            "$font_folder/$file"
        hb-subset --unicodes="$other_characters" --output-file="$folder/${family,,}-$weight-$style-other.font" \
            "$font_folder/$file"
    done
    # woff2_compress takes one file and uses one processor.
    printf '%s\0' "$folder"/*.font | xargs --null --max-args=1 --max-procs="$(nproc)" woff2_compress \
        >/dev/null 2>&1 || fail "woff2_compress could not compress the fonts in $folder"
    rm "$folder"/*.font
    {
        for face in "${font_faces[@]}"; do
            read -r family weight style _ <<<"$face"
            describe_face "$folder" "$family" "$weight" "$style"
        done
    } >"$folder/fonts.css"
    # The licences want to be where the fonts are.
    for family in inter opendyslexic vollkorn; do
        cp --dereference "/usr/share/doc/fonts-$family/copyright" "$folder/$family.txt"
    done
}

# describe_face FOLDER FAMILY WEIGHT STYLE: names the files of a face after their content, so that browsers may keep
# them for ever, and prints its rules for fonts.css.
describe_face() {
    local folder=$1 family=$2 weight=$3 style=$4 part hash range
    for part in all latin other; do
        local name=${family,,}-$weight-$style-$part
        [[ -e $folder/$name.woff2 ]] || continue
        hash=$(sha256sum <"$folder/$name.woff2")
        mv "$folder/$name.woff2" "$folder/$name.${hash:0:12}.woff2"
        case $part in
            all) range=0-10FFFF ;;
            latin) range=$latin_characters ;;
            other) range=$other_characters ;;
        esac
        printf '@font-face {\n  font-family: %s;\n  font-weight: %s;\n  font-style: %s;\n  font-display: swap;\n' \
            "$family" "$weight" "$style"
        printf '  src: url("%s.%s.woff2") format("woff2");\n' "$name" "${hash:0:12}"
        printf '  unicode-range: U+%s;\n}\n' "${range//,/, U+}"
    done
}
