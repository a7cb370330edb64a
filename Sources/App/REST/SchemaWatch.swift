import Glibc
import Postgres
import Threads

/// Listens for changes of the schema, on its own thread and connection.
///
/// `lectern migrate` announces changes. An admin who changes a table in psql announces it with
/// `notify pgrst, 'reload schema'`, as with PostgREST.
struct SchemaWatch {
    let conninfo: String
    let catalog: CatalogCache

    /// Starts the thread. It runs until the process ends.
    func start() {
        Thread.start(stackBytes: 256 * 1_024) { listen() }
    }

    private func listen() -> Never {
        while true {
            try? listenOnce()
            // Announcements between two connections are lost, so the catalog counts as changed.
            catalog.invalidate()
            sleep(1)
        }
    }

    private func listenOnce() throws(PostgresError) -> Never {
        var connection = try Connection(conninfo)
        try connection.script("listen lectern_schema; listen pgrst")
        catalog.invalidate()
        while true {
            if try !connection.notifications(timeout: -1).isEmpty { catalog.invalidate() }
        }
    }
}
