# The home of a service: one folder with all its state, and a short private folder for its sockets.
# Sourced; needs messages.sh.
# shellcheck shell=bash
#
#   lectern.env     for the admin's shell          settings.env   written by the admin
#   bin sql web     copies of what runs            nginx          the rendered site
#   postgres        the database                   log            one file a service
#   secrets         keys and passwords             services       the environment of each service
#   run             the keeper's own state         exports        files that users have asked for
#   pictures        those of articles
#
# Started as root, the services run as the user `lectern`. What that user can write is nginx/temp, postgres,
# exports and pictures; it cannot replace a program, a log file or a secret that root handles later.

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

    # A unix socket's path must stay under 108 bytes, wherever the home is.
    hash=$(printf '%s' "$home" | sha256sum)
    hash=${hash:0:12}
    if ((EUID == 0)); then
        run_dir=/run/lectern/$hash
    elif [[ -n ${XDG_RUNTIME_DIR:-} && -O $XDG_RUNTIME_DIR && -e /var/lib/systemd/linger/$(id -un) ]]; then
        # Without lingering this folder goes when the user logs out, and the sockets of --detach with it.
        run_dir=$XDG_RUNTIME_DIR/lectern/$hash
    else
        run_dir=/tmp/lectern-$EUID/$hash
    fi
    ((${#run_dir} < 80)) || fail "the path for sockets is too long: $run_dir"
}

# find_service_user: sets $service_uid and $service_gid, both empty when that user is still to be made.
find_service_user() {
    if ((EUID == 0)); then
        service_uid=$(id -u "$service_user_name" 2>/dev/null || true)
        service_gid=$(id -g "$service_user_name" 2>/dev/null || true)
    else
        service_uid=$(id -u)
        service_gid=$(id -g)
    fi
}

# found_home: makes of the home what lock_home needs, and nothing that another first run could be making as well.
found_home() {
    install -d -m 755 "$home"
    install -d -m 700 "$home/run"
}

# lock_home: lets one deploy/run or deploy/stop at a time work on the home. Released at exit or by unlock_home.
lock_home() {
    exec {home_lock}>>"$home/run/lock"
    flock --nonblock "$home_lock" && return
    say "Waiting for another run of this home …"
    flock --timeout 300 "$home_lock" || fail "another run of $home does not end"
}

unlock_home() {
    exec {home_lock}>&-
}

# make_service_user: as root, the user of the services, when it is not there.
make_service_user() {
    # Another run may have made it while this one waited for the home.
    find_service_user
    if [[ -n $service_uid ]]; then return; fi
    say "Making the system user $service_user_name, as whom the services run"
    useradd --system --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin \
        "$service_user_name"
    service_uid=$(id -u "$service_user_name")
    service_gid=$(id -g "$service_user_name")
}

# make_home: makes the folders, with their owners and modes, under the lock.
make_home() {
    make_service_user
    install -d -m 755 "$home/bin" "$home/nginx" "$home/log"
    install -d -m 700 "$home/secrets" "$home/services"
    install -d -m 700 -o "$service_uid" -g "$service_gid" "$home/nginx/temp" "$home/exports" "$home/pictures"
    # nginx opens this one itself; the other logs are opened before the privileges are dropped.
    [[ -e $home/log/access.log ]] ||
        install -m 640 -o "$service_uid" -g "$service_gid" /dev/null "$home/log/access.log"
}

# make_run_dir: makes the folder of the sockets, and makes sure that it is ours: its parent may be /tmp.
make_run_dir() {
    local parent=${run_dir%/*} group=$service_gid mode=700
    if ((EUID == 0)); then
        install -d -m 755 "$parent"
        # Who came by sudo may reach PostgreSQL's socket, for psql; a password is asked there all the same.
        if [[ -n ${SUDO_GID:-} ]]; then group=$SUDO_GID mode=710; fi
    else
        [[ -e $parent ]] || mkdir -m 700 "$parent" || true
        own_folder "$parent"
    fi
    [[ -e $run_dir ]] || mkdir -m 700 "$run_dir"
    [[ ! -L $run_dir && -d $run_dir ]] || fail "$run_dir is not a folder"
    if ((EUID == 0)); then chown "$service_uid:$group" "$run_dir"; else own_folder "$run_dir"; fi
    chmod "$mode" "$run_dir"
}

own_folder() {
    [[ -d $1 && ! -L $1 && -O $1 && $(stat --format=%a -- "$1") == 7[01]0 ]] ||
        fail "$1 is not a private folder of yours; remove it and start again"
}

# as_service COMMAND…: runs a command as the service's user. As root that is another user without capabilities;
# for everybody it means that no privilege can be gained any more.
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

# write_file PATH MODE: replaces a file by what is read, in one step and never readable by more than MODE allows.
write_file() {
    local path=$1 mode=$2
    (umask 077 && cat >"$path.new")
    chmod "$mode" "$path.new"
    mv "$path.new" "$path"
}
