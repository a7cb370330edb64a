import Glibc
import NIOCore

/// The path of a unix socket on which this process listens.
struct UnixSocket: Sendable {
    let path: String
    /// Who may connect.
    let mode: mode_t

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The process that listens on a path.
    enum Owner: Equatable, CustomStringConvertible {
        case process(pid_t)
        /// It accepts no connection in time, or runs in another PID namespace.
        case unknown

        var description: String {
            switch self {
            case .process(let pid): "process \(pid)"
            case .unknown: "another process"
            }
        }
    }

    /// The process that listens on the path; nil if none does.
    func owner() throws -> Owner? {
        let type = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | Int32($1.rawValue) }
        let probe = socket(AF_UNIX, type, 0)
        guard probe >= 0 else { throw Failure(description: "socket: \(String(cString: strerror(errno)))") }
        defer { close(probe) }
        let address = try SocketAddress(unixDomainSocketPath: path)
        guard address.withSockAddr({ connect(probe, $0, socklen_t($1)) }) == 0 else {
            // EAGAIN: the queue of connections that the process has yet to accept is full.
            return errno == EAGAIN ? .unknown : nil
        }
        // struct ucred: the pid, user and group of the process that called listen.
        var peer: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(probe, SOL_SOCKET, Self.peerCredentials, &peer, &size) == 0, peer.0 > 0 else {
            return .unknown
        }
        return .process(peer.0)
    }

    /// SO_PEERCRED of socket(7).
    private static let peerCredentials: Int32 = 17

    /// Listens on the path. The socket is made under another name and renamed, so that it never appears with other
    /// permissions or before it listens, and replaces that of an earlier process without a gap.
    func listen(_ bootstrap: (_ path: String) -> EventLoopFuture<any Channel>) throws -> any Channel {
        let draft = path + ".new"
        unlink(draft)
        let before = umask(0o777)
        defer { umask(before) }
        let channel = try bootstrap(draft).wait()
        guard chmod(draft, mode) == 0, rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            try? channel.close().wait()
            throw Failure(description: "\(path): \(reason)")
        }
        return channel
    }

    /// Identifies the socket that lies at the path now.
    var inode: ino_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_ino : nil
    }
}
