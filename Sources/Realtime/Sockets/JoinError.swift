/// Why a join is refused.
enum JoinError: Error, Equatable {
    case token(String)
    case binding(BindingError)
    case tooManyBindings(Int)
    case tooManyChannels
    case tooManySockets
    case tooManyBindingsOfUser
    case tooLarge
    /// The catalog was not read yet.
    case notReady

    /// The reason in the reply. Clients know the words before the colon from Supabase, and join again later after them.
    var reason: String {
        switch self {
        case .token(let reason): reason
        case .binding(let error): error.description
        case .tooManyBindings(let limit): "A channel has at most \(limit) entries of postgres_changes"
        case .tooManyChannels: "ChannelRateLimitReached: Too many channels"
        case .tooManySockets: "ConnectionRateLimitReached: Too many connections of this user"
        case .tooManyBindingsOfUser:
            "ChannelRateLimitReached: The connections of this user have too many entries of postgres_changes"
        case .tooLarge: "ChannelRateLimitReached: The joins of this connection are too large"
        case .notReady: "RealtimeRestarting: The service is not ready yet; join again in a moment"
        }
    }
}
