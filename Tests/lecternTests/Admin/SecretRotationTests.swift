import FoundationEssentials
import Glibc
import Testing

@testable import lectern

@Suite("lectern / replacing the signing secret")
struct SecretRotationTests {
    private static let secret = String(repeating: "s", count: 64)

    @Test("the old secret stays valid for the grace period, the new one is private and different")
    func rotate() throws {
        let home = try Home(secret: Self.secret)
        let outcome = try SecretRotation(home: home.path).rotate(graceHours: 1)
        let new = try home.read("jwt_secret")
        #expect(new != Self.secret && new.utf8.count == 64)
        #expect(try home.read("jwt_previous").hasPrefix(Self.secret + "@"))
        #expect(outcome.until != nil)
        #expect(try home.mode(of: "jwt_secret") == 0o600)
    }

    @Test("without a grace period no old secret is kept")
    func noGrace() throws {
        let home = try Home(secret: Self.secret)
        _ = try SecretRotation(home: home.path).rotate(graceHours: 1)
        let outcome = try SecretRotation(home: home.path).rotate(graceHours: 0)
        #expect(try home.read("jwt_previous").isEmpty)
        #expect(outcome.until == nil)
    }

    @Test("secrets whose grace period is over are dropped, others are kept")
    func expired() throws {
        let home = try Home(secret: Self.secret)
        let later = time(nil) + 1_000
        try home.write("jwt_previous", "expired@1\nvalid@\(later)\nbroken\n")
        _ = try SecretRotation(home: home.path).rotate(graceHours: 1)
        let lines = try home.read("jwt_previous").split(separator: "\n")
        #expect(lines.first == "valid@\(later)" && lines.count == 2)
    }

    @Test("a home without a secret, or with a short one, is refused and left as it is")
    func refused() throws {
        let home = try Home(secret: "short")
        #expect(throws: CommandError.self) { try SecretRotation(home: home.path).rotate(graceHours: 1) }
        #expect(try home.read("jwt_secret") == "short")
        #expect(throws: CommandError.self) { try SecretRotation(home: home.path + "/missing").rotate(graceHours: 1) }
    }
}

/// A folder with a `secrets` folder, removed at the end.
private final class Home {
    let path: String

    init(secret: String) throws {
        path = TemporaryFolder.path + "/lectern-home-\(getpid())-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path + "/secrets", withIntermediateDirectories: true)
        try write("jwt_secret", secret)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/secrets/\(name)"))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/secrets/\(name)", encoding: .utf8)
    }

    func mode(of name: String) throws -> mode_t {
        var status = stat()
        guard stat("\(path)/secrets/\(name)", &status) == 0 else { throw CommandError("no \(name)") }
        return status.st_mode & 0o777
    }
}

private enum TemporaryFolder {
    static var path: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
}
