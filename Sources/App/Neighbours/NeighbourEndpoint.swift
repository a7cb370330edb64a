import HTTP
import Neighbours

/// Answers the routes of other readers' APIs, with the rows of the caller.
struct NeighbourEndpoint {
    private let services: Services

    init(_ services: Services) { self.services = services }

    func respond(to request: Request, _ route: NeighbourRoute, as transaction: CallerTransaction) throws -> Response {
        switch route {
        case .wallabag(let route): Wallabag().respond(to: request, route)
        }
    }
}
