internal import CFastCGI
internal import Glibc

/// What a worker process knows of the pool it was started for, from the environment its supervisor gave it.
public struct PoolMembership: Sendable {
    public let scoreboard: Scoreboard
    /// This process's place on it.
    public let slot: ScoreboardSlot
    let supervisor: Int32
    let adoption: ConnectionHandover

    /// The pool this process was started for; nil when it was started otherwise.
    ///
    /// Throws when the supervisor's scoreboard cannot be opened.
    public static func inherited() throws(Scoreboard.Failure) -> PoolMembership? {
        guard let supervisor = number(Variable.supervisor), let index = number(Variable.slot),
            let path = value(Variable.scoreboard)
        else { return nil }
        let board = try Scoreboard.open(path: path)
        guard let slot = board.slot(index) else { throw .notAScoreboard(path: path) }
        return PoolMembership(
            scoreboard: board, slot: slot, supervisor: Int32(truncatingIfNeeded: supervisor), adoption: .inherited)
    }

    /// A worker opens the scoreboard by the descriptor it inherits: at its path there may be that of another supervisor,
    /// which is taking over or has tried to.
    static let scoreboardDescriptor: Int32 = 5
    static let scoreboardPath = "/proc/self/fd/\(scoreboardDescriptor)"

    /// Names in the environment of a worker.
    enum Variable {
        static let supervisor = "FASTCGI_POOL_SUPERVISOR"
        static let slot = "FASTCGI_POOL_SLOT"
        static let scoreboard = "FASTCGI_POOL_SCOREBOARD"
    }

    /// False when the supervisor has died: then nobody will adopt or restart anything.
    var hasSupervisor: Bool { getppid() == supervisor }

    /// Has the kernel tell this process to leave when its supervisor dies. False when that has happened already.
    func liveWithSupervisor() -> Bool {
        _ = fastcgi_die_with_parent(SIGTERM)
        return hasSupervisor
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
