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
