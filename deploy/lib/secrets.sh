# Keys and passwords of a home. Sourced; needs home.sh and system-database.sh.
# shellcheck shell=bash

# make_secrets: creates the missing secrets: 256 random bits each, in hexadecimal, which never needs quoting.
make_secrets() {
    local name
    for name in jwt_secret admin_password authenticator_password jobs_password realtime_password metrics_token; do
        [[ -s $home/secrets/$name ]] || random_hex | write_file "$home/secrets/$name" 600
    done
}

random_hex() {
    od --address-radix=n --format=x1 --read-bytes=32 /dev/urandom | tr -d ' \n'
}

secret() {
    printf '%s\n' "$(<"$home/secrets/$1")"
}

# make_keys: sets $anon_key and $service_key, the two API keys signed with the JWT secret. They are stored, because
# clients keep them; they are signed again only when the JWT secret is newer.
make_keys() {
    local json file=$home/secrets/keys.json key='"[[:space:]]*:[[:space:]]*"([A-Za-z0-9._-]+)"'
    if [[ ! -s $file || $file -ot $home/secrets/jwt_secret ]]; then
        json=$(LECTERN_JWT_SECRET=$(secret jwt_secret) "$home/bin/lectern" keys --json) ||
            fail "lectern keys could not create the API keys"
        printf '%s\n' "$json" | write_file "$file" 600
    fi
    json=$(secret keys.json)
    [[ $json =~ \"anon_key$key ]] || fail "$file contains no anon key"
    anon_key=${BASH_REMATCH[1]}
    [[ $json =~ \"service_key$key ]] || fail "$file contains no service key"
    service_key=${BASH_REMATCH[1]}
}

# previous_secrets: prints the secrets that `lectern keys rotate` has replaced as a comma-separated list of
# secret@epoch, where epoch is the time until which the secret is accepted.
previous_secrets() {
    if [[ -s $home/secrets/jwt_previous ]]; then paste --serial --delimiters=, "$home/secrets/jwt_previous"; fi
}

# home_line: prints the line with the path of the home, for `lectern keys`. A path with a single quote cannot be
# expressed in this format and is omitted.
home_line() {
    [[ $home == *\'* ]] || printf "LECTERN_HOME='%s'" "$home"
}

# write_admin_env: writes lectern.env, for the shell of the admin. It has only lines NAME='value', which sh, systemd and
# programs read alike; no value contains a single quote. To export the variables, run `set -a` before sourcing it.
write_admin_env() {
    write_file "$home/lectern.env" 600 <<END
LECTERN_URL='$url'
LECTERN_ANON_KEY='$anon_key'
LECTERN_SERVICE_KEY='$service_key'
LECTERN_DATABASE_URL='$(admin_database_url)'
LECTERN_METRICS_TOKEN='$(secret metrics_token)'
LECTERN_SITE='${settings[PUBLIC_URL]:-$url}'
$(home_line)
END
    chown "$(admin_owner)" "$home/lectern.env"
}
