# The database in the PostgreSQL server of the machine, with LECTERN_POSTGRES=system. Sourced; needs messages.sh,
# home.sh, secrets.sh and cluster.sh.
# shellcheck shell=bash
#
# Debian's server takes connections on 127.0.0.1 with a password, and lets its superuser in on its unix socket without
# one. So Lectern needs no change of its configuration.

# uses_system_database: succeeds if the settings choose the server of the machine.
uses_system_database() {
    [[ ${in_force[POSTGRES]:-private} == system ]]
}

# check_database_choice: fails if the home's data is in the other of the two databases.
check_database_choice() {
    if uses_system_database; then
        ((EUID == 0)) || fail "LECTERN_POSTGRES=system needs root, to create the database"
        [[ ! -e $home/postgres ]] || fail "this home has a database of its own in $home/postgres. To use the server of" \
            "the machine, dump the database, move $home/postgres away, start, and restore the dump"
    elif [[ ! -e $home/postgres && -e $home/secrets/system-database ]]; then
        fail "the database of this home is in the PostgreSQL server of the machine; set LECTERN_POSTGRES=system. To" \
            "begin with an empty database, remove $home/secrets/system-database"
    fi
}

# as_superuser DATABASE: runs SQL from standard input in a database of the machine's server, as its superuser.
as_superuser() {
    (
        cd /
        setpriv --no-new-privs --reuid postgres --regid postgres --init-groups --inh-caps=-all \
            env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/nonexistent \
            psql --no-psqlrc --quiet --no-align --tuples-only --no-password --set ON_ERROR_STOP=1 --dbname "$1"
    )
}

# make_system_database: creates the database and its roles, or updates the roles. Sets $system_port.
make_system_database() {
    local found limit used
    system_port=$(as_superuser postgres <<<'show port') ||
        fail "the PostgreSQL server of the machine does not answer its superuser. Start it, or set LECTERN_POSTGRES=private"
    limit=$(as_superuser postgres <<<'show max_connections')
    used=$(connections_used)
    if ((limit < used)); then
        say "Lectern may use $used connections, but max_connections of PostgreSQL is $limit. Raise it and restart" \
            "PostgreSQL, or reduce LECTERN_WORKERS, LECTERN_THREADS or LECTERN_JOBS_PARALLEL"
    fi
    found=$(as_superuser postgres <<<"select count(*) from pg_database where datname = 'lectern'")
    if [[ $found == 1 ]] && system_database_is_current; then return; fi
    if [[ $found == 0 ]]; then
        refuse_foreign_roles
        say "Creating the database lectern in the PostgreSQL server of the machine"
    fi
    { quiet_log && roles_sql; } | as_superuser postgres || fail "the roles could not be created"
    if [[ $found == 0 ]]; then
        as_superuser postgres <<<"create database lectern owner lectern_owner template template0 encoding 'UTF8'
            locale 'C.UTF-8';" || fail "the database could not be created"
    fi
    as_superuser postgres <<'END' || fail "the privileges on the database could not be set"
revoke all on database lectern from public;
grant connect on database lectern to lectern_admin, authenticator, lectern_jobs;
END
    system_database_state | write_file "$home/secrets/system-database" 600
}

# quiet_log: prints statements that keep the passwords of those after them out of the server's log.
quiet_log() {
    printf "set log_statement = 'none';\nset log_min_error_statement = 'panic';\nset log_min_duration_statement = -1;\n"
}

# refuse_foreign_roles: fails if roles of these names exist without the database, because another program may use them.
refuse_foreign_roles() {
    local names
    names=$(as_superuser postgres <<'END'
select string_agg(rolname, ', ') from pg_roles
where rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'auth_service', 'job_worker')
    or rolname like 'lectern\_%';
END
    )
    [[ -z $names ]] || fail "the PostgreSQL server of the machine has roles that Lectern would change: $names. Drop" \
        "them if nothing uses them, or set LECTERN_POSTGRES=private"
}

# system_database_is_current: succeeds if the roles match this version and the passwords match secrets/.
system_database_is_current() {
    [[ -s $home/secrets/system-database && $(<"$home/secrets/system-database") == "$(system_database_state)" ]]
}

system_database_state() {
    roles_sql | sha256sum
}

# database_host SERVICE: prints where a service finds the database, as libpq keywords. SERVICE is fcgi, jobs or realtime.
database_host() {
    if uses_system_database; then
        printf 'host=127.0.0.1 port=%s sslmode=disable' "$system_port"
    else
        printf 'host=%s' "$run_dir/db-$1"
    fi
}

# admin_database_url: prints the connection of the admin and of the migration.
admin_database_url() {
    local server="/lectern?host=$run_dir/db-admin"
    if uses_system_database; then server="127.0.0.1:$system_port/lectern?sslmode=disable"; fi
    printf 'postgresql://lectern_admin:%s@%s' "$(secret admin_password)" "$server"
}
