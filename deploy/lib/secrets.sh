# Keys and passwords of a home. Sourced; needs home.sh.
# shellcheck shell=bash

# make_secrets: makes those that are missing: 256 random bits each, in hexadecimal, so that no quoting is needed.
make_secrets() {
    local name
    for name in jwt_secret admin_password authenticator_password jobs_password metrics_token; do
        [[ -s $home/secrets/$name ]] || random_hex | write_file "$home/secrets/$name" 600
    done
}

random_hex() {
    od --address-radix=n --format=x1 --read-bytes=32 /dev/urandom | tr -d ' \n'
}

secret() {
    cat "$home/secrets/$1"
}

# make_keys: the two API keys, signed with the JWT secret. They are made once, since clients keep them.
make_keys() {
    local json
    if [[ ! -s $home/secrets/keys.json || $home/secrets/keys.json -ot $home/secrets/jwt_secret ]]; then
        json=$(LECTERN_JWT_SECRET=$(secret jwt_secret) "$home/bin/lectern" keys --json) ||
            fail "lectern keys could not make the API keys"
        printf '%s\n' "$json" | write_file "$home/secrets/keys.json" 600
    fi
    json=$(secret keys.json)
    [[ $json =~ \"anon_key\"[[:space:]]*:[[:space:]]*\"([A-Za-z0-9._-]+)\" ]] || fail "no anon key in $home/secrets/keys.json"
    anon_key=${BASH_REMATCH[1]}
    [[ $json =~ \"service_key\"[[:space:]]*:[[:space:]]*\"([A-Za-z0-9._-]+)\" ]] || fail "no service key in $home/secrets/keys.json"
    service_key=${BASH_REMATCH[1]}
}

# previous_secrets: a comma list secret@epoch of what `lectern keys rotate` has replaced, and until when it is taken.
previous_secrets() {
    if [[ -s $home/secrets/jwt_previous ]]; then paste --serial --delimiters=, "$home/secrets/jwt_previous"; fi
}

# home_line: where this is, for `lectern keys`; a path with a quote in it cannot be written down here.
home_line() {
    [[ $home == *\'* ]] || printf "LECTERN_HOME='%s'" "$home"
}

# write_admin_env: lectern.env, for the shell of the person who runs the service. Lines NAME='value' and nothing else, so
# that sh, systemd and programs read it alike; no value holds a quote. `set -a` before reading it exports them.
write_admin_env() {
    write_file "$home/lectern.env" 600 <<END
LECTERN_URL='$url'
LECTERN_ANON_KEY='$anon_key'
LECTERN_SERVICE_KEY='$service_key'
LECTERN_DATABASE_URL='postgresql://lectern_admin:$(secret admin_password)@/lectern?host=$run_dir'
LECTERN_METRICS_TOKEN='$(secret metrics_token)'
LECTERN_SITE='${settings[PUBLIC_URL]:-$url}'
$(home_line)
END
    chown "$(admin_owner)" "$home/lectern.env"
}
