# The services of a home. Sourced; needs home.sh, settings.sh, secrets.sh, cluster.sh.
# shellcheck shell=bash

# In the order they start; they stop in the opposite order. `by` is when force is used, in seconds after the stop began and
# LECTERN_DRAIN_TIMEOUT has passed: with its default all is down within ten seconds. A daemon starts anew by being stopped and started; an heir is started beside the process that
# runs, takes over from it and has it end, so that nobody notices. To add a service: a line here, a function environment_of_<name> below, its program in build.sh,
# and a line in home_processes of processes.sh.
#   name     | kind   | ends | by | runs, in the home                                 | starts anew when one of these changes
service_table='
    postgres | daemon | INT  | 4  | postgres -D /proc/self/fd/9                       | postgres/lectern.conf
    migrate  | once   | TERM | 4  | ./bin/lectern migrate                             | bin/lectern sql
    jobs     | daemon | TERM | 2  | ./bin/lectern jobs run                            | bin/lectern bin/lectern-pdf bin/lectern-pictures sql
    fcgi     | heir   | TERM | 2  | ./bin/lectern fcgi --take-over                    | bin/lectern bin/lectern-fcgi sql
    nginx    | daemon | QUIT | 1  | /usr/sbin/nginx -p nginx/ -c nginx.conf -e stderr | nginx
'

# read_services: fills $services (names in order) and the tables by name.
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

# seconds_to_stop NAME: prints after how many seconds a stop uses force.
seconds_to_stop() {
    local drain by
    drain=$(cat "$home/run/drain" 2>/dev/null || echo 5)
    by=$((drain + force_after[$1]))
    # A database that is made to end has to recover at its next start, so it gets its time in any case.
    if [[ $1 == postgres ]] && ((by < 9)); then by=9; fi
    printf '%s' "$by"
}

# services_last_first: prints the names in the order they stop.
services_last_first() {
    printf '%s\n' "${services[@]}" | tac
}

# What each service is told: every setting it may need, and only the secrets it needs.

environment_of_postgres() {
    :
}

environment_of_nginx() {
    :
}

environment_of_migrate() {
    variable DATABASE_URL "postgresql://lectern_admin:$(secret admin_password)@/lectern?host=$run_dir"
    variable SQL_DIR ./sql
}

environment_of_fcgi() {
    variable FCGI_SOCKET "$run_dir/fcgi.sock"
    variable RUN_DIR "$run_dir"
    variable SQL_DIR ./sql
    variable DATABASE "host=$run_dir dbname=lectern user=authenticator password=$(secret authenticator_password)"
    variable JWT_SECRET "$(secret jwt_secret)"
    # A new one replaces the workers, as any setting does; when the time of an old one is over, they see by themselves.
    variable JWT_PREVIOUS_SECRETS "$(previous_secrets)"
    variable METRICS_TOKEN "$(secret metrics_token)"
    # The workers fetch nothing and send no mail, and both addresses may hold a password.
    settings_except FETCH_PROXY SMTP_URL
}

environment_of_jobs() {
    variable EXPORTS_DIR ./exports
    variable PICTURES_DIR ./pictures
    variable SQL_DIR ./sql
    variable JOBS_DATABASE "host=$run_dir dbname=lectern user=lectern_jobs password=$(secret jobs_password)"
    settings_except
}

variable() {
    printf "LECTERN_%s='%s'\n" "$1" "$2"
}

# settings_except NAME…: every setting that was given, and the public address, which follows the port by default.
settings_except() {
    local name
    for name in $(printf '%s\n' "${!settings[@]}" | sort); do
        [[ " $* ${settings_of_deploy[*]} " == *" $name "* ]] || variable "$name" "${settings[$name]}"
    done
    [[ -n ${settings[PUBLIC_URL]:-} ]] || variable PUBLIC_URL "$url"
}

# write_environments: what the keeper starts the services with.
write_environments() {
    local name
    for name in "${services[@]}"; do
        "environment_of_$name" | write_file "$home/services/$name.env" 600
    done
}

# fingerprint NAME: prints a sum of all that a service was started from.
fingerprint() {
    local name=$1 inputs
    read -ra inputs <<<"${inputs_of[$name]}"
    (
        cd "$home" || exit
        printf '%s\n' "${command_of[$name]}"
        find "services/$name.env" "${inputs[@]}" -path nginx/temp -prune -o -type f -print0 2>/dev/null |
            sort -z | xargs -0 sha256sum
    ) | sha256sum
}

# enter_environment FILE: replaces the environment by what a service is told. To be called in a subshell.
enter_environment() {
    local name
    for name in $(compgen -e); do unset "$name" 2>/dev/null || true; done
    set -a
    PATH=/usr/sbin:/usr/bin:/sbin:/bin
    LANG=C.UTF-8
    TZ=UTC
    # No files of a person, such as ~/.pgpass, have a say in a service.
    HOME=/nonexistent
    # shellcheck disable=SC1090 # written by write_environments: quoted values and nothing else
    . "$home/$1"
    set +a
}
