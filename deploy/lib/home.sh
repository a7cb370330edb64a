# The home of a service: one folder with all its state, and a private folder with a short path for its sockets.
# Sourced; needs messages.sh.
# shellcheck shell=bash
#
#   lectern.env     variables for the admin's shell   settings.env   settings, edited by the admin
#   bin sql web     copies of what the services run   nginx          the rendered nginx configuration
#   postgres        the database                      log            one file per service
#   secrets         keys and passwords                services       the table of services, environments, secrets
#   run             the supervisor's state            exports        files that users have exported
#   pictures        pictures of articles              books          books of articles
#   imports         uploads until they are read       documents      files that are links
#   upgrade         the database before an upgrade
#
# When started as root, each service runs as a user of its own, and the supervisor as root:
#
#   lectern-db        PostgreSQL, the migration       writes postgres and upgrade
#   lectern-fcgi      the workers                     writes imports
#   lectern-jobs      the jobs                        writes exports, pictures, books and documents, empties imports
#   lectern-realtime  the realtime service            writes nothing in the home
#   lectern-nginx     nginx                           writes nginx/temp and log/access.log, reads exports, pictures, books,
#                                                     documents
#
# No service can replace a program, another log file or a secret, or read the secrets of another service. The folder of
# the sockets belongs to root. In it each folder belongs to the service that listens there and to the group that may
# connect:
#
#   fcgi            the workers' socket, for nginx
#   realtime        the socket of the realtime service, for nginx, and that of its metrics
#   db-fcgi         PostgreSQL's socket for the workers
#   db-jobs         PostgreSQL's socket for the jobs
#   db-realtime     PostgreSQL's socket for the realtime service
#   db-admin        PostgreSQL's socket for the admin and the migration

# The user of each service when started as root.
declare -A user_name_of=(
    [postgres]=lectern-db [migrate]=lectern-db [fcgi]=lectern-fcgi [jobs]=lectern-jobs [realtime]=lectern-realtime
    [nginx]=lectern-nginx
)
# The user of all services in homes of earlier versions.
earlier_user_name=lectern

