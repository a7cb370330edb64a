# The home of a service: one folder with all its state, and a private folder with a short path for its sockets.
# Sourced; needs messages.sh.
# shellcheck shell=bash
#
#   lectern.env     variables for the admin's shell   settings.env   settings, edited by the admin
#   bin sql web     copies of what the services run   nginx          the rendered nginx configuration
#   postgres        the database                      log            one file per service
#   secrets         keys and passwords                services       the table of services, their environments
#   run             the supervisor's state            exports        files that users have exported
#   pictures        pictures of articles
#
# When started as root, the services run as the user `lectern`. That user can write only to nginx/temp, postgres,
# exports, pictures and log/access.log. It cannot replace a program, another log file or a secret that root handles.

service_user_name=lectern

# open_home DIR: sets $home, $home_exists, $run_dir, $service_uid and $service_gid. Changes nothing.
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

    find_service_user

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

# find_service_user: sets $service_uid and $service_gid; both are empty if that user does not exist yet.
find_service_user() {
    if ((EUID == 0)); then
        service_uid=$(id -u "$service_user_name" 2>/dev/null || true)
        service_gid=$(id -g "$service_user_name" 2>/dev/null || true)
    else
        service_uid=$(id -u)
        service_gid=$(id -g)
    fi
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

# make_service_user: as root, creates the user of the services if it does not exist.
make_service_user() {
    # Another run may have created the user while this one waited for the lock.
    find_service_user
    if [[ -n $service_uid ]]; then return; fi
    say "Creating the system user $service_user_name, which runs the services"
    useradd --system --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin \
        "$service_user_name"
    service_uid=$(id -u "$service_user_name")
    service_gid=$(id -g "$service_user_name")
}

# make_home: creates the folders with their owners and modes. Needs the lock.
make_home() {
    make_service_user
    install -d -m 755 "$home/bin" "$home/nginx" "$home/log"
    install -d -m 700 "$home/secrets" "$home/services"
    install -d -m 700 -o "$service_uid" -g "$service_gid" "$home/nginx/temp" "$home/exports" "$home/pictures"
    # nginx opens this log itself. The other logs are opened before the privileges are dropped.
    [[ -e $home/log/access.log ]] ||
        install -m 640 -o "$service_uid" -g "$service_gid" /dev/null "$home/log/access.log"
}

# make_run_dir: creates the folder of the sockets and checks its owner and mode, because its parent may lie in /tmp.
make_run_dir() {
    local parent=${run_dir%/*} group=$service_gid mode=700
    if ((EUID == 0)); then
        install -d -m 755 "$parent"
        # The user who called sudo may reach PostgreSQL's socket for psql, which still requires a password.
        if [[ -n ${SUDO_GID:-} ]]; then group=$SUDO_GID mode=710; fi
    else
        [[ -e $parent ]] || mkdir -m 700 "$parent" || true
        require_private_folder "$parent"
    fi
    [[ -e $run_dir ]] || mkdir -m 700 "$run_dir"
    [[ ! -L $run_dir && -d $run_dir ]] || fail "$run_dir is not a folder"
    if ((EUID == 0)); then chown "$service_uid:$group" "$run_dir"; else require_private_folder "$run_dir"; fi
    chmod "$mode" "$run_dir"
}

require_private_folder() {
    [[ -d $1 && ! -L $1 && -O $1 && $(stat --format=%a -- "$1") == 7[01]0 ]] ||
        fail "$1 must be a folder that belongs to you and has mode 700; remove it and run this again"
}

# as_service COMMAND…: runs a command as the user of the services. As root, the command runs as another user without
# capabilities; in any case it cannot gain privileges.
as_service() {
    set_drop_privileges
    "${drop_privileges[@]}" "$@"
}

set_drop_privileges() {
    drop_privileges=(setpriv --no-new-privs)
    if ((EUID == 0)); then
        drop_privileges+=(--reuid "$service_uid" --regid "$service_gid" --init-groups --inh-caps=-all)
    fi
}

# write_file PATH MODE: replaces a file with standard input, atomically. The contents are never readable by more than
# MODE allows.
write_file() {
    local path=$1 mode=$2
    (umask 077 && cat >"$path.new")
    chmod "$mode" "$path.new"
    mv "$path.new" "$path"
}
