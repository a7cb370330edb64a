/// How work on a job ended.
public enum JobEnding: Sendable, Equatable {
    /// The queue knows: the job is done, put back or buried; or the lease was lost, and another runner has the job.
    case settled
    /// The server failed, not the page: the job is handed back as if it had not been tried.
    case handedBack(after: Duration, JobFailure)
}
