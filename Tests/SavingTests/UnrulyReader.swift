import Glibc
import Processes
import ReaderProcess

@testable import Saving

/// The reader process of the tests, which misbehaves as its pages demand: `Tests/Support/unruly-reader`.
enum UnrulyReader {
    static let executable = OwnProgram.sibling("unruly-reader") ?? "unruly-reader"

    /// Low limits, so that tests reach them soon.
    static func limits() -> ReaderLimits {
        var limits = ReaderLimits()
        limits.seconds = 1
        limits.memoryBytes = 96 << 20
        limits.nodes = 20_000
        limits.sourceBytes = 2_000_000
        return limits
    }

    static func processes(
        _ count: Int = 1, limits: ReaderLimits = limits(), arguments: [String] = [], timeout: Duration? = nil
    ) -> ReaderPool {
        var options = ReaderPool.Options(limits: limits, executable: executable, arguments: arguments, timeout: timeout)
        options.count = count
        return ReaderPool(options)
    }

    /// For tests of jobs; ends with the tests.
    static let readPage = ReadPage(processes(2))
}
