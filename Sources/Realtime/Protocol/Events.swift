/// The events that clients send and that are understood.
enum ClientEvent: String {
    case heartbeat
    case join = "phx_join"
    case leave = "phx_leave"
    case accessToken = "access_token"
    case broadcast
    case presence
}

/// The events that the server sends.
enum ServerEvent: String {
    case reply = "phx_reply"
    case close = "phx_close"
    case system
    case presenceState = "presence_state"
    case changes = "postgres_changes"
}
