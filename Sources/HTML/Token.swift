/// What the tokenizer hands to the tree builder.
enum Token {
    case startTag, endTag
    /// A run of characters without NUL.
    case text
    /// One U+0000 in ordinary text; what becomes of it depends on where it stands.
    case null
    case comment, doctype
    case endOfFile
}

/// A document type declaration.
struct Doctype: Sendable, Equatable {
    /// Lower case; nil where it has none.
    var name: String?
    var publicID: String?
    var systemID: String?
    var forcesQuirks = false
}

/// How the tokenizer reads what stands between tags: the states of section 13.2.5 that the tree builder chooses.
enum ContentModel: Sendable {
    case data
    /// Character references count, tags do not, but for the end tag of the element.
    case rcdata
    /// Nothing counts but the end tag of the element.
    case rawText
    /// As raw text, with the old ways to hide scripts in comments.
    case script
    /// To the end of the page.
    case plaintext
    /// Until `]]>`.
    case cdata
}
