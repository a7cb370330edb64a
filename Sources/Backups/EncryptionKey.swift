import Glibc

/// Whom a backup is encrypted for, and what reads it again: age or GnuPG, each a package of Debian.
public struct EncryptionKey: Sendable, Equatable {
    private enum Program: String {
        case age, gpg
    }

    private let program: Program
    private let recipients: [String]

    /// What follows `.tar` in the name of the file.
    public var fileExtension: String { "." + program.rawValue }

    /// - Parameter recipients: age's public keys (`age1…`, `ssh-…`) or paths of files with such keys; or, for GnuPG, the
    ///   fingerprints or addresses of public keys of the user who runs this. Not empty.
    public init(for recipients: [String]) {
        self.recipients = recipients
        program = recipients.allSatisfy { Self.isOfAge($0) || Self.isFile($0) } ? .age : .gpg
    }

    private static func isOfAge(_ recipient: String) -> Bool {
        recipient.hasPrefix("age1") || recipient.hasPrefix("ssh-")
    }

    private static func isFile(_ path: String) -> Bool { path.contains("/") && access(path, R_OK) == 0 }

    /// Starts the program that encrypts what is written to the pipe into a file.
    func encrypt(to file: Int32) throws(BackupError) -> ProgramPipe {
        let options: [String]
        switch program {
        case .age:
            options = recipients.flatMap { [Self.isOfAge($0) ? "--recipient" : "--recipients-file", $0] }
        case .gpg:
            // The backup is compressed already.
            options =
                ["--batch", "--quiet", "--no-tty", "--trust-model", "always", "--compress-algo", "none", "--encrypt"]
                + recipients.flatMap { ["--recipient", $0] }
        }
        return try Self.start(program, options, .input, other: file)
    }

    /// Decrypts a file; returns nil if it is not encrypted.
    ///
    /// - Parameter identity: the path of a file with age's private key. GnuPG has its own.
    static func decrypt(_ path: String, identity: String?) throws(BackupError) -> DecryptedFile? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .file(path, call: "open", code: errno) }
        defer { close(file) }
        guard let program = Self.program(of: file) else { return nil }
        var options = ["--decrypt"]
        switch program {
        case .age:
            guard let identity else { throw .encrypted(path) }
            options += ["--identity", identity]
        case .gpg: options += ["--batch", "--quiet", "--no-tty"]
        }
        let decrypted = DecryptedFile(descriptor: try TemporaryFile.open(beside: path))
        let source = try start(program, options, .output, other: file)
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Descriptor.fill(&piece, upTo: piece.count, from: source.descriptor)
            guard count >= 0 else { throw .file(path, call: "read", code: errno) }
            if count == 0 { break }
            do throws(WriteFailure) { try Descriptor.write(piece[..<count], to: decrypted.descriptor) } catch {
                throw .file(path, call: "decrypting", code: error.code)
            }
        }
        try source.finish()
        return decrypted
    }

    /// The program that encrypted a file, by its first bytes.
    private static func program(of file: Int32) -> Program? {
        var start = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &start, start.count, 0)
        let bytes = start.prefix(max(0, count))
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("age-encryption.org/") || text.hasPrefix("-----BEGIN AGE") { return .age }
        // The tag of a packet with an encrypted session key; see RFC 9580, 4.2 and 5.1.
        let isPacket = bytes.first.map { (0x84...0x87).contains($0) || $0 == 0xc1 } ?? false
        return isPacket || text.hasPrefix("-----BEGIN PGP") ? .gpg : nil
    }

    private static func start(
        _ program: Program, _ options: [String], _ direction: ProgramPipe.Direction, other: Int32
    ) throws(BackupError) -> ProgramPipe {
        let path = "/usr/bin/\(program.rawValue)"
        guard access(path, X_OK) == 0 else { throw .noEncryption(program.rawValue) }
        // GnuPG's keys are in the user's own folder.
        let variables = ["HOME", "GNUPGHOME"].compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        return try ProgramPipe(path, options, direction, other: other, variables: variables)
    }
}

/// The decrypted content of a backup, in a file without a name that is gone with this object.
final class DecryptedFile {
    fileprivate let descriptor: Int32

    fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A path that opens it.
    var path: String { "/proc/self/fd/\(descriptor)" }
}
