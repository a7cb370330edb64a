/// One lease of one row of a ``LeaseStatements``. The two values together are the fencing token: a statement that names an
/// older lease of the same row changes nothing.
public struct Lease: Hashable, Sendable {
    /// The row's primary key, as text.
    public var key: String
    /// Which lease of the row this is; every lease raises the number.
    public var number: Int

    public init(key: String, number: Int) {
        self.key = key
        self.number = number
    }
}
