import FoundationEssentials

/// A change of one row, as the change log records it.
public struct Change: Sendable, Equatable {
    public enum Operation: String, Sendable, CaseIterable {
        case insert = "INSERT"
        case update = "UPDATE"
        case delete = "DELETE"
    }

    /// The owner of the row, who alone may see it.
    public var user: UUID
    public var table: String
    public var operation: Operation
    /// The primary key, as a JSON object.
    public var key: [UInt8]
    /// The whole row as a JSON object: the new one after INSERT and UPDATE, the deleted one after DELETE.
    public var row: [UInt8]
    /// When the row was written, in microseconds since 1970.
    public var writtenAt: Int

    public init(
        user: UUID, table: String, operation: Operation, key: [UInt8], row: [UInt8], writtenAt: Int
    ) {
        self.user = user
        self.table = table
        self.operation = operation
        self.key = key
        self.row = row
        self.writtenAt = writtenAt
    }
}
