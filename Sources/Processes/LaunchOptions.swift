extension ChildProcess {
    /// How a process is started. It gets only what is named here: no other descriptor and no variable of this process.
    /// Its signals are neither blocked nor ignored.
    public struct LaunchOptions: Sendable, Equatable {
        /// The path of the program.
        public var executable: String
        /// The program's name, followed by its arguments.
        public var arguments: [String]
        /// Entries of the form `name=value`.
        public var environment: [String]
        /// The open descriptors by their number in the process.
        public var descriptors: [Int32: Descriptor] = [:]
        /// The working folder; nil for that of this process.
        public var folder: String?
        public var session = Session.shared

        /// What a descriptor of the process refers to.
        public enum Descriptor: Sendable, Equatable {
            /// A descriptor of this process. Its number lies above those of the new process, or else setting up another
            /// descriptor might replace it first.
            case copy(Int32)
            /// A file, opened with the flags of open(2), and created with mode 666 as far as the umask allows.
            case file(String, flags: Int32)
        }

        public enum Session: Sendable {
            case shared
            /// A session of its own, which signals from a terminal do not reach.
            case own
        }

        public init(executable: String, arguments: [String], environment: [String] = []) {
            self.executable = executable
            self.arguments = arguments
            self.environment = environment
        }
    }
}
