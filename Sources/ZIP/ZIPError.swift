import CZip

/// Why an archive could not be written.
public enum ZIPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An entry cannot be called that.
    case badName(String)
    /// The system's or libzip's words.
    case failed(String)

    public var description: String {
        switch self {
        case .badName(let name): "an entry cannot be named '\(name)'"
        case .failed(let why): why
        }
    }

    init(_ error: UnsafeMutablePointer<zip_error_t>?) {
        self = .failed(error.map { String(cString: zip_error_strerror($0)) } ?? "out of memory")
    }
}
