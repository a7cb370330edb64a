import FastCGI
import HTTP
import ImportFormats

/// Errors of the application itself, as opposed to those of its modules.
enum ServiceError: APIError, Equatable {
    case databaseUnavailable
    /// An error without a response of its own. The log has the full text under the request's id; the client sees only
    /// the id.
    case unforeseen(requestID: String)
    case tooLarge(limit: Int)
    case tooManyFields
    case diskFull
    /// The body could not be written to a file. The reason is for the log.
    case bodyNotStored(reason: String)
    case incomplete
    case malformed
    /// Too many requests that hash passwords wait.
    case tooManyWaiting
    /// The user, or a network without a user, has too many requests at once.
    case tooManyOfClient
    case unknownFunction(String)
    case badArguments(String)
    case signInNeeded
    case tooManyResolutions
    case unknownObject
    case noBook
    case noDocument
    case noArticle
    case unknownFormat(String)
    case badFileName
    case emptyFile
    case forbidden

    var status: Int {
        switch self {
        case .databaseUnavailable, .tooManyWaiting: 503
        case .unforeseen: 500
        case .tooLarge: 413
        case .diskFull: 507
        case .bodyNotStored: 500
        case .tooManyFields: 431
        case .incomplete, .malformed, .badArguments, .unknownFormat, .badFileName, .emptyFile: 400
        case .signInNeeded: 401
        case .tooManyResolutions, .tooManyOfClient: 429
        case .unknownFunction, .unknownObject, .noBook, .noDocument, .noArticle: 404
        case .forbidden: 403
        }
    }

    var code: String {
        switch self {
        case .databaseUnavailable: "PGRST000"
        case .unforeseen: "LCT500"
        case .tooLarge: "LCT413"
        case .diskFull: "LCT507"
        case .bodyNotStored: "LCT500"
        case .tooManyFields: "LCT431"
        case .incomplete, .malformed, .unknownFormat, .badFileName, .emptyFile: "LCT400"
        case .tooManyWaiting: "LCT503"
        case .tooManyOfClient: "LCT429"
        case .unknownFunction: "NOT_FOUND"
        case .badArguments: "BAD_REQUEST"
        case .signInNeeded: "UNAUTHORIZED"
        case .tooManyResolutions: "TOO_MANY_REQUESTS"
        case .unknownObject, .noBook, .noDocument, .noArticle: "LCT404"
        case .forbidden: "LCT403"
        }
    }

    var message: String {
        switch self {
        case .databaseUnavailable: "The database is temporarily unavailable"
        case .unforeseen(let id): "An internal error occurred (request \(id))"
        case .tooLarge(let limit): "The request body exceeds \(limit) bytes"
        case .tooManyFields: "The request has too many header fields"
        case .diskFull: "The disk of the server is full"
        case .bodyNotStored: "The server could not store the file"
        case .incomplete: "The request body is incomplete"
        case .malformed: "The request is malformed"
        case .tooManyWaiting: "Too many sign-ins and sign-ups at once. Try again in a moment."
        case .tooManyOfClient: "Too many requests of this user or network are running. Try again in a moment."
        case .unknownFunction(let name): "Function \(name) does not exist"
        case .badArguments(let reason): reason
        case .signInNeeded: "Sign in to use this function"
        case .tooManyResolutions: "Too many requests at once. Try again in a moment."
        case .unknownObject: "Object not found"
        case .noBook: "There is no such book"
        case .noDocument: "This link is not a document of yours"
        case .noArticle: "There is no such article"
        case .unknownFormat(let name): "The format '\(name)' is unknown"
        case .badFileName: #"The parameter "name" must be a file name of at most 255 characters"#
        case .emptyFile: "The file is empty"
        case .forbidden: "You do not have access to this resource"
        }
    }

    var hint: String? {
        switch self {
        case .databaseUnavailable: "Try again in a moment."
        case .tooManyOfClient: "Send fewer requests at once."
        case .noBook:
            """
            A link has a book once its article and the pictures of the article are there. A book of several articles has a \
            file once it is ready.
            """
        case .unknownFormat: #"Leave out the parameter "format", or set it to one of \#(ImportFormat.names)."#
        default: nil
        }
    }
}

extension ServiceError {
    /// The error for a request that the worker rejected before the application saw it.
    init(_ rejection: RequestRejection) {
        self =
            switch rejection {
            case .bodyTooLarge(let limit): .tooLarge(limit: limit)
            case .diskFull: .diskFull
            case .bodyNotStored(let reason): .bodyNotStored(reason: reason)
            case .bodyIncomplete: .incomplete
            case .tooManyFields: .tooManyFields
            case .malformed: .malformed
            case .tooManyWaiting: .tooManyWaiting
            case .tooManyOfSource: .tooManyOfClient
            }
    }
}
