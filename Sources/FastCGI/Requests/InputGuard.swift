internal import CFastCGI
internal import Synchronization

/// Keeps libfcgi from interpreting management records in the middle of a body.
///
/// Its FCGI_GET_VALUES code overruns a buffer on the stack (`RecordValidator` rejects such records before the body). To
/// read such a record it calls the stream's public `fillBuffProc` from inside that very procedure. This guard takes the
/// procedure's place and calls the original. While the original runs, any further call ends the stream with a protocol
/// error.
enum InputGuard {
    typealias Fill = @convention(c) (UnsafeMutablePointer<FCGX_Stream>?) -> Void

    /// libfcgi's procedure, which is the same for every stream. Stored as a number because numbers can be atomic.
    private static let original = Atomic<UInt>(0)

    static func install(on input: UnsafeMutablePointer<FCGX_Stream>) {
        guard let fill = input.pointee.fillBuffProc else { return }
        // A C function pointer has the size of UInt on every platform that Swift supports.
        original.store(unsafeBitCast(fill as Fill, to: UInt.self), ordering: .relaxed)
        input.pointee.fillBuffProc = guarded
    }

    private static let guarded: Fill = { stream in
        guard let stream else { return }
        // The number is a `Fill`: only `install` stores it, and `install` stored it before this procedure was in any
        // stream. A stream is read by the thread that installed this procedure, and all threads store the same number.
        let fill = unsafeBitCast(original.load(ordering: .relaxed), to: Fill.self)
        stream.pointee.fillBuffProc = refusing
        fill(stream)
        stream.pointee.fillBuffProc = guarded
    }

    private static let refusing: Fill = { stream in
        stream?.pointee.FCGI_errno = FCGX_PROTOCOL_ERROR
        stream?.pointee.isClosed = 1
    }
}
