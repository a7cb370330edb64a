import Foundation

@testable import HomeServices

/// A folder that is removed with its owner.
final class TemporaryFolder {
    let path = "/tmp/lectern-home-services-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var home: HomeFolder { HomeFolder(path: path) }

    /// Writes a file, with its folders.
    func write(_ name: String, _ text: String) throws {
        let file = "\(path)/\(name)"
        let folder = String(file[..<file.lastIndex(of: "/")!])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    func text(_ name: String) -> String? { TextFile.read("\(path)/\(name)") }
}

extension Service {
    /// A service for tests that look at a part of it.
    static func sample(_ name: String, kind: Kind = .daemon, command: [String] = ["./bin/x"]) -> Service {
        Service(
            name: name, kind: kind, user: 9, launcher: ["/usr/bin/setpriv", "--no-new-privs"], command: command,
            stopSignal: .terminate, deathSignal: .terminate, forceSignal: .kill, secondsToStop: 9, inputs: [])
    }
}
