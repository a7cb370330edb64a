internal import CFastCGI
internal import Glibc

/// What a worker process knows about its pool, from the environment that its supervisor set.
public struct PoolMembership: Sendable {
    public let scoreboard: Scoreboard
    /// This process's slot on the scoreboard.
    public let slot: ScoreboardSlot
    let supervisor: Int32
    let connectionHandover: ConnectionHandover

    /// Returns the pool this process was started for, or nil when no supervisor started it. Throws when the
    /// supervisor's scoreboard cannot be opened.
    public static func inherited() throws(Scoreboard.Failure) -> PoolMembership? {
        guard let supervisor = number(Variable.supervisor), let index = number(Variable.slot),
            let path = value(Variable.scoreboard)
        else { return nil }
        let board = try Scoreboard.open(path: path)
        guard let slot = board.slot(index) else { throw .notAScoreboard(path: path) }
        return PoolMembership(
            scoreboard: board, slot: slot, supervisor: Int32(truncatingIfNeeded: supervisor),
            connectionHandover: .inherited)
    }

    /// A worker opens the scoreboard by the descriptor it inherits. The file at the scoreboard's path may belong to
    /// another supervisor that is taking over or has tried to.
    static let scoreboardDescriptor: Int32 = 5
    static let scoreboardPath = "/proc/self/fd/\(scoreboardDescriptor)"

    /// Variables in the environment of a worker.
    enum Variable {
        static let supervisor = "FASTCGI_POOL_SUPERVISOR"
        static let slot = "FASTCGI_POOL_SLOT"
        static let scoreboard = "FASTCGI_POOL_SCOREBOARD"
    }

    /// Returns false when the supervisor has died. Then no process takes over connections or restarts workers.
    var hasSupervisor: Bool { getppid() == supervisor }

    /// Asks the kernel to send SIGTERM to this process when its supervisor dies. Returns false when it has died
    /// already.
    func endWithSupervisor() -> Bool {
        _ = fastcgi_die_with_parent(SIGTERM)
        return hasSupervisor
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
