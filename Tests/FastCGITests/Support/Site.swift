import CFastCGI
import Foundation
import Testing

/// A private nginx in front of a pool, on its own unix socket. Ended with its owner.
final class Site {
    static let program = "/usr/sbin/nginx"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    let socketPath: String
    private let process = Process()
    private let folder: TemporaryFolder
    /// The pool, which lives as long as nginx.
    private let pool: EchoProcess

    init(before pool: EchoProcess) throws {
        self.pool = pool
        folder = pool.folder
        socketPath = folder.file("http")
        let configuration = folder.file("nginx.conf")
        try Self.configuration(in: folder, pool: pool.socketPath)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["-p", folder.path, "-c", configuration, "-e", folder.file("error.log")]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try #require(eventually { (try? self.ask("/pid")) != nil }, "\(log)")
    }

    deinit {
        // On SIGTERM the master process ends its workers too.
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
    }

    var log: String { (try? String(contentsOfFile: folder.file("error.log"), encoding: .utf8)) ?? "" }

    /// Sends one request on its own connection. Throws unless the status is 200.
    @discardableResult
    func ask(_ target: String, method: String = "GET", fields: String = "", body: String = "") throws -> String {
        try Self.ask(target, method: method, fields: fields, body: body, at: socketPath)
    }

    /// `fields` are additional header lines, each with its line end.
    static func ask(
        _ target: String, method: String, fields: String = "", body: String, at socketPath: String
    ) throws -> String {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        guard fastcgi_connect(connection, socketPath) == 0 else { throw Peer.Broken(reason: "connect: errno \(errno)") }
        let head = "\(method) \(target) HTTP/1.0\r\nHost: site\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n"
        let bytes = Array((head + body).utf8)
        guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Peer.Broken(reason: "send: errno \(errno)")
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(connection, &piece, piece.count, 0)
            guard count >= 0 else { throw Peer.Broken(reason: "recv: errno \(errno)") }
            if count == 0 { break }
            answer += piece[..<count]
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 200 OK\r\n") else {
            throw Peer.Broken(reason: String(text.prefix { $0 != "\r\n" }))
        }
        return text
    }

    /// `fastcgi_next_upstream off` prevents nginx from hiding a lost request by sending it again.
    private static func configuration(in folder: TemporaryFolder, pool: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file("tmp-\($0)"));" }.joined(separator: "\n    ")
        return """
            daemon off;
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(folder.file("nginx.pid"));
            error_log \(folder.file("error.log")) warn;
            events { worker_connections 256; }
            http {
                \(temporary)
                access_log off;
                upstream pool { server unix:\(pool); keepalive 32; }
                server {
                    listen unix:\(folder.file("http"));
                    location / {
                        fastcgi_pass pool;
                        fastcgi_keep_conn on;
                        fastcgi_next_upstream off;
                        fastcgi_param REQUEST_METHOD $request_method;
                        fastcgi_param REQUEST_URI $request_uri;
                        fastcgi_param CONTENT_TYPE $content_type;
                        fastcgi_param CONTENT_LENGTH $content_length;
                        fastcgi_param LECTERN_REQUEST_ID $request_id;
                    }
                }
            }

            """
    }
}
