import HTTP

/// Why a feed or a page of the catalog cannot be answered.
enum LibraryError: APIError, Equatable {
    /// There is no such tag or collection.
    case unknownList
    case badLimit(String, maximum: Int)
    case badPage(String, maximum: Int)

    var status: Int {
        switch self {
        case .unknownList: 404
        case .badLimit, .badPage: 400
        }
    }

    var code: String {
        switch self {
        case .unknownList: "LCT404"
        case .badLimit, .badPage: "LCT400"
        }
    }

    var message: String {
        switch self {
        case .unknownList: "There is no such tag or collection"
        case .badLimit(let limit, let maximum): "The limit is \"\(limit)\", but must be from 1 to \(maximum)"
        case .badPage(let page, let maximum): "The page is \"\(page)\", but must be from 1 to \(maximum)"
        }
    }
}
