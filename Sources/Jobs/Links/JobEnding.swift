/// How work on a job ended.
public enum JobEnding: Sendable, Equatable {
    /// The lease has ended: the job is done, put back or buried, or another runner has it.
    case leaseEnded
    /// The server failed, not the page: the job is handed back as if it had not been tried.
    case handedBack(after: Duration, JobFailure)
}
