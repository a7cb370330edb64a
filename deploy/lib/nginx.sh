# Renders the nginx configuration of nginx/ into a folder. Sourced; needs $checkout.
# shellcheck shell=bash

# render_nginx FOLDER LISTEN SOCKET RATE_LIMITS TRUSTED_PROXIES BODY_LIMIT DRAIN_TIMEOUT REALTIME_SOCKET NETWORK_SOCKETS \
#   ALL_SOCKETS
#   LISTEN           address:port, as nginx expects it
#   SOCKET           the unix socket of the workers
#   RATE_LIMITS      on or off
#   TRUSTED_PROXIES  a comma-separated list of addresses and networks; may be empty
#   BODY_LIMIT       the largest request body, in bytes
#   DRAIN_TIMEOUT    how long requests in flight may take to finish, in seconds
#   REALTIME_SOCKET  the unix socket of the realtime service
#   NETWORK_SOCKETS  how many WebSockets a network may have
#   ALL_SOCKETS      how many WebSockets all clients may have
render_nginx() {
    local folder=$1 listen=$2 socket=$3 limits=$4 proxies=$5 body=$6 drain=$7 realtime=$8 network_sockets=$9 \
        all_sockets=${10} worker_connections
    local text connections='' requests='' token='' signup='' sockets='' uploads='' trusted='' proxy workers files

    if [[ $limits == on ]]; then
        connections='limit_conn at_once 128;'
        requests='limit_req zone=requests burst=1000 delay=300;'
        token='limit_req zone=token burst=100 nodelay;'
        signup='limit_req zone=signup burst=30 nodelay;'
        uploads='limit_conn uploads 8;'
        sockets="limit_conn sockets $network_sockets;"
    fi
    for proxy in ${proxies//,/ }; do
        trusted+="    set_real_ip_from $proxy;"$'\n'
    done
    [[ -z $trusted ]] || trusted+="    real_ip_header X-Forwarded-For;"$'\n'"    real_ip_recursive on;"

    # One nginx process serves 100,000 static requests per second on one core, so most cores are left to the workers.
    workers=$(($(nproc) / 2))
    workers=$((workers < 1 ? 1 : workers > 4 ? 4 : workers))

    # A WebSocket takes two. The others are for requests, so that WebSockets never take their place.
    worker_connections=$((8192 + 2 * all_sockets))
    # Each connection may need a second file, if the system allows that many.
    files=$(ulimit -H -n)
    if [[ $files == unlimited ]] || ((files > 2 * worker_connections)); then files=$((2 * worker_connections)); fi

    text=$(<"$checkout/nginx/nginx.conf")
    # Unquoted, bash would replace an & in a value with the matched text.
    text=${text//@WORKERS@/"$workers"}
    text=${text//@FILES@/"$files"}
    text=${text//@CONNECTIONS@/"$worker_connections"}
    text=${text//@LISTEN@/"$listen"}
    text=${text//@FCGI_SOCKET@/"$socket"}
    text=${text//@REALTIME_SOCKET@/"$realtime"}
    text=${text//@BODY_LIMIT@/"$body"}
    # Requests to /auth need at most 1 MiB, and never more than the general limit.
    text=${text//@AUTH_BODY_LIMIT@/"$((body < 1048576 ? body : 1048576))"}
    text=${text//@DRAIN_TIMEOUT@/"$drain"}
    text=${text//@TRUSTED_PROXIES@/"$trusted"}
    text=${text//@LIMIT_CONNECTIONS@/"$connections"}
    text=${text//@LIMIT_REQUESTS@/"$requests"}
    text=${text//@LIMIT_TOKEN@/"$token"}
    text=${text//@LIMIT_SIGNUP@/"$signup"}
    text=${text//@LIMIT_SOCKETS@/"$sockets"}
    text=${text//@LIMIT_UPLOADS@/"$uploads"}
    # 1 GiB; the workers have the same limit.
    text=${text//@IMPORT_LIMIT@/1073741824}

    install -m 644 "$checkout"/nginx/*.conf "$folder/"
    # `lectern maintain on` writes a message there, which stays until `lectern maintain off`.
    install -d -m 755 "$folder/maintenance"
    # shellcheck disable=SC2016
    [[ -e $folder/maintenance/message.conf ]] ||
        printf 'map $host $maintenance_message { default ""; }\n' >"$folder/maintenance/message.conf"
    printf '%s\n' "$text" >"$folder/nginx.conf"
}
