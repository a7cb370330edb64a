import HTTP
import Synchronization

/// Notices that all clients seem to have one address, that of a proxy which the settings do not name: rate limits then
/// count them as one client.
final class UntrustedProxyWatch: Sendable {
    private let state: Mutex<State>

    private struct State {
        /// Whether the watch has ended.
        var isOver: Bool
        var address: String?
        /// The requests so far whose X-Forwarded-For header names another client.
        var forwarded = 0
    }

    /// After so many forwarded requests from one address, it is a proxy.
    static let requests = 20

    /// - Parameter trustedProxies: the setting. Where it names a proxy, requests carry the addresses of the clients.
    init(trustedProxies: String) {
        state = Mutex(State(isOver: !trustedProxies.isEmpty))
    }

    /// The address of the proxy, for one of the first requests that came through it; nil for all others, and once a
    /// request has come from another address.
    func proxy(of request: Request) -> String? {
        state.withLock { state in
            guard !state.isOver, let address = request.remoteAddress else { return nil }
            if state.address == nil { state.address = address }
            guard state.address == address else {
                state.isOver = true
                return nil
            }
            guard request.headers["x-forwarded-for"] != nil else { return nil }
            state.forwarded += 1
            guard state.forwarded == Self.requests else { return nil }
            state.isOver = true
            return address
        }
    }
}
