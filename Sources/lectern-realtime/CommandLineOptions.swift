/// The arguments of the program.
struct CommandLineOptions: Equatable {
    /// Whether to replace a process that listens on the socket already.
    var takesOver = false

    enum Outcome: Equatable {
        case run(CommandLineOptions)
        case help
        case wrongUsage(String)
    }

    static let help = """
        USAGE: lectern-realtime [--take-over]

        Sends clients the changes of their rows over WebSockets. Listens on the unix sockets realtime.sock and
        metrics.sock in LECTERN_RUN_DIR until SIGTERM, which closes the sockets of clients one after the other.

        Reads these settings, each with LECTERN_ before its name; see `lectern config`: REALTIME_DATABASE, JWT_SECRET,
        JWT_PREVIOUS_SECRETS, REALTIME_SOCKETS, REALTIME_USER_SOCKETS, RATE_LIMITS, DRAIN_TIMEOUT, LOG_LEVEL, RUN_DIR
        and SQL_DIR.

        OPTIONS:
          --take-over   Replace a process that listens on the sockets already.
          -h, --help    Show this text.

        """

    static func parse(_ arguments: some Sequence<String>) -> Outcome {
        var options = CommandLineOptions()
        for argument in arguments {
            switch argument {
            case "--take-over": options.takesOver = true
            case "-h", "--help": return .help
            default: return .wrongUsage("unknown argument \(argument); see lectern-realtime --help")
            }
        }
        return .run(options)
    }
}
