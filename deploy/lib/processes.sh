# Which processes belong to a home. Sourced; needs home.sh and services.sh.
# shellcheck shell=bash
#
# A number in a pid file may belong to somebody else by now, so a number alone is never signalled: the keeper is known
# by its number, start time and boot, a service by its program and the folder it runs in.

# process_mark PID: prints what stays the same while this process lives and differs when the number is used again.
process_mark() {
    local stat fields boot
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    # The name in parentheses may hold blanks; the fields after it are counted from the third.
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} != Z ]] || return 1
    boot=$(</proc/sys/kernel/random/boot_id)
    printf '%s %s %s\n' "$1" "${fields[19]}" "$boot"
}

# keeper_pid: prints the number of the living keeper of this home, or fails.
keeper_pid() {
    local mark
    mark=$(cat "$home/run/keeper.pid" 2>/dev/null) || return 1
    [[ -n $mark && $(process_mark "${mark%% *}") == "$mark" ]] || return 1
    printf '%s\n' "${mark%% *}"
}

# home_processes: prints "PID SERVICE" for each process of the home's services, whoever is its parent.
home_processes() {
    local entry folder pid program command
    while IFS= read -r -d '' entry; do
        pid=${entry%% *} folder=${entry#* }
        pid=${pid#/proc/}
        [[ $folder == "$home" || $folder == "$home/postgres" || $folder == "$home/postgres.new" ]] || continue
        [[ -z $service_uid || $(stat --format=%u "/proc/$pid" 2>/dev/null) == "$service_uid" ]] || continue
        program=$(readlink "/proc/$pid/exe" 2>/dev/null) || continue
        command=$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) || continue
        # A program that was replaced since has its old name with a remark.
        case "${program% (deleted)} $command" in
            */nginx\ nginx*) printf '%s nginx\n' "$pid" ;;
            */bin/postgres\ *) [[ $folder == "$home" ]] || printf '%s postgres\n' "$pid" ;;
            "$home"/bin/lectern-fcgi\ * | "$home/bin/lectern "*"lectern fcgi "*) printf '%s fcgi\n' "$pid" ;;
            "$home/bin/lectern "*"lectern jobs run "*) printf '%s jobs\n' "$pid" ;;
            "$home"/bin/lectern-realtime\ *) printf '%s realtime\n' "$pid" ;;
        esac
    done < <(find /proc/[0-9]*/cwd -maxdepth 0 -printf '%h %l\0' 2>/dev/null)
}

# processes_of SERVICE: prints the numbers of its processes.
processes_of() {
    home_processes | while read -r pid service; do
        [[ $service != "$1" ]] || printf '%s\n' "$pid"
    done
}

# pause SECONDS: waits without starting a process, and a signal ends it at once. Nobody ever writes into this pipe.
exec {never}<> <(:)
pause() {
    read -rt "$1" -u "$never" || true
}

# end_processes SERVICE SIGNAL SECONDS: ends what is left of a service, at last by force.
end_processes() {
    local service=$1 signal=$2 patience=$(($3 * 10)) pids postmaster
    mapfile -t pids < <(processes_of "$service")
    ((${#pids[@]})) || return 0
    if [[ $service == postgres ]]; then
        # Only the first of them is told; for the others the same signal means something else.
        postmaster=$(head -n 1 "$home/postgres/postmaster.pid" 2>/dev/null || true)
        [[ " ${pids[*]} " != *" $postmaster "* ]] || pids=("$postmaster")
    fi
    kill -s "$signal" "${pids[@]}" 2>/dev/null || true
    while ((patience-- > 0)); do
        mapfile -t pids < <(processes_of "$service")
        ((${#pids[@]})) || return 0
        pause 0.1
    done
    kill -s KILL "${pids[@]}" 2>/dev/null || true
    pause 0.3
}

# end_leftovers: ends what survived a keeper that was killed. Nothing of the home is running after it.
end_leftovers() {
    local name file pid
    # From the outside in: first nobody asks any more, at last the database goes.
    for name in $(services_last_first); do
        end_processes "$name" "${signal_of[$name]}" $((5 + $(seconds_to_stop "$name")))
    done

    # PostgreSQL takes its lock file for valid when the number in it belongs to any process of the same user.
    for file in "$home/postgres/postmaster.pid" "$run_dir/.s.PGSQL.5432.lock"; do
        [[ -f $file ]] || continue
        pid=$(head -n 1 "$file" 2>/dev/null || true)
        if [[ -n $pid && -z $(processes_of postgres) ]]; then rm -f "$file"; fi
    done
}
