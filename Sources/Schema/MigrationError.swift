/// The reason the SQL files or the migrations recorded in the database are refused.
public enum MigrationError: Error, Equatable, CustomStringConvertible {
    case unreadable(directory: String)
    case badName(String)
    case gap(expected: Int, found: String)
    case changed(name: String)
    case unknown(version: Int, name: String)
    case failed(name: String, reason: String)
    /// Users would have lost rows, or got some.
    case rowsChanged(name: String, tables: [String])
    /// Other transactions held locks on the same tables in every attempt.
    case locked(name: String)

    public var description: String {
        switch self {
        case .unreadable(let directory):
            "cannot read the SQL files in \(directory); LECTERN_SQL_DIR names the folder with migrations/ and schema/"
        case .badName(let name): "\(name) is not named NNNN_what_it_does.sql"
        case .gap(let expected, let found):
            "expected migration \(expected), found \(found): the numbers must have no gaps"
        case .changed(let name): "\(name) was changed after it was applied; write a new migration instead"
        case .unknown(let version, let name):
            "the database has migration \(version) (\(name)), which this version of Lectern does not have; install the newer version"
        case .failed(let name, let reason): "\(name) failed and was rolled back: \(reason)"
        case .rowsChanged(let name, let tables):
            "\(name) was rolled back, because it would have changed the number of rows: "
                + "\(tables.joined(separator: ", ")). Nothing is lost: return to the previous version with its deploy/run, "
                + "and report this"
        case .locked(let name):
            "\(name) was rolled back: another transaction, such as an export, holds a lock on a table it changes; try again when that has ended"
        }
    }
}
