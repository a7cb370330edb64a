/// The tokens that the tokenizer passes to the tree builder.
enum Token {
    case startTag, endTag
    /// A run of characters without NUL.
    case text
    /// One U+0000 in ordinary text; the insertion mode decides how it is handled.
    case null
    case comment, doctype
    case endOfFile
}

/// A document type declaration.
struct Doctype: Sendable, Equatable {
    /// In lower case; nil if missing.
    var name: String?
    var publicID: String?
    var systemID: String?
    var forcesQuirks = false
}

/// How the tokenizer reads the content between tags: the states of section 13.2.5 that the tree builder selects.
enum ContentModel: Sendable {
    case data
    /// Character references are decoded; the only tag recognized is the element's end tag.
    case rcdata
    /// Only the element's end tag is recognized.
    case rawText
    /// Like raw text, with the legacy rules for scripts inside comments.
    case script
    /// Up to the end of the page.
    case plaintext
    /// Up to `]]>`.
    case cdata
}
