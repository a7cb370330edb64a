import Postgres

/// The settings of the picture workers.
public struct PictureSettings: Sendable {
    /// When an article's pictures are fetched.
    public enum Mode: String, Sendable, CaseIterable {
        /// Never. Stored pictures stay.
        case off
        case onSave = "on_save"
        /// When the user opens the article. Pictures shown in lists are fetched with the article.
        case onFirstRead = "on_first_read"
    }

    /// For the role lectern_jobs.
    public var database: Database
    /// The folder of the files; nginx serves them from there.
    public var folder: String
    public var mode = Mode.onSave
    /// Largest size of one user's pictures in bytes; 0: no limit.
    public var quota = 1 << 30
    /// Largest number of stored pictures of one article.
    public var maxPerArticle = 200
    /// Pictures that are fetched at the same time.
    public var parallel = 8
    /// Seconds a lease lasts without renewal.
    public var lease = 60
    /// Seconds before the first retry; doubles each time.
    public var retryBase = 30
    /// Path of the program that reads pictures.
    public var program: String

    public init(_ database: Database, folder: String, program: String) {
        self.database = database
        self.folder = folder
        self.program = program
    }
}
