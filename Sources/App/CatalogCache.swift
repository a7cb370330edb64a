import Glibc
import Postgres
import REST
import Synchronization
import Threads

/// The catalog that the threads of a worker share: read once, and again when the database says that it changed, so
/// that no request pays for it.
final class CatalogCache: Sendable {
    struct Known {
        var catalog: Catalog
        /// Another number, another catalog: what was made over an older one is to be made anew.
        var generation: Int
    }

    private let state = Mutex<(catalog: Catalog?, generation: Int)>((nil, 0))

    var known: Known? {
        state.withLock { state in state.catalog.map { Known(catalog: $0, generation: state.generation) } }
    }

    /// - Parameter generation: the number from before the catalog was read; what was read is not kept when the
    ///   database changed meanwhile.
    func keep(_ catalog: Catalog, readAt generation: Int) -> Known {
        state.withLock { state in
            if state.generation == generation { state.catalog = catalog }
            return Known(catalog: catalog, generation: generation)
        }
    }

    var generation: Int { state.withLock { $0.generation } }

    func forget() { state.withLock { $0 = (nil, $0.generation + 1) } }
}

/// Listens for changes of the schema, on a thread and a connection of its own.
///
/// `lectern migrate` announces them; an admin who changes a table in psql does with `notify pgrst, 'reload schema'`, as
/// with PostgREST.
struct SchemaWatch {
    let conninfo: String
    let catalog: CatalogCache

    /// Starts the thread, which lives as long as the process.
    func start() {
        Thread.start(stackBytes: 256 * 1_024) { listen() }
    }

    private func listen() -> Never {
        while true {
            // Whatever was announced while nobody listened was missed.
            try? listenOnce()
            catalog.forget()
            sleep(1)
        }
    }

    private func listenOnce() throws(PostgresError) -> Never {
        var connection = try Connection(conninfo)
        try connection.script("listen lectern_schema; listen pgrst")
        catalog.forget()
        while true {
            if try !connection.notifications(timeout: -1).isEmpty { catalog.forget() }
        }
    }
}
