import Glibc

/// The reason a backup cannot be written, checked or restored.
public enum BackupError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A system call failed on a file.
    case file(String, call: String, code: Int32)
    /// The name belongs to something else, such as a device.
    case notAFile(String)
    case anotherIsRunning
    /// A program of PostgreSQL is not installed.
    case noProgram(String)
    /// The program that encrypts or decrypts is not installed.
    case noEncryption(String)
    /// A file that age has encrypted, without its key.
    case encrypted(String)
    /// A program failed.
    case program(String, said: String)
    /// The file is not a backup, or some of its bytes have changed.
    case damaged(String, reason: String)
    case newerFormat(String, format: Int)
    case newerSchema(migration: Int, known: Int, lectern: String)
    case notEmpty(String)
    case noServiceUser
    /// A backup of the database alone, as an upgrade makes it.
    case databaseOnly(String)
    /// The database of the home runs.
    case running(String)
    /// The restored database is not what was backed up.
    case differentRows([String])
    case interrupted

    public var description: String {
        switch self {
        case .file(let path, let call, let code): "\(path): \(call): \(String(cString: strerror(code)))"
        case .notAFile(let path): "\(path) is not a regular file; use - for standard output"
        case .anotherIsRunning: "another backup of this instance is running; try again when it has ended"
        case .noProgram(let name):
            "the program \(name) was not found in /usr/lib/postgresql/*/bin; install the package postgresql"
        case .noEncryption(let name): "\(name) is not installed; install the package of this name"
        case .encrypted(let path): "\(path) is encrypted with age; name the file with its private key with --identity"
        case .program(let name, let said): "\(name) failed: \(said.isEmpty ? "it gave no reason" : said)"
        case .damaged(let path, let reason):
            "\(path) is damaged or not a complete backup: \(reason); use another backup"
        case .newerFormat(let path, let format):
            "\(path) has the format \(format), which this version of Lectern does not know; use the version that wrote it"
        case .newerSchema(let migration, let known, let lectern):
            "the backup was made by a newer version of Lectern (\(lectern), migration \(migration); this one knows \(known)); "
                + "restore it with that version or a newer one"
        case .notEmpty(let path): "\(path) is not empty; a backup is restored into a new or empty folder only"
        case .noServiceUser:
            "the system user lectern-db does not exist yet; run deploy/run --prepare once, which creates it"
        case .databaseOnly(let path):
            "\(path) contains only a database; restore it into the home that it was made from, with --database"
        case .running(let home): "the database of \(home) is running; stop it first with deploy/stop"
        case .differentRows(let tables):
            "the restored database is not what was backed up: \(tables.prefix(5).joined(separator: ", "))"
        case .interrupted: "interrupted; nothing was changed"
        }
    }
}
