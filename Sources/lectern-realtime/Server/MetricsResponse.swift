import HTTP
import NIOHTTP1
import Realtime

/// The response of the metrics socket.
enum MetricsResponse {
    static func response(to head: HTTPRequestHead, _ hub: Hub, _ outbox: Outbox) -> Response {
        guard head.method == .GET, head.uri == "/metrics" else { return Response(error: HandshakeError.unknownPath) }
        var response = Response(status: 200, body: Array(hub.metrics(outbox).utf8))
        response.headers.set("content-type", "text/plain; version=0.0.4; charset=utf-8")
        return response
    }
}
