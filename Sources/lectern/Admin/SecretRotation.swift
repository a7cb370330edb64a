import Auth
import Crypto
import FoundationEssentials
import Glibc

/// Replaces the secret that signs the API keys and sessions of a home.
struct SecretRotation {
    private let folder: String

    /// - Parameter home: the folder given to deploy/run.
    init(home: String) { folder = home + "/secrets" }

    struct Outcome {
        var keys: APIKeys
        /// When the old secret stops being accepted, ISO 8601; nil: it is refused at once.
        var until: String?
    }

    func rotate(graceHours: Int) throws -> Outcome {
        let lock = try lockFolder()
        defer { close(lock) }
        let old = try read("jwt_secret").trimmingLines
        guard old.utf8.count >= 32 else {
            throw CommandError("\(folder)/jwt_secret does not hold a secret of at least 32 bytes")
        }
        let new = Digest.hex(SecureRandom.bytes(32))
        let now = time(nil)
        let end = now + graceHours * 3_600
        let previous = graceHours > 0 ? try unexpired(now) + ["\(old)@\(end)"] : []
        // Write the old secret first: a crash in between changes nothing.
        try replace("jwt_previous", previous.map { $0 + "\n" }.joined())
        try replace("jwt_secret", new)
        return Outcome(keys: JWTKeySet(secret: new).apiKeys, until: graceHours > 0 ? Self.date(end) : nil)
    }

    /// The lines `secret@epoch` that have not expired.
    private func unexpired(_ now: Int) throws -> [String] {
        guard access("\(folder)/jwt_previous", F_OK) == 0 else { return [] }
        return try read("jwt_previous").split(separator: "\n").map { String($0) }.filter { line in
            guard let at = line.lastIndex(of: "@"), let end = Int(line[line.index(after: at)...]) else { return false }
            return end > now
        }
    }

    private func lockFolder() throws -> Int32 {
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw CommandError("\(folder): \(String(cString: strerror(errno))); give the home with --home")
        }
        return lock
    }

    private func read(_ name: String) throws -> String {
        guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else {
            throw CommandError("\(folder)/\(name) cannot be read; give the home with --home")
        }
        return text
    }

    /// Replaces a file atomically, with mode 0600 and the owner of the folder.
    private func replace(_ name: String, _ text: String) throws {
        let temporary = "\(folder)/.\(name).new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandError("\(temporary): \(String(cString: strerror(errno)))") }
        var owner = stat()
        let bytes = Array(text.utf8)
        let isWritten =
            stat(folder, &owner) == 0 && fchown(file, owner.st_uid, owner.st_gid) == 0
            && write(file, bytes, bytes.count) == bytes.count
            && fsync(file) == 0
        let code = errno
        close(file)
        guard isWritten, rename(temporary, "\(folder)/\(name)") == 0 else {
            unlink(temporary)
            throw CommandError("\(folder)/\(name): \(String(cString: strerror(code)))")
        }
    }

    private static func date(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

extension String {
    fileprivate var trimmingLines: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
