/// A filter, or filters joined by and, or and not.
public indirect enum Condition: Sendable, Equatable {
    case term(Filter)
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// The embedded relation with this name or alias has no row.
    case isMissing(relation: String)
}
