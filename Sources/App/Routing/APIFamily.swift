/// The API family of a path. It decides the shape of error responses.
public enum APIFamily: Sendable {
    case rest, auth, storage, functions, other

    init(path: String) {
        self =
            switch path {
            case _ where path.hasPrefix("/rest/"): .rest
            case _ where path.hasPrefix("/auth/"): .auth
            case _ where path.hasPrefix("/storage/"): .storage
            case _ where path.hasPrefix("/functions/"): .functions
            default: .other
            }
    }
}
