import Crypto
import FastCGI
import Settings

/// How many requests of one client all workers answer at once.
struct ClientLimits: Equatable {
    /// For a user, by any number of sessions and tokens.
    var perUser: Int
    /// For a network, without the requests of users; nil: no limit.
    var perNetwork: Int?

    /// - Parameters:
    ///   - threads: those of all workers together.
    ///   - processors: the processors of the machine.
    init(_ settings: Settings, threads: Int, processors: Int) {
        // Several clients at their limit can occupy every thread, but not the queue for threads: their further requests
        // wait outside it, so a thread that becomes free takes the request that has waited longest.
        func limit(_ name: String, unset: Int) -> Int {
            settings.number(name) > 0 ? settings.number(name) : max(1, unset)
        }
        // A slow query takes a processor for as long as it runs. With more of them at once than there are processors,
        // one user would slow down all others.
        perUser = limit("USER_PARALLEL", unset: min(threads / 4, max(2, processors)))
        // Requests without a user are sign-ins, refreshes and the like, which are short.
        perNetwork = settings.text("RATE_LIMITS") == "off" ? nil : limit("NETWORK_PARALLEL", unset: threads / 8)
    }

    /// The source by which the workers count the requests of a client; nil if no limit applies.
    func source(of client: RequestClient) -> RequestSource? {
        switch client {
        case .user(let id): RequestSource(key: Self.key("user \(id)"), limit: perUser)
        case .network(let network):
            perNetwork.map { RequestSource(key: Self.key("network \(network)"), limit: $0) }
        case .unlimited: nil
        }
    }

    /// The same number in every worker. Clients choose their networks, so it must resist collisions.
    private static func key(_ name: String) -> UInt64 {
        Digest.sha256(name.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
