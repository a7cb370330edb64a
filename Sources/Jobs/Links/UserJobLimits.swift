/// How many jobs of one user may run at once, by priority. All running jobs of the user count.
public struct UserJobLimits: Sendable, Equatable {
    /// For saves that somebody waits for, for bulk saves, for jobs that nobody waits for.
    var places: [Int]

    /// Limits for a runner with `places` worker threads. Some are left for other users, since a thread is free again
    /// only when its job has ended, and a site may take half a minute to answer.
    public init(of places: Int) {
        self.places = [max(1, places - max(1, places / 8)), max(1, places / 2), max(1, places / 4)]
    }

    private init(places: [Int]) { self.places = places }

    public static let unlimited = UserJobLimits(places: [Int(Int32.max), Int(Int32.max), Int(Int32.max)])
}
