import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / listening socket")
struct ListeningSocketTests {
    private let folder = TemporaryFolder()

    @Test("an open socket has its mode and its owner")
    func open() throws {
        let socket = try ListeningSocket(path: folder.file("s"), mode: 0o640, backlog: 1)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("s"))[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(ListeningSocket.owner(of: folder.file("s")) == getpid())
        _ = socket.descriptor
    }

    @Test("a path that another supervisor owns is refused with its pid")
    func owned() throws {
        let path = folder.file("s")
        let socket = try ListeningSocket(path: path, mode: 0o600, backlog: 1)
        #expect(throws: SupervisorFailure.alreadyRunning(socketPath: path, pid: getpid())) {
            _ = try ListeningSocket(path: path, mode: 0o600, backlog: 1)
        }
        _ = socket.descriptor
    }

    @Test("a withdrawn socket has no file, and a file that replaced it stays")
    func withdraw() throws {
        let path = folder.file("s")
        let first = try ListeningSocket(path: path, mode: 0o600, backlog: 1)
        first.withdraw()
        #expect(!FileManager.default.fileExists(atPath: path))
        try "other".write(toFile: path, atomically: true, encoding: .utf8)
        first.withdraw()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("without a lock file the path has no owner")
    func noOwner() { #expect(ListeningSocket.owner(of: folder.file("none")) == nil) }
}
