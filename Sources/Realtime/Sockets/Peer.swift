/// The other end of a socket, as the hub sees it.
public protocol Peer: AnyObject {
    /// Sends a text message. Returns false if too much waits to be sent already; the message is then dropped.
    ///
    /// It may find that this socket or another one is lost or has to be dropped, so the hub may forget sockets during
    /// the call.
    func send(_ message: [UInt8]) -> Bool
    /// Sends a ping.
    func ping()
    /// Sends a close frame and ends the connection.
    func close(_ reason: CloseReason)
}
