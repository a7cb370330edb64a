public import ExportFormats
import Glibc
import Postgres

/// What is exported, and how.
public struct ExportRequest: Sendable, Equatable {
    /// The id of an account.
    public var user: String
    public var format: ExportFormat
    /// Restricts the links; nil: all of them, and with the format zip everything else of the account.
    public var query: Query?

    /// A search query.
    public struct Query: Sendable, Equatable {
        public var text: String
        /// The parsed query, as JSON.
        public var tree: String

        public init(text: String, tree: String) {
            self.text = text
            self.tree = tree
        }
    }

    public init(user: String, format: ExportFormat, query: Query? = nil) {
        self.user = user
        self.format = format
        self.query = query
    }

    /// Called after every few rows with the work done so far and the total. Its error ends the writing.
    public typealias Progress = (_ done: Int, _ total: Int) throws -> Void

    /// What was written.
    public struct Summary: Sendable, Equatable {
        /// Rows of all tables, or links.
        public var rows: Int
        public var articles: Int
        /// Pictures and documents.
        public var files = 0
        public var bytes: Int
    }

    /// The user does not exist.
    public struct NoUser: Error {}

    /// Writes the file in one step: the path holds the complete file, or what it held before.
    ///
    /// - Parameters:
    ///   - path: the path of the finished file.
    ///   - temporary: the path at which it is written first, on the same file system.
    ///   - mode: the permissions of the file.
    ///   - folders: of the files that belong to the rows. Only the format zip holds files.
    ///   - connection: an idle connection of the role lectern_jobs or of the admin. It cannot be used for anything else
    ///     afterwards.
    public func write(
        to path: String, by temporary: String, mode: mode_t, from folders: StoredFolders,
        _ connection: consuming Connection, progress: @escaping Progress
    ) throws -> Summary {
        if format == .zip {
            return try PersonalArchive(self, connection, folders: folders, progress: progress).write(
                to: path, by: temporary, mode: mode)
        }
        return try LinkExport(self, connection, progress: progress).write(to: path, by: temporary, mode: mode)
    }
}
