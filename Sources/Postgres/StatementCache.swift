/// Which statements a connection has prepared, by role and text, and which to drop when there are too many.
///
/// The role is part of the key because PostgreSQL plans row-level security for one role: a statement shared between
/// roles would be planned anew at every change of role.
struct StatementCache {
    struct Key: Hashable {
        var role: String
        var text: String
    }

    /// Most statements kept on a connection: each costs the server some 50 kB of plan, and clients can make up
    /// endless shapes of filters.
    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0
    private var lastNumber = 0

    private struct Entry {
        var name: String
        var usedAt: UInt64
    }

    init(capacity: Int = 256) { self.capacity = capacity }

    /// The name of a prepared statement, or nil when it is not prepared.
    mutating func name(of key: Key) -> String? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].usedAt = clock
        return entries.values[index].name
    }

    /// A name no statement of this connection has had.
    mutating func newName() -> String {
        lastNumber += 1
        return "s\(lastNumber)"
    }

    /// Remembers a statement the server has prepared.
    mutating func remember(_ key: Key, as name: String) {
        clock += 1
        entries[key] = Entry(name: name, usedAt: clock)
    }

    /// Forgets the least recently used statement when there is no room for another, and tells its name.
    mutating func evict() -> String? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) else {
            return nil
        }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    mutating func forgetAll() { entries.removeAll() }
}
