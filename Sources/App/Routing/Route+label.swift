extension Route {
    /// The name of the route in logs and metrics. It never contains the name of a table, bucket or function, because
    /// clients choose those.
    public var label: Label {
        switch self {
        case .open(.preflight): .preflight
        case .open(.health): .health
        case .open(.metrics): .metrics
        case .open(.publicFile): .publicFile
        case .open(.searchDescription): .searchDescription
        case .open(.sharedArticle): .shared
        case .api(.restRoot): .restRoot
        case .api(.rest(.table)): .table
        case .api(.rest(.function)): .function
        case .api(.serverFunction): .serverFunction
        case .api(.feed): .feed
        case .api(.book): .book
        case .api(.catalog): .catalog
        case .api(.importFile): .importFile
        case .api(.document): .document
        case .api(.markdown): .markdown
        case .api(.neighbour(.wallabag)): .wallabag
        case .api(.neighbour(.linkding)): .linkding
        case .api(.neighbour(.pullRead)): .pullRead
        case .api(.neighbour(.googleReader)): .googleReader
        case .api(.auth(let route)): Self.label(of: route)
        }
    }

    private static func label(of route: AuthRoute) -> Label {
        switch route {
        case .signUp: .signUp
        case .token: .token
        case .user, .updateUser, .deleteUser: .user
        case .logout: .logout
        case .health, .settings, .keys: .authInfo
        case .admin: .admin
        default: .account
        }
    }

    public enum Label: String, CaseIterable, Sendable {
        case health, metrics
        case restRoot = "rest_root"
        case table = "rest_table"
        case function = "rest_rpc"
        case signUp = "auth_signup"
        case token = "auth_token"
        case user = "auth_user"
        case logout = "auth_logout"
        case authInfo = "auth_info"
        case account = "auth_account"
        case admin = "auth_admin"
        case publicFile = "storage_public"
        case searchDescription = "opensearch"
        case serverFunction = "functions"
        case feed
        case book
        case catalog = "opds"
        case importFile = "import"
        case document, markdown
        case shared, wallabag, linkding
        case pullRead = "pullread"
        case googleReader = "greader"
        case preflight
        case none
    }
}