# open_home DIR: sets $home, $home_exists, $run_dir, $uid_of and $gid_of. Changes nothing.
open_home() {
    local owner hash
    home=$(realpath --canonicalize-missing -- "$1")
    if [[ -e $home/run ]]; then
        owner=$(stat --format=%u -- "$home")
        ((owner == EUID)) || fail "$home belongs to $(stat --format=%U -- "$home"); run this as that user"
        home_exists=yes
    else
        home_exists=''
    fi

    find_service_users

    # The path of a unix socket is limited to 107 bytes, so the sockets lie outside the home.
    hash=$(printf '%s' "$home" | sha256sum)
    hash=${hash:0:12}
    if ((EUID == 0)); then
        run_dir=/run/lectern/$hash
    elif [[ -n ${XDG_RUNTIME_DIR:-} && -O $XDG_RUNTIME_DIR && -e /var/lib/systemd/linger/$(id -un) ]]; then
        # Without lingering, systemd removes this folder when the user logs out, with the sockets of a --detach run.
        run_dir=$XDG_RUNTIME_DIR/lectern/$hash
    else
        run_dir=/tmp/lectern-$EUID/$hash
    fi
    ((${#run_dir} < 80)) || fail "the path of the socket folder is too long: $run_dir"
}

# find_service_users: fills $uid_of and $gid_of, by service; both are empty for a user that does not exist yet.
declare -A uid_of=() gid_of=()
find_service_users() {
    local service name uid gid
    local -A ids_of=()
    if ((EUID == 0)); then
        while IFS=: read -r name _ uid gid _; do
            ids_of[$name]="$uid $gid"
        done < <(getent passwd "${user_name_of[@]}")
    else
        gid=$(id -g)
    fi
    for service in "${!user_name_of[@]}"; do
        name=${user_name_of[$service]}
        if ((EUID == 0)); then read -r uid gid <<<"${ids_of[$name]:-}"; else uid=$EUID; fi
        uid_of[$service]=$uid
        gid_of[$service]=$gid
    done
}

# create_run_folder: creates the home and its run folder, which lock_home needs. Safe while another first run does the
# same.
create_run_folder() {
    install -d -m 755 "$home"
    install -d -m 700 "$home/run"
}

# lock_home: lets only one deploy/run or deploy/stop work on the home at a time. The lock is released at exit or by
# unlock_home.
lock_home() {
    exec {home_lock}>>"$home/run/lock"
    flock --nonblock "$home_lock" && return
    say "Waiting for another deploy/run or deploy/stop on this home …"
    flock --timeout 300 "$home_lock" ||
        fail "another deploy/run or deploy/stop on $home has not ended within 300 seconds"
}

unlock_home() {
    exec {home_lock}>&-
}

# make_service_users: as root, creates the users of the services that do not exist.
make_service_users() {
    local service
    # Another run may have created them while this one waited for the lock.
    find_service_users
    for service in "${!user_name_of[@]}"; do
        if [[ -n ${uid_of[$service]} ]]; then continue; fi
        make_system_user "${user_name_of[$service]}" "which runs $service"
        find_service_users
    done
}

# make_system_user NAME PURPOSE: creates a user without a home and a password. Safe while another run does the same.
make_system_user() {
    say "Creating the system user $1, $2"
    useradd --system --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin "$1" ||
        id "$1" >/dev/null 2>&1 || fail "the system user $1 could not be created"
}

# make_home: creates the folders with their owners and modes. Needs the lock. If the home is of an earlier version or
# copied from another machine, nothing may run in it.
make_home() {
    local mode=700 log
    install -d -m 755 "$home/bin" "$home/nginx" "$home/log"
    install -d -m 700 "$home/secrets"
    # The services open the files of their secrets in it, and cannot list it.
    if ((EUID == 0)); then install -d -m 711 "$home/services"; else install -d -m 700 "$home/services"; fi
    own_folder "$home/nginx/temp" "${uid_of[nginx]}" "${gid_of[nginx]}" 700
    # As root: files get the group of the folder, which is nginx's, so that nginx can read what the jobs write.
    if ((EUID == 0)); then mode=2750; fi
    own_folder "$home/exports" "${uid_of[jobs]}" "${gid_of[nginx]}" "$mode"
    own_folder "$home/pictures" "${uid_of[jobs]}" "${gid_of[nginx]}" "$mode"
    own_folder "$home/books" "${uid_of[jobs]}" "${gid_of[nginx]}" "$mode"
    own_folder "$home/documents" "${uid_of[jobs]}" "${gid_of[nginx]}" "$mode"
    # As root: the workers write files, and the jobs, by their group, read and delete them.
    if ((EUID == 0)); then mode=2770; fi
    own_folder "$home/imports" "${uid_of[fcgi]}" "${gid_of[jobs]}" "$mode"
    # Backups of the database that the migration makes.
    own_folder "$home/upgrade" "${uid_of[migrate]}" "${gid_of[migrate]}" 700
    if [[ -e $home/postgres ]]; then own_folder "$home/postgres" "${uid_of[postgres]}" "${gid_of[postgres]}" 700; fi
    # nginx opens its access log itself. The other logs are opened before the privileges are dropped.
    for log in access supervisor; do
        [[ -e $home/log/$log.log ]] || install -m 640 /dev/null "$home/log/$log.log"
    done
    chmod 640 "$home/log/access.log" "$home/log/supervisor.log"
    if ((EUID == 0)); then chown "${uid_of[nginx]}:${gid_of[nginx]}" "$home/log/access.log"; fi
}

# own_folder FOLDER UID GID MODE: creates a folder, or takes over one that belongs to another user or group with
# everything in it. chown changes the folder itself last, so an interrupted takeover is repeated.
own_folder() {
    local folder=$1 uid=$2 gid=$3 mode=$4
    [[ -e $folder ]] || install -d -m 700 "$folder"
    if ((EUID == 0)) && [[ $(stat --format=%u:%g -- "$folder") != "$uid:$gid" ]]; then
        if [[ -n $(ls -A -- "$folder") ]]; then say "Giving the files of $folder to their service's user"; fi
        chown --recursive --no-dereference "$uid:$gid" "$folder"
        # Folders in it pass their group on, too.
        if [[ $mode == 2* ]]; then find "$folder" -type d -exec chmod g+s {} +; fi
    fi
    chmod "$mode" "$folder"
}

# make_run_dir: creates the folder of the sockets and the folders in it, and checks its owner and mode, because its
# parent may lie in /tmp.
make_run_dir() {
    local parent=${run_dir%/*} admin_gid=${SUDO_GID:-0}
    if ((EUID == 0)); then
        install -d -m 755 "$parent"
    else
        [[ -e $parent ]] || mkdir -m 700 "$parent" || true
        require_private_folder "$parent"
        admin_gid=$(id -g)
    fi
    # Sockets that an unclean stop left are of no use, and in earlier versions the folder had no folders in it.
    if ! supervisor_pid >/dev/null; then rm -rf "$run_dir"; fi
    [[ -e $run_dir ]] || mkdir -m 700 "$run_dir"
    [[ ! -L $run_dir && -d $run_dir && -O $run_dir ]] || fail "$run_dir is not a folder that you own"
    if ((EUID == 0)); then chmod 711 "$run_dir"; else require_private_folder "$run_dir"; fi
    # The sockets in them get nginx's group.
    socket_folder fcgi "${uid_of[fcgi]}" "${gid_of[nginx]}" 2710
    socket_folder realtime "${uid_of[realtime]}" "${gid_of[nginx]}" 2710
    socket_folder db-fcgi "${uid_of[postgres]}" "${gid_of[fcgi]}" 710
    socket_folder db-jobs "${uid_of[postgres]}" "${gid_of[jobs]}" 710
    socket_folder db-realtime "${uid_of[postgres]}" "${gid_of[realtime]}" 710
    # The user who called sudo may reach PostgreSQL's socket for psql, which still requires a password.
    socket_folder db-admin "${uid_of[postgres]}" "$admin_gid" 710
}

# socket_folder NAME UID GID MODE: creates a folder in $run_dir.
socket_folder() {
    local owner=()
    if ((EUID == 0)); then owner=(--owner "$2" --group "$3"); fi
    install -d --mode "$4" "${owner[@]}" "$run_dir/$1"
}

require_private_folder() {
    [[ -d $1 && ! -L $1 && -O $1 && $(stat --format=%a -- "$1") == 7[01]0 ]] ||
        fail "$1 must be a folder that belongs to you and has mode 700; remove it and run this again"
}

# as_service SERVICE COMMAND…: runs a command as the user of a service. As root, the command runs as another user
# without capabilities; in any case it cannot gain privileges.
as_service() {
    set_drop_privileges "$1"
    "${drop_privileges[@]}" "${@:2}"
}

# set_drop_privileges SERVICE: sets $drop_privileges to the command that runs another one as the user of a service.
set_drop_privileges() {
    drop_privileges=(setpriv --no-new-privs)
    if ((EUID == 0)); then
        drop_privileges+=(--reuid "${uid_of[$1]}" --regid "${gid_of[$1]}" --init-groups --inh-caps=-all)
    fi
}

# write_file PATH MODE [UID]: replaces a file with standard input, atomically. The contents are never readable by more
# than MODE allows. As root, the file belongs to the user UID, if one is named.
write_file() {
    local path=$1 owner=()
    if ((EUID == 0)) && [[ -n ${3:-} ]]; then owner=(--owner "$3"); fi
    # install creates the file with mode 600 and changes it last.
    install --mode "$2" "${owner[@]}" /dev/stdin "$path.new"
    mv "$path.new" "$path"
}
