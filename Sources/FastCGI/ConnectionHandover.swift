internal import CFastCGI
internal import Glibc

/// The pair of sockets through which a leaving worker hands its idle connections to those that stay.
///
/// Every worker inherits both ends, and the supervisor holds them too: what nobody takes now waits for the next worker.
/// A connection goes with all that is unread in it, so a request that just arrives on it is not lost.
struct ConnectionHandover: Sendable {
    /// Descriptors in every worker, after stdin, stdout and stderr.
    static let inherited = ConnectionHandover(giving: 3, taking: 4)

    let giving: Int32
    let taking: Int32

    /// Gives a connection away and closes our descriptor of it. False when nobody could be given it, which closes it.
    @discardableResult
    func give(_ connection: Int32) -> Bool {
        defer { close(connection) }
        while true {
            if fastcgi_send_descriptor(giving, connection) == 0 { return true }
            if errno != EINTR { return false }
        }
    }

    /// The next connection given away by another, or nil.
    func take() -> Int32? {
        let connection = fastcgi_receive_descriptor(taking)
        return connection >= 0 ? connection : nil
    }
}
