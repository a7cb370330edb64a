/// The reason a pool could not start.
public enum SupervisorFailure: Error, Equatable {
    /// Another supervisor owns the socket. Its pid is nil if it could not be read.
    case alreadyRunning(socketPath: String, pid: Int32?)
    /// A program that is not a supervisor listens on the path, or the file there is not a socket.
    case pathTaken(socketPath: String)
    /// The new workers do not become ready, so those of the running supervisor with this pid stay.
    case takeoverFailed(from: Int32?)
    case system(call: String, path: String, errno: Int32)
    case scoreboard(Scoreboard.Failure)
}
