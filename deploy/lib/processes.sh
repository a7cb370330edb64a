# Finds and stops the processes of a home. Sourced; needs home.sh and services.sh.
# shellcheck shell=bash
#
# The kernel may reuse a pid that a file still names, so a pid alone is never signalled. The supervisor is identified by
# pid, start time and boot; a service is identified by its user, its program and its working directory.

# process_identity PID: prints the pid, start time and boot id of a living process. A process that later gets the same
# pid has another identity.
process_identity() {
    local stat fields boot
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    # The name in parentheses may contain spaces, so the fields are counted after it, starting with the third.
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} != Z ]] || return 1
    boot=$(</proc/sys/kernel/random/boot_id)
    printf '%s %s %s\n' "$1" "${fields[19]}" "$boot"
}

# supervisor_pid: prints the pid of this home's running supervisor, or fails if there is none.
supervisor_pid() {
    local identity
    { read -r identity <"$home/run/supervisor.pid"; } 2>/dev/null || return 1
    [[ -n $identity && $(process_identity "${identity%% *}") == "$identity" ]] || return 1
    printf '%s\n' "${identity%% *}"
}

# home_processes: prints "PID SERVICE" for each process of the home's services, whatever its parent.
home_processes() {
    local entry folder pid program command words
    while IFS= read -r -d '' entry; do
        pid=${entry%% *} folder=${entry#* }
        pid=${pid#/proc/}
        [[ -z $folder || $folder == "$home" || $folder == "$home/postgres" || $folder == "$home/postgres.new" ]] ||
            continue
        { mapfile -d '' words <"/proc/$pid/cmdline"; } 2>/dev/null || continue
        command="${words[*]} "
        if [[ -z $folder ]]; then
            # Only root may know the folder and the program of a process that hides its memory. The supervisor of
            # another user names its program by the whole path.
            program=${words[0]:-}
            [[ $program == "$home/bin/"* ]] || continue
        else
            program=$(readlink "/proc/$pid/exe" 2>/dev/null) || continue
        fi
        is_service_user "$pid" || continue
        # The kernel appends " (deleted)" to the path of a program that was replaced.
        case "${program% (deleted)} $command" in
            */nginx\ nginx*) printf '%s nginx\n' "$pid" ;;
            */bin/postgres\ *) [[ $folder == "$home" ]] || printf '%s postgres\n' "$pid" ;;
            "$home"/bin/lectern-fcgi\ * | "$home/bin/lectern "*"lectern fcgi "*) printf '%s fcgi\n' "$pid" ;;
            "$home/bin/lectern "*"lectern jobs run "*) printf '%s jobs\n' "$pid" ;;
            "$home"/bin/lectern-realtime\ *) printf '%s realtime\n' "$pid" ;;
        esac
    done < <(find /proc/[0-9]*/cwd -maxdepth 0 -printf '%h %l\0' 2>/dev/null)
}

# is_service_user PID: succeeds if the process runs as the user of a service, or as that of all services in earlier
# versions. The owner of /proc/PID is another one if the process hides its memory.
is_service_user() {
    local key user earlier
    while read -r key user _; do [[ $key != Uid: ]] || break; done 2>/dev/null <"/proc/$1/status" || return 1
    if [[ " ${uid_of[*]} " == *" $user "* ]]; then return; fi
    ((EUID == 0)) && earlier=$(id -u "$earlier_user_name" 2>/dev/null) && [[ $user == "$earlier" ]]
}

# processes_of SERVICE: prints the pids of a service.
processes_of() {
    home_processes | while read -r pid service; do
        [[ $service != "$1" ]] || printf '%s\n' "$pid"
    done
}

# pause SECONDS: waits without starting a process. A signal ends the wait. Nothing ever writes to the pipe.
exec {pause_pipe}<> <(:)
pause() {
    read -rt "$1" -u "$pause_pipe" || true
}

# stop_processes SERVICE SIGNAL SECONDS: stops the remaining processes of a service; kills them after SECONDS.
stop_processes() {
    local service=$1 signal=$2 attempts=$(($3 * 10)) pids postmaster
    mapfile -t pids < <(processes_of "$service")
    ((${#pids[@]})) || return 0
    if [[ $service == postgres ]]; then
        # Only the postmaster gets the signal, because its children interpret the same signal differently.
        postmaster=$(head -n 1 "$home/postgres/postmaster.pid" 2>/dev/null || true)
        [[ " ${pids[*]} " != *" $postmaster "* ]] || pids=("$postmaster")
    fi
    kill -s "$signal" "${pids[@]}" 2>/dev/null || true
    while ((attempts-- > 0)); do
        mapfile -t pids < <(processes_of "$service")
        ((${#pids[@]})) || return 0
        pause 0.1
    done
    kill -s KILL "${pids[@]}" 2>/dev/null || true
    pause 0.3
}

# stop_leftovers: stops every process of the home that outlived its supervisor, and removes stale lock files.
stop_leftovers() {
    local name file pid
    if [[ -n $(home_processes) ]]; then
        # In the usual order: nginx first, so that no requests arrive, and the database last.
        for name in $(services_last_first); do
            stop_processes "$name" "${signal_of[$name]}" $((5 + $(seconds_to_stop "$name")))
        done
    fi

    # PostgreSQL takes its lock file as valid if any process of the same user has the pid in it.
    for file in "$home/postgres/postmaster.pid" "$run_dir"/{,db-*/}.s.PGSQL.5432.lock; do
        [[ -f $file ]] || continue
        pid=$(head -n 1 "$file" 2>/dev/null || true)
        if [[ -n $pid && -z $(processes_of postgres) ]]; then rm -f "$file"; fi
    done
}
