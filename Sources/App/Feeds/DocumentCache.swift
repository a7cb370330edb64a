import Synchronization

/// The documents that the threads of a worker have made last. Many feed readers fetch the whole feed each time, although
/// nothing has changed.
final class DocumentCache: Sendable {
    /// Everything that a document depends on besides its user's rows. Not a hash: two users must never share one.
    struct Key: Hashable {
        var user: String
        var path: String
        var query: String

        /// In bytes.
        fileprivate var size: Int { user.utf8.count + path.utf8.count + query.utf8.count }
    }

    private struct Entry {
        /// The user's number of changes when the document was made.
        var changes: Int
        var body: [UInt8]
        var size: Int
        /// Grows with each use.
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let maxBytes: Int
    private let state = Mutex(State())

    /// - Parameter maxBytes: of all documents together. A larger document than a quarter of it is not kept.
    init(maxBytes: Int = 8_000_000) { self.maxBytes = maxBytes }

    /// The document, if it was made when the user had this number of changes.
    func body(_ key: Key, changes: Int) -> [UInt8]? {
        state.withLock { state in
            guard let entry = state.entries[key], entry.changes == changes else { return nil }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return entry.body
        }
    }

    /// Keeps a document in place of an older one, and forgets those that were used longest ago.
    func keep(_ body: [UInt8], _ key: Key, changes: Int) {
        let size = body.count + key.size
        guard size <= maxBytes / 4 else { return }
        state.withLock { state in
            state.bytes -= state.entries.removeValue(forKey: key)?.size ?? 0
            while state.bytes + size > maxBytes {
                guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
                state.bytes -= oldest.value.size
                state.entries[oldest.key] = nil
            }
            state.uses += 1
            state.bytes += size
            state.entries[key] = Entry(changes: changes, body: body, size: size, lastUse: state.uses)
        }
    }
}
