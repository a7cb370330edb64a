# A private PostgreSQL cluster. Sourced; needs messages.sh, home.sh, secrets.sh.
# shellcheck shell=bash
#
# PostgreSQL's user may lack permission to reach the data folder by its path, and PostgreSQL changes its working
# directory while it looks for its own program. The folder is therefore passed as an open file descriptor: every call
# opens it as descriptor 9 before privileges are dropped and names it /proc/self/fd/9.

# find_postgres [DATA]: sets $postgres_bin to the programs of the version that created DATA, or of the newest installed
# version.
find_postgres() {
    local version=''
    if [[ -n ${1:-} && -s $1/PG_VERSION ]]; then version=$(<"$1/PG_VERSION"); fi
    if [[ -n $version ]]; then
        postgres_bin=/usr/lib/postgresql/$version/bin
        [[ -x $postgres_bin/postgres ]] ||
            fail "the database of $home needs PostgreSQL $version; install the package postgresql-$version"
        return
    fi
    postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
    [[ -x $postgres_bin/postgres ]] || fail "PostgreSQL's programs were not found in /usr/lib/postgresql/*/bin"
}

# in_data FOLDER COMMAND…: runs a program as PostgreSQL's user with FOLDER open as descriptor 9.
in_data() {
    local folder=$1
    shift
    (cd / && as_service postgres env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TZ=UTC "$@" 9<"$folder")
}

# init_data FOLDER SUPERUSER METHOD: creates a data folder; METHOD is the authentication method in pg_hba.conf.
init_data() {
    local folder=$1 superuser=$2 method=$3 output
    own_folder "$folder" "${uid_of[postgres]}" "${gid_of[postgres]}" 700
    output=$(in_data "$folder" "$postgres_bin/initdb" --pgdata=/proc/self/fd/9 --username="$superuser" --encoding=UTF8 \
        --locale=C.UTF-8 --data-checksums --auth=reject --no-instructions 2>&1) || fail "initdb failed: $output"
    in_data "$folder" tee /proc/self/fd/9/pg_hba.conf >/dev/null <<END
# PostgreSQL listens only on the unix socket; the second line applies if an admin adds another listener.
local all all $method
host all all all $method
END
    in_data "$folder" tee -a /proc/self/fd/9/postgresql.conf >/dev/null <<<"include_if_exists 'lectern.conf'"
}

# single_user FOLDER DATABASE: runs SQL from standard input while the server is stopped; fails on the first error.
# There is no other superuser access, and this one requires write access to the data folder.
single_user() {
    local folder=$1 database=$2 output
    # Statements may contain passwords, so only error lines of the output are shown.
    output=$(in_data "$folder" "$postgres_bin/postgres" --single -j -D /proc/self/fd/9 -c exit_on_error=true \
        -c log_min_error_statement=panic "$database" 2>&1) || output+=$'\nFATAL: postgres exited with an error'
    output=$(grep -m 3 -E '(ERROR|FATAL|PANIC):' <<<"$output") &&
        fail "PostgreSQL could not create the roles or the database: $output"
    return 0
}

# make_cluster: creates the cluster of the home. It gets its name last, so an interrupted creation starts over.
make_cluster() {
    if [[ ! -e $home/postgres ]]; then
        say "Creating a private PostgreSQL cluster in $home/postgres"
        find_postgres
        rm -rf "$home/postgres.new" "$home/secrets/roles.applied"
        init_data "$home/postgres.new" lectern_bootstrap scram-sha-256
        single_user "$home/postgres.new" postgres <"$checkout/deploy/roles.sql"
        single_user "$home/postgres.new" postgres <"$checkout/deploy/database.sql"
        mv "$home/postgres.new" "$home/postgres"
    fi
    find_postgres "$home/postgres"
}

# roles_are_current: succeeds if the roles match this version and the passwords match secrets/.
roles_are_current() {
    [[ -s $home/secrets/roles.applied && $(<"$home/secrets/roles.applied") == "$(roles_sql | sha256sum)" ]]
}

# apply_roles: updates roles and passwords. The server must be stopped.
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
        lectern_jobs "$(secret jobs_password)" \
        lectern_realtime "$(secret realtime_password)"
}

# connections_used: prints how many connections the services and the admin may have at once.
connections_used() {
    local workers=${in_force[WORKERS]}
    if ((workers == 0)); then
        workers=$(getconf _NPROCESSORS_ONLN)
        workers=$((workers > 24 ? 24 : workers))
    fi
    # A worker has one connection per thread, one for slow requests and one that listens for schema changes; during a
    # handover the old workers keep theirs. The jobs have one connection per job thread and per picture thread, and
    # seventeen more: to listen, to lease jobs, to renew leases, to return jobs, to answer requests that wait for a URL,
    # to send mail, to index texts for search, four for exports, two to maintain pictures, two to make books and two for
    # imports. The realtime service has one, and two during a handover. 20 are for the admin, migrations and backups;
    # PostgreSQL reserves three of them for superusers.
    printf '%s' $((2 * workers * (in_force[THREADS] + 2) +
        in_force[JOBS_PARALLEL] + in_force[PICTURES_PARALLEL] + 17 + 2 + 20))
}

# connections_needed: prints max_connections of a private server.
connections_needed() {
    local present='' needed
    needed=$(connections_used)
    # At least enough for four workers of eight threads, so that changing the number of workers needs no restart.
    needed=$((needed < 128 ? 128 : needed))
    # A new value requires a restart of the server, so a running server keeps a larger value.
    if supervisor_pid >/dev/null && [[ -r $home/postgres/lectern.conf ]]; then
        present=$(sed -n 's/^max_connections = \([1-9][0-9]*\)$/\1/p' "$home/postgres/lectern.conf")
    fi
    if [[ -n $present ]] && ((present > needed)); then needed=$present; fi
    printf '%s' "$needed"
}

# configure_cluster FOLDER CONNECTIONS SOCKETS: writes lectern.conf, the settings that deploy/run decides. SOCKETS are
# the folders of sockets, with commas between them. An admin overrides the settings at the end of postgresql.conf.
configure_cluster() {
    local folder=$1 connections=$2 sockets=$3 memory shared=128 sharing=mmap
    memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
    if ((memory >= 2048)); then shared=256; fi
    # Shared memory in /dev/shm is faster than in files. Some containers do not allow writing there, and systemd removes
    # the files of a regular user at logout, but not those of a system user.
    if ((EUID == 0)) && as_service postgres test -w /dev/shm; then sharing=posix; fi
    in_data "$folder" tee /proc/self/fd/9/lectern.conf >/dev/null <<END
# Written by deploy/run at every start. Put your own settings at the end of postgresql.conf.
listen_addresses = ''
unix_socket_directories = '$sockets'
password_encryption = scram-sha-256
cluster_name = lectern
max_connections = $connections
timezone = 'UTC'
log_timezone = 'UTC'
shared_buffers = ${shared}MB
effective_cache_size = $((memory / 2))MB
dynamic_shared_memory_type = $sharing
# Data usually lies on an SSD, and no query runs long enough to benefit from JIT compilation.
random_page_cost = 1.1
jit = off
log_line_prefix = '%m [%p] %q%u %a '
# Key values and statements contain users' reading lists and must not reach the log.
log_error_verbosity = terse
log_min_error_statement = panic
END
}
