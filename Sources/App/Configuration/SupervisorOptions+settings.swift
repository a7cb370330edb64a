import FastCGI
import Glibc
import Settings

extension SupervisorOptions {
    /// The number of worker processes of a pool, from the settings.
    public static func workers(_ settings: Settings) -> Int {
        let configured = settings.number("WORKERS")
        return configured > 0 ? configured : min(processors, mostWorkers)
    }

    /// The processors of the machine.
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
