import Glibc
import ReaderProcess
import Threads

@testable import Saving

/// The reading process of the tests, which does what a page tells it: `Tests/Support/unruly-reader`.
enum UnrulyReader {
    static let executable = OwnProgram.sibling("unruly-reader") ?? "unruly-reader"

    /// Little of everything, so that tests come to the limits soon.
    static func limits() -> ReaderLimits {
        var limits = ReaderLimits()
        limits.seconds = 1
        limits.memoryBytes = 96 << 20
        limits.nodes = 20_000
        limits.sourceBytes = 2_000_000
        return limits
    }

    static func processes(
        _ count: Int = 1, limits: ReaderLimits = limits(), arguments: [String] = [], patience: Duration? = nil
    ) -> ReaderPool {
        var options = ReaderPool.Options(limits: limits, executable: executable, arguments: arguments, patience: patience)
        options.count = count
        return ReaderPool(options)
    }

    /// For tests of what becomes of pages; ends with the tests.
    static let readPage = ReadPage(processes(2))
}
