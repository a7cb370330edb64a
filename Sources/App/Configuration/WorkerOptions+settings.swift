import FastCGI
import Settings

extension WorkerOptions {
    /// The options of one worker, from the settings.
    public init(_ settings: Settings) {
        self.init()
        threads = settings.number("THREADS")
        bodyLimit = settings.number("BODY_LIMIT")
        drainSeconds = settings.number("DRAIN_TIMEOUT")
        recycleAfter = settings.number("RECYCLE_AFTER")
        bodyFolder = BodyFolder(path: settings.text("IMPORTS_DIR"), limit: Self.importLimit) { request in
            request.method == "POST" && (try? Route(request)) == .api(.importFile)
        }
    }

    /// The largest imported file, in bytes; nginx has the same limit.
    static let importLimit = 1 << 30
}
