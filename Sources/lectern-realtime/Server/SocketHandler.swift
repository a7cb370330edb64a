import NIOCore
import NIOWebSocket
import Realtime

/// One WebSocket: turns its frames into messages for the hub, and the hub's messages into frames.
final class SocketHandler: ChannelInboundHandler, Peer, MessageWriter {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let hub: Hub
    private let outbox: Outbox
    private let version: ProtocolVersion
    private let key: Subscriber
    private var session: Session?
    private var context: ChannelHandlerContext?
    private lazy var queue = SendQueue(outbox, self)
    private var isClosing = false
    private var fragments = Fragments()

    init(_ hub: Hub, _ outbox: Outbox, _ version: ProtocolVersion, key: Subscriber) {
        self.hub = hub
        self.outbox = outbox
        self.version = version
        self.key = key
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        session = hub.open(self, version, key: key, at: Clock.now)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        if let session { hub.forget(session) }
        session = nil
        context = nil
    }

    // MARK: - Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        // Clients must mask their frames, and no extension gives the reserved bits a meaning (RFC 6455 section 5).
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError) }
        if frame.opcode == .connectionClose { return answerClose(frame, context) }
        guard let session, !isClosing, hub.heard(session, bytes: frame.length, at: Clock.now) else { return }
        switch frame.opcode {
        case .text, .binary, .continuation:
            do throws(Fragments.Failure) {
                if let message = try fragments.add(frame) { receive(message, session) }
            } catch {
                switch error {
                case .outOfOrder: fail(.protocolError)
                case .tooLarge: fail(.tooLarge)
                }
            }
        case .ping: if !send(.pong, frame.unmaskedData) { fail(.slowReader) }
        case .pong: break
        default: fail(.protocolError)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        outbox.flush()
        context.fireChannelReadComplete()
    }

    private func receive(_ message: Fragments.Message, _ session: Session) {
        switch message {
        case .text(let bytes):
            guard String(validating: bytes, as: UTF8.self) != nil else { return fail(.malformed) }
            hub.receive(bytes, from: session, at: Clock.now)
        case .binary(let bytes): hub.receive(binary: bytes, from: session, at: Clock.now)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.tooLarge)
        case is NIOWebSocketError: fail(.protocolError)
        // What follows a frame that cannot be decoded.
        case is ByteToMessageDecoderError: break
        // The connection is broken.
        default: context.close(promise: nil)
        }
        outbox.flush()
    }

    private func fail(_ reason: CloseReason) {
        if let session { hub.close(session, reason) }
    }

    // MARK: - Sending

    func send(_ message: [UInt8]) -> Bool {
        send(.text, ByteBuffer(bytes: message))
    }

    /// Sends a frame. Returns false if too much waits to be sent already; the frame is then dropped.
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> Bool {
        guard let context, !isClosing else { return true }
        guard queue.admits(data.readableBytes) else { return false }
        // Making room may have dropped this socket.
        if !isClosing { write(opcode, data, context) }
        return true
    }

    func ping() { _ = send(.ping, ByteBuffer()) }

    func flush() { context?.flush() }

    /// - Parameter whenSent: called when the kernel has taken the frame, or when it was dropped.
    private func write(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
        whenSent: @escaping () -> Void = {}
    ) {
        let size = data.readableBytes
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [queue] _ in
            queue.remove(size)
            whenSent()
        }
        queue.add(size)
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: promise)
    }

    // MARK: - Closing

    func close(_ reason: CloseReason) {
        guard let context, !isClosing else { return }
        isClosing = true
        var data = context.channel.allocator.buffer(capacity: 2 + reason.text.utf8.count)
        data.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: Int(reason.code)))
        data.writeString(reason.text)
        write(.connectionClose, data, context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.grace(after: reason)) { [self] in
            self.context?.close(promise: nil)
        }
    }

    /// The longest time until the connection ends. The client answers with a close frame, which ends it at once.
    private static func grace(after reason: CloseReason) -> TimeAmount {
        switch reason {
        // Gets the time to read what was sent before.
        case .slowReader: .seconds(10)
        // The decoder stops at most bad frames, so the answer may not be read.
        case .protocolError, .tooLarge: .milliseconds(250)
        default: .seconds(2)
        }
    }

    /// Answers a close frame, or ends the connection if this is the answer to ours.
    private func answerClose(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        if let session { hub.forget(session) }
        guard !isClosing else { return context.close(promise: nil) }
        isClosing = true
        var data = frame.unmaskedData
        let code = data.readSlice(length: min(2, data.readableBytes)) ?? ByteBuffer()
        write(.connectionClose, code, context) { [self] in self.context?.close(promise: nil) }
    }

    func drop() {
        isClosing = true
        fail(.slowReader)
        context?.close(promise: nil)
    }
}
