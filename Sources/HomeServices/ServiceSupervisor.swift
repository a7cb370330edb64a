import Glibc
import Processes

/// Starts the services of a home in order and keeps them running. deploy/run starts it as `lectern supervise`.
///
/// SIGHUP reads the table again and restarts the services whose inputs have changed. SIGTERM and SIGINT stop all
/// services in reverse order. If the supervisor is killed, the kernel sends each service a signal to stop.
///
/// `<home>/run/state` contains the current state: `starting`, `ready REQUEST SERVICE…` or `failed REASON`. REQUEST is
/// the id that deploy/run wrote to `<home>/run/request`; the services are those started for that request.
public final class ServiceSupervisor {
    /// The version of this supervisor. To replace a running supervisor of another version, deploy/run stops everything,
    /// PostgreSQL included. Increase the number only for a change that a running supervisor must not miss, such as a
    /// new version of the table. Any other change takes effect when the supervisor is started for another reason.
    ///
    /// A checksum of the code would be right without being maintained, but would also stop PostgreSQL for a changed
    /// comment, and an installed program does not know its sources.
    public static let version = "lectern-supervisor-2"

    /// What the supervisor knows about a service.
    struct ServiceState {
        var running: RunningService?
        /// What it was last started from.
        var fingerprint: Fingerprint?
        /// Early failures in a row, and when the service is started again if it is not running.
        var failures = 0
        var startAt: Duration?
    }

    /// SIGTERM or SIGINT has arrived.
    struct StopRequested: Error {}

    let home: HomeFolder
    let log = SupervisorLog()
    var table: ServiceTable
    var states: [String: ServiceState] = [:]
    /// A process that its replacement is about to stop.
    var replaced: (service: Service, old: RunningService)?
    var isStopping = false
    private let signals: SignalQueue
    private var reloadRequested = false
    private var logTrimmer: LogTrimmer

    /// The first restart follows at once, further ones after a growing delay.
    let restartPolicy = RestartPolicy(
        steadyAfter: .seconds(60), pauses: [0, 1, 3, 7, 15, 30].map { .seconds($0) })

    init(home: HomeFolder, table: ServiceTable, signals: SignalQueue) {
        self.home = home
        self.table = table
        self.signals = signals
        logTrimmer = LogTrimmer(folder: home.logFolder)
    }

    /// Runs the services until a signal stops them. Returns the exit status: 0, or 1 if a service did not start.
    func run() -> Int32 {
        do throws(StopRequested) {
            home.setState("starting")
            if let failed = try startAll() {
                setFailed(failed)
                stopAll()
                return 1
            }
            setReady(table.services)
            // deploy/run sends no SIGHUP before it has seen the state.
            reloadRequested = false
            while true { try turn() }
        } catch {
            stopAll()
            return 0
        }
    }

    private func turn() throws(StopRequested) {
        if reloadRequested {
            reloadRequested = false
            try applyChanges()
        }
        try restartEnded()
        let untilStart = states.values.compactMap(\.startAt).min().map { $0 - MonotonicClock.now }
        try wait(max(.zero, min(logTrimmer.trimIfDue(), untilStart ?? .seconds(60))))
    }

    /// Waits for a signal, at most this long. The end of a service is one, too.
    func wait(_ time: Duration) throws(StopRequested) {
        switch signals.next(orReadable: nil, within: time) {
        case SIGTERM, SIGINT: if !isStopping { throw StopRequested() }
        case SIGHUP: reloadRequested = true
        default: break
        }
    }

    func setReady(_ started: [Service]) {
        home.setState((["ready", home.request] + started.map(\.name)).joined(separator: " "))
    }

    func setFailed(_ service: Service) {
        home.setState("failed \(service.name) did not start; see \(home.logFile(of: service.name))")
    }
}
