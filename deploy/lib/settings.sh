# Settings, in order of precedence: the environment, <home>/settings.env, defaults. Sourced; needs messages.sh,
# installation.sh and home.sh.
# shellcheck shell=bash
#
# settings.env is parsed as data and never executed. Only the settings of deploy/run and nginx are checked here;
# `lectern config`, which knows every setting of the programs, checks the others.

declare -A settings=() in_force=()

# Settings used only by deploy/run and nginx.
settings_of_deploy=(LISTEN PORT POSTGRES PULLREAD_VIEWER TRUSTED_PROXIES)

# Names that are not settings: variables that deploy/run sets for the programs, and those of lectern.env, which an admin
# may have exported.
reserved_names=' ANON_KEY BOOKS_DIR BUILD_DIR DATABASE DATABASE_URL EXPORTS_DIR FCGI_SOCKET HOME JOBS_DATABASE
  JWT_PREVIOUS_SECRETS JWT_SECRET MAIL METRICS_TOKEN PICTURES_DIR REALTIME_DATABASE RUN_DIR SECRETS_FILE SERVICE_KEY SITE
  SQL_DIR URL '

is_reserved() {
    [[ $1 == TEST_* || $reserved_names == *[[:space:]]"$1"[[:space:]]* ||
        $reserved_names == *[[:space:]]"${1%_FILE}"[[:space:]]* ]]
}

