import Postgres
import REST
import Synchronization

/// The catalog that the threads of a worker share. It is read once, and again after the database announces a change of
/// the schema, so that requests do not pay for reading it.
final class CatalogCache: Sendable {
    struct Snapshot {
        var catalog: Catalog
        /// Changes with the catalog: plans and texts made from another generation are out of date.
        var generation: Int
    }

    private let state = Mutex<(catalog: Catalog?, generation: Int)>((nil, 0))

    /// The catalog, read from the database when the cache is empty.
    func current(from database: RetryingDatabase) throws -> Snapshot {
        if let cached { return cached }
        let generation = state.withLock { $0.generation }
        let identity = Identity(role: "anon", applicationName: "lectern catalog")
        let rows = try database.transaction(as: identity, [Catalog.query], isRead: true)
        return store(try Catalog(json: rows[0].text(0, 0) ?? ""), readAt: generation)
    }

    /// Empties the cache.
    func invalidate() { state.withLock { $0 = (nil, $0.generation + 1) } }

    private var cached: Snapshot? {
        state.withLock { state in state.catalog.map { Snapshot(catalog: $0, generation: state.generation) } }
    }

    /// - Parameter generation: the generation before the catalog was read. If the cache was emptied since then, the
    ///   catalog may be out of date already and is not stored.
    private func store(_ catalog: Catalog, readAt generation: Int) -> Snapshot {
        state.withLock { state in
            if state.generation == generation { state.catalog = catalog }
            return Snapshot(catalog: catalog, generation: generation)
        }
    }
}
