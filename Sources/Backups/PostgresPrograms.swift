import Folders
import Glibc
import Postgres

/// The programs of a version of PostgreSQL, as Debian installs them.
struct PostgresPrograms: Sendable, Equatable {
    /// The major version.
    let version: Int

    private static let folder = "/usr/lib/postgresql"

    /// - Parameter program: one that must be there.
    init(version: Int, with program: String) throws(BackupError) {
        self.version = version
        guard access(path(of: program), X_OK) == 0 else { throw .noProgram(program) }
    }

    /// The newest installed version.
    init(newestWith program: String, folders: [String]) throws(BackupError) {
        guard let newest = folders.compactMap({ Int($0) }).max() else { throw .noProgram(program) }
        try self.init(version: newest, with: program)
    }

    /// The newest version that is installed.
    static func newest(with program: String) throws(BackupError) -> PostgresPrograms {
        try PostgresPrograms(newestWith: program, folders: Folder.names(in: folder))
    }

    func path(of program: String) -> String { "\(Self.folder)/\(version)/bin/\(program)" }

    /// The arguments that connect a program, and the password, which is not among them: arguments are visible to every
    /// user.
    static func connecting(to conninfo: String) throws(PostgresError) -> (arguments: [String], password: String?) {
        let values = try ConnectionParameters(conninfo).values
        let options = [("host", "host"), ("port", "port"), ("user", "username"), ("dbname", "dbname")]
        let arguments = options.compactMap { key, option in values[key].map { "--\(option)=\($0)" } }
        return (["--no-password"] + arguments, values["password"])
    }
}
