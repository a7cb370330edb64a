import Glibc

/// A signal by its name in the table, which is also that of setpriv(1).
enum Signal: String, CaseIterable, Sendable {
    case hangup = "HUP"
    case interrupt = "INT"
    case quit = "QUIT"
    case terminate = "TERM"
    case kill = "KILL"

    var number: Int32 {
        switch self {
        case .hangup: SIGHUP
        case .interrupt: SIGINT
        case .quit: SIGQUIT
        case .terminate: SIGTERM
        case .kill: SIGKILL
        }
    }
}
