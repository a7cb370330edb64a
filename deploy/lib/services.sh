# The services of a home. Sourced; needs home.sh, settings.sh, secrets.sh, cluster.sh,
# system-database.sh.
# shellcheck shell=bash

# The services in the order they start; they stop in the opposite order.
#
#   kind    daemon    keeps running; a change restarts it
#           handover  keeps running; its replacement starts beside it, takes over its sockets and stops it, so that no
#                     request fails
#           reload    keeps running; a change makes it reload its configuration
#           once      runs to completion before the next service starts
#   signal  asks the service to stop
#   force   when a service that has not stopped is killed: seconds after LECTERN_DRAIN_TIMEOUT has passed since the stop
#           began. With the default timeout of 5 everything is down within ten seconds.
#   command run in the home; @POSTGRES_BIN@ stands for the folder of PostgreSQL's programs
#   inputs  the files and folders of the home; a change to one of them, to the command or to the environment restarts
#           the service
#
# To add a service, add a line here, its user in home.sh, a function environment_of_<name> below, its program in build.sh
# and a line in home_processes of processes.sh; secrets_of_<name> and options_of_<name> are optional.
#
#   name     | kind     | signal | force | command, run in the home                   | inputs
service_table='
    postgres | daemon   | INT  | 4 | @POSTGRES_BIN@/postgres -D /proc/self/fd/9        | postgres/lectern.conf
    migrate  | once     | TERM | 4 | ./bin/lectern migrate --backup upgrade            | bin/lectern sql
    jobs     | daemon   | TERM | 2 | ./bin/lectern jobs run      | bin/lectern bin/lectern-pdf bin/lectern-pictures sql
    fcgi     | handover | TERM | 2 | ./bin/lectern fcgi --take-over                    | bin/lectern bin/lectern-fcgi sql
    realtime | handover | TERM | 2 | ./bin/lectern-realtime --take-over                | bin/lectern-realtime sql
    nginx    | reload   | QUIT | 1 | /usr/sbin/nginx -p nginx/ -c nginx.conf -e stderr | nginx
'

