# A private PostgreSQL cluster. Sourced; needs messages.sh, home.sh, secrets.sh.
# shellcheck shell=bash
#
# The data folder may lie where the service's user cannot walk to, and PostgreSQL leaves its working directory while it
# looks for its own program, so neither a path nor the working directory leads there. An open file descriptor does:
# every call opens the folder as number 9 before privileges are dropped and names it /proc/self/fd/9.

# find_postgres [DATA]: sets $postgres_bin: the version that made DATA, else the highest one installed.
find_postgres() {
    local version=''
    if [[ -n ${1:-} && -s $1/PG_VERSION ]]; then version=$(<"$1/PG_VERSION"); fi
    if [[ -n $version ]]; then
        postgres_bin=/usr/lib/postgresql/$version/bin
        [[ -x $postgres_bin/postgres ]] ||
            fail "the database of $home was made by PostgreSQL $version, which is not installed (package postgresql-$version)"
        return
    fi
    postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
    [[ -x $postgres_bin/postgres ]] || fail "PostgreSQL's programs are not in /usr/lib/postgresql/*/bin"
}

# in_data FOLDER COMMAND…: runs a program as the service's user with FOLDER open as number 9.
in_data() {
    local folder=$1
    shift
    (cd / && as_service env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TZ=UTC "$@" 9<"$folder")
}

# init_data FOLDER SUPERUSER METHOD: makes a data folder; METHOD is how pg_hba.conf lets connections in.
init_data() {
    local folder=$1 superuser=$2 method=$3 output
    install -d -m 700 -o "$service_uid" -g "$service_gid" "$folder"
    output=$(in_data "$folder" "$postgres_bin/initdb" --pgdata=/proc/self/fd/9 --username="$superuser" --encoding=UTF8 \
        --locale=C.UTF-8 --data-checksums --auth=reject --no-instructions 2>&1) || fail "initdb failed: $output"
    in_data "$folder" tee /proc/self/fd/9/pg_hba.conf >/dev/null <<END
# There is no listener but the unix socket; the second line is for an admin who adds one.
local all all $method
host all all all $method
END
    in_data "$folder" tee -a /proc/self/fd/9/postgresql.conf >/dev/null <<<"include_if_exists 'lectern.conf'"
}

# single_user FOLDER DATABASE: runs SQL from standard input while the server is stopped; fails on the first error.
# This is the only way in as a superuser, and only for who may already write the data folder.
single_user() {
    local folder=$1 database=$2 output
    # Statements may hold passwords, so of the output only the errors are shown.
    output=$(in_data "$folder" "$postgres_bin/postgres" --single -j -D /proc/self/fd/9 -c exit_on_error=true \
        -c log_min_error_statement=panic "$database" 2>&1) || output+=$'\nFATAL: it ended with an error'
    output=$(grep -m 3 -E '(ERROR|FATAL|PANIC):' <<<"$output") &&
        fail "PostgreSQL could not make a role or the database: $output"
    return 0
}

# make_cluster: makes the database of the home. Whatever is killed in the middle begins anew: it gets its name last.
make_cluster() {
    if [[ ! -e $home/postgres ]]; then
        say "Making a private PostgreSQL cluster in $home/postgres"
        find_postgres
        rm -rf "$home/postgres.new" "$home/secrets/roles.applied"
        init_data "$home/postgres.new" lectern_bootstrap scram-sha-256
        single_user "$home/postgres.new" postgres <"$checkout/deploy/roles.sql"
        single_user "$home/postgres.new" postgres <"$checkout/deploy/database.sql"
        mv "$home/postgres.new" "$home/postgres"
    fi
    find_postgres "$home/postgres"
}

# roles_are_current: whether roles and passwords are those of this version and of secrets/.
roles_are_current() {
    [[ -s $home/secrets/roles.applied && $(<"$home/secrets/roles.applied") == "$(roles_sql | sha256sum)" ]]
}

# apply_roles: brings them up to date. The server must be stopped.
apply_roles() {
    roles_are_current && return
    roles_sql | single_user "$home/postgres" postgres
    roles_sql | sha256sum | write_file "$home/secrets/roles.applied" 600
}

roles_sql() {
    cat "$checkout/deploy/roles.sql"
    printf "alter role %s with password '%s';\n\n" \
        lectern_admin "$(secret admin_password)" \
        authenticator "$(secret authenticator_password)" \
        lectern_jobs "$(secret jobs_password)"
}

# connections_needed: prints how many connections the settings may come to, the admin's among them.
connections_needed() {
    local workers=${in_force[WORKERS]} present='' needed
    if ((workers == 0)); then
        workers=$(getconf _NPROCESSORS_ONLN)
        workers=$((workers > 24 ? 24 : workers))
    fi
    # Each thread of a worker has one, and each worker two more: its thread for slow requests has one, and one is to hear
    # of schema changes. While the workers are replaced the old ones still have theirs. Each thread of the jobs has one,
    # each thread for pictures, and the jobs themselves twelve: to listen, to take jobs, to renew leases, to give jobs back, to answer who waits for a
    # URL, to send mails, four for exports, and two to look after pictures.
    # 20 are for the admin, for migrations and backups, and PostgreSQL keeps three of them for superusers.
    needed=$((2 * workers * (in_force[THREADS] + 2) + in_force[JOBS_PARALLEL] + in_force[PICTURES_PARALLEL] + 12 + 20))
    # Enough for four workers of eight threads from the start: another number of them shall cost no restart.
    needed=$((needed < 128 ? 128 : needed))
    # A running server has to be restarted for another number, which is not worth it for a smaller one.
    if keeper_pid >/dev/null && [[ -r $home/postgres/lectern.conf ]]; then
        present=$(sed -n 's/^max_connections = \([1-9][0-9]*\)$/\1/p' "$home/postgres/lectern.conf")
    fi
    if [[ -n $present ]] && ((present > needed)); then needed=$present; fi
    printf '%s' "$needed"
}

# configure_cluster FOLDER CONNECTIONS: writes what deploy/run decides; an admin's own lines go to the end of
# postgresql.conf.
configure_cluster() {
    local folder=$1 connections=$2 memory shared=128 sharing=mmap
    memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
    if ((memory >= 2048)); then shared=256; fi
    # Shared memory in /dev/shm is faster than in files, but not every container lets all write there, and systemd
    # removes what a person left there at logout; a system user's it leaves alone.
    if ((EUID == 0)) && as_service test -w /dev/shm; then sharing=posix; fi
    in_data "$folder" tee /proc/self/fd/9/lectern.conf >/dev/null <<END
# Written by deploy/run at every start. Own settings belong to the end of postgresql.conf.
listen_addresses = ''
unix_socket_directories = '$run_dir'
password_encryption = scram-sha-256
cluster_name = lectern
max_connections = $connections
timezone = 'UTC'
log_timezone = 'UTC'
shared_buffers = ${shared}MB
effective_cache_size = $((memory / 2))MB
dynamic_shared_memory_type = $sharing
# The data lies on an SSD nowadays, and no query here is long enough for compiling it to pay.
random_page_cost = 1.1
jit = off
log_line_prefix = '%m [%p] %q%u %a '
# Key values and statements hold what people read.
log_error_verbosity = terse
log_min_error_statement = panic
END
}
