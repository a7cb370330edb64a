/// How many jobs of one user may run at once, by their priority; whatever else of theirs is running counts.
public struct UserJobLimits: Sendable, Equatable {
    /// Of saves that somebody waits for, of saves in bulk, of what nobody waits for.
    var places: [Int]

    /// Of so many places of a runner. Some are left for others, since a place is free again only when its job has ended, and a
    /// site may take half a minute to answer.
    public init(of places: Int) {
        self.places = [max(1, places - max(1, places / 8)), max(1, places / 2), max(1, places / 4)]
    }

    private init(places: [Int]) { self.places = places }

    public static let unlimited = UserJobLimits(places: [Int(Int32.max), Int(Int32.max), Int(Int32.max)])
}
