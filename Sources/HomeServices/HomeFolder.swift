import Glibc

/// The files of a home that the supervisor reads and writes.
struct HomeFolder: Sendable {
    /// The canonical path: processes are recognised by it.
    let path: String

    static let environmentFolder = "services"

    var tableFile: String { path + "/services/table" }
    var logFolder: String { path + "/log" }
    var identityFile: String { path + "/run/supervisor.pid" }
    var lockFile: String { path + "/run/supervisor.lock" }

    func environmentFile(of service: String) -> String { "\(path)/\(Self.environmentFolder)/\(service).env" }
    func logFile(of service: String) -> String { "\(logFolder)/\(service).log" }

    /// The path of a program of the table.
    func program(_ name: String) -> String { name.hasPrefix("./") ? path + name.dropFirst() : name }

    /// The id that deploy/run has given its latest request.
    var request: String { TextFile.read(path + "/run/request")?.split(separator: "\n").first.map(String.init) ?? "" }

    /// Tells deploy/run about the state: `starting`, `ready REQUEST SERVICE…` or `failed REASON`.
    func setState(_ state: String) { _ = TextFile.replace(path + "/run/state", with: state + "\n", mode: 0o644) }

    /// The table is at fault, so nothing was started or changed.
    func setFailed(_ error: TableError) { setState("failed \(tableFile): \(error)") }

    func readTable() throws(TableError) -> ServiceTable {
        guard let text = TextFile.read(tableFile) else { throw TableError(line: 1, reason: "cannot be read") }
        return try ServiceTable(parsing: text)
    }

    /// Records which process is the supervisor.
    func writeIdentity() -> Bool {
        guard let identity = ProcessIdentity.own() else { return false }
        return TextFile.replace(identityFile, with: identity + "\n", mode: 0o600)
    }
}
