import HTTP
import NIOCore
import NIOHTTP1
import Realtime

/// Answers one request and ends the connection. Also ends a connection without a request, or whose handshake takes too
/// long.
final class ResponseHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest time for a request or a handshake.
    private static let timeout = TimeAmount.seconds(10)

    private let respond: (HTTPRequestHead) -> Response
    private var timer: Scheduled<Void>?
    private var hasAnswered = false

    /// - Parameter respond: returns the response to a request.
    init(respond: @escaping (HTTPRequestHead) -> Response) { self.respond = respond }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !hasAnswered else { return }
        hasAnswered = true
        let response = respond(head)
        var headers = HTTPHeaders(response.headers.fields.map { ($0.name, $0.value) })
        headers.add(name: "content-length", value: String(response.body.count))
        headers.add(name: "connection", value: "close")
        let responseHead = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(responseHead)), promise: nil)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An upgrade that is refused is an error, and then a request as any other, which is answered above.
        if error is NIOCore.IOError || error is HTTPParserError { context.close(promise: nil) }
    }
}
