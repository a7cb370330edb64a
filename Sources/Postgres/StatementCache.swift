/// The prepared statements of a connection, by role and text; drops the least recently used one when it is full.
///
/// The role is part of the key because PostgreSQL plans row-level security for one role: a statement shared by several
/// roles would be planned again at every change of the role.
struct StatementCache {
    struct Key: Hashable {
        var role: String
        var text: String
    }

    /// The maximum number of statements of a connection. The plan of each takes about 50 kB in the server, and clients
    /// can invent any number of filters.
    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0
    private var lastNumber = 0

    private struct Entry {
        var name: String
        var usedAt: UInt64
    }

    init(capacity: Int = 256) { self.capacity = capacity }

    /// The name of a prepared statement, or nil if it is not prepared.
    mutating func name(of key: Key) -> String? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].usedAt = clock
        return entries.values[index].name
    }

    /// A name that no statement of this connection has had.
    mutating func newName() -> String {
        lastNumber += 1
        return "s\(lastNumber)"
    }

    /// Records a statement that the server has prepared.
    mutating func insert(_ key: Key, as name: String) {
        clock += 1
        entries[key] = Entry(name: name, usedAt: clock)
    }

    /// Removes the least recently used statement if the cache is full, and returns its name.
    mutating func evict() -> String? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) else {
            return nil
        }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    mutating func removeAll() { entries.removeAll() }
}
