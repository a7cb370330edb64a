# Settings: the environment, then <home>/settings.env, then defaults. Sourced; needs messages.sh and home.sh.
# shellcheck shell=bash
#
# settings.env is read as data and never run. Only what nginx and the start itself need is judged here; the rest is
# judged by `lectern config`, which knows every setting of the programs.

declare -A settings=() in_force=()

# Settings that only deploy/run and nginx understand.
settings_of_deploy=(LISTEN PORT TRUSTED_PROXIES)

# Names that deploy/run gives to the programs itself, and those of lectern.env, which an admin may have in the shell.
reserved_names=' ANON_KEY BUILD_DIR DATABASE DATABASE_URL EXPORTS_DIR FCGI_SOCKET HOME JOBS_DATABASE JWT_PREVIOUS_SECRETS
 JWT_SECRET METRICS_TOKEN PICTURES_DIR RUN_DIR SERVICE_KEY SITE SQL_DIR URL '

is_reserved() {
    [[ $1 == TEST_* || $reserved_names == *[[:space:]]"$1"[[:space:]]* ]]
}

# load_settings: fills $settings; every bad line is reported before it fails.
load_settings() {
    local line name value number=0 problems=()
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
            # As in a shell or systemd, quotes around the whole value are not part of it.
            if [[ $value =~ ^\"(.*)\"$ || $value =~ ^\'(.*)\'$ ]]; then value=${BASH_REMATCH[1]}; fi
            if is_reserved "$name"; then
                problems+=("settings.env line $number: LECTERN_$name is no setting, deploy/run gives it itself")
                continue
            fi
            settings[$name]=$value
        done <"$home/settings.env"
    fi

    while IFS= read -r name; do
        name=${name#LECTERN_}
        is_reserved "$name" || settings[$name]=$(printenv "LECTERN_$name")
    done < <(compgen -e LECTERN_)

    for name in "${!settings[@]}"; do
        # The services' environment is written in single quotes, which systemd cannot escape.
        if [[ ${settings[$name]} == *[\'[:cntrl:]]* ]]; then
            problems+=("LECTERN_$name: a value cannot hold a single quote or a control character")
        fi
    done
    judge_settings_of_deploy
    if ((${#problems[@]})); then
        printf '%s\n' "${problems[@]}" >&2
        fail "nothing was started because of these settings"
    fi
}

# judge_settings_of_deploy: adds to $problems what nginx could not be given.
judge_settings_of_deploy() {
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

    rate_limits=${settings[RATE_LIMITS]:-on}
    [[ $rate_limits == on || $rate_limits == off ]] || problems+=("LECTERN_RATE_LIMITS: expected on or off")

    port=${port_argument:-${settings[PORT]:-}}
    if [[ -z $port ]]; then
        # A running service keeps its port when none is asked for.
        port=8080
        if keeper_pid >/dev/null && [[ -s $home/run/port ]]; then port=$(<"$home/run/port"); fi
    fi
    if [[ ! $port =~ ^[1-9][0-9]{0,4}$ ]] || ((port > 65535)); then
        problems+=("the port must be a number from 1 to 65535, not '$port'")
        return
    fi
    lowest=$(cat /proc/sys/net/ipv4/ip_unprivileged_port_start 2>/dev/null || echo 1024)
    ((port >= lowest)) ||
        problems+=("port $port: nginx runs unprivileged and may use ports from $lowest on; put a proxy in front of it")
}

# judge_settings_of_programs: fills $in_force, where a setting that was not given has its default. Here, before anything
# is changed, `lectern` tells all that is wrong with the settings of the workers and the jobs.
judge_settings_of_programs() {
    local shown line
    shown=$(
        for line in $(compgen -e LECTERN_); do unset "$line"; done
        # By the environment, since a proxy's address may hold a password and arguments are for everybody to see.
        for line in "${!settings[@]}"; do export "LECTERN_$line=${settings[$line]}"; done
        "$built/lectern" config
    ) || fail "nothing was started because of these settings"
    while IFS= read -r line; do
        if [[ $line =~ ^LECTERN_([A-Z0-9_]+)=(.*)$ ]]; then in_force[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}; fi
    done <<<"$shown"
}

# The address to reach the service from this machine, as it stands in a URL.
local_address() {
    case $listen in
        0.0.0.0) printf '127.0.0.1' ;;
        ::) printf '[::1]' ;;
        *:*) printf '[%s]' "$listen" ;;
        *) printf '%s' "$listen" ;;
    esac
}

nginx_listen() {
    if [[ $listen == *:* ]]; then printf '[%s]:%s' "$listen" "$port"; else printf '%s:%s' "$listen" "$port"; fi
}

# port_is_taken: whether somebody listens where nginx is to listen.
port_is_taken() {
    local hex
    printf -v hex '%04X' "$port"
    # Field 2 is the local address, field 4 the state; 0A is LISTEN. A listener on all addresses takes each of them,
    # and ours on all addresses clashes with one on any.
    awk -v port=":$hex" -v own="$(listen_hex)" '
        $4 == "0A" && substr($2, length($2) - 4) == port {
            address = substr($2, 1, length($2) - 5)
            if (own == "any" || address == own || address ~ /^0+$/) found = 1
        }
        END { exit !found }' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# The address as /proc/net/tcp writes it; for IPv6 every listener on the port counts.
listen_hex() {
    local a b c d
    [[ $listen == *.*.*.* && $listen != *:* && $listen != 0.0.0.0 ]] || { printf 'any'; return; }
    IFS=. read -r a b c d <<<"$listen"
    printf '%02X%02X%02X%02X' "$d" "$c" "$b" "$a"
}

# make_settings_file: an example to edit, on the first run.
make_settings_file() {
    [[ ! -e $home/settings.env ]] || return 0
    write_file "$home/settings.env" 600 <<'END'
# Settings of this home: lines LECTERN_<NAME>=value. The environment of deploy/run wins over them.
# After a change run deploy/run again. What is in force: lectern config.

# Address and port of the web server; 0.0.0.0 is every address of the machine.
#LECTERN_LISTEN=127.0.0.1
#LECTERN_PORT=8080

# The address under which readers reach the service, when a proxy with TLS stands in front of it, and the addresses or
# networks of the proxies whose X-Forwarded-For is believed.
#LECTERN_PUBLIC_URL=https://read.example.org
#LECTERN_TRUSTED_PROXIES=127.0.0.1,10.0.0.0/8

# Who may make an account: open, invite or closed.
#LECTERN_SIGNUP=open

# off ends every rate limit and delay.
#LECTERN_RATE_LIMITS=on

# Private targets the fetcher may reach: a comma list of hosts, addresses and networks, each with an optional :port.
#LECTERN_FETCH_ALLOW=
# A proxy for everything the fetcher gets.
#LECTERN_FETCH_PROXY=
END
    chown "$(admin_owner)" "$home/settings.env"
}

# admin_owner: the person who ran this, also through sudo.
admin_owner() {
    printf '%s:%s' "${SUDO_UID:-$EUID}" "${SUDO_GID:-$(id -g)}"
}
