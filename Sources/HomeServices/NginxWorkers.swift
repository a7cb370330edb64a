/// The worker processes that nginx had before a reload. Until they stop accepting connections, the old port answers.
struct NginxWorkers {
    private let pids: [Substring]

    init(of nginx: Int32) {
        pids = TextFile.read("/proc/\(nginx)/task/\(nginx)/children")?.split(separator: " ") ?? []
    }

    /// Whether one of them still accepts connections.
    var areListening: Bool {
        pids.contains { pid in
            let title = TextFile.readBytes("/proc/\(pid)/cmdline") ?? []
            return Self.isListening(title: String(decoding: title, as: UTF8.self))
        }
    }

    /// An nginx worker changes its process title once it has closed its listening sockets. A process that has ended has
    /// no title.
    static func isListening(title: String) -> Bool { !title.isEmpty && !title.contains("shutting down") }
}