# load_settings: fills $settings. Reports every invalid line and setting, then fails if there was one.
load_settings() {
    local line name value variable number=0 problems=()
    if [[ -r $home/settings.env ]]; then
        while IFS= read -r line || [[ -n $line ]]; do
            number=$((number + 1))
            [[ $line =~ ^[[:space:]]*(#.*)?$ ]] && continue
            if [[ ! $line =~ ^LECTERN_([A-Z][A-Z0-9_]*)=(.*)$ ]]; then
                problems+=("settings.env line $number: expected LECTERN_<NAME>=value")
                continue
            fi
            name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
            value=${value%"${value##*[![:space:]]}"}
            # Quotes around the whole value are not part of it, as in a shell or in systemd.
            if [[ $value =~ ^\"(.*)\"$ || $value =~ ^\'(.*)\'$ ]]; then value=${BASH_REMATCH[1]}; fi
            if is_reserved "$name"; then
                problems+=("settings.env line $number: LECTERN_$name is not a setting; deploy/run sets it")
                continue
            fi
            settings[$name]=$value
        done <"$home/settings.env"
    fi

    while IFS= read -r name; do
        name=${name#LECTERN_}
        variable=LECTERN_$name
        is_reserved "$name" || settings[$name]=${!variable}
    done < <(compgen -e LECTERN_)

    read_setting_files
    for name in "${!settings[@]}"; do
        # The environment of the services is written in single quotes, which systemd cannot escape.
        if [[ ${settings[$name]} == *[\'[:cntrl:]]* ]]; then
            problems+=("LECTERN_$name: the value must not contain a single quote or a control character")
        fi
    done
    check_deploy_settings
    if ((${#problems[@]})); then
        printf '%s\n' "${problems[@]}" >&2
        fail "these settings are invalid; nothing was started or changed"
    fi
}

# read_setting_files: puts the contents of the files that <NAME>_FILE name in their place; adds those that cannot be read
# to $problems. The services cannot read these files.
read_setting_files() {
    local name file
    for name in "${!settings[@]}"; do
        [[ $name == *_FILE ]] || continue
        file=${settings[$name]}
        unset "settings[$name]"
        name=${name%_FILE}
        if [[ -v settings[$name] ]]; then
            problems+=("LECTERN_$name and LECTERN_${name}_FILE are both set; remove one of them")
        elif [[ ! -f $file || ! -r $file ]]; then
            problems+=("LECTERN_${name}_FILE: the file $file cannot be read")
        else
            settings[$name]=$(<"$file")
        fi
    done
}

# check_deploy_settings: sets $listen, $port, $public_path, $pullread_viewer, $trusted_proxies and $rate_limits; adds
# invalid values to $problems.
check_deploy_settings() {
    local address='^([0-9]{1,3}\.){3}[0-9]{1,3}$|^[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*$' proxy lowest
    listen=${settings[LISTEN]:-127.0.0.1}
    listen=${listen#[} listen=${listen%]}
    [[ $listen =~ $address ]] || problems+=("LECTERN_LISTEN: expected an IPv4 or IPv6 address, not '$listen'")

    trusted_proxies=${settings[TRUSTED_PROXIES]:-}
    trusted_proxies=${trusted_proxies//[[:space:]]/}
    for proxy in ${trusted_proxies//,/ }; do
        [[ ${proxy%/*} =~ $address && $proxy =~ ^[^/]*(/[0-9]{1,3})?$ ]] ||
            problems+=("LECTERN_TRUSTED_PROXIES: expected addresses and networks, not '$proxy'")
    done

    # Characters that mean nothing to sed, HTML and JSON.
    local public_url='^https?://[^/?#[:space:]]+((/[A-Za-z0-9._~-]+)*)$'
    public_path=''
    if [[ ${settings[PUBLIC_URL]:-} =~ $public_url ]]; then
        public_path=${BASH_REMATCH[1]}
    elif [[ -n ${settings[PUBLIC_URL]:-} ]]; then
        problems+=("LECTERN_PUBLIC_URL: expected a URL like https://read.example.org or https://example.org/lectern, \
without a slash at the end, not '${settings[PUBLIC_URL]}'")
    fi

    pullread_viewer=${settings[PULLREAD_VIEWER]:-}
    [[ -z $pullread_viewer || -f $pullread_viewer && -r $pullread_viewer ]] ||
        problems+=("LECTERN_PULLREAD_VIEWER: the file $pullread_viewer cannot be read")

    [[ -z $public_path || -z ${settings[PULLREAD_VIEWER]:-} ]] ||
        problems+=("LECTERN_PULLREAD_VIEWER: PullRead's page works at the root of a host only, and LECTERN_PUBLIC_URL has a \
path")

    rate_limits=${settings[RATE_LIMITS]:-on}
    [[ $rate_limits == on || $rate_limits == off ]] || problems+=("LECTERN_RATE_LIMITS: expected on or off")

    port=${port_argument:-${settings[PORT]:-}}
    if [[ -z $port ]]; then
        # A running service keeps its port unless another one is requested.
        port=8080
        if supervisor_pid >/dev/null && [[ -s $home/run/port ]]; then port=$(<"$home/run/port"); fi
    fi
    if [[ ! $port =~ ^[1-9][0-9]{0,4}$ ]] || ((port > 65535)); then
        problems+=("the port must be a number from 1 to 65535, not '$port'")
        return
    fi
    { read -r lowest </proc/sys/net/ipv4/ip_unprivileged_port_start; } 2>/dev/null || lowest=1024
    ((port >= lowest)) ||
        problems+=("port $port: nginx runs unprivileged and needs a port of $lowest or higher; put a proxy in front of it")
}

# check_program_settings: fills $in_force with every setting, defaults included. `lectern config` reports all invalid
# settings of the workers and the jobs before anything is changed.
check_program_settings() {
    local shown line
    shown=$(
        for line in $(compgen -e LECTERN_); do unset "$line"; done
        # Passed in the environment: a proxy's URL may contain a password, and arguments are visible to every user.
        for line in "${!settings[@]}"; do export "LECTERN_$line=${settings[$line]}"; done
        "$built/lectern" config
    ) || fail "these settings are invalid; nothing was started or changed"
    while IFS= read -r line; do
        if [[ $line =~ ^LECTERN_([A-Z0-9_]+)=(.*)$ ]]; then in_force[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}; fi
    done <<<"$shown"
}

# local_address: prints the host part of the URL under which this machine reaches the service.
local_address() {
    case $listen in
        0.0.0.0) printf '127.0.0.1' ;;
        ::) printf '[::1]' ;;
        *:*) printf '[%s]' "$listen" ;;
        *) printf '%s' "$listen" ;;
    esac
}

# nginx_listen: prints the address and port as nginx expects them.
nginx_listen() {
    if [[ $listen == *:* ]]; then printf '[%s]:%s' "$listen" "$port"; else printf '%s:%s' "$listen" "$port"; fi
}

# port_is_taken: succeeds if a process listens where nginx is to listen.
port_is_taken() {
    local hex
    printf -v hex '%04X' "$port"
    # Field 2 is the local address, field 4 the state; 0A is LISTEN. A listener on all addresses conflicts with one on
    # any single address, and the reverse.
    awk -v port=":$hex" -v own="$(listen_hex)" '
        $4 == "0A" && substr($2, length($2) - 4) == port {
            address = substr($2, 1, length($2) - 5)
            if (own == "any" || address == own || address ~ /^0+$/) found = 1
        }
        END { exit !found }' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# listen_hex: prints the address as /proc/net/tcp shows it, or "any". With IPv6, every listener on the port counts.
listen_hex() {
    local a b c d
    [[ $listen == *.*.*.* && $listen != *:* && $listen != 0.0.0.0 ]] || { printf 'any'; return; }
    IFS=. read -r a b c d <<<"$listen"
    printf '%02X%02X%02X%02X' "$d" "$c" "$b" "$a"
}

# make_settings_file: on the first run, writes an example for the admin to edit. The home of the Debian package has a
# link to the file in /etc.
make_settings_file() {
    local file=$home/settings.env
    [[ ! -e $file ]] || return 0
    if is_package && [[ $home == "$package_home" ]]; then
        install -d -m 755 "$home" "${package_settings%/*}"
        ln --symbolic --force --no-dereference "$package_settings" "$file"
        file=$package_settings
        [[ ! -e $file ]] || return 0
    fi
    write_file "$file" 600 <<'END'
# Settings of this home, one LECTERN_<NAME>=value per line. Variables in the environment of deploy/run take precedence.
# After a change, run deploy/run again. `lectern config` prints the settings in force.

# The address and port of the web server; 0.0.0.0 means every address of the machine.
#LECTERN_LISTEN=127.0.0.1
#LECTERN_PORT=8080

# The public URL of the service behind a TLS proxy, which may have a path, and the addresses or networks of the proxies whose X-Forwarded-For
# header is trusted.
#LECTERN_PUBLIC_URL=https://read.example.org
#LECTERN_TRUSTED_PROXIES=127.0.0.1,10.0.0.0/8

# Who may sign up: first (everybody while there is no account, and becomes an admin; after that as invite), open
# (everybody), invite (holders of an invitation) or closed (nobody).
#LECTERN_SIGNUP=first

# private starts a PostgreSQL server for Lectern alone; system uses the server of the machine. Choose before the first
# start.
#LECTERN_POSTGRES=private

# off disables every rate limit and delay.
#LECTERN_RATE_LIMITS=on

# Private targets the fetcher may reach: a comma-separated list of hosts, addresses and networks, each with an optional
# :port.
#LECTERN_FETCH_ALLOW=
# A proxy for all requests of the fetcher, and whether it looks up names and refuses inner addresses itself.
#LECTERN_FETCH_PROXY=
#LECTERN_FETCH_PROXY_RESOLVES=off
END
    chown "$(admin_owner)" "$file"
}

# admin_owner: prints uid:gid of the person who runs this, also through sudo.
admin_owner() {
    printf '%s:%s' "${SUDO_UID:-$EUID}" "${SUDO_GID:-$(id -g)}"
}
