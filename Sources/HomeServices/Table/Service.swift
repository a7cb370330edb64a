/// A service of a home: one entry of the table.
struct Service: Equatable, Sendable {
    enum Kind: String, CaseIterable {
        /// Keeps running. A change restarts it.
        case daemon
        /// Keeps running. A change starts a replacement beside it, which takes over its sockets and stops it.
        case handover
        /// Keeps running. After a change it reloads its configuration.
        case reload
        /// Runs to its end before the next service starts.
        case once
    }

    var name: String
    var kind: Kind
    /// The user id of its processes.
    var user: UInt32
    /// The command that drops privileges and then runs the command after it: setpriv(1) with its options.
    var launcher: [String]
    /// The program, as an absolute path or as `./` and a path in the home, and its arguments.
    var command: [String]
    /// Further programs whose processes belong to the service, written like the program of the command.
    var helpers: [String] = []
    /// A command that succeeds once the service can be used. Empty if it can be used at once.
    var readyCheck: [String] = []
    /// A folder of the home that the service gets as descriptor 9, because its user may be unable to reach the path.
    /// The service is started in the root folder and enters this one by itself.
    var dataFolder: String?
    /// Asks the service to stop.
    var stopSignal: Signal
    /// Sent by the kernel when the supervisor dies.
    var deathSignal: Signal
    /// Sent when the service has not stopped in time.
    var forceSignal: Signal
    /// The seconds after which the stop of a service is forced.
    var secondsToStop: Int
    /// Whether it is asked to stop when everything begins to stop, before its turn.
    var stopsEarly = false
    /// The files and folders of the home whose changes restart the service, besides its environment and command.
    var inputs: [String]
    /// A folder in the inputs whose files do not count.
    var ignoredInput: String?
}
