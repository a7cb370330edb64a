/// What the picture desk is told once, at start.
public struct PictureSettings: Sendable {
    /// When an article's pictures are fetched.
    public enum Mode: String, Sendable, CaseIterable {
        /// Never. Those that are kept stay.
        case off
        case onSave = "on_save"
        /// When its user opens it, or its link comes by in a list: what is in a list is fetched with the article.
        case onFirstRead = "on_first_read"
    }

    /// libpq's keyword string or URI, for the role lectern_jobs.
    public var conninfo: String
    /// The folder of the files; nginx serves them from there.
    public var folder: String
    public var mode = Mode.onSave
    /// Bytes of one user's pictures; 0: no limit.
    public var quota = 1 << 30
    /// Pictures of one article that are kept.
    public var mostOfArticle = 200
    /// Pictures at once.
    public var parallel = 8
    /// Seconds a lease holds without renewal.
    public var lease = 60
    /// Seconds before the first retry; doubles each time.
    public var retryBase = 30
    /// The program that reads pictures.
    public var program: String

    public init(conninfo: String, folder: String, program: String) {
        self.conninfo = conninfo
        self.folder = folder
        self.program = program
    }
}
