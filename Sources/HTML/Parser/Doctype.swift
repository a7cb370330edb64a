/// A document type declaration.
struct Doctype: Sendable, Equatable {
    /// In lower case; nil if missing.
    var name: String?
    var publicID: String?
    var systemID: String?
    var forcesQuirks = false
}
