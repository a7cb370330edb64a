/// The state of a worker process, as its slot reports it.
public enum WorkerState: UInt64, Sendable {
    /// Never used.
    case free
    /// Started, but some handlers do not exist yet.
    case starting
    case ready
    /// Accepts nothing new and finishes its requests.
    case draining
    /// Has reached its number of requests. Continues until its replacement is ready.
    case recycling
    /// The process has ended. The slot may be used again.
    case dead
}
