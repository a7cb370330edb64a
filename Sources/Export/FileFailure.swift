import Glibc

/// A system call that failed while a file was moved to its place.
public struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var call: String
    public var code: Int32

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
