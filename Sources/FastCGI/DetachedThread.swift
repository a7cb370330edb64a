internal import Glibc

/// A thread that nobody waits for.
enum DetachedThread {
    static func start(stackBytes: Int, _ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                // Retained below for exactly this.
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Work(run: work)).toOpaque())
        precondition(result == 0, "no thread: errno \(result)")
        pthread_attr_destroy(&attributes)
    }

    /// What can pass through C as a pointer.
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
