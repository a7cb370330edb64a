internal import CFastCGI
internal import Glibc

/// The socket pair through which a draining worker hands its idle connections to the other workers.
///
/// Every worker inherits both ends. The supervisor keeps both open too, so a connection that no worker receives now
/// waits for the next worker. Unread bytes move with the connection, so a request that is just arriving on it is not
/// lost.
struct ConnectionHandover: Sendable {
    /// The descriptors in every worker, after stdin, stdout and stderr.
    static let inherited = ConnectionHandover(sending: 3, receiving: 4)

    let sending: Int32
    let receiving: Int32

    /// Hands a connection over and closes this process's descriptor of it. Returns false when that failed, which closes
    /// the connection.
    @discardableResult
    func send(_ connection: Int32) -> Bool {
        defer { close(connection) }
        while true {
            if fastcgi_send_descriptor(sending, connection) == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    /// Returns the next connection that another worker handed over, or nil.
    func receive() -> Int32? {
        let connection = fastcgi_receive_descriptor(receiving)
        return connection >= 0 ? connection : nil
    }
}
