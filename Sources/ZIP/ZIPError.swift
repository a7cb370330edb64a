import CZip

/// The reason an archive could not be written.
public enum ZIPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of an entry is invalid.
    case badName(String)
    /// The message of the system or libzip.
    case failed(String)

    public var description: String {
        switch self {
        case .badName(let name): "'\(name)' is not a valid entry name"
        case .failed(let why): why
        }
    }

    init(_ error: UnsafeMutablePointer<zip_error_t>?) {
        self = .failed(error.map { String(cString: zip_error_strerror($0)) } ?? "out of memory")
    }
}
