import Glibc
import Postgres

/// Listens for changes of the schema, on its own thread and connection.
///
/// `lectern migrate` announces changes. An admin who changes a table in psql announces it with
/// `notify pgrst, 'reload schema'`, as with PostgREST.
struct SchemaWatch {
    let conninfo: String
    let catalog: CatalogCache

    /// Starts the thread. It runs until the process ends.
    func start() {
        let watch = Unmanaged.passRetained(Box(self))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 256 * 1_024)
        let result = pthread_create(
            &thread, &attributes,
            { context in
                // Leaves signals to the threads that wait for them.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().watch.listen()
            }, watch.toOpaque())
        pthread_attr_destroy(&attributes)
        precondition(result == 0, "pthread_create failed with errno \(result)")
    }

    private final class Box: Sendable {
        let watch: SchemaWatch
        init(_ watch: SchemaWatch) { self.watch = watch }
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