# read_services: fills $services, the names in order, and the arrays by name from the table.
declare -a services=()
declare -A kind_of=() signal_of=() force_after=() command_of=() inputs_of=()
read_services() {
    local name kind signal force command inputs
    while IFS='|' read -r name kind signal force command inputs; do
        name=${name//[[:space:]]/}
        [[ -n $name ]] || continue
        services+=("$name")
        kind_of[$name]=${kind//[[:space:]]/}
        signal_of[$name]=${signal//[[:space:]]/}
        force_after[$name]=${force//[[:space:]]/}
        command_of[$name]=$command
        inputs_of[$name]=$inputs
    done <<<"$service_table"
}
read_services

# leave_out_postgres: takes PostgreSQL from $services, because the server of the machine has the database.
leave_out_postgres() {
    local name kept=()
    for name in "${services[@]}"; do
        [[ $name == postgres ]] || kept+=("$name")
    done
    services=("${kept[@]}")
}

# seconds_to_stop NAME: prints the seconds after which a stop kills the service.
seconds_to_stop() {
    local drain seconds
    { read -r drain <"$home/run/drain"; } 2>/dev/null || drain=5
    seconds=$((drain + force_after[$1]))
    # A killed database has to recover at its next start, so PostgreSQL always gets at least nine seconds.
    if [[ $1 == postgres ]] && ((seconds < 9)); then seconds=9; fi
    printf '%s' "$seconds"
}

# services_last_first: prints the names in the order the services stop.
services_last_first() {
    printf '%s\n' "${services[@]}" | tac
}

# The environment of each service: every setting it may need. Its secrets, and only those it needs, are in a file that
# its user alone may read: an environment is visible in /proc, and is passed on to every process that a service starts.

environment_of_postgres() {
    :
}

environment_of_nginx() {
    :
}

environment_of_migrate() {
    variable SQL_DIR ./sql
}

secrets_of_migrate() {
    variable DATABASE_URL "$(admin_database_url)"
}

environment_of_fcgi() {
    # Hashing a password takes 19 MiB. By default glibc then raises both limits above that size and keeps the freed
    # memory in each worker; fixed limits return it to the system.
    printf "MALLOC_MMAP_THRESHOLD_='1048576'\nMALLOC_TRIM_THRESHOLD_='1048576'\n"
    variable FCGI_SOCKET "$run_dir/fcgi/fcgi.sock"
    variable RUN_DIR "$run_dir/fcgi"
    variable SQL_DIR ./sql
    variable IMPORTS_DIR ./imports
    # The workers fetch no pages and send no mail, but they must know whether mail is sent.
    settings_except "${secret_settings[@]}"
    if [[ -n ${settings[SMTP_URL]:-} ]]; then variable MAIL on; fi
    # To notice a proxy that is missing here.
    variable TRUSTED_PROXIES "$trusted_proxies"
}

secrets_of_fcgi() {
    variable DATABASE \
        "$(database_host fcgi) dbname=lectern user=authenticator password=$(secret authenticator_password)"
    variable JWT_SECRET "$(secret jwt_secret)"
    # Changing this replaces the workers, like any setting. The workers themselves reject a secret that has expired.
    variable JWT_PREVIOUS_SECRETS "$(previous_secrets)"
    variable METRICS_TOKEN "$(secret metrics_token)"
}

environment_of_jobs() {
    variable EXPORTS_DIR ./exports
    variable IMPORTS_DIR ./imports
    variable DOCUMENTS_DIR ./documents
    variable PICTURES_DIR ./pictures
    variable BOOKS_DIR ./books
    variable SQL_DIR ./sql
    settings_except "${secret_settings[@]}"
}

secrets_of_jobs() {
    local name
    variable JOBS_DATABASE "$(database_host jobs) dbname=lectern user=lectern_jobs password=$(secret jobs_password)"
    for name in "${secret_settings[@]}"; do
        if [[ -v settings[$name] ]]; then variable "$name" "${settings[$name]}"; fi
    done
}

# The settings that the realtime service reads. It is given no others, since a change of its environment disconnects
# every client.
settings_of_realtime=(DRAIN_TIMEOUT LOG_LEVEL RATE_LIMITS REALTIME_SOCKETS REALTIME_USER_SOCKETS)

environment_of_realtime() {
    local name
    variable RUN_DIR "$run_dir/realtime"
    variable SQL_DIR ./sql
    for name in "${settings_of_realtime[@]}"; do
        if [[ -v settings[$name] ]]; then variable "$name" "${settings[$name]}"; fi
    done
}

secrets_of_realtime() {
    variable REALTIME_DATABASE \
        "$(database_host realtime) dbname=lectern user=lectern_realtime password=$(secret realtime_password)"
    variable JWT_SECRET "$(secret jwt_secret)"
    variable JWT_PREVIOUS_SECRETS "$(previous_secrets)"
}

# Settings that may contain a password. Only the jobs need them.
secret_settings=(FETCH_PROXY SMTP_URL)

variable() {
    printf "LECTERN_%s='%s'\n" "$1" "$2"
}

# settings_except NAME…: prints every setting that was given, except NAME…, and PUBLIC_URL, which by default follows the
# port.
settings_except() {
    local name
    for name in $(printf '%s\n' "${!settings[@]}" | sort); do
        [[ " $* ${settings_of_deploy[*]} " == *" $name "* ]] || variable "$name" "${settings[$name]}"
    done
    [[ -n ${settings[PUBLIC_URL]:-} ]] || variable PUBLIC_URL "$url"
}

# write_environments: writes the environment in which the supervisor starts each service, and the file of its secrets.
write_environments() {
    local name
    for name in "${services[@]}"; do
        if declare -F "secrets_of_$name" >/dev/null; then
            "secrets_of_$name" | write_file "$home/services/$name.secrets" 400 "${uid_of[$name]}"
            { "environment_of_$name" && variable SECRETS_FILE "./services/$name.secrets"; }
        else
            "environment_of_$name"
        fi | write_file "$home/services/$name.env" 600
    done
}

# The version of the table's format, which the supervisor checks. A new version also needs a new supervisor: increase
# `version` in Sources/HomeServices/ServiceSupervisor.swift, too.
table_version=2

# write_table: writes <home>/services/table, from which the supervisor (lectern supervise) starts the services. The
# lines before the first service apply to all:
#
#   version   the version of the format
#   sockets   the folder of the sockets, which the supervisor removes when it stops
#
# Sources/HomeServices/Table/Service.swift explains the lines of a service.
write_table() {
    local name
    {
        printf '# Written by deploy/run at every start.\n'
        printf 'version %s\nsockets %s\n' "$table_version" "$run_dir"
        for name in "${services[@]}"; do table_entry "$name"; done
    } | write_file "$home/services/table" 600
}

# table_entry NAME: prints the lines of a service.
table_entry() {
    local name=$1 command inputs
    read -ra inputs <<<"${inputs_of[$name]}"
    printf '\nservice %s\nkind %s\nuser %s\n' "$name" "${kind_of[$name]}" "${uid_of[$name]}"
    # Drops the privileges; the supervisor adds --pdeathsig and the command.
    set_drop_privileges "$name"
    printf 'launcher %s %s\n' "$(type -P "${drop_privileges[0]}")" "${drop_privileges[*]:1}"
    read -ra command <<<"${command_of[$name]//@POSTGRES_BIN@/"${postgres_bin:-}"}"
    printf 'command %s\n' "${command[*]}"
    printf 'stop-signal %s\ndeath-signal %s\n' "${signal_of[$name]}" "$(signal_at_death "$name")"
    # QUIT makes PostgreSQL stop immediately and recover at the next start.
    if [[ $name == postgres ]]; then printf 'force-signal QUIT\n'; else printf 'force-signal KILL\n'; fi
    printf 'stop-seconds %s\n' "$(seconds_to_stop "$name")"
    printf 'inputs %s\n' "${inputs[*]}"
    if declare -F "options_of_$name" >/dev/null; then "options_of_$name"; fi
}

# signal_at_death NAME: prints the signal that the kernel sends the service when the supervisor dies. nginx gets TERM,
# which ends it at once, because nothing would wait for its clients.
signal_at_death() {
    if [[ $1 == nginx ]]; then printf TERM; else printf '%s' "${signal_of[$1]}"; fi
}

options_of_postgres() {
    printf 'data postgres\n'
    # After an unclean stop this fails as long as the write-ahead log is replayed.
    printf 'ready %s/pg_isready --quiet --host=%s\n' "$postgres_bin" "$run_dir/db-admin"
}

options_of_jobs() {
    printf 'stop-early yes\n'
}

options_of_realtime() {
    printf 'stop-early yes\n'
}

options_of_fcgi() {
    printf 'helpers ./bin/lectern-fcgi\n'
}

options_of_nginx() {
    printf 'ignore nginx/temp\n'
}
