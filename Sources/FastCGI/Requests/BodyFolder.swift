internal import Glibc
public import HTTP

/// Where the bodies of some requests are written as they arrive, instead of being held in memory.
public struct BodyFolder: Sendable {
    /// The path of the folder.
    public var path: String
    /// The longest body, in bytes. A longer one is rejected with 413.
    public var limit: Int
    /// How long reading a body may take, in seconds.
    public var seconds = 600
    /// Whether the body of a request belongs there, decided by the request's head.
    public var contains: @Sendable (Request) -> Bool

    public init(path: String, limit: Int, contains: @escaping @Sendable (Request) -> Bool) {
        self.path = path
        self.limit = limit
        self.contains = contains
    }

    /// The names of unfinished files begin so. A worker that is killed leaves its files.
    public static let prefix = ".upload-"

    /// A new file in the folder.
    func makeFile() throws(BodyFile.Failure) -> BodyFile {
        try BodyFile(at: "\(path)/\(Self.prefix)\(RequestID.make())")
    }
}
