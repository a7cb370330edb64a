import Backups
import Folders
import Glibc
import Postgres
import Schema

/// The backup of the database that an upgrade makes, kept until an upgrade on another day.
struct UpgradeBackup {
    let folder: String

    private static let prefix = "before-"
    private static let secondsKept = 86_400

    /// - Parameters:
    ///   - migration: the first one that the database does not have yet.
    ///   - conninfo: the admin's connection.
    func write(before migration: Migration, _ conninfo: String) throws {
        let name = "\(Self.prefix)\(migration.name.prefix(4)).tar"
        do {
            let backup = DatabaseBackup(conninfo: conninfo, version: Lectern.version)
            _ = try backup.write(to: BackupOutput(path: "\(folder)/\(name)"))
        } catch let error as BackupError {
            throw CommandError("\(error); nothing was migrated, because there is no backup")
        }
        print("wrote \(folder)/\(name)")
        // A younger one is from an upgrade that failed and is being repeated; without it, the former version could not
        // be started.
        for other in Folder.names(in: folder) where other.hasPrefix(Self.prefix) && other != name {
            if Folder.age(of: "\(folder)/\(other)") > Self.secondsKept { unlink("\(folder)/\(other)") }
        }
    }
}
