import ArgumentParser
import Glibc
import Settings

extension MaintainCommand {
    struct On: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer requests with a message (503), until lectern maintain off.",
            discussion: """
                Every request to the API is answered with 503, the message and Retry-After. The pages of the web app \
                show the message, and keep the changes that users make in the meantime. Running requests finish, and \
                the jobs process goes on. Restarts do not end the maintenance. Run this as the owner of the home.
                """)

        @Option(help: "Message for users, without quotation marks.")
        var message = "The service is being maintained; try again in a few minutes"

        @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
        var home: String?

        func validate() throws {
            let isPlain = message.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !"\"\\$\u{7F}".unicodeScalars.contains($0)
            }
            guard isPlain, (1...300).contains(message.count) else {
                throw ValidationError(
                    "--message takes up to 300 characters without quotation marks, backslashes and dollar signs.")
            }
        }

        func run() throws {
            try MaintenanceMessage(home: home).write(message)
            print("Requests are refused with: \(message)\nEnd it with lectern maintain off")
        }
    }

    struct Off: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Answer requests again.")

        @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
        var home: String?

        func run() throws {
            try MaintenanceMessage(home: home).write("")
            print("Requests are answered again.")
        }
    }
}

/// The file from which nginx takes the message of the maintenance mode.
struct MaintenanceMessage {
    private let home: String

    init(home: String?) { self.home = home ?? Environment.all["LECTERN_HOME"] ?? "var" }

    private var path: String { "\(home)/nginx/maintenance/message.conf" }

    /// Writes the message, and has nginx read it if it runs.
    func write(_ message: String) throws {
        let draft = path + ".new"
        guard let file = fopen(draft, "we") else { throw failure(draft) }
        fputs("map $host $maintenance_message { default \"\(message)\"; }\n", file)
        guard fclose(file) == 0, chmod(draft, 0o644) == 0, rename(draft, path) == 0 else { throw failure(draft) }
        if let nginx = master(), kill(nginx, SIGHUP) != 0 {
            throw CommandError("nginx could not be signalled: \(String(cString: strerror(errno))); run deploy/run")
        }
    }

    /// Whether requests are refused at the moment.
    var isOn: Bool { text(path).map { !$0.contains("default \"\";") } ?? false }

    /// The pid of nginx; nil if it does not run.
    private func master() -> pid_t? {
        guard let text = text("\(home)/nginx/temp/nginx.pid"), let pid = pid_t(text.prefix { $0.isNumber }),
            self.text("/proc/\(pid)/cmdline")?.hasPrefix("nginx: master process") == true
        else { return nil }
        return pid
    }

    private func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func failure(_ path: String) -> CommandError {
        CommandError(
            "\(path): \(String(cString: strerror(errno))); run this as the owner of a home that deploy/run has started")
    }
}
