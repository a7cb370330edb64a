import Auth
import HTTP
import NIOHTTP1
import REST
import Realtime

/// Decides whether a request becomes a WebSocket.
struct Handshake {
    private let credentials: Credentials

    /// The path for which clients ask.
    private static let path = "/realtime/v1/websocket"

    init(_ keys: JWTKeySet) { credentials = Credentials(keys) }

    /// What the request asks for.
    ///
    /// - Throws: `HandshakeError`, or `TokenError` if the API key is missing or invalid, as in REST.
    func accept(_ head: HTTPRequestHead, now: Int) throws -> (version: ProtocolVersion, key: Subscriber) {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == Self.path else { throw HandshakeError.unknownPath }
        var query: QueryString?
        if parts.count == 2 {
            guard let parsed = try? QueryString(String(parts[1])) else { throw HandshakeError.malformed }
            query = parsed
        }
        var headers = Headers()
        for key in head.headers["apikey"] { headers.add("apikey", key) }
        let caller = try credentials.client(headers, queryKey: query?["apikey"], now: now)
        guard head.method == .GET, head.headers.contains(name: "upgrade") else { throw HandshakeError.notUpgrade }
        guard let version = ProtocolVersion(vsn: query?["vsn"]) else { throw HandshakeError.unknownVersion }
        return (version, Subscriber(caller))
    }

    /// The response to a request that does not become a WebSocket. Pages of other origins may read it.
    func refusal(_ error: any Error) -> Response {
        var response: Response
        switch error {
        case let error as TokenError:
            response = Response(error: error)
            response.headers.set("www-authenticate", error.challenge)
        case let error as HandshakeError:
            response = Response(error: error)
            if error == .notUpgrade { response.headers.set("upgrade", "websocket") }
            if error == .tooManySockets { response.headers.set("retry-after", "5") }
        default: response = Response(error: HandshakeError.malformed)
        }
        response.headers.set("access-control-allow-origin", "*")
        response.headers.set("cache-control", "no-store")
        return response
    }
}
