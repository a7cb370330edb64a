import Glibc

/// The reason the supervisor of a home did not start.
public enum HomeFailure: Error, Equatable, CustomStringConvertible {
    case noHome(String)
    case otherOwner(String)
    case alreadyRunning
    case unwritable(String, errno: Int32)

    public var description: String {
        switch self {
        case .noHome(let path): "\(path) is not a home; deploy/run creates one"
        case .otherOwner(let path): "\(path) belongs to another user; run this as that user"
        case .alreadyRunning: "another supervisor is running in this home"
        case .unwritable(let path, let code): "cannot write \(path): \(String(cString: strerror(code)))"
        }
    }
}
