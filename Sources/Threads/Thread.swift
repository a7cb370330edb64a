import Glibc

/// An operating system thread. Blocking work runs on these, not on Swift's cooperative pool.
public struct Thread: Sendable {
    /// Which signals a new thread accepts.
    public enum Signals: Sendable {
        /// None. The main thread handles the signals of the process, whether or not it already waits for them.
        case blocked
        /// Those that the starting thread accepts.
        case inherited
    }

    /// The stack of a thread that does not ask for another size, in bytes.
    public static let defaultStackBytes = 2 << 20

    private let handle: pthread_t

    /// Starts a thread that somebody joins. Returns nil when the system refuses another thread.
    public init?(
        stackBytes: Int = Thread.defaultStackBytes, signals: Signals = .blocked, _ body: @escaping @Sendable () -> Void
    ) {
        guard let handle = try? Self.create(stackBytes, signals, isDetached: false, body).get() else { return nil }
        self.handle = handle
    }

    /// Starts a thread that nobody joins. Traps when the system refuses another thread.
    public static func start(
        stackBytes: Int = defaultStackBytes, signals: Signals = .blocked, _ body: @escaping @Sendable () -> Void
    ) {
        if case .failure(let refused) = create(stackBytes, signals, isDetached: true, body) {
            preconditionFailure("pthread_create failed: errno \(refused.code)")
        }
    }

    /// Waits until the thread has ended. Called at most once. A thread that joins itself is detached instead, because
    /// it cannot wait for its own end.
    public func join() {
        if pthread_equal(handle, pthread_self()) != 0 {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }

    private struct Refused: Error {
        var code: Int32
    }

    private static func create(
        _ stackBytes: Int, _ signals: Signals, isDetached: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Result<pthread_t, Refused> {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let code = withMask(signals) {
            pthread_create(
                &thread, &attributes,
                { context in
                    // The context is the box retained above. This thread alone takes it over.
                    Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
                    return nil
                }, box.toOpaque())
        }
        guard code == 0 else {
            box.release()
            return .failure(Refused(code: code))
        }
        return .success(thread)
    }

    /// Runs `create` under the signal mask that the new thread shall inherit.
    private static func withMask(_ signals: Signals, create: () -> Int32) -> Int32 {
        guard signals == .blocked else { return create() }
        var (all, previous) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return create()
    }

    /// Carries a closure through C as a pointer.
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
