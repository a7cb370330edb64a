import Foundation

/// A private directory with a short path, removed with its owner.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/pool-XXXXXX".utf8CString)
        // No test that needs a folder could run without one.
        guard let made = mkdtemp(&template) else { fatalError("no directory under /tmp: errno \(errno)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
