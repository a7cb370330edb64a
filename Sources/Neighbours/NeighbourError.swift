import HTTP
import Postgres

/// Why a request of another reader's client cannot be answered.
public enum NeighbourError: APIError, Equatable {
    /// There is no such row of the user.
    case notFound
    /// The page is after the last one.
    case noPage
    case badParameter(String, String)
    case missing(String)
    case badBody
    case badQuery
    /// The value of a parameter is not a time.
    case noTime(String)
    /// The articles of a page are too long together.
    case tooLong

    public var status: Int {
        switch self {
        case .notFound, .noPage: 404
        case .badParameter, .missing, .badBody, .badQuery, .noTime: 400
        case .tooLong: 413
        }
    }

    /// The error of a statement with a time that a client has sent in this parameter.
    static func ofTime(_ name: String, _ error: PostgresError) -> any Error {
        guard case .refused(let refusal) = error, ["22007", "22008"].contains(refusal.sqlState) else { return error }
        return NeighbourError.noTime(name)
    }

    public var code: String { "LCT\(status)" }

    public var message: String {
        switch self {
        case .notFound: "Not Found"
        case .noPage: "There is no such page"
        case .badParameter(let name, let expected): "The parameter \"\(name)\" must be \(expected)"
        case .missing(let name): "The parameter \"\(name)\" is missing"
        case .badQuery: "The query string is not valid UTF-8, or contains a NUL character"
        case .noTime(let name): "\(name) is not a time"
        case .badBody: "The body is neither a JSON object nor a form"
        case .tooLong: "The articles of this page are too large for one response. Ask for fewer of them with perPage."
        }
    }
}
