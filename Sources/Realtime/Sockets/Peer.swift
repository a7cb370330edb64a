/// The other end of a socket, as the hub sees it.
public protocol Peer: AnyObject {
    /// Sends a text message. Returns false if too much waits to be sent already; the message is then dropped.
    func send(_ message: [UInt8]) -> Bool
    /// Sends a ping.
    func ping()
    /// Sends a close frame and ends the connection.
    func close(_ reason: CloseReason)
}
